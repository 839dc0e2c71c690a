"""Tools of housework, crafts and the supply of a house."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "wash_laundry",
        "Run a wash cycle with a programme and a temperature",
        "program=cottons|delicates|wool|sportswear temperature=30_degrees|40_degrees|60_degrees|90_degrees "
        "spin_speed?=count extra_rinse?=boolean",
        "wash a load of {program} at {temperature} / the hamper is overflowing, do the {program} on {temperature} / "
        "{temperature}, {program} cycle / start the {program} programme with the temperature at {temperature} / can "
        "you get the {program} clean at {temperature} / {program}, put it in the drum at {temperature} / at "
        "{temperature} I want a cycle for {program} / my clothes are dirty, use the programme {program} and set "
        "{temperature}",
        spin_speed=", spin speed {spin_speed}",
        extra_rinse="with an extra rinse|without an extra rinse",
    ),
    tool(
        "tumble_dry_laundry",
        "Dry a load of laundry in the tumble dryer",
        "dryness=iron_dry|cupboard_dry|extra_dry duration_minutes?=minutes anti_crease?=boolean",
        "tumble dry the laundry until it is {dryness} / the sheets are still wet, make them {dryness} / dryer on, "
        "{dryness} / the wash is done and dripping, get it {dryness} / can the wet towels come out {dryness} / set "
        "the dryness to {dryness} and start the dryer / it's raining so nothing goes on the line, dry the load to "
        "{dryness} / {dryness}, that's how I want the damp shirts",
        duration_minutes="for {duration_minutes}",
        anti_crease="with crease protection|without crease protection",
    ),
    tool(
        "iron_garments",
        "Order an ironing service for a number of garments",
        "garment=garment pieces=several heat=low|medium|high starch?=boolean",
        "have the {garment} ironed, {pieces} pieces, {heat} heat / {pieces} pieces are crumpled, press them at {heat} "
        "heat, the garment is {garment} / ironing: {garment}, {pieces} of it, heat {heat} / the {garment} is full of "
        "creases, please iron {pieces} pieces on {heat} / with {heat} heat, somebody should smooth {pieces} pieces, "
        "type {garment} / can you get {pieces} wrinkled items pressed with the heat on {heat}, garment: {garment} / "
        "{garment} times {pieces}, to be ironed on {heat} / get the wrinkles out of {pieces} pieces of clothing, "
        "{garment}, iron on {heat}",
        starch="with starch|without starch",
    ),
    tool(
        "remove_stain",
        "How to get a stain out of a fabric",
        "stain=wine|blood|grease|ink|grass|coffee fabric=cotton|wool|silk|linen|polyester",
        "how do I get {stain} out of {fabric} / I've got a {stain} spot on something made of {fabric}, what helps / "
        "remove a {stain} stain from {fabric} / {fabric} with {stain} on it, how can I clean that / oh no, {stain} "
        "all over my {fabric}, what takes it out / what's good against {stain} marks in {fabric} / my {fabric} "
        "tablecloth is ruined by {stain}, can it be saved / tips please for the fabric {fabric} and the stain {stain}",
    ),
    tool(
        "order_chimney_sweep",
        "Book a chimney sweep to clean the flue",
        "date=day flues=handful fuel=wood|gas|oil|pellets last_swept?=day",
        "order a chimney sweep for {date}, {flues} flues, fuel {fuel} / the chimney is full of soot, somebody should "
        "brush {flues} flues on {date}, we burn {fuel} / on {date} I need {flues} flues swept, we heat with {fuel} / "
        "we heat with {fuel} and have {flues} flues, can the sweep come on {date} / sweep wanted: {date}, {fuel}, "
        "number of flues {flues} / smoke comes back into the room, get the {flues} flues cleaned on {date}, the fuel "
        "is {fuel} / have the soot taken out of {flues} flues on {date}, the fuel we use is {fuel} / {flues} flues, "
        "{fuel} heating, chimney to be cleaned on {date}",
        last_swept=", last swept on {last_swept}",
    ),
    tool(
        "light_stove",
        "Ignite the stove in a room and hold a heat level",
        "room=place level=five burn_hours?=hours",
        "light the stove in the {room} at level {level} / it's freezing in the {room}, get the fire going on level "
        "{level} / {room}: fire on, level {level} / ignite the wood burner in the {room}, heat level {level} / I want "
        "flames in the {room}, level {level} / level {level} for the stove of the {room}, start it / could the {room} "
        "have a fire burning at heat level {level} / let the pellets burn in the {room} with the level at {level}",
        burn_hours="for {burn_hours}",
    ),
    tool(
        "extinguish_stove",
        "Put out the stove in a room",
        "room=place",
        "put out the stove in the {room} / extinguish the fire in the {room} / no more burning in the {room}, we're "
        "off to bed / the wood burner of the {room} should go out now / {room}: fire off / it's far too hot, let the "
        "flames in the {room} die / can you kill the fire in the {room} / we're leaving, so nothing may burn in the "
        "stove of the {room}",
    ),
    tool(
        "tilt_blind_slats",
        "Turn the slats of a venetian blind to an angle",
        "room=place angle=percentage",
        "tilt the slats in the {room} to {angle} / the sun blinds me in the {room}, turn the slats to {angle} / "
        "{room}, slats at {angle} / set the angle of the venetian blind in the {room} to {angle} / at {angle}, "
        "please, the blind slats of the {room} / the neighbours can look into the {room}, tilt the blind to {angle} / "
        "can the slats be angled at {angle} in the {room} / change the slat angle to {angle}, room: {room}",
    ),
    tool(
        "measure_window",
        "Save the measurements of a window for made-to-measure curtains or blinds",
        "room=place width_cm=measure height_cm=measure",
        "the window in the {room} is {width_cm} cm wide and {height_cm} cm high / save the window of the {room}: "
        "width {width_cm}, height {height_cm} / {room} window, {height_cm} cm tall, {width_cm} cm across / I measured "
        "the {room}, width of the pane {width_cm} cm and height {height_cm} cm / for the made-to-measure curtains in "
        "the {room}: {width_cm} wide, {height_cm} high / write down a height of {height_cm} cm and a width of "
        "{width_cm} cm for the window in the {room} / new blinds will hang in the {room}, height {height_cm} cm, "
        "width {width_cm} cm / {width_cm} cm in width by {height_cm} cm in height, that's the {room} window",
    ),
    tool(
        "get_solar_yield",
        "Electricity that the solar panels have produced in a period",
        "from_date=date to_date=date array?=roof|garage|balcony|facade",
        "how much did the solar panels make from {from_date} to {to_date} / solar yield between {from_date} and "
        "{to_date} / what has the sun given us since {from_date} up to {to_date} / kilowatt hours produced from "
        "{from_date} until {to_date}, photovoltaics / between {from_date} and {to_date}, how much power did we "
        "generate ourselves / from {from_date} till {to_date}: production of the PV modules / I'm curious whether the "
        "panels were worth it, show the yield from {from_date} to {to_date} / what did our panels harvest, start "
        "{from_date}, end {to_date}",
        array=", only the {array} array",
        result="kilowatt_hours=measure",
        answer="The panels made {kilowatt_hours} kWh.",
    ),
    tool(
        "charge_home_battery",
        "Charge the home battery to a level",
        "target_level=percentage source=grid|solar",
        "charge the home battery to {target_level} from {source} / fill the storage up to {target_level}, source "
        "{source} / battery to {target_level}, {source} power / a storm is coming, I want {target_level} in the house "
        "battery, taken from {source} / use {source} to bring the battery in the cellar up to {target_level} / load "
        "the power storage with {source} until it has {target_level} / the accumulator of the house should reach "
        "{target_level}, take the {source} source / from {source}, target level {target_level}, charge our battery",
    ),
    tool(
        "request_meter_exchange",
        "Ask the grid operator to swap an old meter for a new one",
        "meter_number=code meter_type=electricity|gas|water|heat preferred_date=date smart_meter=boolean",
        "swap the {meter_type} meter {meter_number} on {preferred_date} / my {meter_type} meter, number "
        "{meter_number}, is worn out, I'd like another one on {preferred_date} / exchange of meter {meter_number}, "
        "{meter_type}, date {preferred_date} / on {preferred_date} someone should replace the {meter_type} meter "
        "{meter_number} / the calibration of {meter_number} has run out, it counts {meter_type}, have it changed on "
        "{preferred_date} / {meter_number} must go, it's the {meter_type} one, {preferred_date} suits us for the new "
        "one / can the grid operator fit a new {meter_type} meter in place of {meter_number} on {preferred_date} / "
        "{preferred_date}, please, old {meter_type} meter out, new one in, its number is {meter_number}",
        smart_meter=", it should be a smart meter|, just a plain meter",
    ),
    tool(
        "report_power_cut",
        "Report that the electricity is out at an address",
        "street=street since=clock floor?=handful",
        "the power is out at {street} since {since} / it's all dark here at {street} since {since} / no electricity "
        "since {since}, {street} / report a blackout: {street}, it began at {since} / since {since} nothing works in "
        "our house, no lights, no sockets, address {street} / tell the grid company we've had no current since "
        "{since} at {street} / {street}: outage since {since} / at {since} the electricity failed in {street}",
        floor=", only on floor {floor}",
    ),
    tool(
        "list_power_cuts",
        "Announced outages of electricity in a postcode",
        "postcode=zip",
        "which power cuts are announced for {postcode} / will the electricity be switched off in {postcode} / are "
        "there outages in the postcode {postcode} / {postcode}, blackouts / show me planned interruptions of the "
        "current in {postcode} / my freezer is full, is there an outage coming in {postcode} / in {postcode}, when "
        "does the grid go down / list what's known about failing power around {postcode}",
        result="outage=day",
        answer="There is an outage on {outage}.",
    ),
    tool(
        "reset_circuit_breaker",
        "Switch a tripped circuit breaker back on",
        "circuit=place panel?=main|garage|upstairs",
        "reset the breaker for the {circuit} / the fuse of the {circuit} has blown, put it back in / the {circuit} "
        "circuit tripped, switch it on again / flip the breaker of the {circuit} back up / no current in the "
        "{circuit} after the kettle tripped it, get the circuit going again / {circuit} breaker back on / it went "
        "bang and now the {circuit} is dark, reset its fuse / can you restore the tripped circuit called {circuit}",
        panel="in the {panel} panel",
    ),
    tool(
        "trip_circuit_breaker",
        "Cut the current of one circuit for safe work",
        "circuit=place worker=person lockout?=boolean",
        "cut the current for the {circuit}, {worker} is working there / {worker} wants to change a socket, take the "
        "power off the {circuit} / switch off the {circuit} circuit so that {worker} can work safely / {circuit} "
        "dead, please, electrician: {worker} / trip the breaker of the {circuit}, the worker is {worker} / before "
        "{worker} starts drilling, the {circuit} must have no voltage / make the {circuit} circuit safe for {worker} "
        "/ {worker} is on the ladder at the wires, the current in the {circuit} has to go",
        lockout=", lock it out|, don't lock it out",
    ),
    tool(
        "unclog_drain",
        "Call a plumber to free a blocked drain",
        "fixture=sink|shower|toilet|bathtub|floor_drain floor=handful emergency=boolean standing_water?=boolean",
        "the {fixture} on floor {floor} is blocked, send a plumber / unclog the {fixture}, floor {floor} / nothing "
        "runs off in the {fixture} on floor {floor} any more / {fixture} clogged, floor {floor} / hair and grease "
        "have stopped up our {fixture}, we live on floor {floor} / on floor {floor} it gurgles and stinks, the "
        "{fixture} won't drain / can somebody with a drain snake come to floor {floor} for the {fixture} / I've tried "
        "the plunger and the {fixture} on floor {floor} still won't empty",
        emergency=", it's an emergency|, it's no emergency",
        standing_water=", the water is standing|, no water is standing",
    ),
    tool(
        "shut_off_water",
        "Close the water valve of a line",
        "line=main|kitchen|bathroom|garden|washing_machine reopen_at?=clock",
        "shut off the {line} water / a hose has burst, close the {line} valve / {line} stopcock shut, quick / turn "
        "the water off, the {line} line / no more water through the {line} line / we're away for two weeks, so close "
        "the tap of the {line} line / it's dripping everywhere, stop the {line} water / can you close off the {line} "
        "pipe",
        reopen_at="and open it again at {reopen_at}",
    ),
    tool(
        "turn_on_water",
        "Open the water valve of a line again",
        "line=main|kitchen|bathroom|garden|washing_machine flush_first?=boolean",
        "turn the {line} water back on / the plumber has finished, open the {line} valve / water again for the {line} "
        "line / {line} stopcock open / nothing comes from the tap, you can let the {line} water flow again / the "
        "frost is over, open the {line} line / the leak is fixed, give us the {line} water back / we're home again, "
        "so reopen the {line} pipe",
        flush_first="and flush the pipe first|without flushing the pipe",
    ),
    tool(
        "cut_timber",
        "Order boards sawn to size at the timber yard",
        "wood=oak|pine|plywood|mdf|larch length_mm=count width_mm=age boards=small planed?=boolean",
        "cut {boards} boards of {wood}, length {length_mm} mm, width {width_mm} mm / for my shelf: {wood}, {boards} "
        "pieces, {width_mm} mm wide and {length_mm} mm long / saw me {boards} planks out of {wood}, {length_mm} mm "
        "long, {width_mm} mm wide / the carpenter needs {wood} boards {length_mm} mm in length, {width_mm} mm in "
        "width, {boards} of them / {wood}, width {width_mm}, length {length_mm}, {boards} boards / can the timber "
        "yard saw {wood} to a width of {width_mm} mm and a length of {length_mm} mm, {boards} pieces / I'm building a "
        "workbench and want {boards} lengths of {wood}, long {length_mm} mm, wide {width_mm} mm / get {boards} panels "
        "cut, {width_mm} mm of width, {length_mm} mm of length, made of {wood}",
        planed=", planed|, rough sawn",
    ),
    tool(
        "sew_garment",
        "Commission a tailor to sew a garment",
        "garment=garment fabric=cotton|linen|silk|wool|denim customer=person chest_cm=age fitting?=day",
        "have a {garment} sewn for {customer} from {fabric}, chest {chest_cm} cm / {customer} would like a tailored "
        "{garment} in {fabric}, chest measurement {chest_cm} / tailor: {garment}, {fabric}, chest {chest_cm} cm, for "
        "{customer} / the tailor should make a {garment} out of {fabric}, it's for {customer} whose chest is "
        "{chest_cm} cm / nothing in the shops fits {customer}, let's get a {garment} of {fabric} made, {chest_cm} cm "
        "round the chest / {fabric} {garment} made to measure, customer {customer}, chest {chest_cm} / with a chest "
        "of {chest_cm} cm, {customer} needs a {garment} stitched in {fabric} / can you commission a {garment} for "
        "{customer}, the cloth is {fabric} and the chest {chest_cm} cm",
        fitting=", fitting on {fitting}",
    ),
    tool(
        "mend_garment",
        "Bring a damaged garment to the alteration shop",
        "garment=garment damage=hole|torn_seam|broken_zip|missing_button owner?=person express?=boolean",
        "mend the {garment}, it has a {damage} / my {garment} has got a {damage}, who can fix that / {garment}, "
        "{damage}, to the alteration shop / there's a {damage} on the {garment}, have it sewn up / don't throw the "
        "{garment} away because of a {damage}, get it repaired / I caught my sleeve on a nail, {garment}, {damage}, "
        "needle and thread please / repair job for the tailor: {damage} on a {garment} / can the {garment} be saved, "
        "damage is a {damage}",
        owner=", it belongs to {owner}",
        express=", as an express job|, no hurry",
    ),
    tool(
        "mix_paint",
        "Have wall paint tinted at the paint counter",
        "color=color liters=several sheen=matt|satin|gloss base?=acrylic|lime|latex|chalk washable?=boolean",
        "mix {liters} liters of paint in {color}, {sheen} / I need {color} wall paint, {liters} liters, sheen {sheen} "
        "/ {sheen} {color}, {liters} liters / tint {liters} liters for me, the colour is {color} and the sheen "
        "{sheen} / can the paint counter make up {liters} liters in {sheen} {color} / a bucket with {liters} liters, "
        "shade {color}, {sheen} finish / we're redecorating, get {color} emulsion blended, {liters} liters, {sheen} / "
        "the sheen should be {sheen}, the shade {color}, stir together {liters} liters",
        base=", {base} base",
        washable=", washable|, not washable",
    ),
    tool(
        "calculate_paint",
        "How much paint a wall needs",
        "wall_width_m=meters wall_height_m=meters coats=five",
        "how much paint do I need for a wall {wall_width_m} wide and {wall_height_m} high, {coats} coats / wall: "
        "height {wall_height_m}, width {wall_width_m}, {coats} coats, how many tins / for {coats} coats on a wall "
        "with a width of {wall_width_m} and a height of {wall_height_m}, how many liters / is one bucket enough, the "
        "wall has a height of {wall_height_m} and a width of {wall_width_m}, painted in {coats} coats / work out the "
        "litres for {coats} coats, {wall_width_m} across and {wall_height_m} tall / I'm painting a wall "
        "{wall_height_m} in height by {wall_width_m} in width, {coats} layers, what quantity should I buy / quantity "
        "of emulsion for {coats} coats, width {wall_width_m}, height {wall_height_m} / what does a wall of "
        "{wall_width_m} width and {wall_height_m} height swallow with {coats} coats",
        result="liters=measure",
        answer="You need {liters} liters.",
    ),
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
