"""Tools of travellers: hotels, flights, sights, papers, plans."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "search_hotel_rooms",
        "Search for hotels with free rooms.",
        "location=city checkin_date=day checkout_date=day num_guests=several max_price?=amount",
        "find hotels in {location} from {checkin_date} to {checkout_date} for {num_guests} people / we are "
        "{num_guests} and need somewhere to sleep in {location}, arriving {checkin_date}, leaving {checkout_date} / "
        "which hotels in {location} have space for {num_guests} guests between {checkin_date} and {checkout_date} / "
        "from {checkin_date} until {checkout_date} {num_guests} of us will be in {location}, where can we stay / "
        "hotel {location}, {checkin_date} - {checkout_date}, {num_guests} ppl pls / I'm looking for accommodation "
        "for {num_guests} in {location}; we get there on {checkin_date} and go home on {checkout_date} / we have no "
        "roof over our heads in {location} from {checkin_date} to {checkout_date}, {num_guests} of us / could you "
        "see where {num_guests} people can sleep in {location}, {checkin_date} until {checkout_date} / is anything "
        "free in {location} for {num_guests} from {checkin_date} to {checkout_date} / {num_guests} beds in "
        "{location}, {checkin_date} to {checkout_date}, what's available",
        max_price="for at most {max_price} a night",
        result="hotel=hotel price=amount",
        answer="{hotel} in {location} has space for {price} a night.",
    ),
    tool(
        "cancel_hotel_booking",
        "Cancel a hotel reservation and tell the guest why",
        "booking_id=code hotel?=hotel reason?=message",
        "cancel my hotel booking {booking_id} / I can't make it, call off the hotel reservation {booking_id} / we no "
        "longer need the room that we booked under {booking_id} / {booking_id} is a hotel booking of mine, please "
        "drop it / withdraw hotel reservation {booking_id} / our trip fell through, so get rid of the hotel booking "
        "with number {booking_id} / we won't be coming to the hotel, our number is {booking_id} / could you tell the "
        "hotel that {booking_id} is off / hotel {booking_id}, not needed any more / don't keep our hotel room, it "
        "was booked as {booking_id}",
        hotel="at {hotel}",
        reason="and give this as the reason: {reason}",
        answer="The hotel booking {booking_id} is cancelled.",
    ),
    tool(
        "get_hotel_reviews",
        "What guests wrote about a hotel, newest first",
        "hotel_name=hotel city=city sort_by?=newest|best|worst",
        "show reviews of {hotel_name} in {city} / what do guests say about {hotel_name} in {city} / is {hotel_name} "
        "in {city} any good according to people who stayed there / I may stay at {hotel_name} when I am in {city}, "
        "what are the opinions about it / I want the guest ratings for {hotel_name}, {city} / in {city} there is a "
        "place called {hotel_name}, let me read what visitors think of it / were people happy with their stay at "
        "{hotel_name} in {city} / could you tell me what others think about {hotel_name}, {city} / is {hotel_name} "
        "in {city} clean and quiet, what did guests write / {hotel_name}, {city}, opinions pls",
        sort_by="with the {sort_by} first",
        result="rating=five",
        answer="Guests give {hotel_name} {rating} of 5.",
    ),
    tool(
        "request_late_checkout",
        "Ask the hotel to let a guest leave later than usual",
        "room_number=big checkout_time=clock",
        "ask for a late checkout at {checkout_time} for room {room_number} / I am in room {room_number} and would "
        "like to leave only at {checkout_time} / can we keep room {room_number} until {checkout_time} / our flight "
        "is in the evening, so room {room_number} needs to be ours until {checkout_time} / the room {room_number} "
        "here, checking out at {checkout_time} if possible / the family in {room_number} wants to stay in the room "
        "till {checkout_time} / I'd like to sleep in, may I keep {room_number} until {checkout_time} / could "
        "{room_number} be ours a bit longer, till {checkout_time} / we can't be out of {room_number} before "
        "{checkout_time} / {room_number} leaves at {checkout_time}, is that all right",
    ),
    tool(
        "book_room_service",
        "Bring something from the hotel's kitchen or store to a hotel room",
        "room_number=small items=[food] serve_at?=clock",
        "the room service to room {room_number}: {items} / bring {items} to room {room_number} / could somebody take "
        "{items} up to number {room_number} / I'm in room {room_number} and I would love to have {items} / the "
        "guests of room {room_number} ask for {items} / {room_number} wants {items} on the room pls / we're hungry "
        "in {room_number}, send up {items} / could the hotel kitchen make {items} for room {room_number} / room "
        "{room_number}: {items}, please / I'm too tired to come down from {room_number}, have {items} brought up",
        serve_at="at {serve_at}",
    ),
    tool(
        "get_flight_status",
        "Status, gate and delay of a flight",
        "flight_number=code date?=day",
        "is flight {flight_number} on time / what is the status of {flight_number} / has {flight_number} been "
        "delayed / my sister arrives with {flight_number}, will the plane be late / flight {flight_number} status "
        "pls / I have to pick somebody up who comes with flight {flight_number}, tell me when it lands / check "
        "whether flight {flight_number} has left / has {flight_number} landed yet / from which gate does "
        "{flight_number} go / could you find out if {flight_number} is delayed / {flight_number}, on time or not",
        date="on {date}",
        result="status=delayed|landed|boarding gate=code",
        answer="{flight_number} is {status}, gate {gate}.",
    ),
    tool(
        "check_in_online",
        "Online check-in for a flight",
        "booking_reference=code last_name=last_name seat_preference?=window|aisle|middle",
        "check me in online, booking {booking_reference}, last name {last_name} / I need online check-in for "
        "{last_name} with the reference {booking_reference} / my name is {last_name} and I want to check in for the "
        "flight I booked as {booking_reference} / {booking_reference}, {last_name}: check in please / the passenger "
        "{last_name} who holds booking {booking_reference} would like to be checked in / do the online check-in "
        "under {booking_reference} for Ms {last_name} / get {last_name} a boarding pass, the booking is "
        "{booking_reference} / could {last_name} have a boarding pass for {booking_reference} / I don't want to "
        "queue at the airport, {last_name}, booking {booking_reference} / boarding pass pls: {booking_reference}, "
        "{last_name}",
        seat_preference=", seat preference {seat_preference}",
        answer="{last_name} is checked in.",
    ),
    tool(
        "add_baggage",
        "Add bags to a flight booking",
        "booking=code bags=several weight_kg?=kilograms",
        "add {bags} bags to booking {booking} / I'm taking {bags} suitcases on the trip {booking}, put them on it / "
        "the booking {booking} needs {bags} pieces of luggage / we forgot the luggage: {bags} bags for {booking} / "
        "can we bring {bags} extra bags on {booking} / {bags} checked bags on top of my reservation {booking} pls / "
        "we have more to carry than we said, {bags} suitcases on {booking} / could {booking} include {bags} "
        "suitcases / {booking}: {bags} suitcases more / I packed too much, so there will be {bags} suitcases on "
        "{booking}",
        weight_kg="of {weight_kg} each",
    ),
    tool(
        "change_seat",
        "Move a passenger to another seat on the plane",
        "passenger=person from_seat=code to_seat=code",
        "move {passenger} from seat {from_seat} to {to_seat} / {passenger} sits on {from_seat} but would rather have "
        "{to_seat} / I want {to_seat} instead of {from_seat} for {passenger} / put {passenger} on seat {to_seat}, "
        "not on {from_seat} / could {passenger} who has seat {from_seat} be given seat {to_seat} / swap the seat of "
        "{passenger}: {from_seat} becomes {to_seat} / {passenger} doesn't like {from_seat}, {to_seat} would be "
        "better / could {passenger} sit on {to_seat} rather than {from_seat} / {passenger}: {from_seat} to {to_seat} "
        "pls / instead of {from_seat}, let {passenger} have {to_seat}",
        answer="{passenger} now sits on {to_seat}.",
    ),
    tool(
        "get_visa_requirements",
        "Does a traveller need a visa? Depends on nationality and destination.",
        "nationality=country destination=country stay_days?=small",
        "does somebody from {nationality} need a visa for {destination} / I have a passport from {nationality} and "
        "want to travel to {destination}, what papers do I need / I need the visa rules for {destination} if you "
        "come from {nationality} / my wife is a citizen of {nationality}, can she enter {destination} without a visa "
        "/ what are the entry requirements of {destination} for people from {nationality} / going to {destination} "
        "soon, passport is from {nationality}, visa needed or not / will they let somebody from {nationality} into "
        "{destination} / could you find out which papers a citizen of {nationality} needs in {destination} / "
        "{nationality} passport, entering {destination}, what is required / can I just fly to {destination} with a "
        "passport from {nationality}",
        stay_days="for a stay of {stay_days} days",
        result="visa=needed|free",
        answer="For {destination} the visa is {visa}.",
    ),
    tool(
        "get_travel_advisory",
        "Safety warnings for a country",
        "country=country topic?=health|crime|weather|transport",
        "is it safe to travel to {country} / are there any travel warnings for {country} / I'm thinking of a holiday "
        "in {country}, is anything dangerous there / I need the current safety advice about {country} / how risky is "
        "a visit to {country} / my daughter flies to {country} next week, get me the travel advisory / would you go "
        "to {country} at the moment or is it too dangerous / could you find out what the foreign office says about "
        "{country} / my parents worry because I go to {country}, is it dangerous / {country}, safe or not",
        topic="as far as {topic} is concerned",
    ),
    tool(
        "find_attractions",
        "Sights and things to do near a place",
        "destination=city interests?=[hobby] kid_friendly?=boolean limit?=handful",
        "what is there to see in {destination} / looking for sights in {destination} / I have a free afternoon in "
        "{destination}, what should I visit / we'll be in {destination} and don't know what to do there / recommend "
        "attractions around {destination} / show me the best things to do in {destination} / I'm bored in "
        "{destination}, where should I go / could you show me what one must not miss in {destination} / "
        "{destination}, sights pls / what do tourists look at in {destination}",
        interests="for people who like {interests}",
        kid_friendly="that suits children|for adults only",
        limit="and name {limit} of them",
    ),
    tool(
        "buy_attraction_tickets",
        "Buy entry tickets for a sight",
        "attraction=landmark date=day adults=several children?=handful skip_line?=boolean",
        "get {adults} adult tickets for {attraction} on {date} / {adults} grown-ups want to see {attraction} on "
        "{date}, buy the tickets / on {date} I'm visiting {attraction} with some friends, {adults} adults in all, "
        "please book entry / we need admission to {attraction} for {adults} adults, the day is {date} / {adults} "
        "tickets {attraction} {date} pls / can you reserve entry to {attraction} on {date} for {adults} adults / "
        "could you get {adults} adults into {attraction} on {date} / {adults} adults would love to see {attraction} "
        "on {date}, please pay the admission / {attraction}, {date}, {adults} adults, admission pls / we'd like to "
        "go inside {attraction} on {date}, {adults} adults",
        children="plus {children} children",
        skip_line="without queueing|with normal queueing",
        result="order=code",
        answer="Your tickets for {attraction} are order {order}.",
    ),
    tool(
        "get_opening_hours",
        "When a place is open",
        "place_name=landmark weekday?=monday|tuesday|wednesday|thursday|friday|saturday|sunday",
        "when does {place_name} open / what are the opening hours of {place_name} / I'd like to know how late "
        "{place_name} is open / until when can one get into {place_name} / I need the opening times of {place_name} "
        "/ we want to visit {place_name}, when do the doors open and close / is it too late to go to {place_name} / "
        "can one still get into {place_name} or are the doors shut / could you find out how early one can go to "
        "{place_name} / {place_name}, open from when to when",
        weekday="on a {weekday}",
        result="opens=clock closes=clock",
        answer="It is open from {opens} to {closes}.",
    ),
    tool(
        "book_guided_tour",
        "Reserve places on a guided tour",
        "tour=landmark language=language group_size=several start_time?=clock",
        "book a guided tour of {tour} in {language} for {group_size} people / we are a group of {group_size} that "
        "speaks {language} and want to be shown around {tour} / {group_size} places on the {language} tour of {tour} "
        "/ is there room for {group_size} of us on the {language} tour through {tour} / I'd like a guide who speaks "
        "{language} for {tour}, we'll be {group_size} / reserve {group_size} spots for a visit with a guide, {tour}, "
        "in {language} / somebody should explain {tour} to {group_size} of us in {language} / could we have somebody "
        "who shows {group_size} people around {tour} in {language} / {tour}, guide, {language}, {group_size} people "
        "pls / {group_size} of us only understand {language} and want {tour} explained by a guide",
        start_time="starting at {start_time}",
    ),
    tool(
        "find_ferry",
        "Ferry crossings between two ports",
        "from_port=city to_port=city date=date with_car?=boolean",
        "which ferries go from {from_port} to {to_port} on {date} / I want to take the boat from {from_port} over to "
        "{to_port} on {date} / on {date} we need to cross from {from_port} to {to_port} by ferry / ferry {from_port} "
        "{to_port} {date} pls / look up ship crossings to {to_port}, leaving {from_port} on {date} / to get to "
        "{to_port} by sea on {date}, starting in {from_port}, what are my options / is there a boat from {from_port} "
        "to {to_port} on {date} / could you look up which ships sail from {from_port} to {to_port} on {date} / I "
        "won't fly, is there a ship from {from_port} to {to_port} on {date} / how do I get across the water from "
        "{from_port} to {to_port} on {date}",
        with_car="taking the car along|on foot",
        result="ferry=code price=price",
        answer="Ferry {ferry} costs {price}.",
    ),
    tool(
        "rent_campervan",
        "Rent a campervan or motorhome for a road trip",
        "pickup_city=city pickup_date=day return_date=day beds=handful one_way_to?=city",
        "rent a campervan with {beds} beds in {pickup_city} from {pickup_date} to {return_date} / we want a "
        "motorhome that sleeps {beds}, pickup in {pickup_city} on {pickup_date}, back on {return_date} / from "
        "{pickup_date} until {return_date} I need a camper for {beds} people, we start in {pickup_city} / "
        "{pickup_city}, {pickup_date} to {return_date}, camper with {beds} beds please / is there a van with {beds} "
        "sleeping places to hire in {pickup_city} between {pickup_date} and {return_date} / we want to sleep on "
        "wheels, {beds} of us, from {pickup_city}, {pickup_date} until {return_date} / could we have a rolling home "
        "with {beds} beds from {pickup_date} to {return_date}, starting in {pickup_city} / motorhome, {beds} beds, "
        "{pickup_city}, {pickup_date} to {return_date} pls / our road trip starts in {pickup_city} on {pickup_date} "
        "and ends on {return_date}, get us a camper with {beds} beds",
        one_way_to="and leave it in {one_way_to}",
    ),
    tool(
        "plan_itinerary",
        "Put together a day-by-day trip plan",
        "destination=city days=several pace?=relaxed|normal|packed must_see?=[landmark]",
        "plan a trip of {days} days to {destination} / make me an itinerary for {days} days in {destination} / I've "
        "got {days} days in {destination}, how should I spend them / we will spend {days} days in {destination} and "
        "need a plan / what would a visit to {destination} look like if one has {days} days / {days} days "
        "{destination}, write the itinerary pls / what should we do each day if we have {days} days in {destination} "
        "/ could you tell me how to fill {days} days in {destination} / {destination} in {days} days, how would you "
        "do it / we have {days} days for {destination} and no idea what to do when",
        pace="at a {pace} pace",
        must_see="including {must_see}",
    ),
    tool(
        "create_packing_list",
        "Suggest what to pack",
        "destination=city trip_type=beach|ski|city|hiking|business nights=several",
        "what should I pack for a {trip_type} trip to {destination} of {nights} nights / make a packing list: "
        "{trip_type} holiday in {destination}, {nights} nights / I'm off to {destination} for {nights} nights, it's "
        "a {trip_type} trip, what goes into the suitcase / for {nights} nights in {destination} on a {trip_type} "
        "trip, which clothes do I need / packing list pls, {trip_type}, {destination}, {nights} nights / help me "
        "pack, we go on a {trip_type} trip for {nights} nights and the destination is {destination} / what must go "
        "into my suitcase for {nights} nights in {destination}, {trip_type} trip / could you tell me what to take "
        "along to {destination}, {trip_type}, {nights} nights / I always forget half of my things, it's "
        "{destination}, {trip_type}, {nights} nights / which things do I take on a {trip_type} trip to {destination} "
        "that lasts {nights} nights",
    ),
    tool(
        "get_exchange_office",
        "Find where to change cash",
        "city=city currency=currency open_now?=boolean",
        "where can I change money into {currency} in {city} / I am in {city} with no {currency} in my pocket, where "
        "do I exchange cash / I need an exchange office for {currency} in {city} / find somewhere in {city} that "
        "sells {currency} / who gives me {currency} for my cash in {city} / I need {currency} notes while I'm in "
        "{city} / my wallet holds no {currency} and I'm in {city}, who can help / could you tell me who sells "
        "{currency} in {city} / {city}, {currency} in cash, where / where do tourists in {city} get {currency} notes",
        open_now="open at this hour|even if it is closed now",
    ),
    tool(
        "register_lost_luggage",
        "Report baggage that did not arrive",
        "flight=code bag_description=garment passenger_name=person delivery_address?=address",
        "{passenger_name} lost a bag on flight {flight}, there was a {bag_description} in it / the suitcase of "
        "{passenger_name} did not arrive with {flight}, it holds a {bag_description} / report missing luggage for "
        "{passenger_name}: flight {flight}, contents {bag_description} / I flew with {flight} and my bag with a "
        "{bag_description} never came, the name is {passenger_name} / the baggage of {passenger_name} missing after "
        "{flight}, what was inside: {bag_description} / {passenger_name} stood at the belt after {flight} and "
        "nothing came, a {bag_description} is inside / could you have the airline look for the suitcase of "
        "{passenger_name}, {flight}, with a {bag_description} in it / bag gone: {passenger_name}, {flight}, "
        "{bag_description} inside / where is the suitcase of {passenger_name} from {flight}, the one with a "
        "{bag_description}, report it",
        delivery_address="and bring it to {delivery_address}",
        result="claim=code",
        answer="The loss is registered as {claim}.",
    ),
    tool(
        "buy_travel_insurance",
        "Insure a trip for several travellers",
        "travellers=[traveller] destination=country start=date end=date cancellation_cover?=boolean",
        "insure {travellers} for a trip to {destination} from {start} to {end} / we need travel insurance for "
        "{destination}, {start} to {end}, these people travel: {travellers} / from {start} to {end} {travellers} "
        "will be in {destination} and want to be insured / please buy cover for the journey to {destination} that "
        "begins {start} and ends {end}, for {travellers} / I need travel insurance {destination} {start} until {end} "
        "for {travellers} / if something happens to us in {destination} between {start} and {end} we want to be "
        "covered, we are {travellers} / could you get cover for {travellers} in {destination} from {start} to {end} "
        "/ {destination}, {start} to {end}, cover for {travellers} pls / in case they fall ill in {destination}, "
        "cover {travellers} from {start} to {end}",
        cancellation_cover="including cancellation|but not for cancellation",
    ),
    tool(
        "get_airport_lounge",
        "Lounges at an airport",
        "airport_code=airport terminal?=small member?=boolean",
        "is there a lounge at {airport_code} / I have a long stop at {airport_code}, where can I rest / I'm looking "
        "for lounges in {airport_code} / which lounges does the airport {airport_code} have / we're stuck at "
        "{airport_code} for hours and want somewhere quiet to sit / find me a lounge, airport {airport_code} / where "
        "can I wait in comfort at {airport_code} / could you tell me where one can relax before flying from "
        "{airport_code} / {airport_code}, quiet place to wait / I'm worn out and my plane leaves {airport_code} much "
        "later, where can I sit down in peace",
        terminal="in terminal {terminal}",
        member="for members|without membership",
    ),
    tool(
        "convert_timezone",
        "Convert a clock time from one city's time zone to another's",
        "time=clock from_city=city to_city=city",
        "when it is {time} in {from_city}, what time is it in {to_city} / convert {time} {from_city} time to "
        "{to_city} time / my call starts at {time} in {from_city}, when is that for somebody in {to_city} / {time} "
        "in {from_city} is what in {to_city} / what does the clock show in {to_city} if it shows {time} in "
        "{from_city} / my colleague in {from_city} wants to talk at {time} her time, and I live in {to_city}, so "
        "when is that here / {time} {from_city} = when in {to_city} / if they say {time} in {from_city}, what do I "
        "tell people in {to_city} / could you tell me what {time} in {from_city} is for people in {to_city} / the "
        "show starts at {time} {from_city} time, when do I watch it in {to_city}",
        result="time=clock",
        answer="That is {time} in {to_city}.",
    ),
    tool(
        "translate_menu",
        "Translate a restaurant menu for a traveller",
        "dishes=[dish] target_language=language",
        "what does this part of the menu mean in {target_language}: {dishes} / translate the menu items {dishes} "
        "into {target_language} / the menu says {dishes} and I only read {target_language} / I can't understand this "
        "menu: {dishes}. In {target_language} please / put {dishes} from the menu into {target_language} / give me "
        "{target_language} for the dishes {dishes} / I don't know what to order, what are {dishes} in "
        "{target_language} / could you tell me in {target_language} what I'd be eating with {dishes} / the waiter "
        "only knows the words {dishes}, what is that in {target_language} / menu: {dishes}, {target_language} pls",
    ),
    tool(
        "share_trip",
        "Let somebody follow a trip",
        "trip_name=work with_email=email can_edit?=boolean",
        "share my trip {trip_name} with {with_email} / let {with_email} see the trip {trip_name} / I want "
        "{with_email} to be able to follow {trip_name}, the trip I planned / give {with_email} access to the travel "
        "plan {trip_name} / {with_email} comes along on {trip_name}, show them the plan / send the itinerary "
        "{trip_name} over to {with_email} / {with_email} wants to know where I am on {trip_name} / could "
        "{with_email} see what we're up to on {trip_name} / {with_email} should be able to look at {trip_name}, the "
        "journey / let {with_email} in on our journey {trip_name}",
        can_edit="with the right to change it|only to look at",
    ),
    tool(
        "log_travel_expense",
        "Note down what was spent on a trip",
        "amount=amount currency=currency category=food|lodging|transport|fun trip?=city day?=day",
        "I paid {amount} {currency} for {category} / note {amount} {currency} under {category} in the travel costs / "
        "{amount} {currency} went to {category} / add to my trip expenses: {category}, {amount} {currency} / we "
        "spent {amount} {currency} on {category}, write that down / log a travel expense of {amount} {currency}, "
        "category {category} / on my journey {amount} {currency} were spent on {category} / could you write down "
        "{amount} {currency} for {category} as travel costs / {category} cost me {amount} {currency} on the way / "
        "travel diary of costs: {amount} {currency}, {category}",
        trip="on the trip to {trip}",
        day="on {day}",
        answer="{amount} {currency} are noted under {category}.",
    ),
)
