"""Weather, travel, home and calendar tools."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "get_weather",
        "Get the current weather in a city",
        "city=city unit?=celsius|fahrenheit",
        "what is the weather in {city} / how is the weather in {city} / "
        "what's the weather like in {city} / tell me the weather in {city} / weather in {city} / "
        "get the current weather for {city} / check the weather in {city}",
        unit="in {unit}",
        result="temperature=measure condition=sunny|cloudy|rainy|windy",
        answer="It is {temperature} degrees and {condition} in {city}.",
    ),
    tool(
        "get_current_weather",
        "Get the weather of a location",
        "location=city unit?=celsius|fahrenheit",
        "what is the weather in {location} / what's the weather like in {location} right now / "
        "how warm is it in {location} / tell me the weather for {location}",
        unit="in {unit}",
        result="temperature=measure",
        answer="It is {temperature} degrees in {location}.",
    ),
    tool(
        "get_forecast",
        "Weather forecast for the next days",
        "city=city days=small",
        "what will the weather be in {city} for the next {days} days / "
        "give me a {days} day forecast for {city} / show the forecast for {city} for {days} days",
        result="condition=sunny|cloudy|rainy",
        answer="The next {days} days in {city} will be {condition}.",
    ),
    tool(
        "get_time",
        "Get the local time of a city",
        "city=city",
        "what time is it in {city} / tell me the local time in {city} / get the time in {city}",
        result="time=time",
        answer="It is {time} in {city}.",
    ),
    tool(
        "book_flight",
        "Book a flight",
        "origin=city destination=city date=date passengers?=small cabin?=economy|business|first",
        "book a flight from {origin} to {destination} on {date} / "
        "I need a flight from {origin} to {destination} on {date} / "
        "reserve a flight on {date} from {origin} to {destination}",
        passengers="for {passengers} passengers",
        cabin="in {cabin} class",
        result="booking=code",
        answer="Your flight to {destination} is booked. The booking is {booking}.",
    ),
    tool(
        "search_flights",
        "Find flights between airports",
        "from=airport to=airport date?=date nonstop?=boolean",
        "find flights from {from} to {to} / which flights go from {from} to {to} / list flights from {from} to {to}",
        date="on {date}",
        nonstop="nonstop only|with stops allowed",
        result="flight=code price=price",
        answer="Flight {flight} costs {price}.",
    ),
    tool(
        "book_hotel",
        "Book a hotel room",
        "city=city check_in=date nights=small guests?=small breakfast?=boolean",
        "book a hotel in {city} for {nights} nights from {check_in} / "
        "reserve a room in {city} on {check_in} for {nights} nights",
        guests="for {guests} guests",
        breakfast="with breakfast|without breakfast",
        result="hotel=title",
        answer="You stay at {hotel} in {city}.",
    ),
    tool(
        "book_table",
        "Reserve a restaurant table",
        "restaurant=title people=small time=time",
        "book a table at {restaurant} for {people} people at {time} / "
        "reserve a table for {people} at {restaurant} at {time}",
        result="reservation=code",
        answer="The table at {restaurant} is reserved as {reservation}.",
    ),
    tool(
        "get_directions",
        "Directions between two places",
        "start=city end=city mode?=driving|walking|cycling|transit",
        "how do I get from {start} to {end} / directions from {start} to {end} / show me the way from {start} to {end}",
        mode="by {mode}",
        result="distance=measure",
        answer="It is {distance} km from {start} to {end}.",
    ),
    tool(
        "call_taxi",
        "Order a taxi",
        "address=street time=time seats?=small",
        "call a taxi to {address} at {time} / order a cab for {time} at {address}",
        seats="with {seats} seats",
    ),
    tool(
        "set_thermostat",
        "Set the temperature of a room",
        "room=title temperature=measure",
        "set the thermostat in {room} to {temperature} / heat {room} to {temperature} degrees",
    ),
    tool(
        "control_light",
        "Switch a light",
        "room=title on=boolean brightness?=percent color?=color",
        "switch the light in {room} / turn the lamp in {room}",
        on="on|off",
        brightness="at {brightness} percent",
        color="with color {color}",
    ),
    tool(
        "lock_door",
        "Lock or unlock a door",
        "door=title locked=boolean",
        "please see that the door {door} is",
        locked="locked|unlocked",
    ),
    tool(
        "set_alarm",
        "Set an alarm",
        "time=time label?=title repeat?=daily|weekly|never",
        "set an alarm for {time} / wake me at {time} / set the alarm to {time}",
        label="called {label}",
        repeat="repeating {repeat}",
    ),
    tool(
        "set_timer",
        "Start a timer",
        "minutes=small label?=title",
        "start a timer for {minutes} minutes / set a timer of {minutes} minutes / count down {minutes} minutes",
        label="named {label}",
    ),
    tool(
        "create_event",
        "Add an event to the calendar",
        "title=title date=date time?=time attendees?=[email]",
        "add {title} to my calendar on {date} / schedule {title} for {date} / create the event {title} on {date}",
        time="at {time}",
        attendees="with {attendees}",
        result="event=code",
        answer="{title} is in your calendar as {event}.",
    ),
    tool(
        "list_events",
        "List calendar events",
        "date=date calendar?=work|private|family",
        "what is on my calendar on {date} / show my events for {date} / which meetings do I have on {date}",
        calendar="in the {calendar} calendar",
        result="events=[title]",
        answer="On {date} you have {events}.",
    ),
    tool(
        "set_reminder",
        "Create a reminder",
        "text=message date=date time?=time",
        "remind me on {date}: {text} / set a reminder on {date} saying {text}",
        time="at {time}",
    ),
    tool(
        "add_to_list",
        "Add items to a list",
        "list=shopping|todo|packing items=[food]",
        "add {items} to the {list} list / put {items} on my {list} list",
    ),
    tool(
        "find_recipe",
        "Find a recipe",
        "ingredients=[food] servings?=small vegetarian?=boolean",
        "find a recipe with {ingredients} / what can I cook with {ingredients} / suggest a dish with {ingredients}",
        servings="for {servings} people",
        vegetarian="that is vegetarian|with or without meat",
        result="recipe=title",
        answer="Try {recipe}.",
    ),
)
