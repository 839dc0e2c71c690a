"""Weather, travel, home and calendar tools."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "get_weather",
        "Get the current weather in a city",
        "city=city unit?=celsius|fahrenheit",
        "what is the weather in {city} / how is the weather in {city} / what's the weather like in {city} / tell me "
        "the weather in {city} / weather in {city} / get the current weather for {city} / check the weather in "
        "{city} / how cold is it outside in {city} / could you look up how many degrees they have in {city} / is it "
        "sunny or rainy over in {city} at the moment, with the temperature / I'm about to go out in {city}, how warm "
        "do I have to dress, give me the degrees / {city} weather now pls",
        unit="in {unit}",
        result="temperature=measure condition=sunny|cloudy|rainy|windy",
        answer="It is {temperature} degrees and {condition} in {city}.",
    ),
    tool(
        "get_current_weather",
        "Get the weather of a location",
        "location=city unit?=celsius|fahrenheit",
        "what is the weather in {location} / what's the weather like in {location} right now / how warm is it in "
        "{location} / tell me the weather for {location} / is it hot or cold outside in {location} / I'm landing in "
        "{location}, what temperature awaits me / {location}: temperature at the moment / would you check how many "
        "degrees there are in {location} / do people in {location} freeze or sweat today, tell me the degrees",
        unit="in {unit}",
        result="temperature=measure",
        answer="It is {temperature} degrees in {location}.",
    ),
    tool(
        "get_forecast",
        "Weather forecast for the next days",
        "city=city days=small",
        "what will the weather be in {city} for the next {days} days / give me a {days} day forecast for {city} / "
        "show the forecast for {city} for {days} days / will it rain in {city} within the next {days} days / we're "
        "camping near {city} for {days} days, will it stay dry / {city}, {days} days ahead, sun or rain / could you "
        "tell me how the weather turns out in {city} over the coming {days} days / I spend the next {days} days in "
        "{city}, should I bring an umbrella",
        result="condition=sunny|cloudy|rainy",
        answer="The next {days} days in {city} will be {condition}.",
    ),
    tool(
        "get_time",
        "Get the local time of a city",
        "city=city",
        "what time is it in {city} / tell me the local time in {city} / get the time in {city} / is it already late "
        "in {city} / my aunt lives in {city}, is she still awake at this hour / what do the clocks in {city} say / "
        "{city} time now pls / can I call somebody in {city} or is it the middle of the night there",
        result="time=time",
        answer="It is {time} in {city}.",
    ),
    tool(
        "book_flight",
        "Book a flight",
        "origin=city destination=city date=date passengers?=small cabin?=economy|business|first",
        "book a flight from {origin} to {destination} on {date} / I need a flight from {origin} to {destination} on "
        "{date} / reserve a flight on {date} from {origin} to {destination} / get me on a plane from {origin} to "
        "{destination} on {date} / could you get us seats from {origin} to {destination}, leaving {date} / I have to "
        "be in {destination} on {date} and start in {origin}, please buy the plane ticket / {origin} - "
        "{destination}, {date}, by plane, book it / on {date} we fly from {origin} to {destination}, please arrange "
        "it",
        passengers="for {passengers} passengers",
        cabin="in {cabin} class",
        result="booking=code",
        answer="Your flight to {destination} is booked. The booking is {booking}.",
    ),
    tool(
        "search_flights",
        "Find flights between airports",
        "from=airport to=airport date?=date nonstop?=boolean",
        "find flights from {from} to {to} / which flights go from {from} to {to} / list flights from {from} to {to} "
        "/ is there any plane from {from} to {to} / what are my options to fly from {from} to {to} / I might go from "
        "{from} to {to}, what do the airlines offer / {from} {to} connections by air pls / compare the airlines "
        "between {from} and {to}",
        date="on {date}",
        nonstop="nonstop only|with stops allowed",
        result="flight=code price=price",
        answer="Flight {flight} costs {price}.",
    ),
    tool(
        "book_hotel",
        "Book a hotel room",
        "city=city check_in=date nights=small guests?=small breakfast?=boolean",
        "book a hotel in {city} for {nights} nights from {check_in} / reserve a room in {city} on {check_in} for "
        "{nights} nights / I need a bed in {city} for {nights} nights, arriving {check_in} / we arrive in {city} on "
        "{check_in} and stay {nights} nights, please get us somewhere to sleep / {city}, {check_in}, {nights} "
        "nights, a room pls / could you arrange {nights} nights in {city} starting {check_in} / get me accommodation "
        "in {city}, {nights} nights, first night {check_in}",
        guests="for {guests} guests",
        breakfast="with breakfast|without breakfast",
        result="hotel=title",
        answer="You stay at {hotel} in {city}.",
    ),
    tool(
        "book_table",
        "Reserve a restaurant table",
        "restaurant=title people=small time=time",
        "book a table at {restaurant} for {people} people at {time} / reserve a table for {people} at {restaurant} "
        "at {time} / we want to dine at {restaurant} at {time}, {people} of us / {restaurant}, {time}, {people} "
        "persons pls / could you get {people} seats for dinner at {restaurant} at {time} / I'm taking {people} "
        "people out to {restaurant}, be there at {time} / does {restaurant} still have room for {people} at {time}, "
        "if so take it",
        result="reservation=code",
        answer="The table at {restaurant} is reserved as {reservation}.",
    ),
    tool(
        "get_directions",
        "Directions between two places",
        "start=city end=city mode?=driving|walking|cycling|transit",
        "how do I get from {start} to {end} / directions from {start} to {end} / show me the way from {start} to "
        "{end} / I'm in {start} and lost, how do I reach {end} / which route should I take from {start} to {end} / "
        "{start} to {end}, route pls / could you guide me from {start} to {end} / what's the best way to {end} if I "
        "start in {start}",
        mode="by {mode}",
        result="distance=measure",
        answer="It is {distance} km from {start} to {end}.",
    ),
    tool(
        "call_taxi",
        "Order a taxi",
        "address=street time=time seats?=small",
        "call a taxi to {address} at {time} / order a cab for {time} at {address} / I need to be picked up at "
        "{address} at {time} by a car / could somebody drive me, pick me up at {address} at {time} / cab pls, "
        "{address}, {time} / please send a driver to {address} for {time} / my car won't start, get me a ride from "
        "{address} at {time}",
        seats="with {seats} seats",
    ),
    tool(
        "set_thermostat",
        "Set the temperature of a room",
        "room=title temperature=measure",
        "set the thermostat in {room} to {temperature} / heat {room} to {temperature} degrees / it is freezing in "
        "{room}, {temperature} degrees would be nice / make it {temperature} degrees in {room} / {room} "
        "{temperature} degrees pls / could {room} be at {temperature} degrees / I'd like to have {temperature} "
        "degrees in {room}",
    ),
    tool(
        "control_light",
        "Switch a light",
        "room=title on=boolean brightness?=percent color?=color",
        "switch the light in {room} / turn the lamp in {room} / could you have the lamp in {room} / I want the "
        "ceiling lamp of {room} / please put the lights of {room} / the lamps in {room} should be",
        on="on|off",
        brightness="at {brightness} percent",
        color="with color {color}",
    ),
    tool(
        "lock_door",
        "Lock or unlock a door",
        "door=title locked=boolean",
        "please see that the door {door} is / make sure that the door {door} is / I want the door {door} to be / "
        "check the door {door}, it has to be / could you see to it that {door} is / the entrance {door} should be",
        locked="locked|unlocked",
    ),
    tool(
        "set_alarm",
        "Set an alarm",
        "time=time label?=title repeat?=daily|weekly|never",
        "set an alarm for {time} / wake me at {time} / set the alarm to {time} / get me out of bed at {time} / I "
        "have to get up at {time} / I mustn't oversleep, ring at {time} / could you make my phone ring at {time} / "
        "alarm {time} pls",
        label="called {label}",
        repeat="repeating {repeat}",
    ),
    tool(
        "set_timer",
        "Start a timer",
        "minutes=small label?=title",
        "start a timer for {minutes} minutes / set a timer of {minutes} minutes / count down {minutes} minutes / let "
        "me know after {minutes} minutes / the eggs are boiling, tell me after {minutes} minutes / beep in {minutes} "
        "minutes / {minutes} minutes from now give me a signal / could you stop the time for me, {minutes} minutes",
        label="named {label}",
    ),
    tool(
        "create_event",
        "Add an event to the calendar",
        "title=title date=date time?=time attendees?=[email]",
        "add {title} to my calendar on {date} / schedule {title} for {date} / create the event {title} on {date} / "
        "please note that on {date} I have {title} / block {date} for {title} / put in my diary that {title} takes "
        "place on {date} / calendar pls: {title}, {date} / could you enter {title} in my diary on {date}",
        time="at {time}",
        attendees="with {attendees}",
        result="event=code",
        answer="{title} is in your calendar as {event}.",
    ),
    tool(
        "list_events",
        "List calendar events",
        "date=date calendar?=work|private|family",
        "what is on my calendar on {date} / show my events for {date} / which meetings do I have on {date} / am I "
        "free on {date} / what do I have to do on {date} / how busy am I on {date} / do I have any appointments on "
        "{date} / {date}, what's planned",
        calendar="in the {calendar} calendar",
        result="events=[title]",
        answer="On {date} you have {events}.",
    ),
    tool(
        "set_reminder",
        "Create a reminder",
        "text=message date=date time?=time",
        "remind me on {date}: {text} / set a reminder on {date} saying {text} / don't let me forget on {date}: "
        "{text} / on {date} I must think of this: {text} / give me a nudge on {date} with the words {text} / could "
        "you jog my memory on {date} about this: {text} / I'm bound to forget it, so on {date} tell me {text}",
        time="at {time}",
    ),
    tool(
        "add_to_list",
        "Add items to a list",
        "list=shopping|todo|packing items=[food]",
        "add {items} to the {list} list / put {items} on my {list} list / we're out of {items}, note it on the "
        "{list} list / {list} list: {items} / don't let me forget {items}, write it on the {list} list / could you "
        "note {items} under {list} / the {list} list still lacks {items}",
    ),
    tool(
        "find_recipe",
        "Find a recipe",
        "ingredients=[food] servings?=small vegetarian?=boolean",
        "find a recipe with {ingredients} / what can I cook with {ingredients} / suggest a dish with {ingredients} / "
        "all I have in the fridge is {ingredients}, what's for dinner / {ingredients}, any ideas for a meal / I've "
        "got {ingredients} left over, what could I make / what tasty thing can be made of {ingredients} / could you "
        "give me an idea what to make from {ingredients}",
        servings="for {servings} people",
        vegetarian="that is vegetarian|with or without meat",
        result="recipe=title",
        answer="Try {recipe}.",
    ),
)
