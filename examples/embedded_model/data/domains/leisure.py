"""Tools for sports, hobbies, going out, and the weather they depend on."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "find_restaurants",
        "Find places to eat",
        "cuisine=cuisine location=city party_size=several outdoor?=boolean max_price_per_person?=price",
        "where can {party_size} people eat {cuisine} food in {location} / we are {party_size} and crave {cuisine} "
        "food, we're in {location} / find a {cuisine} restaurant in {location} for {party_size} / is there something "
        "{cuisine} in {location} with a table for {party_size} / I'm hungry for {cuisine} cooking and so are my "
        "friends, {party_size} of us, all in {location} / {location}, {party_size} people, {cuisine}, dinner pls / "
        "{party_size} of us fancy something {cuisine} tonight, we're staying in {location} / who cooks well in "
        "{location}, {cuisine}, for {party_size} people / could you recommend a {cuisine} place in {location} for "
        "{party_size} / we don't know {location}, where do {party_size} people get {cuisine} dinner",
        outdoor="where one sits outside|where one sits inside",
        max_price_per_person="for at most {max_price_per_person} each",
        result="restaurant=restaurant",
        answer="{restaurant} has a table for {party_size}.",
    ),
    tool(
        "reserve_table",
        "Reserve a table",
        "restaurant_name=restaurant guests=several day=day hour=clock under_name?=last_name",
        "reserve a table for {guests} at {restaurant_name} on {day} at {hour} / we'd like to eat at "
        "{restaurant_name} on {day} at {hour}, there will be {guests} of us / on {day} at {hour} we are {guests} at "
        "{restaurant_name}, please get the table / {guests} people, {restaurant_name}, {day}, {hour} / does "
        "{restaurant_name} have a table for {guests} on {day} at {hour} / I promised to take {guests} guests to "
        "{restaurant_name}, the day is {day} and the time {hour} / could you keep seats for {guests} at "
        "{restaurant_name}, {day}, {hour} / our anniversary is on {day}, dinner at {restaurant_name}, {guests} "
        "persons, {hour} / tell {restaurant_name} that {guests} of us come for dinner on {day} at {hour} / I'd love "
        "to dine at {restaurant_name} on {day} with {guests} people at {hour}",
        under_name="under the name {under_name}",
        result="reservation=code",
        answer="The table at {restaurant_name} is reserved as {reservation}.",
    ),
    tool(
        "change_table_reservation",
        "Move a restaurant reservation to another time or size",
        "reservation=code new_time=clock new_guests?=several",
        "move my table {reservation} to {new_time} / we'll be late, the reservation {reservation} has to be at "
        "{new_time} / can I have the table {reservation} at {new_time} / the dinner that I booked as {reservation} "
        "should start at {new_time} now / {reservation}: make it {new_time} / push the table reservation "
        "{reservation} to {new_time} / our train is late, so dinner under {reservation} will be at {new_time} / "
        "could the restaurant expect us at {new_time}, we booked as {reservation} / tell the restaurant that "
        "{reservation} comes at {new_time} / {reservation} at {new_time} now, not when we said",
        new_guests="and change it to {new_guests} people",
        answer="The table {reservation} is now at {new_time}.",
    ),
    tool(
        "get_match_result",
        "How a match of a team ended",
        "team=team opponent?=team played_on?=day",
        "how did {team} play / what was the score of {team} / did {team} win / I missed the match of {team}, how did "
        "it end / result of {team} pls / tell me how it went for {team} / was it a good day for {team} / did {team} "
        "lose / I fell asleep during the game of {team}, what was the final score / final score {team} pls",
        opponent="against {opponent}",
        played_on="on {played_on}",
        result="goals_for=handful goals_against=handful",
        answer="It ended {goals_for} to {goals_against} for {team}.",
    ),
    tool(
        "get_team_schedule",
        "Coming matches of a team",
        "team_name=team matches=several home_only?=boolean",
        "when are the next {matches} matches of {team_name} / the next {matches} games of {team_name} / I'm a fan of "
        "{team_name}, list the coming {matches} matches / who does {team_name} play in the next {matches} matches / "
        "which are the {matches} games that {team_name} have ahead of them / show {matches} fixtures for {team_name} "
        "/ {team_name}, next {matches} games, when / could you tell me when {team_name} play their next {matches} "
        "games / I don't want to miss {team_name}, when are they playing the next {matches} times / who will "
        "{team_name} face in the coming {matches} rounds",
        home_only=", only at home|, at home and away",
    ),
    tool(
        "get_league_table",
        "Standing of a league",
        "league=random season?=year top?=small",
        "show the table of the {league} league / who leads the {league} league / I want the standing in the {league} "
        "league / how does the {league} league look at the moment / I want to see the {league} league table / which "
        "team is on top of the {league} league / who is first and who is last in the {league} league / could you "
        "give me the ranking of the {league} league / {league} league, ranking pls / are my favourites still ahead "
        "in the {league} league",
        season="in the season of {season}",
        top=", the first {top} are enough",
    ),
    tool(
        "book_court",
        "Book a sports court",
        "sport=sport court_date=day start=clock hours=hours indoor?=boolean players?=several",
        "book a {sport} court on {court_date} at {start} for {hours} / I want to play {sport} on {court_date}, from "
        "{start} on, for {hours} / is there a {sport} court free at {start} on {court_date} for {hours} / on "
        "{court_date} we need a place to play {sport}, {start}, {hours} / {hours} of {sport}, {court_date}, "
        "beginning at {start} / my partner and I play {sport} on {court_date}; get us a court at {start}, {hours} "
        "long / where can we play {sport} for {hours} on {court_date}, we'd start at {start} / could you keep a "
        "{sport} court for me, {court_date}, {start}, {hours} / {sport}, {court_date}, {start}, {hours}, court pls / "
        "I've got my racket ready, {sport} on {court_date} at {start}, {hours} altogether",
        indoor="indoors|outdoors",
        players="and there are {players} of us",
        result="court=small",
        answer="You have court {court} on {court_date}.",
    ),
    tool(
        "find_sport_partner",
        "Find somebody to play a sport with",
        "sport=sport city=city level=beginner|pro|veteran "
        "weekday?=monday|tuesday|wednesday|thursday|friday|saturday|sunday",
        "who plays {sport} in {city} at {level} level / I play {sport} and need a partner in {city}, my level is "
        "{level} / find a {level} in {city} to play {sport} with / looking for a {sport} partner, {city}, {level} / "
        "I just moved to {city}, I'm a {level} at {sport} and have nobody to play with / is there a {level} {sport} "
        "player around {city} / nobody wants to play {sport} with me in {city}, I'm at {level} level / could you put "
        "me in touch with a {level} for {sport} in {city} / {city}, {sport}, {level}, anyone up for a game / playing "
        "{sport} alone is no fun, is there some {level} in {city}",
        weekday="on {weekday}s",
    ),
    tool(
        "rent_sports_gear",
        "Hire sports equipment",
        "sport=sport sets=several from=date until=date sizes?=[small]",
        "rent gear for {sport} for {sets} people from {from} until {until} / we are {sets} and want to try {sport} "
        "between {from} and {until}, we have no equipment / {sets} sets of {sport} equipment, {from} to {until} / "
        "from {from} to {until} I need {sport} stuff for {sets} persons / can one hire everything for {sport} here, "
        "{sets} times, from {from} until {until} / none of the {sets} of us owns gear for {sport}, get us some for "
        "{from} until {until} / {sets} of us have nothing to do {sport} with, lend us the stuff from {from} until "
        "{until} / could we borrow what one needs for {sport}, {sets} people, {from} to {until} / {sport} kit, "
        "{sets} times, {from} until {until} pls / what we need from {from} until {until} is {sport} kit for {sets}",
        sizes="in sizes {sizes}",
    ),
    tool(
        "find_hiking_trails",
        "Trails for a walk",
        "region=country max_length_km=kilometers difficulty=easy|moderate|hard dog_friendly?=boolean",
        "find {difficulty} hikes in {region} up to {max_length_km} / we want to walk at most {max_length_km} in "
        "{region}, something {difficulty} / which {difficulty} trails are there in {region} that are not longer than "
        "{max_length_km} / I'm on holiday in {region} and feel like a {difficulty} hike, {max_length_km} at most / "
        "{region}, {difficulty}, max {max_length_km}, where to hike pls / no more than {max_length_km} and "
        "{difficulty}, that's the hike I want in {region} / my boots are ready, where can I walk in {region}, "
        "{difficulty}, {max_length_km} at the most / could you suggest a {difficulty} walk of no more than "
        "{max_length_km} in {region} / our legs manage {max_length_km}, we want it {difficulty}, we are in {region} "
        "/ a day on foot in {region}, {difficulty}, {max_length_km} or less",
        dog_friendly="where dogs are allowed|where there are no dogs",
    ),
    tool(
        "find_hobby_course",
        "Courses to learn a hobby",
        "hobby=hobby city=city starts_after?=day budget?=amount",
        "where can I learn {hobby} in {city} / I've always wanted to try {hobby}, I live in {city} / find a course "
        "in {hobby}, it has to be in {city} / {hobby} class {city} pls / who teaches {hobby} around {city} / my "
        "husband is into {hobby}, are there lessons in {city} / I'm bored in {city} and would like to get into "
        "{hobby} / could somebody show me {hobby} in {city} / lessons in {hobby}, {city} pls / I know nothing about "
        "{hobby}, who could teach me in {city}",
        starts_after="that starts after {starts_after}",
        budget="for at most {budget}",
        result="course=code",
        answer="There is course {course}.",
    ),
    tool(
        "enroll_in_course",
        "Sign a person up for a course",
        "course_code=code participant=person pay_by=card|cash|invoice",
        "sign {participant} up for course {course_code}, paying by {pay_by} / {participant} wants to take part in "
        "{course_code} and pays by {pay_by} / I'm {participant}, I'd like to attend course {course_code}, payment by "
        "{pay_by} / put {participant} on the list of {course_code}, {pay_by} payment / the course {course_code} has "
        "a new participant, {participant}, who will pay by {pay_by} / {course_code} for {participant}, by {pay_by} / "
        "is there still a place in {course_code} for {participant}, payment by {pay_by} / could you register "
        "{participant} for {course_code}, {pay_by} / {participant} would like to learn something in {course_code} "
        "and will settle by {pay_by} / {course_code}: {participant}, {pay_by}",
    ),
    tool(
        "book_music_lesson",
        "Arrange a lesson with a music teacher",
        "instrument=instrument student=first_name minutes=minutes date=day at_home?=boolean",
        "{student} wants a {instrument} lesson of {minutes} on {date} / book {minutes} of {instrument} for {student} "
        "on {date} / on {date} teach {student} the {instrument} for {minutes} / find a teacher: {instrument}, "
        "{student}, {minutes}, {date} / my daughter {student}, who plays the {instrument}, would like {minutes} of "
        "lessons on {date} / could {student} come for {minutes} on {date} to practise the {instrument} / {student} "
        "can't play the {instrument} well yet, get {minutes} with a teacher on {date} / could somebody teach "
        "{student} for {minutes} on {date}, the instrument is the {instrument} / {instrument} teacher for {student}, "
        "{date}, {minutes} pls / {student} got a {instrument} and needs a teacher on {date} for {minutes}",
        at_home="at our place|at the teacher's place",
    ),
    tool(
        "log_practice",
        "Note how long somebody practised an instrument",
        "who=first_name instrument=instrument duration=minutes piece?=work",
        "{who} practised the {instrument} for {duration} / {duration} of {instrument} for {who} / log {duration} on "
        "the {instrument}, it was {who} / note that {who} spent {duration} at the {instrument} / the {instrument} "
        "kept {who} busy for {duration} / for the practice diary: {who}, {instrument}, {duration} / the neighbours "
        "heard {who} on the {instrument} for {duration} / could you write down {duration} of {instrument} for {who} "
        "/ {who} worked hard on the {instrument}, {duration} / {who}, {instrument}, {duration} done",
        piece=", the piece was {piece}",
    ),
    tool(
        "find_museum_exhibitions",
        "What museums show",
        "city=city theme?=topic free_entry?=boolean on_date?=day",
        "what do the museums in {city} show / I'm looking for exhibitions in {city} / I want to see some art in "
        "{city} / it rains and we are in {city}, which museum should we go to / is anything good on in the museums "
        "of {city} / list what is exhibited in {city} / which pictures and sculptures can one look at in {city} / "
        "could you tell me what galleries show in {city} / {city}, exhibitions pls / I fancy some culture indoors in "
        "{city}",
        theme="about {theme}",
        free_entry="with free entry|even if it costs something",
        on_date="on {on_date}",
    ),
    tool(
        "host_event",
        "Create an event and invite people",
        "event_name=occasion venue=street date=day guests=[guest] bring?=[food]",
        "I'm hosting {event_name} on {date} at {venue}, invite {guests} / invite {guests} to {event_name}, {date}, "
        "{venue} / on {date} there will be {event_name} at {venue} and these people should come: {guests} / "
        "{event_name} takes place at {venue} on {date}, please ask {guests} / {guests} have to know about "
        "{event_name}, it's on {date} at {venue} / we're celebrating {event_name} at {venue} on {date}, please let "
        "{guests} know that they're welcome / could you ask {guests} over to {venue} for {event_name} on {date} / "
        "{event_name}, {date}, {venue}, guests: {guests} / I'd be happy to see {guests} at {venue} on {date} for "
        "{event_name}",
        bring="and ask them to bring {bring}",
        result="event=code",
        answer="The event is {event}.",
    ),
    tool(
        "rsvp_event",
        "Answer an invitation",
        "event=occasion answer=yes|no|maybe companions?=handful comment?=message",
        "answer {answer} to the invitation to {event} / somebody invited me to {event}, my answer is {answer} / tell "
        "the host of {event} that it's a {answer} from me / reply with {answer} for {event} / {event}: {answer} / "
        "they want to know if I come to {event}, say {answer} / am I coming to {event}, they ask, and I say {answer} "
        "/ they're waiting for my reply about {event}, it's {answer} / could you let the hosts of {event} know my "
        "answer, {answer} / put me down as {answer} for {event}",
        companions="and that {companions} people come with me",
        comment="with the comment: {comment}",
    ),
    tool(
        "get_weather_alerts",
        "Official storm, flood and heat warnings",
        "region=country min_level?=yellow|orange|red",
        "are there weather warnings for {region} / is a storm coming to {region} / warnings {region} pls / I'm "
        "worried about the weather in {region}, is there any alert / tell me if something dangerous is forecast for "
        "{region} / do I have to expect floods or heat in {region} / should I bring in the garden furniture because "
        "of storms in {region} / is there any danger from the sky in {region} / could you find out whether the "
        "authorities warn people in {region} / {region}, severe weather, anything official",
        min_level="from level {min_level} on",
        result="level=yellow|orange|red",
        answer="There is a {level} alert for {region}.",
    ),
    tool(
        "get_hourly_weather_forecast",
        "Weather hour by hour",
        "place=city hours=hours include_wind?=boolean",
        "I want the weather in {place} for the next {hours} / hour by hour, what will the weather in {place} do over "
        "{hours} / I'm outside in {place} for {hours}, will it rain / the next {hours} in {place}, what is the "
        "forecast / does it stay dry in {place} within the next {hours} / we have a garden party in {place} that "
        "lasts {hours}, how will the weather turn out / I hang out the washing in {place} for {hours}, will it get "
        "wet / hour by hour, how does it change outdoors in {place} over the next {hours} / {place}, {hours} ahead, "
        "hour by hour pls / will I need an umbrella in {place} within {hours}",
        include_wind="with wind|without wind",
        result="condition=sunny|cloudy|rainy",
        answer="It will be {condition} in {place}.",
    ),
    tool(
        "get_air_quality",
        "Air pollution and pollen at a place",
        "city=city pollutant?=ozone|pm10|pm25|pollen",
        "how good is the air in {city} / air quality {city} pls / can I go jogging in {city} or is the air too bad / "
        "I have asthma and travel to {city}, how clean is the air there / is there smog in {city} / tell me what we "
        "breathe in {city} / my eyes itch in {city}, what's in the air / is it healthy to breathe in {city} today / "
        "could you tell me how polluted {city} is / {city}, pollution pls",
        pollutant=", especially {pollutant}",
        result="index=percent",
        answer="The index in {city} is {index}.",
    ),
    tool(
        "get_sunset_time",
        "When the sun rises and sets",
        "city=city date=day event?=sunrise|sunset|dusk|dawn",
        "when does the sun go down in {city} on {date} / at what time is sunset in {city} on {date} / I want to take "
        "pictures in {city} on {date}, how long is it light / on {date} we walk through {city}, when will it be dark "
        "/ how long do we have daylight on {date} in {city} / tell me the sun times for {city}, {date} / until when "
        "can I see without a lamp in {city} on {date} / could you tell me when it gets dark in {city} on {date} / "
        "{city}, {date}, sun up and down pls / we want to watch the sun sink in {city} on {date}, when must we be "
        "there",
        event=", I care about the {event}",
        result="time=clock",
        answer="That is at {time}.",
    ),
    tool(
        "get_tide_times",
        "High and low water on a coast",
        "beach=city date=date",
        "when is high tide in {beach} on {date} / tides {beach} {date} pls / I'd like to swim in {beach} on {date}, "
        "when is the water high / on {date} we walk along the sea at {beach}, when is it low tide / the tide table "
        "for {beach}, {date} / get the high and low water of {date} for the coast of {beach} / when will the sea be "
        "out in {beach} on {date} / could you tell me when the water is lowest at {beach} on {date} / we want to "
        "look for shells at {beach} on {date}, when does the sea go out / {beach}, {date}, ebb and flood pls",
        result="high=clock",
        answer="High tide is at {high}.",
    ),
    tool(
        "get_ski_conditions",
        "Snow depth and open slopes",
        "resort=city include_webcam?=boolean",
        "how much snow is there in {resort} / can one ski in {resort} / I want to go skiing in {resort}, how are the "
        "slopes / snow report {resort} pls / are the lifts in {resort} running / what are conditions like on the "
        "mountain in {resort} / is there enough white stuff on the mountain in {resort} / are the pistes good in "
        "{resort} / could you find out whether it's worth taking the skis to {resort} / {resort}, snow and lifts pls",
        include_webcam="with a webcam picture|without a picture",
        result="depth_cm=count",
        answer="There are {depth_cm} cm of snow.",
    ),
)
