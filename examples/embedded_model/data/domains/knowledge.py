"""Search, language, science, data, media and system tools."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "web_search",
        "Search the web",
        "query=topic num_results?=small",
        "search the web for {query} / look up {query} online / google {query} / find information about {query} / "
        "what can one read on the internet about {query} / I'd like to know more about {query}, see what the "
        "internet has / {query}, any websites / could you see what comes up online for {query} / I have no idea "
        "about {query}, go and find some pages",
        num_results="and give me {num_results} results",
        result="titles=[title]",
        answer="I found {titles}.",
    ),
    tool(
        "get_news",
        "Latest news",
        "topic=topic language?=language limit?=small",
        "what is new in {topic} / get the news about {topic} / show me headlines on {topic} / what happened lately "
        "in {topic} / has anything been going on in {topic} today / I haven't read the papers, what do they write "
        "about {topic} / bring me up to date on {topic} / {topic}, latest pls",
        language="in {language}",
        limit="at most {limit}",
        result="headline=title",
        answer="The headline is {headline}.",
    ),
    tool(
        "translate_text",
        "Translate a text",
        "text=message target_language=language source_language?=language",
        "translate {text} into {target_language} / how do you say {text} in {target_language} / put {text} into "
        "{target_language} / my friend only speaks {target_language}, how would I tell her {text} / what is {text} "
        "in {target_language} / say {text} in {target_language} / I need {text} in {target_language} / could you "
        "give me the {target_language} for {text}",
        source_language="from {source_language}",
        result="translation=random",
        answer="It is {translation} in {target_language}.",
    ),
    tool(
        "define_word",
        "Definition of a word",
        "word=word language?=language",
        "define {word} / what does {word} mean / look up the word {word} / I don't know what {word} is supposed to "
        "mean / somebody said {word}, what did they mean / could you explain {word} to me / {word}, meaning pls / "
        "what do people mean when they say {word}",
        language="in {language}",
    ),
    tool(
        "get_population",
        "Population of a country",
        "country=country year?=year",
        "how many people live in {country} / what is the population of {country} / how many inhabitants does "
        "{country} have / is {country} home to many people, give me the number / {country}, number of inhabitants "
        "pls / could you tell me how many people call {country} home / I wonder how crowded {country} is, how many "
        "citizens were counted there",
        year="in {year}",
        result="population=big",
        answer="{country} has {population} people.",
    ),
    tool(
        "calculate",
        "Do arithmetic on two numbers",
        "operation=add|subtract|multiply|divide a=measure b=measure",
        "{operation} {a} and {b} / calculate {operation} of {a} and {b} / {operation} the numbers {a} and {b} / do "
        "the maths for me: {operation} with {a} and {b} / my homework says {operation}, the numbers are {a} and {b} "
        "/ could you work this out: {operation}, first {a}, then {b} / {operation}: {a}, {b} / what comes out if I "
        "{operation} {a} and {b}",
        result="result=measure",
        answer="The result is {result}.",
    ),
    tool(
        "convert_units",
        "Convert between units",
        "value=measure from_unit=meters|miles|feet|kilograms|pounds to_unit=meters|miles|feet|kilograms|pounds",
        "convert {value} {from_unit} to {to_unit} / how many {to_unit} are {value} {from_unit} / what is {value} "
        "{from_unit} in {to_unit} / the label says {value} {from_unit}, but I only know {to_unit} / {value} "
        "{from_unit}, in {to_unit} pls / could you give me {value} {from_unit} as {to_unit} / I think in {to_unit}, "
        "so what are {value} {from_unit}",
        result="result=measure",
        answer="{value} {from_unit} are {result} {to_unit}.",
    ),
    tool(
        "get_distance",
        "Distance between coordinates",
        "start=point end=point",
        "how far is it from {start} to {end} / distance from {start} to {end} / how many kilometers lie between "
        "{start} and {end} / from {start} to {end} as the crow flies, how long is that / {start} to {end}, how many "
        "km / could you measure how long the line from {start} to {end} is / are {start} and {end} close together or "
        "far apart",
    ),
    tool(
        "find_places",
        "Places near a position",
        "latitude=latitude longitude=latitude kind?=cafe|museum|park|pharmacy radius?=count",
        "what is near {latitude}, {longitude} / find places at {latitude}, {longitude} / I'm standing at {latitude}, "
        "{longitude}, where could I go / what is around {latitude}, {longitude} / anything worth a visit close to "
        "{latitude}, {longitude} / could you show me what there is around {latitude}, {longitude} / my position is "
        "{latitude}, {longitude}, I need somewhere to go",
        kind="of kind {kind}",
        radius="within {radius} meters",
    ),
    tool(
        "run_query",
        "Run a database query",
        "table=word columns=[word] limit?=small",
        "select {columns} from the table {table} / read {columns} of table {table} / what are the {columns} in "
        "{table} / I'd like to see {columns} of all rows in {table} / {table}: {columns} pls / could you pull "
        "{columns} out of {table} / fetch me {columns} from the {table} records",
        limit="with limit {limit}",
    ),
    tool(
        "plot_chart",
        "Draw a chart",
        "type=bar|line|pie column=word title?=title",
        "draw a {type} chart of {column} / plot {column} as a {type} chart / I want to see {column} as a {type} "
        "graph / show me {column} graphically, {type} style / {type} graph of {column} pls / could you visualise "
        "{column}, as {type} / for my slides I need a picture of {column} in {type} form",
        title="titled {title}",
    ),
    tool(
        "play_music",
        "Play music",
        "song=title artist?=person shuffle?=boolean",
        "play {song} / put on {song} / I want to hear {song} / let me listen to {song} / I'm in the mood for {song} "
        "/ on the speakers I want {song} / {song} pls / what I haven't heard for ages is {song}",
        artist="by {artist}",
        shuffle="with shuffle|without shuffle",
    ),
    tool(
        "set_volume",
        "Set the volume",
        "level=percent device?=title",
        "set the volume to {level} / turn the sound to {level} percent / I can hardly hear anything, make it {level} "
        "percent / it's far too loud, go to {level} percent / sound at {level} pls / could you have the loudness at "
        "{level} / {level} percent loud, please",
        device="on {device}",
    ),
    tool(
        "find_movie",
        "Find movies",
        "genre=comedy|drama|horror|action year?=year actor?=person",
        "find a {genre} movie / recommend a {genre} film / I'm in the mood for {genre} tonight, what shall I watch / "
        "what's worth watching if one likes {genre} / something {genre} to watch pls / for our evening on the sofa "
        "could you suggest a {genre} picture / we've got popcorn and fancy {genre}, what could we see",
        year="from {year}",
        actor="with {actor}",
        result="title=title",
        answer="Watch {title}.",
    ),
    tool(
        "create_playlist",
        "Create a playlist",
        "name=title songs=[title] public?=boolean",
        "make a playlist {name} with {songs} / create the playlist {name} containing {songs} / I want to hear "
        "{songs} one after another, keep them as {name} / collect {songs} under the name {name} / {name}: {songs}, "
        "as a mix pls / could you put the songs {songs} together and call it {name} / for our party I need a mix "
        "called {name} with {songs}",
        public=", public|, private",
    ),
    tool(
        "restart_server",
        "Restart a server",
        "host=word force?=boolean",
        "restart the server {host} / reboot {host} / {host} hangs, bring it back up / {host} doesn't respond, turn "
        "it off and on again / bounce {host} / could you power cycle {host} / {host} needs a fresh start",
        force="by force|gently",
    ),
    tool(
        "deploy_app",
        "Deploy an application",
        "app=word version=measure environment=staging|production",
        "deploy {app} version {version} to {environment} / roll out {version} of {app} on {environment} / bring "
        "{version} of {app} live on {environment} / users should get {app} {version} on {environment} / {app} "
        "{version} to {environment} pls / could you ship {app} in version {version} to {environment} / {version} of "
        "{app} is ready, put it on {environment}",
        result="status=done|failed",
        answer="The deployment of {app} is {status}.",
    ),
    tool(
        "get_logs",
        "Read log lines",
        "service=word level?=debug|info|error lines?=count",
        "show the logs of {service} / get logs from {service} / what has {service} been writing / something is wrong "
        "with {service}, let me see what it printed / why did {service} crash, show what it recorded / could you let "
        "me see the output of {service} / what did {service} report lately",
        level="at level {level}",
        lines="with {lines} lines",
    ),
    tool(
        "create_user",
        "Create an account",
        "username=user email=email role=admin|editor|viewer active?=boolean",
        "create the user {username} with email {email} as {role} / add the {role} {username} with email {email} / "
        "{username} needs access as {role}, the address is {email} / let {username}, {email}, in as {role} / we have "
        "a new colleague {username}, {email}, who works as {role} / sign up {username} as {role}, {email} / {role} "
        "{username}, {email}, new login pls",
        active="and activate it|but keep it inactive",
    ),
    tool(
        "fetch_url",
        "Download a page",
        "url=url timeout?=small",
        "download {url} / fetch {url} / get the page {url} / what is on {url} / could you see what {url} holds / I'd "
        "like to have the contents of {url} / grab {url} / load {url} for me",
        timeout="with a timeout of {timeout} seconds",
    ),
    tool(
        "book_appointment",
        "Book a doctor's appointment",
        "doctor=last_name date=date time=time patient?=person",
        "book an appointment with doctor {doctor} on {date} at {time} / I need to see doctor {doctor} on {date} at "
        "{time} / doctor {doctor} should have a look at this on {date} at {time} / is doctor {doctor} free on {date} "
        "at {time}, then put it down / doctor {doctor}, {date}, {time} pls / could you get a slot with doctor "
        "{doctor} on {date} at {time} / something hurts, get a visit to doctor {doctor} on {date} at {time}",
        patient="for {patient}",
    ),
    tool(
        "log_exercise",
        "Record an exercise",
        "activity=running|swimming|cycling|yoga minutes=small calories?=count",
        "log {minutes} minutes of {activity} / I did {minutes} minutes of {activity} / I've just finished {minutes} "
        "minutes of {activity} / {activity}, {minutes} minutes, done today / put {minutes} minutes of {activity} in "
        "my training diary / could you note that I spent {minutes} minutes on {activity} / my sport today was "
        "{activity} for {minutes} minutes",
        calories="burning {calories} calories",
    ),
)

HELDOUT = (
    tool(
        "get_train_times",
        "Departures of trains",
        "station=city platform?=small",
        "when do trains leave {station} / show train times for {station}",
        platform="from platform {platform}",
    ),
    tool(
        "order_food",
        "Order food for delivery",
        "dish=food quantity=small address=street",
        "order {quantity} {dish} to {address} / get me {quantity} {dish} delivered to {address}",
    ),
    tool(
        "open_account",
        "Open a bank account",
        "owner=person type=checking|savings currency=currency",
        "open a {type} account in {currency} for {owner} / create a {type} account for {owner} in {currency}",
    ),
    tool(
        "lookup_book",
        "Find a book in the library",
        "title=title author?=person",
        "look for the book {title} / do you have the book {title}",
        author="by {author}",
    ),
    tool(
        "adopt_pet",
        "Register a pet",
        "animal=dog|cat|rabbit name=first_name age=small",
        "register a {animal} named {name}, {age} years old / I adopted the {animal} {name} who is {age}",
    ),
    tool(
        "scan_port",
        "Scan a port of a host",
        "host=word port=count udp?=boolean",
        "scan port {port} on {host} / check port {port} of the host {host}",
        udp="over udp|over tcp",
    ),
    tool(
        "assign_room",
        "Assign a room to a person",
        "person=person room=code floor?=small",
        "give room {room} to {person} / assign {person} to room {room}",
        floor="on floor {floor}",
    ),
    tool(
        "water_plants",
        "Water plants",
        "plants=[word] liters=measure",
        "water {plants} with {liters} liters / give {liters} liters of water to {plants}",
    ),
)
