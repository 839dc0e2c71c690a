"""Tools for laundry, heat, current, water, wood, cloth and paint."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
