"""Buses, taxis, tables, hairdressers; ways, parking."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "book_bus_seat",
        "Book a seat on a long-distance bus",
        "origin=city destination=city date=day seat?=window|aisle",
        "book a bus from {origin} to {destination} on {date} / get me on the coach from {origin} to {destination} "
        "on {date} / bus {origin} > {destination} {date}, one seat / I'd like to ride the bus from {origin} to "
        "{destination} on {date} / is there a free coach seat from {origin} to {destination} on {date}, then take "
        "it / flying is too dear, put me on a bus from {origin} to {destination} for {date} / please reserve a "
        "seat on the coach, {origin} to {destination}, {date} / on {date} I need to get from {origin} to "
        "{destination} by coach",
        seat="at the {seat}",
        answer="You have a seat to {destination}.",
    ),
    tool(
        "cancel_bus_seat",
        "Cancel a seat on a long-distance bus",
        "booking=code",
        "cancel my bus seat {booking} / I'm not taking the coach, booking {booking} / bus {booking} cancel / "
        "please give my place on the bus back, {booking} / somebody else can have my coach seat {booking} / I "
        "found a lift, so drop the bus booking {booking} / could you call off the bus trip {booking} / the coach "
        "with {booking} leaves without me",
    ),
    tool(
        "cancel_taxi",
        "Cancel an ordered taxi",
        "ride=code",
        "cancel the taxi {ride} / we don't need the cab any more, ride {ride} / taxi {ride} cancel / tell the "
        "driver of {ride} not to come / a friend picks me up, call off the cab {ride} / please stop ride {ride}, "
        "I'm walking / can I still cancel cab number {ride} / no taxi needed, it was {ride}",
        answer="The taxi {ride} is cancelled.",
    ),
    tool(
        "postpone_taxi",
        "Have an ordered taxi come at another time",
        "ride=code time=clock",
        "have the taxi {ride} come at {time} instead / I need more time, cab {ride} at {time} / move ride {ride} "
        "to {time} / taxi {ride} new pickup {time} / could the driver of {ride} pick me up at {time} rather / I'm "
        "running late, the cab {ride} should be here at {time} / please change the pickup of {ride} to {time} / my "
        "meeting got moved, so I'll take taxi {ride} at {time}",
        answer="The taxi comes at {time}.",
    ),
    tool(
        "cancel_table",
        "Cancel a table at a restaurant",
        "restaurant=restaurant name=last_name date?=day",
        "cancel the table at {restaurant} in the name of {name} / we won't come to {restaurant}, it's under {name} "
        "/ {restaurant}, table {name}, cancel / please tell {restaurant} that the {name} party is not coming / "
        "dinner at {restaurant} is off, the name was {name} / give up our table at {restaurant}, name {name} / can "
        "you call off the reservation of {name} at {restaurant} / we eat at home instead, let {restaurant} know, "
        "booked as {name}",
        date=", it was for {date}",
    ),
    tool(
        "join_table_waitlist",
        "Get on the waiting list of a full restaurant",
        "restaurant=restaurant guests=several",
        "put us on the waiting list at {restaurant}, {guests} people / {restaurant} is full, let me know when "
        "there is room for {guests} / waitlist {restaurant} for {guests} / can {guests} of us queue up for "
        "{restaurant} / if somebody cancels at {restaurant}, we would take a table for {guests} / please sign up "
        "{guests} guests for the wait list of {restaurant} / there are no tables left at {restaurant}, but "
        "{guests} of us would wait / get {guests} of us in line at {restaurant}",
    ),
    tool(
        "leave_table_waitlist",
        "Get off the waiting list of a restaurant",
        "restaurant=restaurant",
        "take us off the waiting list at {restaurant} / we don't want to wait for {restaurant} any more / waitlist "
        "{restaurant}: remove me / we found another place to eat, {restaurant} can give our spot in the queue to "
        "others / please leave the wait list of {restaurant} for me / no need to keep us in line at {restaurant} / "
        "stop queuing for {restaurant} / could you withdraw us from the waitlist of {restaurant}",
    ),
    tool(
        "cancel_haircut",
        "Cancel an appointment at the hairdresser",
        "salon=company date=day",
        "cancel my haircut at {salon} on {date} / I can't come to the hairdresser {salon} on {date} / haircut "
        "{salon} {date} cancel / tell {salon} I keep my hair long, no appointment on {date} / please call off the "
        "appointment at the salon {salon} on {date} / the barber {salon} should not expect me on {date} / I won't "
        "need {salon} to cut my hair on {date} / could you drop my hair appointment at {salon}, {date}",
    ),
    tool(
        "move_haircut",
        "Move an appointment at the hairdresser",
        "salon=company new_date=day new_time=clock",
        "move my haircut at {salon} to {new_date} at {new_time} / can {salon} cut my hair on {new_date} at "
        "{new_time} instead / haircut {salon} -> {new_date}, {new_time} / I can't make my hair appointment at "
        "{salon}, {new_date} at {new_time} would be fine / please ask the hairdresser {salon} for {new_date}, "
        "{new_time} rather / my barber {salon} should expect me on {new_date} at {new_time} and not earlier / "
        "reschedule the salon {salon} to {new_time} on {new_date} / shift the hairdresser {salon} to {new_date} "
        "{new_time}",
    ),
    tool(
        "get_travel_duration",
        "How long it takes to get from one place to another",
        "origin=city destination=city mode?=car|bicycle|foot|bus",
        "how long does it take from {origin} to {destination} / how many hours is it from {origin} to "
        "{destination} / travel time {origin} to {destination} / if I leave {origin} now, when am I in "
        "{destination} / is {destination} a day trip from {origin} or does it take longer / I need to know how "
        "much time to plan between {origin} and {destination} / please tell me the journey time from {origin} to "
        "{destination} / how much time do I lose getting from {origin} to {destination}",
        mode="by {mode}",
        result="hours=hours",
        answer="It takes {hours} hours to get to {destination}.",
    ),
    tool(
        "start_navigation",
        "Start turn-by-turn navigation to a street",
        "destination=street avoid_tolls?=boolean",
        "navigate to {destination} / take me to {destination} / guide me to {destination} please / nav "
        "{destination} / I have to go to {destination}, tell me every turn / let's drive to {destination}, lead "
        "the way / could you direct me to {destination} while I drive / start the route to {destination}",
        avoid_tolls=", no toll roads|, toll roads are fine",
        answer="Let's go to {destination}.",
    ),
    tool(
        "stop_navigation",
        "End the running navigation to a street",
        "destination=street",
        "stop guiding me to {destination} / I know the way to {destination} from here, be quiet / end navigation "
        "{destination} / we've arrived at {destination}, you can stop / no more directions to {destination} please "
        "/ nav to {destination} off / I'm not going to {destination} any more, quit the route / could you end the "
        "route to {destination}",
    ),
    tool(
        "add_stopover",
        "Add a stop to the current route",
        "stop=street minutes?=minutes",
        "add a stop at {stop} to the route / I have to pass by {stop} on the way / stopover {stop} / let's go via "
        "{stop} / could we swing by {stop} before we get there / please include {stop} in the route / pick up a "
        "friend at {stop} en route / on our way I'd like to halt at {stop}",
        minutes="for {minutes}",
    ),
    tool(
        "remove_stopover",
        "Take a stop out of the current route",
        "stop=street",
        "remove the stop at {stop} from the route / we don't need to pass by {stop} any more / skip {stop} on the "
        "way / route without {stop} / let's not go via {stop} / could you drop {stop} from our stops / no halt at "
        "{stop}, drive straight through / nobody is waiting at {stop}, so leave it out of the route",
    ),
    tool(
        "reserve_parking_space",
        "Reserve a parking space",
        "street=street date=day from_time=clock covered?=boolean",
        "reserve a parking space at {street} on {date} from {from_time} / I'll need to leave my car at {street} on "
        "{date} from {from_time} / parking {street} {date} {from_time} / can you hold a spot for my car at "
        "{street}, {date}, from {from_time} / I don't want to circle around {street} on {date} at {from_time}, "
        "secure me a space / book a car park place near {street} for {date} starting {from_time} / please get me a "
        "parking spot on {date} at {from_time} around {street} / where I go on {date} there is no place for the "
        "car, reserve one at {street} from {from_time}",
        covered="under a roof|in the open",
        result="space=code",
        answer="Your space is {space}.",
    ),
    tool(
        "release_parking_space",
        "Give back a reserved parking space",
        "space=code",
        "give back my parking space {space} / I don't need the spot {space} for the car any longer / release "
        "parking {space} / somebody else may park on {space} / cancel my reserved parking spot {space} / I come "
        "without the car, so free up {space} / please let go of the car park place {space} / parking space {space} "
        "free again",
    ),
    tool(
        "remember_parked_car",
        "Note where the car is parked",
        "street=street level?=points",
        "remember that I parked at {street} / my car is at {street}, note that / parked at {street} / I always "
        "forget where I leave the car, today it's {street} / please save {street} as the place where the car is / "
        "keep in mind: car at {street} / note down that the car stands in {street} / I left the car at {street}, "
        "don't let me forget",
        level="on level {level}",
    ),
    tool(
        "find_parked_car",
        "Tell where a car was parked",
        "plate=id",
        "where did I park {plate} / find my car, plate {plate} / I can't remember where I left {plate} / {plate} "
        "parked where / which street is the car {plate} standing in / help, I've lost my car, it has the plate "
        "{plate} / please show me the way back to {plate} / do you know where {plate} stands",
        result="street=street",
        answer="It is parked at {street}.",
    ),
    tool(
        "report_traffic_jam",
        "Report a traffic jam to other drivers",
        "road=street cause?=accident|roadworks|event|weather",
        "report a traffic jam on {road} / nothing moves on {road}, warn the others / jam on {road} / we're stuck "
        "on {road}, let other drivers know / please tell the traffic service that {road} is blocked / there's a "
        "long queue of cars on {road}, pass that on / could you announce that {road} is completely jammed / I've "
        "been standing on {road} for ages, others should avoid it",
        cause="because of {cause}",
    ),
)
