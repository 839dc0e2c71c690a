"""Tools for a house: lent tools, locks, alarms, robots, pools, pests, boxes."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "lend_tool",
        "Note that a neighbour has borrowed a tool from us",
        "tool=hammer|spirit_level|ladder|cordless_drill|chisel borrower=person due_back?=day",
        "{borrower} has borrowed our {tool} / lend the {tool} to {borrower} / I gave my {tool} to {borrower}, write "
        "that down / our {tool} is with {borrower} at the moment / {tool} lent, borrower {borrower} / so that we "
        "don't forget: {borrower} took the {tool} home / the neighbour {borrower} wanted to use our {tool}, I let it "
        "go / make a note that the {tool} left the shed with {borrower}",
        due_back=", due back on {due_back}",
    ),
    tool(
        "take_back_tool",
        "Note that a borrowed tool has come back to us",
        "tool=hammer|spirit_level|ladder|cordless_drill|chisel borrower=person condition=fine|dirty|broken",
        "{borrower} has returned our {tool} / the {tool} is back from {borrower} / {tool} came home, borrower was "
        "{borrower} / {borrower} no longer has our {tool}, it was brought back / tick off the loan, {borrower} gave "
        "back the {tool} / I've got my {tool} again, {borrower} dropped it off / our {tool} hangs in the shed once "
        "more, {borrower} returned it / note the return of the {tool} by {borrower}",
        condition=", condition: {condition}",
    ),
    tool(
        "list_lent_tools",
        "All our tools that other people have at the moment",
        "",
        "which of our tools are lent out / who has got our tools / show me all the tools that haven't come back yet / "
        "the shed looks so empty, what is on loan / list of borrowed tools / are any of our tools still with the "
        "neighbours / what did we lend and to whom / tools out on loan, all of them",
        result="tools=[thing]",
        answer="These are lent out: {tools}.",
    ),
    tool(
        "sharpen_blades",
        "Bring blades to be sharpened",
        "blade_type=kitchen_knife|scissors|axe|chainsaw|plane count=small angle_degrees?=small serrated?=boolean",
        "sharpen {count} blades, type {blade_type} / all blunt: {blade_type}, {count} of them, have them ground / "
        "{count} items with the blade type {blade_type} need a new edge / {blade_type}, {count} to sharpen / nothing "
        "cuts any more, get {count} blades of the {blade_type} kind done at the grinder's / the grinder should do "
        "{count} blades, {blade_type} / can I have {count} pieces honed, it's {blade_type} / dull edges, blade type "
        "{blade_type}, number {count}, make them cut again",
        angle_degrees="at an angle of {angle_degrees} degrees",
        serrated=", serrated|, not serrated",
    ),
    tool(
        "add_lock_code",
        "Add a code to a keypad lock for somebody",
        "lock=front_door|garage|shed|gate pin=zip holder=person expires?=day max_uses?=handful",
        "add the code {pin} for {holder} at the {lock} / {holder} should get into the {lock} with {pin} / new keypad "
        "code, {lock}, {pin}, belongs to {holder} / let {holder} open the {lock} with the PIN {pin} / {pin} works "
        "from now on for {holder}, lock: {lock} / the cleaner {holder} has no key, program {pin} into the keypad of "
        "the {lock} / give {holder} a PIN for the {lock}, namely {pin} / for the {lock} lock, {pin} is the new number "
        "of {holder}",
        expires=", valid until {expires}",
        max_uses=", uses: {max_uses}",
    ),
    tool(
        "remove_lock_code",
        "Delete somebody's code from a keypad lock",
        "lock=front_door|garage|shed|gate holder=person",
        "delete the code of {holder} at the {lock} / {holder} may no longer get into the {lock} with a PIN / {lock} "
        "keypad, wipe the number of {holder} / take {holder} off the {lock} lock / our cleaner {holder} has left, the "
        "keypad of the {lock} shouldn't let them in any more / remove the PIN that {holder} has for the {lock} / "
        "{holder}, {lock}: code out / the code for the {lock} that belongs to {holder} must stop working",
    ),
    tool(
        "test_smoke_detector",
        "Trigger the self-test of a smoke detector",
        "room=place",
        "test the smoke detector in the {room} / does the smoke alarm of the {room} still work / {room}: smoke "
        "detector self-test / check that the fire alarm in the {room} would wake us / let the smoke sensor in the "
        "{room} run its test / I doubt the smoke detector of the {room}, try it out / would we hear it if there were "
        "smoke in the {room}, make a trial / push the test button on the {room} smoke detector",
        result="outcome=passed|failed",
        answer="The smoke detector has {outcome}.",
    ),
    tool(
        "silence_smoke_detector",
        "Hush a smoke detector that has gone off by mistake",
        "room=place cause?=cooking|steam|candle|dust minutes?=minutes",
        "silence the smoke detector in the {room} / it's only a false alarm, stop the beeping of the smoke alarm in "
        "the {room} / {room} smoke detector, hush / nothing's on fire, make the {room} smoke detector shut up / the "
        "smoke alarm in the {room} is screaming for nothing / all is well, can you quiet the howling fire alarm of "
        "the {room} / no fire here! turn off the noise of the {room} smoke sensor / the baby's asleep and the smoke "
        "detector of the {room} won't stop, mute it",
        cause=", cause: {cause}",
        minutes=", for {minutes}",
    ),
    tool(
        "send_robot_mop",
        "Let the mopping robot wipe rooms with water",
        "rooms=[place] water_level=low|medium|high passes?=five detergent?=boolean",
        "mop {rooms} with the robot, water level {water_level} / the mopping robot should wipe {rooms}, {water_level} "
        "water / {rooms}, wet, water level {water_level} / sticky tiles, send the robot to wipe {rooms} with the "
        "water on {water_level} / use {water_level} water and have the floors of {rooms} mopped by the robot / let "
        "the robot do a damp wipe at water level {water_level}, rooms: {rooms} / mud everywhere, {rooms} must be "
        "wet-cleaned by the robot, set water to {water_level} / water level {water_level}, robot off to mop {rooms}",
        passes=", passes: {passes}",
        detergent="with detergent|without detergent",
    ),
    tool(
        "recall_robot_mop",
        "Stop mopping and call the mopping robot back to its base",
        "",
        "call the mopping robot back / the mop robot should go home to its base / stop mopping and drive back to the "
        "station / no more wet floors, let the mop return / guests are at the door, get that wiping robot out of the "
        "way / mopping robot, back to base / enough mopped for today, send the robot home / abort the wet cleaning "
        "and park the mop robot",
    ),
    tool(
        "broadcast_announcement",
        "Speak a message through the smart speakers of rooms",
        "text=message rooms=[place] volume?=percentage repeat?=handful",
        'announce "{text}" on the speakers in {rooms} / say "{text}" in {rooms} / over the loudspeakers in {rooms}: '
        '"{text}" / everyone in {rooms} should hear "{text}" / call out "{text}", rooms {rooms} / let the smart '
        'speakers of {rooms} speak the words "{text}" / the kids won\'t come down, broadcast "{text}" to {rooms} / '
        '{rooms}, speakers, text "{text}"',
        volume="at a volume of {volume}",
        repeat=", repeated {repeat} times",
    ),
    tool(
        "switch_tv_input",
        "Select what is plugged into the television",
        "input=hdmi_1|hdmi_2|antenna|satellite|usb tv_room=place",
        "switch the TV in the {tv_room} to {input} / {input} on the {tv_room} television / I want to see {input} on "
        "the telly in the {tv_room} / change the source of the {tv_room} TV, {input} please / the console hangs on "
        "the television of the {tv_room}, go to {input} / let the screen in the {tv_room} show {input} / in the "
        "{tv_room}, select {input} as input / black picture on the {tv_room} telly, try the input {input}",
    ),
    tool(
        "tune_tv_channel",
        "Change the channel of a television",
        "channel_number=age tv_room=place",
        "go to channel {channel_number} on the TV in the {tv_room} / put the {tv_room} television on channel "
        "{channel_number} / channel {channel_number}, {tv_room} telly / the match is on {channel_number}, change the "
        "channel in the {tv_room} / I'd like to watch programme {channel_number} in the {tv_room} / zap to "
        "{channel_number} on the {tv_room} set / in the {tv_room}, turn over to number {channel_number} / nothing "
        "good on, flip the telly of the {tv_room} over to {channel_number}",
    ),
    tool(
        "replace_light_bulb",
        "Record that a bulb was changed in a lamp",
        "lamp=ceiling|bedside|floor|porch|desk socket_type=E14|E27|GU10|G9 watts=small changed_on?=day "
        "warm_white?=boolean",
        "the {lamp} lamp has got a new bulb, socket {socket_type}, {watts} watts / I changed the bulb of the {lamp} "
        "lamp: {watts} watts, {socket_type} / {lamp} lamp, {socket_type}, {watts} W, new bulb in / note that a "
        "{watts} watt bulb with {socket_type} is now in the {lamp} lamp / a {socket_type} bulb with {watts} watts was "
        "screwed into the {lamp} lamp, keep a record / the old one burned out, now there's {watts} watts in the "
        "{lamp} light, fitting {socket_type} / write down the changed bulb, {socket_type} with {watts} watts, lamp: "
        "{lamp} / after the {lamp} light went dead I put in {watts} watts of {socket_type}",
        changed_on="on {changed_on}",
        warm_white=", warm white|, cold white",
    ),
    tool(
        "dose_pool_chemicals",
        "Add a chemical to the swimming pool",
        "chemical=chlorine|ph_minus|ph_plus|algaecide|flocculant grams=grams run_pump=boolean",
        "add {grams} of {chemical} to the pool / the pool has turned green, put in {grams} of {chemical} / "
        "{chemical}, {grams}, pool / dose the pool with {chemical}, {grams} / {grams} of {chemical} into the swimming "
        "water / the test strip looks bad, so give the pool {grams} of {chemical} / can you tip {chemical} into the "
        "water where we swim, {grams} / pour {grams} of the chemical {chemical} into our basin",
        run_pump=", keep the pump running|, pump off",
    ),
    tool(
        "test_pool_water",
        "Measured values of the water in the swimming pool",
        "value=ph|chlorine|temperature|hardness",
        "what is the {value} of the pool / how's the {value} in the swimming water / measure the {value} of our pool "
        "/ pool, {value} / tell me the value for {value} before we jump in / is the {value} alright for a swim / my "
        "eyes burn after swimming, what's the {value} / take a sample of the pool and give me the {value}",
        result="reading=measure",
        answer="The {value} is {reading}.",
    ),
    tool(
        "heat_sauna",
        "Heat the sauna for a session",
        "degrees=age start=clock guests=handful aroma?=eucalyptus|birch|mint|citrus",
        "heat the sauna to {degrees} degrees for {start}, {guests} guests / {guests} of us want to sweat at {start}, "
        "sauna at {degrees} degrees / sauna, {start}, {degrees} degrees, {guests} people / at {start} {guests} guests "
        "go into the sauna, get it to {degrees} degrees / the stones should be hot at {start}, {degrees} degrees, "
        "we'll be {guests} people / for {guests} guests, {degrees} degrees in the sauna, starting at {start} / I ache "
        "after training, warm up the sauna to {degrees} degrees, session starts {start}, guests: {guests} / start "
        "{start}, guests {guests}, temperature in the sauna {degrees} degrees",
        aroma=", aroma {aroma}",
    ),
    tool(
        "cool_down_sauna",
        "End the sauna session and air the cabin",
        "air_minutes=minutes dry_benches=boolean",
        "we've finished in the sauna, air it for {air_minutes} / sauna off, {air_minutes} of fresh air / end the "
        "sauna and let the cabin air out for {air_minutes} / no more sweating today, ventilate the sauna for "
        "{air_minutes} / for {air_minutes}, get the hot air out of the sauna, it's over / cool the sauna down, airing "
        "time {air_minutes} / the last guest has left the sauna, so stop heating it and open the vents for "
        "{air_minutes} / {air_minutes} airing, the sauna session is done",
        dry_benches=", dry the benches|, don't dry the benches",
    ),
    tool(
        "put_out_bins",
        "Plan who rolls which bin to the kerb",
        "bin=residual|paper|organic|glass|plastic evening=day person=first_name",
        "{person} puts out the {bin} bin on {evening} / on {evening} it's the turn of {person} to roll the {bin} bin "
        "to the kerb / {bin} bin, {evening}, {person} / remind {person} to wheel the {bin} bin to the street on "
        "{evening} / the {bin} container must stand outside on {evening}, {person} does it / for {evening}, plan "
        "{person} for the {bin} bin at the roadside / who takes the {bin} bin out on {evening}? {person} will, write "
        "it in / let {person} drag the {bin} bin to the pavement, the evening is {evening}",
    ),
    tool(
        "call_exterminator",
        "Book pest control against vermin",
        "pest=ants|mice|cockroaches|wasps|moths|rats location=place visit=day pets_in_home?=boolean "
        "poison_free?=boolean",
        "we have {pest} in the {location}, send pest control on {visit} / {pest} in the {location}! an exterminator "
        "should come on {visit} / get rid of the {pest} in the {location}, visit on {visit} / on {visit} somebody has "
        "to deal with {pest}, they're in the {location} / {location}, {pest}, pest control on {visit} / I can hear "
        "{pest} in the {location} every night, can a professional come {visit} / book {visit} against {pest}, "
        "location {location} / the {location} is crawling with {pest}, fumigate it on {visit}",
        pets_in_home=", we have pets|, there are no pets",
        poison_free=", without poison please|, poison is fine",
    ),
    tool(
        "check_pest_traps",
        "Look up catches in the electronic traps",
        "trap_type=mouse|rat|moth|wasp location?=place",
        "is there something in the {trap_type} traps / check the {trap_type} traps / has any {trap_type} trap snapped "
        "shut / {trap_type} traps, catches / how many have we caught with the {trap_type} traps / do I have to empty "
        "a {trap_type} trap / tell me whether the {trap_type} bait worked / let's see what the {trap_type} traps "
        "caught",
        location="in the {location}",
        result="catches=points",
        answer="There are {catches} catches.",
    ),
    tool(
        "label_moving_box",
        "Register what is in a moving box and where it goes",
        "box_number=age contents=[thing] target_room=place fragile=boolean",
        "moving box {box_number} holds {contents} and goes to the {target_room} / box {box_number}: {contents}, for "
        "the {target_room} / I packed {contents} in the box {box_number}, the movers should carry it to the "
        "{target_room} / label box {box_number} with {contents}, target room {target_room} / {contents} are in box "
        "{box_number}, to be put in the {target_room} / for the {target_room}, carton {box_number}, inside are "
        "{contents} / stick a label on carton {box_number}, room {target_room}, contents {contents} / the carton with "
        "the number {box_number} is full of {contents} and belongs in the {target_room}",
        fragile=", it's fragile|, it isn't fragile",
    ),
    tool(
        "find_moving_box",
        "In which moving box something was packed",
        "item=thing",
        "which moving box is the {item} in / in which carton did we pack the {item} / I can't find the {item} since "
        "the move, what box is it in / where among all these boxes is the {item} / {item}, which box / we've just "
        "moved in and I need the {item}, tell me the carton / look through the packed boxes for the {item} / the "
        "number of the box that holds the {item}, please",
        result="box_number=age",
        answer="It is in box {box_number}.",
    ),
    tool(
        "unpack_moving_box",
        "Mark a moving box as emptied",
        "box_number=age damaged_items?=[thing]",
        "moving box {box_number} is empty / I've unpacked box {box_number} / carton {box_number} done, everything's "
        "out / cross off the moving carton number {box_number}, it's emptied / all things out of box {box_number} now "
        "/ nothing left in the carton {box_number} / unpacked: {box_number} / tick off box {box_number}, its contents "
        "are on the shelves",
        damaged_items=", broken: {damaged_items}",
    ),
)
