"""Tools for the home: devices, repairs, cooking, garden, chores."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "turn_on_device",
        "Switch a smart home device on, now or for some time.",
        "device=device room?=place for_minutes?=minutes",
        "turn the {device} on / switch on the {device} / start the {device} / I need the {device} running / the "
        "{device} is off and should be on / can you get the {device} going / could we have the {device} going / get "
        "the {device} to work / the {device} should be working / power to the {device}",
        room="in the {room}",
        for_minutes="for {for_minutes}",
        answer="The {device} is on.",
    ),
    tool(
        "turn_off_device",
        "Switch a smart home device off",
        "device=device room?=place",
        "turn the {device} off / switch off the {device} / I forgot the {device}, please stop it / the {device} "
        "should not be on any longer / shut the {device} down / we don't need the {device} any more, turn it off / "
        "nobody is using the {device}, cut the power / kill the {device} / could you stop the {device} / enough of "
        "the {device}, make it stop",
        room="in the {room}",
        answer="The {device} is off.",
    ),
    tool(
        "set_room_thermostat",
        "Heat or cool a room to a temperature, in degrees Celsius",
        "room=place temperature=degrees until?=clock",
        "make it {temperature} in the {room} / it's freezing in the {room}, I'd like {temperature} / heat the {room} "
        "to {temperature} / the {room} should have {temperature} / I want {temperature} in the {room} / {room} to "
        "{temperature} pls / we are sweating in the {room}, {temperature} would do / could the {room} be at "
        "{temperature} / my feet are cold, make the {room} {temperature} warm / the baby sleeps in the {room}, have "
        "it at {temperature}",
        until="until {until}",
        answer="The {room} will have {temperature}.",
    ),
    tool(
        "get_room_climate",
        "Temperature and humidity measured in a room",
        "room=place sensor?=temperature|humidity|co2",
        "how warm is it in the {room} / what do the sensors say in the {room} / is the air in the {room} all right / "
        "I'm away, how is the climate in the {room} / check the air in the {room} / {room} climate readings pls / is "
        "it stuffy in the {room} / should I open a window in the {room} or is the air still good / is it too damp in "
        "the {room} / what are the current values in the {room}",
        sensor=", I only care about {sensor}",
        result="temperature=degrees humidity=percent",
        answer="It has {temperature} and {humidity} percent humidity.",
    ),
    tool(
        "set_blinds",
        "Move the blinds of a room",
        "room=place position=percent",
        "close the blinds in the {room} to {position} percent / the sun blinds me in the {room}, bring the blinds to "
        "{position} percent / blinds {room} {position} percent pls / set the shutters of the {room} at {position} "
        "percent / I want the {room} blinds at {position} / lower the {room} blinds so that they are at {position} "
        "percent / keep the sun out of the {room}, {position} percent down / the neighbours can see into the {room}, "
        "cover the window to {position} percent / could the roller shutters of the {room} go to {position} percent / "
        "too much sun in the {room}, shade it to {position} percent",
    ),
    tool(
        "dim_light",
        "Dim the lamps of a room",
        "room=place level=percentage warm?=boolean fade_seconds?=small",
        "dim the {room} to {level} / the light in the {room} is too bright, {level} is enough / {room} lights at "
        "{level} / bring the lamps in the {room} down to {level} / we watch a film in the {room}, I'd like {level} "
        "light / only {level} light in the {room} pls / my eyes hurt in the {room}, go down to {level} / make it "
        "cosy in the {room}, lamps at {level} / could the lamps of the {room} be at {level} / less bright in the "
        "{room} please, {level}",
        warm="in a warm tone|in a cold tone",
        fade_seconds="over {fade_seconds} seconds",
    ),
    tool(
        "activate_scene",
        "Put the home into a prepared scene",
        "scene=movie|party|dinner|reading|away|night duration_hours?=hours",
        "activate the {scene} scene / it's time for {scene} mode / put the house into {scene} mode / set everything "
        "up for {scene} / make the home ready: {scene} / {scene} scene pls / everything as we like it for {scene}, "
        "please / could you get the house in the mood for {scene} / from now on the home is in {scene} mode / "
        "lights, blinds and sound for {scene}",
        duration_hours="for {duration_hours}",
    ),
    tool(
        "arm_alarm_system",
        "Arm the burglar alarm",
        "mode=home|away|night code=code delay_seconds?=small",
        "arm the alarm in {mode} mode with code {code} / alarm on pls, {mode}, the code is {code} / we're leaving, "
        "switch the burglar alarm to {mode} using {code} / my code is {code}, please arm the house as {mode} / set "
        "the security system to {mode}, code {code} / with {code} as the code, turn on the alarm for {mode} / nobody "
        "should be able to break in, protect us in {mode} mode, {code} is the code / thieves are about, guard the "
        "house, {mode}, code {code} / could you secure the house for {mode} with {code} / {mode}, {code}, guard the "
        "house",
        delay_seconds="after {delay_seconds} seconds",
    ),
    tool(
        "show_camera",
        "Live picture of a security camera",
        "camera=place on_screen?=TV|tablet|phone",
        "show me the camera in the {camera} / what is going on in the {camera}, let me see / I heard something in "
        "the {camera}, give me the picture / {camera} camera pls / who is in the {camera} / let me look into the "
        "{camera} through the camera / is anybody in the {camera}, let me have a look / is everything all right in "
        "the {camera}, I want to see it live / live picture of the {camera} / could you let me watch the {camera}",
        on_screen="on the {on_screen}",
    ),
    tool(
        "start_vacuum_robot",
        "Send the cleaning robot through rooms",
        "rooms=[place] mode?=quiet|normal|turbo mop?=boolean",
        "vacuum the {rooms} / let the robot clean {rooms} / there are crumbs in the {rooms}, send the robot / the "
        "robot should do {rooms} / I want {rooms} to be vacuumed / clean the floor in {rooms} with the robot / "
        "{rooms} are full of dust, have the floor done / the dog left hair all over {rooms}, get the floor clean / "
        "could the little robot go over {rooms} / hoover {rooms}",
        mode="in {mode} mode",
        mop="with mopping|without mopping",
        answer="The robot is on its way.",
    ),
    tool(
        "start_washing_machine",
        "Start a wash programme. Temperature in Celsius.",
        "program=cotton|wool|delicate|quick temperature_c=percent spin_rpm?=big start_at?=clock",
        "wash {program} at {temperature_c} degrees / start the washing machine: {program}, {temperature_c} degrees / "
        "I filled the machine, it's {program} and needs {temperature_c} degrees / {temperature_c} degrees, "
        "{program}, start the wash / run the {program} programme with {temperature_c} degrees / the laundry is in, "
        "{program} programme, {temperature_c} C / my clothes are dirty, {program}, {temperature_c} degrees / could "
        "you get the clothes clean with {program} at {temperature_c} degrees / {program} load, {temperature_c} "
        "degrees, go / the dirty shirts are in the drum, do {program} with {temperature_c} degrees",
        spin_rpm="and spin it at {spin_rpm}",
        start_at="starting at {start_at}",
    ),
    tool(
        "preheat_oven",
        "Heat the oven",
        "temperature=percent heating_mode?=fan|grill|top|bottom ready_by?=clock",
        "preheat the oven to {temperature} degrees / I want to bake at {temperature} degrees / the oven to "
        "{temperature} / get the oven hot, {temperature} degrees / the cake has to go in at {temperature} degrees, "
        "warm up the oven / the recipe says {temperature} degrees / I've got bread dough here that needs "
        "{temperature} degrees / the lasagne will soon go in, it wants {temperature} degrees / could it be "
        "{temperature} degrees hot when I want to bake / before I bake, bring it to {temperature} degrees",
        heating_mode="with {heating_mode} heat",
        ready_by="and have it hot by {ready_by}",
    ),
    tool(
        "set_kitchen_timer",
        "Timer for what is cooking",
        "food=dish minutes=minutes",
        "the {food} needs {minutes} / I need a kitchen timer for the {food}: {minutes} / tell me in {minutes} that "
        "the {food} is done / I put the {food} on, it has to cook for {minutes} / {food}, {minutes}, count down / in "
        "{minutes} I must look after the {food} / don't let the {food} burn, it's done in {minutes} / call me when "
        "the {food} has cooked for {minutes} / could you watch the clock for the {food}, {minutes} / {minutes} from "
        "now the {food} must come off the stove",
        answer="I will call you when the {food} is ready.",
    ),
    tool(
        "get_recipe",
        "Full recipe of a dish",
        "dish=dish servings?=several diet?=vegan|vegetarian|kosher|halal",
        "how do I make {dish} / I need a recipe for {dish} / I'd like to cook {dish} / how is {dish} prepared / my "
        "guests want {dish}, what do I have to do / teach me to make {dish} / I've never made {dish}, what goes into "
        "it / which steps does it take to cook {dish} / could you tell me how one cooks {dish} / {dish}, "
        "instructions pls",
        servings="for {servings} people",
        diet="in a {diet} version",
    ),
    tool(
        "scale_recipe",
        "Change the amounts of a recipe to another number of servings",
        "recipe=dish from_servings=several to_servings=several",
        "the recipe for {recipe} is for {from_servings}, but we are {to_servings} / scale {recipe} from "
        "{from_servings} to {to_servings} servings / I have {to_servings} guests and a {recipe} recipe meant for "
        "{from_servings} / turn a {from_servings} person {recipe} into one for {to_servings} / {recipe}: amounts are "
        "given for {from_servings}, I need them for {to_servings} / how much of everything do I need if the {recipe} "
        "recipe serves {from_servings} and {to_servings} want to eat / {recipe} for {from_servings} people has to "
        "feed {to_servings}, adjust the amounts / the book gives {recipe} for {from_servings} people, what are the "
        "amounts for {to_servings} / could you change the amounts of {recipe} from {from_servings} people to "
        "{to_servings} / {recipe}, {from_servings} to {to_servings} portions",
    ),
    tool(
        "substitute_ingredient",
        "What to use in place of an ingredient",
        "ingredient=food recipe=dish avoid?=allergen",
        "what can I use instead of {ingredient} in {recipe} / I'm out of {ingredient} and want to make {recipe} / "
        "replace {ingredient} in the {recipe} / is there a substitute for {ingredient} when one cooks {recipe} / "
        "{recipe} without {ingredient}, what else could go in / my {recipe} calls for {ingredient} but I have none / "
        "the shop had no {ingredient}, what shall I put into the {recipe} / can {recipe} be made with something "
        "other than {ingredient} / my guest can't stand {ingredient}, what do I take for the {recipe} / {recipe}, no "
        "{ingredient} at home, alternatives",
        avoid=", but nothing with {avoid}",
        result="substitute=food",
        answer="Take {substitute}.",
    ),
    tool(
        "save_recipe",
        "Store a recipe of your own",
        "title=dish ingredients=[ingredient] minutes=minutes",
        "save my recipe: {title}, takes {minutes}, needs {ingredients} / {title} is made of {ingredients} in "
        "{minutes}, keep that recipe / note that for {title} one needs {ingredients} and {minutes} / with "
        "{ingredients} I made {title} in {minutes}, save it / my new recipe {title}: {ingredients}, {minutes} / in "
        "{minutes} you get {title} out of {ingredients}, store that / grandma makes {title} from {ingredients} in "
        "{minutes}, I never want to forget that / into my cookbook: {title}, {minutes}, {ingredients} / could you "
        "write down how I make {title}: {ingredients}, {minutes} / {title} turned out great, keep it for me: "
        "{ingredients}, {minutes}",
    ),
    tool(
        "plan_meals",
        "Plan meals for some days",
        "days=several people=several diet?=vegan|vegetarian|keto|lowcarb avoid?=[allergen] weekly_budget?=amount",
        "plan meals for {days} days and {people} people / what shall {people} of us eat in the next {days} days / I "
        "have to feed {people} people for {days} days / {days} days of food for {people}, make a plan / we are "
        "{people} at home, tell us what to cook for {days} days / meal plan pls, {people} persons, {days} days / I "
        "never know what to cook, {people} people, {days} days / could you work out what {people} of us eat over "
        "{days} days / {people} hungry mouths for {days} days, what goes on the table / what's for dinner on the "
        "next {days} days for {people} people",
        diet=", {diet}",
        avoid="without {avoid}",
        weekly_budget="for {weekly_budget} a week",
    ),
    tool(
        "check_pantry",
        "Is something in the pantry and how much?",
        "item=food",
        "do we have {item} / is there any {item} left / how much {item} is in the pantry / I want to cook, have we "
        "got {item} / look for {item} in the pantry / are we out of {item} / need I buy {item} or is there some at "
        "home / have we run out of {item} / could you see whether there is {item} at home / {item}, still some at "
        "home or not",
        result="amount=small",
        answer="There are {amount} of {item}.",
    ),
    tool(
        "add_pantry_item",
        "Put something on the list of what is in stock at home",
        "item=food quantity=several expires?=day shelf?=fridge|freezer|cupboard",
        "I bought {quantity} {item} / add {quantity} {item} to the pantry / there are now {quantity} more {item} at "
        "home / {quantity} {item} came in today, note it for the pantry / put down that we have {quantity} {item} / "
        "pantry: {quantity} {item} pls / back from the shop with {quantity} {item}, write that down / we now have "
        "{quantity} more {item} at home / could you note {quantity} {item} for our supplies / {quantity} {item} for "
        "our supplies at home",
        expires=", good until {expires}",
        shelf=", kept in the {shelf}",
    ),
    tool(
        "request_repair",
        "Have a craftsman come for something broken",
        "appliance=appliance problem_since?=day address=street urgent?=boolean",
        "my {appliance} is broken, I live at {address} / send somebody to {address} to fix the {appliance} / the "
        "{appliance} at {address} doesn't work any more / at {address} we have a {appliance} that gave up / I need a "
        "repairman for the {appliance}, the address is {address} / can anyone mend a {appliance}, it's at {address} "
        "/ my {appliance} makes a terrible noise, come to {address} / the {appliance} has given up the ghost, "
        "{address} / could a technician come to {address} because of the {appliance} / {appliance} dead, {address}, "
        "help",
        problem_since=", it has been like that since {problem_since}",
        urgent="and it is urgent|but there is no hurry",
        result="ticket=code",
        answer="Somebody will look at the {appliance}, ticket {ticket}.",
    ),
    tool(
        "find_handyman",
        "Find people for work in the home",
        "trade=plumber|electrician|painter|carpenter|locksmith city=city max_hourly_rate?=price",
        "I need a {trade} in {city} / find a {trade} near {city} / who is a good {trade} in {city} / we live in "
        "{city} and are looking for a {trade} / {trade} {city} pls / is there a {trade} that works in {city} / do "
        "you know a reliable {trade} in {city} / could you recommend a {trade} in {city} / my flat in {city} needs a "
        "{trade} / which {trade} would come to a house in {city}",
        max_hourly_rate="for less than {max_hourly_rate} an hour",
        result="name=person phone=phone",
        answer="{name} can be reached at {phone}.",
    ),
    tool(
        "register_appliance",
        "Register a new appliance for its guarantee",
        "appliance=appliance serial_number=id bought_on=day shop?=company",
        "register my new {appliance}, serial number {serial_number}, bought on {bought_on} / I bought a {appliance} "
        "on {bought_on}, the serial number is {serial_number} / {serial_number} is the number of the {appliance} "
        "that I got on {bought_on}, register it / guarantee for a {appliance}: {serial_number}, purchased "
        "{bought_on} pls / on {bought_on} we got a new {appliance} with the serial {serial_number} / in case my new "
        "{appliance} breaks: serial {serial_number}, bought {bought_on} / the {appliance} is ours since {bought_on}, "
        "{serial_number} is printed on it, sign it up for the guarantee / could you let the maker know I own the "
        "{appliance} {serial_number} since {bought_on} / {appliance}, {serial_number}, bought {bought_on}, warranty "
        "pls",
        shop="from {shop}",
    ),
    tool(
        "read_energy_meter",
        "Submit the reading of a meter",
        "meter=electricity|gas|heat reading=big read_on=day",
        "the {meter} meter shows {reading} on {read_on} / submit {reading} for {meter}, read on {read_on} / on "
        "{read_on} I read the {meter} meter and it was {reading} / {meter}: {reading}, {read_on} / my {meter} "
        "reading of {read_on} is {reading} / {reading} is what the {meter} meter said on {read_on} / tell the "
        "utility that {meter} stood at {reading} on {read_on} / for the yearly bill: {meter} at {reading} on "
        "{read_on} / could you pass on {reading} for {meter} as of {read_on} / I went to the basement on {read_on}, "
        "{meter} was at {reading}",
    ),
    tool(
        "get_energy_usage",
        "Energy used by the home or one device",
        "period=day|week|month|year device?=device",
        "how much power did we use this {period} / energy use of the last {period} pls / what did we consume in the "
        "past {period} / show the electricity of this {period} / I want to know our consumption over the {period} / "
        "was it much energy this {period} / why is the electricity bill so high, how much was it this {period} / how "
        "many kilowatt hours went through this {period} / are we wasting electricity, show me the {period} / could "
        "you tell me what we used up this {period}",
        device="for the {device}",
        result="kwh=measure",
        answer="It was {kwh} kWh.",
    ),
    tool(
        "assign_chore",
        "Give a household chore to somebody",
        "chore=chore person=first_name weekday=monday|tuesday|wednesday|thursday|friday|saturday|sunday reward?=price",
        "{person} does {chore} on {weekday} / give {chore} to {person}, it's for {weekday} / on {weekday} it's the "
        "turn of {person} to take care of {chore} / I want {person} to be responsible for {chore} this {weekday} / "
        "{chore}: {person}, {weekday} / make {person} do {chore} every {weekday} / it's {weekday} for {chore}, and "
        "the one to do it is {person} / could {person} look after {chore} on {weekday} / {person} has been lazy and "
        "gets {chore} on {weekday} / on {weekday} {person} has to see to {chore}",
        reward="for {reward} of pocket money",
        answer="{person} has {chore} on {weekday}.",
    ),
    tool(
        "complete_chore",
        "Tick off a household chore",
        "chore=chore done_by=first_name",
        "{done_by} has finished {chore} / tick off {chore}, {done_by} did it / {chore} is done, thanks to {done_by} "
        "/ mark {chore} as done by {done_by} / I saw {done_by} busy with {chore} and now it's finished / it was "
        "{done_by} who took care of {chore} / {chore}: done, {done_by} / you can strike {chore} off, it was "
        "{done_by} / {done_by} is through with {chore} / could you note that {done_by} got {chore} done",
    ),
    tool(
        "schedule_sowing",
        "Plan when to sow something in the garden",
        "plant=crop bed=small sow_on=day indoors?=boolean",
        "sow {plant} in bed {bed} on {sow_on} / I want {plant} in bed {bed}, sowing day {sow_on} / on {sow_on} the "
        "{plant} go into bed {bed} / put {plant} on the garden plan: bed {bed}, {sow_on} / the bed {bed} is for "
        "{plant} and the day is {sow_on} / the {plant} for bed number {bed} have to be sown on {sow_on} / {plant} "
        "seeds are to go into bed {bed} on {sow_on} / could you note that the seeds of {plant} go into bed {bed} on "
        "{sow_on} / bed {bed} is still empty, I'd like {plant} there, seeds on {sow_on} / seeds: {plant}, bed {bed}, "
        "{sow_on}",
        indoors="first indoors|straight outdoors",
    ),
    tool(
        "log_harvest",
        "Record what came out of the garden",
        "crop=crop weight=kilograms bed?=small",
        "I harvested {weight} of {crop} / {weight} of {crop} came out of the garden / log the harvest: {crop}, "
        "{weight} / the garden gave us {weight} of {crop} today / we picked {crop}, {weight} in all / {crop} harvest "
        "{weight} / {crop} were ripe, I got {weight} / could you note that I dug up {weight} of {crop} / our plants "
        "bore {weight} of {crop} / I've just come in with {weight} of {crop}",
        bed="from bed {bed}",
        answer="{weight} of {crop} are in the garden book.",
    ),
    tool(
        "mow_lawn",
        "Send the lawn robot out",
        "area=front|back|side start_time=clock cut_height_cm?=handful",
        "mow the {area} lawn at {start_time} / the grass on the {area} is too high, cut it at {start_time} / at "
        "{start_time} the mower should do the {area} / {area} lawn, {start_time}, mow / I want the lawn at the "
        "{area} cut, begin at {start_time} / let the robot mow at {start_time}, only the {area} part / it looks like "
        "a jungle at the {area}, have it trimmed at {start_time} / could the {area} grass be shorter, from "
        "{start_time} on / trim the grass, {area}, {start_time} / at {start_time} the grass on the {area} needs a "
        "haircut",
        cut_height_cm="down to {cut_height_cm} cm",
    ),
)
