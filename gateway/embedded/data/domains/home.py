"""Tools of the first examples that people try: lights, music, mail, files, arithmetic, code hosting."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "turn_on_light",
        "Turn on the light in a room",
        "room=place brightness?=percent",
        "turn on the light in the {room} / switch on the {room} light / lights on in the {room} / "
        "turn the {room} lights on / light up the {room}",
        brightness="at {brightness} percent",
        answer="The light in the {room} is on.",
    ),
    tool(
        "turn_off_light",
        "Turn off the light in a room",
        "room=place",
        "turn off the light in the {room} / switch off the {room} light / lights off in the {room} / "
        "turn the {room} lights off / make the {room} dark",
        answer="The light in the {room} is off.",
    ),
    tool(
        "play_music",
        "Play a song",
        "song=work artist?=person shuffle?=boolean",
        "play {song} / put on {song} / I want to hear {song} / play the song {song} / start {song}",
        artist="by {artist}",
        shuffle="with shuffle on|without shuffle",
        answer="Now playing {song}.",
    ),
    tool(
        "send_mail",
        "Send an email",
        "to=email subject=title body=message",
        "send an email to {to} with subject {subject} and body {body} / email {to}, subject {subject}, text: {body} / "
        'write to {to} about {subject}: {body} / mail {to} with the subject "{subject}" saying "{body}"',
        answer="The email to {to} is sent.",
    ),
    tool(
        "send_message",
        "Send a chat message to a user",
        "user_name=first_name text=message",
        "message {user_name}: {text} / tell {user_name} that {text} / send {user_name} the message {text} / "
        "write {user_name}: {text}",
        answer="I have told {user_name}.",
    ),
    tool(
        "add",
        "Add two numbers",
        "a=measure b=measure",
        "what is {a} plus {b} / add {a} and {b} / {a} + {b} / {a}+{b} / the sum of {a} and {b} / how much is {a} "
        "plus {b}",
        result="result=measure",
        answer="The sum is {result}.",
    ),
    tool(
        "multiply",
        "Multiply two numbers",
        "a=small b=small",
        "what is {a} times {b} / multiply {a} by {b} / {a} * {b} / {a} x {b} / {a} times {b} / the product of {a} "
        "and {b}",
        result="result=count",
        answer="The product is {result}.",
    ),
    tool(
        "subtract",
        "Subtract one number from another",
        "a=count b=count",
        "what is {a} minus {b} / {a} - {b} / {a} minus {b} / how much is {a} less {b}",
        result="result=count",
        answer="The difference is {result}.",
    ),
    tool(
        "order_pizza",
        "Order a pizza",
        "size=small|medium|large toppings=[food]",
        "order a {size} pizza with {toppings} / I'd like a {size} pizza with {toppings} / {size} pizza, {toppings} "
        "please / "
        "get me a {size} pizza topped with {toppings}",
        answer="Your {size} pizza is on its way.",
    ),
    tool(
        "read_file",
        "Read a file from disk",
        "path=path",
        "read the file {path} / show me {path} / open {path} / what is in {path} / print {path} / cat {path}",
        result="content=message",
        answer="It says: {content}.",
    ),
    tool(
        "remove_file",
        "Delete a file",
        "path=path force?=boolean",
        "delete {path} / remove the file {path} / delete the file {path} / rm {path}",
        force="by force|but not by force",
        answer="{path} is gone.",
    ),
    tool(
        "create_issue",
        "Open an issue in a repository",
        "repo=repo title=title labels?=[word]",
        "open an issue in {repo} titled {title} / create an issue in {repo}: {title} / file a bug in {repo} called "
        "{title}",
        labels="with labels {labels}",
        result="number=count",
        answer="Issue {number} is open.",
    ),
    tool(
        "get_user",
        "Look up a user by id",
        "user_id=big",
        "look up user {user_id} / who is the user with id {user_id} / find user {user_id} / get user number {user_id}",
        result="name=person",
        answer="User {user_id} is {name}.",
    ),
    tool(
        "save_contact",
        "Save a contact",
        "name=person address=address phone?=phone",
        "save {name}, {address} / add {name} to my contacts, {address} / new contact {name} at {address}",
        phone="with phone {phone}",
        answer="{name} is saved.",
    ),
    tool(
        "run_sql",
        "Run a SQL query",
        "sql=sql",
        "run this query: {sql} / execute {sql} / query the database: {sql} / run {sql}",
        result="rows=small",
        answer="There are {rows} rows.",
    ),
    tool(
        "plan_meeting",
        "Put a meeting into the calendar",
        "title=occasion date=day time?=clock",
        "schedule {title} on {date} / create an event called {title} on {date} / put {title} in my calendar for "
        "{date} / "
        "add {title} on {date} to my calendar / plan {title} for {date}",
        time="at {time}",
        answer="{title} is planned for {date}.",
    ),
    tool(
        "book_trip",
        "Book a flight for one or more people",
        "origin=city destination=city date=day passengers?=handful",
        "I want to fly from {origin} to {destination} on {date} / book a flight from {origin} to {destination} on "
        "{date} / "
        "{origin} to {destination}, {date} / a ticket from {origin} to {destination} for {date}",
        passengers="for {passengers} people",
        result="price=amount",
        answer="The flight to {destination} costs {price}.",
    ),
    tool(
        "log_workout",
        "Record a workout",
        "activity=running|cycling|swimming|yoga distance_km?=kilometers minutes=minutes",
        "log {activity} for {minutes} / I did {activity} for {minutes} / add a workout: {activity}, {minutes}",
        distance_km="over {distance_km}",
        answer="Well done, {activity} is recorded.",
    ),
    tool(
        "log_weight",
        "Record a body weight",
        "person=first_name weight_kg=kilograms date?=day",
        "{person} weighs {weight_kg} / record {weight_kg} for {person} / the weight of {person} is {weight_kg}",
        date="on {date}",
    ),
    tool(
        "set_volume",
        "Set the volume of a speaker",
        "room?=place level=percentage",
        "set the volume to {level} / volume {level} / make it {level} loud",
        room="in the {room}",
    ),
)
