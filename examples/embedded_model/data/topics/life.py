"""Topics of every day: appointments, weather, places, food, books and films, sports, complaints."""

from __future__ import annotations

from embedded_model.data.topics.topic import topic

LIFE = (
    topic(
        "event",
        """
        {title} will take place / {title} takes place in {location} / {title} on {date} / We announce {title}
        {title} in {location} / {title} with {host} at {time} / Please come to {title} / {title}, {date}, {location}
        {title} is held in {location} on {date} / On {date} there is {title} in {location}
        {host} invites you to {title} / {host} organizes {title} in {location} on {date}
        {title} begins at {time} on {date} / Join us for {title} in {location} on {date} at {time}
        EVENT: {title}¶{date}¶{location} / INVITATION¶{title}¶Date: {date}¶Place: {location}
        save the date: {title}, {date} / {title} was moved to {date} / The next {title} is on {date}
        In {location}, {title} starts at {time} / come to {location} for {title} / {title} ({location})
        {attendees} people came to {title} in {location} / {title} drew {attendees} guests
        {title} with talks by {speakers} / {speakers} will speak at {title} / When is {title}? On {date}
        {title} is cancelled, new date {date} / {location} hosts {title} / are you coming to {title} on {date}?
        we meet for {title} at {time} in {location} / {host} will host {title}
        """,
        "title event name = occasion : for {} ; Event: {}",
        "date day when event_date = day : on {} ; on the day {} ; Date: {} ; It is on {}",
        "location place where venue city = city : in {} ; , in {} ; held in {} ; Place: {} ; Venue: {}",
        "time start start_time = time : at {} ; starting at {} ; from {} ; It starts at {} ; Doors open at {} ; "
        "beginning at {}",
        "attendees participants guests count = count : with {} attendees ; for {} people ; {} guests came ; "
        "Attendees: {}",
        "speakers talks_by = [person] : with talks by {} ; Speakers: {}",
        "host organizer hosted_by = first_name : with {} ; hosted by {} ; organized by {} ; Host: {}",
    ),
    topic(
        "meeting",
        """
        Meeting with {who} at {time} / meeting with {who} on {date} / Meeting with {who} on {date} at {time}
        Lunch with {who} at {time} / Call with {who} at {time} / Dinner with {who} on {date}
        Coffee with {who} in {place} at {time} / {who} at {time} / I am meeting {who} at {time}
        Let's meet {who} in the {place} / {who} wants to meet on {date} / {who} and I meet at {time}
        We meet {who} in the {place} at {time} / At {time} there is a meeting with {who}
        On {date} I see {who} about the {topic} / Talk to {who} about {topic} at {time}
        {who} will present {topic} on {date} / {who} invited me to a meeting about {topic}
        The meeting about {topic} is on {date} / Interview with {who}, {date}, {time} / {time} {who}
        {time} - {who} ({topic}) / {date} {time}: call {who} / schedule a call with {who} for {date}
        can you meet {who} at {time}? / see {who} {date} / Reminder: {who} at {time} / meet {who} in the {place}
        the talk with {who} starts at {time} and is about {topic} / {topic} meeting with {who}
        Standup with {who} at {time} / {who} moved our meeting to {time} / Appointment with {who}, {time}
        MEETING¶With: {who}¶At: {time} / MEETING¶{who}¶{date}, {time} / hey, {who} can only make it at {time}
        Sync with {who} and the team at {time}
        """,
        "who with person name attendee = person : with {} ; together with {} ; With: {} ; {} will be there",
        "time start at start_time = clock : at {} ; starting at {} ; It starts at {} ; Time: {} ; from {}",
        "date day when = day : on {} ; Date: {} ; It is on {}",
        "place room location where = place : in the {} ; Place: the {}",
        "topic subject about agenda = topic : about {} ; Topic: {} ; on the subject of {}",
        "duration_minutes duration minutes = minutes : for {} ; lasting {} ; It takes {}",
    ),
    topic(
        "appointment",
        """
        {patient} has an appointment with Dr. {doctor} at {time} / appointment with Dr. {doctor} {day}
        Dr. {doctor} will see you {day} / Your appointment is {day} with Dr. {doctor} / I have an appointment {day}
        I'd like to book a {service} for {day} / {patient} would like a {service} {day}
        please book a {service} for {patient} / {service} {day} at {place}, {city} / {service} for {patient} {day}
        Can I come for a {service} {day}? / {day} I am going to the dentist, Dr. {doctor} / {patient} booked a {service}
        {patient} cancelled the appointment with Dr. {doctor} / see you {day}, {patient}
        The {service} takes place {day} / {patient} ({phone}) asks for a {service}
        appointment: {day}, {patient}, {service} / {patient} comes in {day}
        at {place} they have a {service} free {day} / my {service} at {place} is {day} / {service} at {place}
        """,
        "patient client name customer who = person : for {} ; Name: {}",
        "service treatment reason what = checkup|haircut|massage|cleaning|vaccination|consultation",
        "day when date = when : , {} ; - {} ; When: {}",
        "doctor dentist with = last_name : with Dr. {} ; with doctor {} ; Doctor: {}",
        "time at = time : at {} ; Time: {}",
        "place practice salon = company : at {} ; Place: {}",
        "city = city : in {}",
        "phone tel = phone : , phone {} ; , call {} ; Phone: {}",
    ),
    topic(
        "weather",
        """
        It is {temperature} in {city} / In {city} it's {temperature} today / The weather in {city}: {temperature}
        {city}: {temperature} / It's {condition} in {city} / {temperature} and {condition} in {city}
        {city} is {condition} at {temperature} / {condition}, {temperature} / {city} reports {temperature}
        the temperature in {city} is {temperature} / The sky over {city} is {condition}
        In {city} the humidity is {humidity} at {temperature}
        Today {city} will be {condition} with up to {temperature} / {temperature} were measured in {city}
        {city} has {condition} weather / how is it in {city}? {condition}, {temperature}
        it will be {condition} in {city} on {date} / on {date} {city} had {temperature}
        tonight {temperature} in {city}, {condition}
        the forecast for {city}: {condition}, {temperature}, wind {wind} km/h / winds of {wind} km/h hit {city}
        """,
        "city location place town = city : in {} ; City: {}",
        "temperature degrees temp celsius = degrees : at {} ; with {} ; Temperature: {}",
        "condition weather sky = sunny|cloudy|rainy|windy|snowy",
        "humidity humidity_percent = percentage : with a humidity of {} ; humidity {} ; Humidity: {}",
        "wind wind_kmh wind_speed = small : with winds of {} km/h ; wind {} km/h",
        "date day = day : on {} ; Date: {}",
    ),
    topic(
        "city",
        """
        {name} has {population} inhabitants / {name} is a city / {name} lies in {country} / {name}, {country}
        {population} live in {name} / {population} people live in {name} / The population of {name} is {population}
        {name} is a city in {country} with {population} people
        {name}, a city in {country}, has {population} inhabitants / {mayor} is the mayor of {name}
        The mayor of {name} is {mayor} / {name} was founded in {founded}
        With {population} people, {name} is the largest city of {country} / {country}'s capital is {name}
        In {country} lies {name} / {mayor} governs {name} / founded in {founded}, {name} now counts {population} people
        {name} elected {mayor} / the city {name}, home to {population} people
        {name} ({country}), {population} inhabitants
        """,
        "name city town = city",
        "population inhabitants residents people = people : with {} inhabitants ; with a population of {} ; "
        "Population: {} ; "
        "where {} people live",
        "country state nation = country : in {} ; in the country {} ; Country: {}",
        "mayor = person : whose mayor is {} ; led by mayor {} ; The mayor is {}",
        "founded founded_in = year : founded in {} ; Founded in {} ; which was founded in {}",
    ),
    topic(
        "address",
        """
        send it to {street}, {city} / Please ship it to {street}, {city}, {zip} / {street}, {city}, {country}
        Address: {street}, {zip} {city} / {street}¶{zip} {city}¶{country} / {recipient}¶{street}¶{zip} {city}
        I live at {street} in {city} / {recipient} lives at {street} / {recipient} moved to {street} in {city}
        Our new address is {street}, {city} / The office is at {street} in {city}, {country}
        {recipient}, {street}, {zip} {city}, {country} / deliver to {recipient} at {street} / {city} {zip}, {street}
        You find us at {street} / {recipient} lives in {city} at {street} / the shop at {street} in {city}
        {zip} is the zip code of {city} / ship to: {recipient}, {street}, {city}
        we moved from the old place to {street}, {city} / {street} in {city} is where {recipient} lives
        """,
        "street address street_address line1 = street : at {} ; Street: {}",
        "city town = city : in {} ; City: {}",
        "zip postal_code zipcode postcode zip_code plz = zip : with zip code {} ; {} ; zip {} ; Zip: {}",
        "country = country : in the country {} ; , {} ; Country: {}",
        "recipient name to = person : for {} ; to {} ; Recipient: {}",
    ),
    topic(
        "recipe",
        """
        {dish} is easy to make / For {dish} you need {ingredients} / {dish} / Try {dish}
        {dish} takes {minutes} minutes / {dish} takes {minutes} minutes and serves {servings}
        To make {dish}, mix {ingredients} / {dish}: {ingredients} / The {dish} is ready in {minutes} minutes
        {dish} (serves {servings}) / {dish} for {servings} people / cook {dish} for {minutes} minutes
        Take {ingredients} and make {dish} / {ingredients} go into the {dish}
        {dish} needs {ingredients} and {minutes} minutes / {chef} makes {dish} from {ingredients}
        {chef}'s {dish} is done in {minutes} minutes / in {minutes} minutes you have {dish} for {servings}
        my {dish} recipe: {ingredients} / how do you make {dish}? with {ingredients}
        RECIPE¶{dish}¶{ingredients}¶{minutes} min / bake the {dish} for {minutes} minutes
        {servings} people can eat the {dish} / today I cook {dish} with {ingredients}
        """,
        "dish title name recipe = dish : Dish: {}",
        "ingredients needs = [food] : from {} ; you need {} ; made of {} ; with {} ; Ingredients: {} ; You need {}",
        "minutes time duration cooking_time = small : in {} minutes ; takes {} minutes ; It takes {} minutes ; "
        "ready in {} minutes",
        "servings people portions serves = small : for {} people ; serves {} ; for {} persons ; Serves {} ; "
        "enough for {}",
        "chef author by = first_name : by {} ; from {} ; Chef: {}",
        "vegetarian is_vegetarian = boolean : without meat|with meat ; vegetarian|not vegetarian",
    ),
    topic(
        "restaurant",
        """
        {restaurant} in {city} serves {dish} / We ate {dish} at {restaurant} / I give {restaurant} {rating} stars
        {restaurant}: {rating}/5 / The {dish} at {restaurant} was worth {rating} stars
        {restaurant} in {city} gets {rating} of 5 stars from me / {restaurant}, {city}
        dinner at {restaurant}, {city}, {rating} stars / {reviewer} gave {restaurant} {rating} stars
        {rating} stars for {restaurant} / At {restaurant} we paid {price} for two / {dish} for {price} at {restaurant}
        {restaurant} charges {price} for {dish} / {reviewer} had the {dish} at {restaurant}
        {rating} out of 5, writes {reviewer} about {restaurant} / go to {restaurant} for the {dish}
        we booked a table at {restaurant} for {guests} people / table for {guests} at {restaurant}, name {reviewer}
        {restaurant} is in {city} / is {restaurant} in {city} any good? I'd say {rating} stars
        try the {dish} if you are in {city}, at {restaurant}
        """,
        "restaurant name place where = hotel : at {} ; Restaurant: {}",
        "city location town = city : in {} ; City: {}",
        "rating stars score = five : rated {} ; {} stars ; Rating: {} ; {} of 5 stars",
        "dish meal food ordered = dish : with {} ; where I had the {} ; Dish: {}",
        "price bill cost = money : for {} ; It cost {} ; which cost {} ; Price: {}",
        "reviewer author by user = person : by {} ; , signed {} ; Review by {}",
        "guests people party_size = handful : for {} people ; we were {} people",
    ),
    topic(
        "book",
        """
        {title} is a book / I just read {title} by {author} / {title} by {author} / {title} came out in {year}
        {title} ({year}) / {author} wrote {title} / {title} was written by {author}
        {title}, written by {author}, appeared in {year} / {author}: {title}
        {author}'s {title} was published in {year} / In {year}, {author} published {title}
        {title} by {author} ({year}) / {author}, {title}, {year} / {title} has {pages} pages
        the novel {title} by {author} is {pages} pages long / {publisher} published {title} in {year}
        {title} ({author}, {year}) / have you read {title} by {author}? / I give {title} {rating} stars
        {title}, a book by {author}, {pages} pages / {author} is the author of {title} / {title} is {author}'s best book
        my favourite book is {title} by {author} / {title} is from {year} and has {pages} pages
        at the moment i'm reading {title} / {pages} pages of {title} by {author}
        """,
        "title book name = work : Title: {}",
        "author writer by written_by = person : by {} ; written by {} ; from the pen of {} ; Author: {} ; "
        "The author is {}",
        "year published release_year released = year : from {} ; published in {} ; out since {} ; "
        "It appeared in {} ; Year: {}",
        "pages length = count : of {} pages ; with {} pages ; It has {} pages ; Pages: {}",
        "language = language : in {} ; written in {} ; Language: {}",
        "publisher label = company : published by {} ; at {} ; Publisher: {}",
        "rating stars score = small : rated {} stars ; with {} stars ; I give it {} stars",
    ),
    topic(
        "film",
        """
        {title} was directed by {director} / I watched {title} / {director} directed {title}
        {title} is a film by {director} / {title}, directed by {director}, came out in {year}
        {director}'s film {title} stars {actors} / {title} ({year}), with {actors} / {actors} play in {title}
        {title} stars {actors} / The {year} film {title} was made by {director} / {title} runs {minutes}
        {title} is {minutes} long / last night we saw {title} by {director}
        In {title}, {actors} are seen for {minutes} / the movie {title} from {year}
        {title} by {director}, {year}, {minutes} / {director} shot {title} in {year} / MOVIE NIGHT¶{title}¶{minutes}
        """,
        "title film movie name = work : Title: {}",
        "director directed_by by = person : by {} ; directed by {} ; The director is {} ; Director: {}",
        "year released release_year = year : from {} ; of {} ; released in {} ; It came out in {}",
        "actors cast starring = [person] : with {} ; starring {} ; Cast: {}",
        "minutes duration runtime length = minutes : of {} ; running {} ; Length: {}",
        "genre = comedy|drama|thriller|western|documentary",
    ),
    topic(
        "song",
        """
        {title} is a song by {artist} / {artist} sings {title} / Play {title} by {artist} / {artist} - {title}
        {title} by {artist} / {title} by {artist} is on the album {album} / {artist} released {album} in {year}
        the song {title} from {album} / {artist}'s song {title} is from {year}
        {title} was recorded by {artist} in {year} / I love {title} by {artist} / {album} by {artist}, {year}
        On {album} you find {title} / {writer} wrote {title} for {artist} / {title} lasts {seconds} seconds
        {title}, written by {writer}, is sung by {artist} / who sings {title}? {artist} does
        now playing: {title} by {artist} / in {year} {artist} had a hit with {title} / {artist} performed {title}
        Words and music of {title}: {writer}
        """,
        "title song track name = work : Song: {}",
        "artist singer band performer = person : by {} ; sung by {} ; Artist: {}",
        "album record = title : from the album {} ; on {} ; Album: {}",
        "year released = year : from {} ; released in {} ; Year: {}",
        "writer composer written_by = last_name : written by {} ; composed by {} ; Composer: {}",
        "seconds length duration = count : , {} seconds ; Length: {} seconds",
    ),
    topic(
        "match",
        """
        {home} beat {away} {home_score}-{away_score} / {home} {home_score}:{away_score} {away}
        {home} vs {away} ended {home_score}-{away_score} / {home} against {away} / {home} plays {away} on {date}
        {home} and {away} drew in {city} / {home} - {away} {home_score}:{away_score}
        {home} won against {away} with {home_score} to {away_score}
        {away} lost {away_score} to {home_score} against {home} / {home} hosted {away} in {city}
        {scorer} scored for {home} / {scorer} shot the goal for {home} against {away}
        In {city}, {home} defeated {away} / {away} travelled to {home} / On {date} {home} meets {away}
        {home} had {home_score} goals, {away} {away_score} / {away} was beaten by {home}
        did {home} win against {away}? / {home} {home_score}, {away} {away_score}
        final score: {home} {home_score}, {away} {away_score}
        """,
        "home home_team team1 host = team : at home: {} ; Home: {}",
        "away away_team team2 guest visitors = team : the guests being {} ; Away: {}",
        "home_score home_goals score1 = points : the home team had {} ; Home score: {}",
        "away_score away_goals score2 = points : the away team had {} ; Away score: {}",
        "date day = day : on {} ; Date: {}",
        "city place where = city : in {} ; played in {} ; Place: {}",
        "scorer player = person : with a goal by {} ; goal: {} ; Scorer: {}",
    ),
    topic(
        "race",
        """
        {winner} won the {race} / {winner} won the {race} in {city} / The {race} was won by {winner}
        {winner} came first in {city} / {winner} finished the {race} on {date} / {winner} took gold in {city}
        the winner of the {race} is {winner} / first place: {winner} / {winner} from {country} won the {race}
        {winner} ({country}) is the champion / {winner} runs for {country} / in the {race}, {winner} was first
        """,
        "winner athlete name champion = person : won by {} ; Winner: {}",
        "race event discipline = marathon|sprint|relay|triathlon|hurdles",
        "country nation = country : for {} ; Country: {}",
        "city place where = city : in {} ; City: {}",
        "date day = day : on {} ; Date: {}",
        "distance_km distance = kilometers : over {} ; Distance: {}",
    ),
    topic(
        "review",
        """
        {rating} out of 5 stars for the {product} / I give the {product} {rating} stars / {product}: {rating}/5
        {rating}/5, {product} / My review of the {product} / {reviewer} gave the {product} {rating} stars
        {reviewer} rated the {product} with {rating} of 5 / The {product} got {rating} stars from {reviewer}
        {reviewer} about the {product} / {rating} stars by {reviewer} for the {product}
        the {product} deserves {rating} stars / {reviewer} wrote a review of the {product} on {date}
        {rating} stars, writes {reviewer}
        """,
        "product item name = thing : for the {} ; Product: {}",
        "rating stars score = five : , {} stars ; {} of 5 stars ; Rating: {} ; I give it {} stars",
        "reviewer author user customer = person : by {} ; , signed {} ; Review by {}",
        "date day = day : on {} ; written on {} ; Date: {}",
        "recommend recommended would_recommend = boolean : and I recommend it|and I do not recommend it",
    ),
    topic(
        "ticket",
        """
        {customer} wrote to us / {customer} has a problem / Ticket from {customer} / {customer} reported {problem}
        Ticket {ticket_id}: {problem} / {customer} has a problem with the {product}
        the {product} of {customer} has an issue / ticket {ticket_id} was opened by {customer}
        {customer} complained about the {product} on {date} / My {product} is broken, says {customer}
        {customer} wants a new {product} / {ticket_id} is about the {product} / {agent} answers {customer}
        {agent} took over ticket {ticket_id} / {customer}'s {product} does not work
        Hello, my name is {customer} and my {product} is broken / I am {customer}, my ticket is {ticket_id}
        {agent} closed {ticket_id} on {date} / ticket {ticket_id} ({product}) from {customer}
        {customer} asked {agent} for help / SUPPORT REQUEST¶{customer}¶{product}¶{problem}
        On {date} {customer} reported a {product} that does not work / can somebody help {customer} with the {product}?
        """,
        "customer name reporter user from = person : from {} ; reported by {} ; Customer: {}",
        "product item about = thing : about the {} ; regarding the {} ; Product: {} ; concerning the {}",
        "problem issue message description = title : who says {} ; problem: {} ; Problem: {}",
        "date day = day : on {} ; Date: {} ; opened on {}",
        "priority urgency severity = low|medium|high : with {} priority ; priority {} ; Priority: {}",
        "ticket_id id ticket = code : as ticket {} ; (ticket {}) ; Ticket {}",
        "agent assignee assigned_to = first_name : assigned to {} ; handled by {} ; Assignee: {}",
    ),
)
