"""Tools of the first examples that people try: lights, music, mail, files, arithmetic, code hosting."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "turn_on_light",
        "Turn on the light in a room",
        "room=place brightness?=percent",
        "turn on the light in the {room} / switch on the {room} light / lights on in the {room} / turn the {room} "
        "lights on / light up the {room} / I can't see a thing, please brighten the {room} / it's too dark, I want "
        "light in the {room} / would you brighten up the {room} / lamps on, {room}, please / could I have some light "
        "in the {room}",
        brightness="at {brightness} percent",
        answer="The light in the {room} is on.",
    ),
    tool(
        "turn_off_light",
        "Turn off the light in a room",
        "room=place",
        "turn off the light in the {room} / switch off the {room} light / lights off in the {room} / turn the {room} "
        "lights off / make the {room} dark / nobody is in the {room}, why are the lamps still burning / lights out "
        "in the {room} / kill the lights in the {room} / could you put the lamps out in the {room} / it's too bright "
        "in the {room}, I want to sleep, no light at all",
        answer="The light in the {room} is off.",
    ),
    tool(
        "play_music",
        "Play a song",
        "song=work artist?=person shuffle?=boolean",
        "play {song} / put on {song} / I want to hear {song} / play the song {song} / start {song} / let me listen "
        "to {song} / I'm in the mood for {song} / on the speakers I want {song} / {song} pls / what I haven't heard "
        "for ages is {song}",
        artist="by {artist}",
        shuffle="with shuffle on|without shuffle",
        answer="Now playing {song}.",
    ),
    tool(
        "send_mail",
        "Send an email",
        "to=email subject=title body=message",
        "send an email to {to} with subject {subject} and body {body} / email {to}, subject {subject}, text: {body} "
        '/ write to {to} about {subject}: {body} / mail {to} with the subject "{subject}" saying "{body}" / let {to} '
        "have this by mail, subject {subject}: {body} / to: {to}, subject: {subject}, body: {body} / could you drop "
        "{to} a line headed {subject} that reads {body} / {to} should get a mail from me, the subject is {subject} "
        "and it says {body} / compose something to {to}, title {subject}, content {body}",
        answer="The email to {to} is sent.",
    ),
    tool(
        "send_message",
        "Send a chat message to a user",
        "user_name=first_name text=message",
        "message {user_name}: {text} / tell {user_name} that {text} / send {user_name} the message {text} / write "
        "{user_name}: {text} / let {user_name} know: {text} / {user_name} has to know this: {text} / could you pass "
        "on to {user_name} that {text} / ping {user_name} with {text} / drop {user_name} a note that reads {text}",
        answer="I have told {user_name}.",
    ),
    tool(
        "add",
        "Add two numbers",
        "a=measure b=measure",
        "what is {a} plus {b} / add {a} and {b} / {a} + {b} / {a}+{b} / the sum of {a} and {b} / how much is {a} "
        "plus {b} / if I have {a} and get {b} more, how much is it / put {a} and {b} together / {a} and {b} makes "
        "how much / what do {a} and {b} come to / what's the total of {a} and {b}",
        result="result=measure",
        answer="The sum is {result}.",
    ),
    tool(
        "multiply",
        "Multiply two numbers",
        "a=small b=small",
        "what is {a} times {b} / multiply {a} by {b} / {a} * {b} / {a} x {b} / {a} times {b} / the product of {a} "
        "and {b} / I have {a} boxes with {b} pieces each, how many is that / {a} rows of {b} seats, how many seats "
        "are there / what do I get if I take {b} {a} times / {a} multiplied by {b} / {a} people pay {b} each, what "
        "does it come to",
        result="result=count",
        answer="The product is {result}.",
    ),
    tool(
        "subtract",
        "Subtract one number from another",
        "a=count b=count",
        "what is {a} minus {b} / {a} - {b} / {a} minus {b} / how much is {a} less {b} / I had {a} and gave away {b}, "
        "how many are left / take {b} away from {a} / what remains of {a} without {b} / {b} out of {a} are gone, how "
        "many do I still have / deduct {b} from {a}",
        result="result=count",
        answer="The difference is {result}.",
    ),
    tool(
        "order_pizza",
        "Order a pizza",
        "size=small|medium|large toppings=[food]",
        "order a {size} pizza with {toppings} / I'd like a {size} pizza with {toppings} / {size} pizza, {toppings} "
        "please / get me a {size} pizza topped with {toppings} / I'm starving, a {size} pizza topped with {toppings} "
        "would be great / could we have a {size} pizza, and put {toppings} on it / one {size} pizza pls: {toppings} "
        "/ we fancy something Italian, {size}, with {toppings} and cheese on dough / for dinner I want a pizza, "
        "{size}, {toppings} on top",
        answer="Your {size} pizza is on its way.",
    ),
    tool(
        "read_file",
        "Read a file from disk",
        "path=path",
        "read the file {path} / show me {path} / open {path} / what is in {path} / print {path} / cat {path} / what "
        "does {path} say / let me see what's inside {path} / I'd like to know what somebody wrote in {path} / could "
        "you display {path} / {path}, contents pls",
        result="content=message",
        answer="It says: {content}.",
    ),
    tool(
        "remove_file",
        "Delete a file",
        "path=path force?=boolean",
        "delete {path} / remove the file {path} / delete the file {path} / rm {path} / I don't need {path} any more, "
        "wipe it / get rid of {path} / {path} can go / could you erase {path} from the disk / throw {path} away",
        force="by force|but not by force",
        answer="{path} is gone.",
    ),
    tool(
        "create_issue",
        "Open an issue in a repository",
        "repo=repo title=title labels?=[word]",
        "open an issue in {repo} titled {title} / create an issue in {repo}: {title} / file a bug in {repo} called "
        "{title} / {repo} is broken, report it as {title} / let the maintainers of {repo} know about {title} / "
        "{title} should be reported in {repo} / could you put {title} on the tracker of {repo} / I found a problem "
        "in {repo}, write it up under the heading {title}",
        labels="with labels {labels}",
        result="number=count",
        answer="Issue {number} is open.",
    ),
    tool(
        "get_user",
        "Look up a user by id",
        "user_id=big",
        "look up user {user_id} / who is the user with id {user_id} / find user {user_id} / get user number "
        "{user_id} / whose id is {user_id} / which person hides behind the id {user_id} / could you tell me who has "
        "the number {user_id} / id {user_id}, who is that / somebody with the user id {user_id} wrote to me, who is "
        "it",
        result="name=person",
        answer="User {user_id} is {name}.",
    ),
    tool(
        "save_contact",
        "Save a contact",
        "name=person address=address phone?=phone",
        "save {name}, {address} / add {name} to my contacts, {address} / new contact {name} at {address} / {name} "
        "lives at {address}, note that / I just met {name}, the address is {address}, keep it / put {name}, "
        "{address}, in the address book / could you remember that {name} lives at {address} / address book: {name}, "
        "{address}",
        phone="with phone {phone}",
        answer="{name} is saved.",
    ),
    tool(
        "run_sql",
        "Run a SQL query",
        "sql=sql",
        "run this query: {sql} / execute {sql} / query the database: {sql} / run {sql} / what does the database "
        "answer to {sql} / send this statement to the database: {sql} / I'd like to see what comes back for {sql} / "
        "could you try this on the database: {sql} / db: {sql}",
        result="rows=small",
        answer="There are {rows} rows.",
    ),
    tool(
        "plan_meeting",
        "Put a meeting into the calendar",
        "title=occasion date=day time?=clock",
        "schedule {title} on {date} / create an event called {title} on {date} / put {title} in my calendar for "
        "{date} / add {title} on {date} to my calendar / plan {title} for {date} / please note that on {date} we "
        "hold {title} / keep {date} free for {title} / calendar pls: {title}, {date} / could you set {title} up for "
        "{date} / don't let me double book, {title} happens on {date}",
        time="at {time}",
        answer="{title} is planned for {date}.",
    ),
    tool(
        "book_trip",
        "Book a flight for one or more people",
        "origin=city destination=city date=day passengers?=handful",
        "I want to fly from {origin} to {destination} on {date} / book a flight from {origin} to {destination} on "
        "{date} / {origin} to {destination}, {date} / a ticket from {origin} to {destination} for {date} / get me on "
        "a plane from {origin} to {destination} on {date} / we have to be in {destination} on {date} and live in "
        "{origin}, please get us seats on a plane / could you get me airborne from {origin} to {destination} on "
        "{date} / {date}, plane from {origin} to {destination} pls / on {date} I leave {origin} for {destination} by "
        "plane",
        passengers="for {passengers} people",
        result="price=amount",
        answer="The flight to {destination} costs {price}.",
    ),
    tool(
        "log_workout",
        "Record a workout",
        "activity=running|cycling|swimming|yoga distance_km?=kilometers minutes=minutes",
        "log {activity} for {minutes} / I did {activity} for {minutes} / add a workout: {activity}, {minutes} / I've "
        "just finished {minutes} of {activity} / {minutes} of {activity} done today / for my training diary: "
        "{activity}, {minutes} / today it was {activity}, {minutes} / could you note that I spent {minutes} on "
        "{activity}",
        distance_km="over {distance_km}",
        answer="Well done, {activity} is recorded.",
    ),
    tool(
        "log_weight",
        "Record a body weight",
        "person=first_name weight_kg=kilograms date?=day",
        "{person} weighs {weight_kg} / record {weight_kg} for {person} / the weight of {person} is {weight_kg} / the "
        "scales say {weight_kg} for {person} / {person}: {weight_kg} / {person} stepped on the scales and it was "
        "{weight_kg} / could you note that {person} is at {weight_kg} / {person} is down to {weight_kg}",
        date="on {date}",
    ),
    tool(
        "set_volume",
        "Set the volume of a speaker",
        "room?=place level=percentage",
        "set the volume to {level} / volume {level} / make it {level} loud / the speaker should play at {level} / "
        "could you have the sound at {level} / bring the loudness to {level} / I can hardly hear it, go to {level} / "
        "sound {level} pls",
        room="in the {room}",
    ),
)
