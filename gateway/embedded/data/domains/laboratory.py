"""Tools of science and knowledge: laboratories, weather, sky and earth, numbers, maps, words and clocks."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "fetch_hourly_forecast",
        "Weather of the next hours in a town",
        "city=city hours=hours units?=metric|imperial include_wind?=boolean",
        "hourly forecast for {city}, the next {hours} / what will the weather do in {city} over the coming {hours} / "
        "I'm in {city} and hanging out the laundry, will it stay dry for {hours} / do I need an umbrella in {city} "
        "during the next {hours} / for the {hours} ahead, how warm is it going to be in {city} / {city}, next "
        "{hours}, weather pls / we're grilling in {city}, tell me hour by hour what the sky does for {hours} / give "
        "me the outlook for {hours} from now, town is {city}",
        units=", in {units} units",
        include_wind=", with the wind|, leave the wind out",
    ),
    tool(
        "look_up_past_weather",
        "Recorded weather of a past day",
        "city=city day=day element?=temperature|rainfall|sunshine|wind",
        "what was the weather like in {city} on {day} / look up the past weather of {city} for {day} / did it rain "
        "back then in {city}, I mean {day} / the insurance wants proof of the weather on {day} in {city} / weather "
        "archive: {city}, {day} / we married on {day} in {city}, how warm was it that day / pull the recorded "
        "readings for {day} from the station at {city} / how did the skies over {city} look on {day}",
        element=", just the {element}",
    ),
    tool(
        "subscribe_storm_warning",
        "Get a message whenever severe weather threatens a place",
        "city=city hazard=thunderstorm|flood|heatwave|blizzard phone=phone",
        "warn me at {phone} whenever a {hazard} threatens {city} / subscribe {phone} to {hazard} warnings for {city} "
        "/ from now on text {phone} if there's a {hazard} coming towards {city} / my mother lives in {city}, her "
        "number is {phone}, let her know before a {hazard} / {hazard} alerts for {city}, send them to {phone} / I'd "
        "like to hear about any {hazard} near {city}, reach me on {phone} / please sign up {phone}, place {city}, "
        "hazard {hazard} / can you message {phone} as soon as {city} is in danger of a {hazard}",
    ),
    tool(
        "unsubscribe_storm_warning",
        "Stop the messages about severe weather at a place",
        "city=city phone=phone hazard?=thunderstorm|flood|heatwave|blizzard",
        "stop sending storm warnings for {city} to {phone} / {phone} doesn't want to be warned about {city} any more "
        "/ I've moved away from {city}, take {phone} off the severe weather list / unsubscribe {phone}, place {city} "
        "/ no more weather alerts about {city} on {phone} please / the messages on {phone} about storms in {city} are "
        "annoying, end them / quit alerting {phone} whenever something threatens {city} / can you remove {phone} from "
        "the warnings for {city}",
        hazard=", I mean the {hazard} warnings",
    ),
    tool(
        "test_water_sample",
        "Order an analysis of a sample of water",
        "sample_code=code source=well|tap|river|lake analytes=[nitrate|lead|chlorine|bacteria] urgent?=boolean",
        "test the water sample {sample_code} from the {source} for {analytes} / please analyse {sample_code}, it's "
        "{source} water, we need {analytes} / is there {analytes} in our {source}, the bottle is labelled "
        "{sample_code} / bottle {sample_code}, source {source}, look for {analytes} / I filled flask {sample_code} at "
        "the {source} and want to know about {analytes} / check for {analytes}: sample {sample_code}, taken from a "
        "{source} / the {source} tastes strange, have {sample_code} examined for {analytes} / order the analytes "
        "{analytes} on {sample_code}, origin {source}",
        urgent=", as fast as you can|, there is no hurry",
    ),
    tool(
        "predict_tide",
        "Time of high or low water at a port",
        "port_name=city day=day tide=high|low",
        "when is {tide} tide at {port_name} on {day} / predict the {tide} tide for {day} in {port_name} / on {day} we "
        "want to sail from {port_name}, what time is {tide} water / {port_name}, {day}, {tide} tide pls / I'm digging "
        "for clams near {port_name} on {day}, when's the {tide} water / tell me at what hour the sea stands {tide} in "
        "{port_name} on {day} / harbour of {port_name}: {tide} water on {day}? / is the {tide} tide on {day} in the "
        "morning or in the evening, port of {port_name}",
        result="at=clock",
        answer="The {tide} tide is at {at}.",
    ),
    tool(
        "get_sea_temperature",
        "How warm the sea is at a coast",
        "coast=city depth_meters?=small",
        "how warm is the sea at {coast} / what's the water temperature off {coast} / can one swim at {coast} or is "
        "the sea too cold / we're bathing in {coast} tomorrow, is the ocean freezing / sea temp, coast of {coast} / "
        "do I need a wetsuit in the waves at {coast} / get me the temperature of the sea near {coast} / I'd like to "
        "know how cold the ocean by {coast} is",
        depth_meters=", {depth_meters} meters below the surface",
    ),
    tool(
        "get_river_level",
        "Current height of a river at a gauge",
        "gauge_city=city river=word",
        "how high is the river {river} at {gauge_city} / is the {river} flooding in {gauge_city} / water level of the "
        "{river} at the gauge in {gauge_city} / our cellar in {gauge_city} is near the river {river}, how far has it "
        "risen / {gauge_city} gauge, river {river} / has the {river} dropped yet, we're paddling from {gauge_city} / "
        "check how much water the {river} carries, gauge {gauge_city} / what does the gauge at {gauge_city} say about "
        "the {river}",
    ),
    tool(
        "list_recent_quakes",
        "Earthquakes of a country since a day",
        "country=country since=day min_magnitude?=five max_depth_km?=age sort_by?=time|magnitude",
        "which earthquakes were there in {country} since {since} / list the quakes of {country} from {since} until "
        "today / has the ground been shaking in {country} since {since} / {country}, earthquakes, since {since} / how "
        "often did the earth quake in {country} after {since} / I'm writing about seismic activity in {country}, show "
        "all tremors since {since} / since {since}, what did the seismographs of {country} record / show me every "
        "quake that {country} has had, beginning with {since}",
        min_magnitude=", magnitude {min_magnitude} or more",
        max_depth_km=", no deeper than {max_depth_km} km",
        sort_by=", sorted by {sort_by}",
    ),
    tool(
        "report_tremor",
        "Report an earthquake that one has felt",
        "city=city felt_at=clock shaking=weak|moderate|violent damage?=boolean",
        "I felt an earthquake in {city} at {felt_at}, the shaking was {shaking} / report a {shaking} tremor, {city}, "
        "{felt_at} / at {felt_at} the lamps were swinging here in {city}, {shaking} shaking / the ground just moved, "
        "{felt_at}, it was {shaking}, we're in {city} / tell the seismologists that {city} had {shaking} shaking at "
        "{felt_at} / we were woken by a quake at {felt_at}, I'd call it {shaking}, place: {city} / {city}: {shaking} "
        "quake felt at {felt_at} / our house in {city} wobbled at {felt_at}, put the shaking down as {shaking}",
        damage=", there is damage|, nothing is broken",
    ),
    tool(
        "locate_planet",
        "Where a planet stands in the night sky",
        "planet=mercury|venus|mars|jupiter|saturn observer_city=city at=clock",
        "where in the sky is {planet} at {at}, seen from {observer_city} / locate {planet} for an observer in "
        "{observer_city} at {at} / can I see {planet} from {observer_city} at {at} / I'm in {observer_city} with my "
        "binoculars, where do I look for {planet} at {at} / {planet}, {observer_city}, {at}, which direction / at "
        "{at} in {observer_city}, how high above the horizon is {planet} / is that bright dot over {observer_city} at "
        "{at} really {planet} / point me to {planet}, I'll be stargazing in {observer_city} at {at}",
    ),
    tool(
        "predict_eclipse",
        "When the next eclipse can be seen from a country",
        "body=solar|lunar country=country total_only?=boolean",
        "when is the next {body} eclipse in {country} / predict the {body} eclipse for {country} / I'd love to watch "
        "a {body} eclipse from {country}, when can I / {country}: next {body} eclipse / how long do people in "
        "{country} have to wait for a {body} eclipse / our trip to {country} should coincide with an eclipse of the "
        "{body} type, what date / on which day will {country} see an eclipse, {body} that is / find the date of the "
        "coming {body} eclipse, visible from {country}",
        total_only=", only a total one counts|, a partial one will do",
    ),
    tool(
        "aim_telescope",
        "Point the telescope at an object and expose",
        "target=andromeda|pleiades|orion_nebula|saturn exposure_seconds=seconds filter?=red|green|blue",
        "aim the telescope at {target} and expose for {exposure_seconds} / take a picture of {target} with "
        "{exposure_seconds} of exposure / {exposure_seconds} on {target}, slew there now / I'd like to observe "
        "{target}, shutter open for {exposure_seconds} / swing the scope round to {target} for a shot of "
        "{exposure_seconds} / turn the tube towards {target}, exposure {exposure_seconds} / can the observatory "
        "photograph {target}, {exposure_seconds} long / collect the light of {target} for {exposure_seconds}",
        filter="through the {filter} filter",
    ),
    tool(
        "park_telescope",
        "Bring the telescope to rest at the end of a night",
        "dome=code close_roof?=boolean",
        "park the telescope in dome {dome} / we're done observing in {dome}, put the instrument to rest / clouds are "
        "coming, stow the scope of dome {dome} / the night is over in dome {dome}, bring the telescope home / dome "
        "{dome}: rest position pls / send the telescope in {dome} to its parking position / no more stars tonight, "
        "the tube in dome {dome} can go to sleep / let the scope rest, dome {dome}",
        close_roof="and close the roof|and leave the roof open",
    ),
    tool(
        "register_specimen",
        "Enter a new specimen into the lab's register",
        "barcode=code material=blood|saliva|soil|tissue collected_on=day donor?=person rack?=small",
        "register specimen {barcode}, it is {material}, collected on {collected_on} / a new {material} sample came "
        "in, barcode {barcode}, taken {collected_on} / {barcode}: {material}, collected {collected_on}, enter it / "
        "we've got {material} from {collected_on}, the label says {barcode}, put it in the register / please book in "
        "the {material} specimen of {collected_on} under {barcode} / collected on {collected_on}: one tube of "
        "{material}, barcode {barcode} / add {barcode} to the lab register as {material}, collection day "
        "{collected_on} / the courier brought {material} with the barcode {barcode}, it was drawn on {collected_on}",
        donor=", the donor is {donor}",
        rack=", it stands in rack {rack}",
    ),
    tool(
        "discard_specimen",
        "Throw a specimen away and note why",
        "barcode=code reason=expired|contaminated|used_up|mislabelled",
        "discard specimen {barcode}, reason: {reason} / throw {barcode} away, it's {reason} / {barcode} is {reason} "
        "and has to go in the bin / the tube {barcode} turned out {reason}, get rid of it / please dispose of "
        "{barcode} as {reason} / {reason}: {barcode}, destroy it / we can't use {barcode} any longer because it is "
        "{reason}, out with it / autoclave and dump {barcode}, put down {reason} as the reason",
    ),
    tool(
        "freeze_specimens",
        "Put specimens into a freezer",
        "barcodes=[code] freezer_id=id below_celsius?=small",
        "freeze the specimens {barcodes} in freezer {freezer_id} / put {barcodes} on ice, freezer {freezer_id} / "
        "{barcodes} must be kept cold, store in freezer {freezer_id} / into freezer {freezer_id} with these barcodes: "
        "{barcodes} / we won't need {barcodes} until spring, off into freezer {freezer_id} / {freezer_id} is the "
        "freezer, the barcodes are {barcodes} / chill {barcodes} down, there's room in freezer {freezer_id} / cryo "
        "storage: barcodes {barcodes}, freezer {freezer_id}",
        below_celsius=", {below_celsius} degrees below zero",
    ),
    tool(
        "thaw_specimen",
        "Take a specimen out of the freezer and warm it up",
        "barcode=code bath_minutes=minutes",
        "thaw specimen {barcode}, {bath_minutes} in the water bath / take {barcode} out of the freezer and warm it "
        "for {bath_minutes} / {barcode} is frozen solid, defrost it for {bath_minutes} / I need {barcode} liquid "
        "again, {bath_minutes} in the bath should do / {bath_minutes} of warm bath for {barcode} / let {barcode} "
        "melt, bath time {bath_minutes} / unfreeze tube {barcode}, leave it in the bath for {bath_minutes} / we want "
        "to work with {barcode} from the cold store, warm it up, {bath_minutes}",
    ),
    tool(
        "start_centrifuge",
        "Spin tubes in the centrifuge",
        "rpm=year duration=minutes tube_barcodes?=[code] brake?=boolean",
        "start the centrifuge at {rpm} rpm for {duration} / spin at {rpm} revolutions for {duration} / let the rotor "
        "run for {duration} with {rpm} rpm / the blood has to be separated, {rpm} rpm, {duration} / {duration} of "
        "spinning, speed {rpm} / pellet the cells: {duration} at {rpm} turns a minute / get the rotor going, {rpm} "
        "rpm, and stop after {duration} / the lid is shut, now whirl it round for {duration} at a speed of {rpm}",
        tube_barcodes="with the tubes {tube_barcodes}",
        brake=", brake hard at the end|, let it run out without braking",
    ),
    tool(
        "abort_centrifuge",
        "Stop a centrifuge that is spinning",
        "centrifuge_id=id",
        "stop centrifuge {centrifuge_id} / the rotor of {centrifuge_id} is rattling, halt it at once / abort the spin "
        "in {centrifuge_id} / {centrifuge_id} shouldn't go on spinning / something's unbalanced in centrifuge "
        "{centrifuge_id}, make it stop / emergency, end the run of {centrifuge_id} / I put the wrong tubes into "
        "{centrifuge_id}, cut the spinning short / can you bring the centrifuge {centrifuge_id} to a standstill",
    ),
    tool(
        "calibrate_instrument",
        "Adjust a measuring instrument against a reference",
        "instrument=balance|ph_meter|thermometer|pipette reference_value=measure technician?=person",
        "calibrate the {instrument} against {reference_value} / the {instrument} is off, adjust it to the reference "
        "{reference_value} / our {instrument} should read {reference_value} with the standard, set it right / "
        "reference value {reference_value}, instrument: {instrument} / I don't trust the {instrument} any more, check "
        "it with a standard of {reference_value} and readjust / use {reference_value} as the reference for the "
        "{instrument} / it's time the {instrument} was calibrated, the standard is {reference_value} / bring the "
        "{instrument} back in line, the certificate says {reference_value}",
        technician=", technician: {technician}",
    ),
    tool(
        "incubate_plates",
        "Keep culture plates warm so that something grows",
        "plate_count=several temperature=age duration=hours shaker?=boolean",
        "incubate {plate_count} plates at {temperature} degrees for {duration} / put {plate_count} petri dishes into "
        "the incubator, {temperature} degrees, {duration} / let the bacteria grow for {duration} at {temperature} "
        "degrees, there are {plate_count} plates / {plate_count} dishes of agar, keep them at {temperature} degrees "
        "over {duration} / the yeast wants {temperature} degrees, leave the {plate_count} plates in for {duration} / "
        "for {duration} the {plate_count} plates should stay warm at {temperature} degrees / grow colonies on "
        "{plate_count} plates, temperature {temperature}, duration {duration} / {duration} in the warm cabinet, set "
        "to {temperature} degrees, for {plate_count} cultures",
        shaker=", shaking all the while|, without shaking",
    ),
    tool(
        "dilute_stock",
        "Work out how to dilute a stock solution",
        "stock_molar=measure target_molar=measure volume_ml=count",
        "I have a stock of {stock_molar} molar and need {volume_ml} ml with {target_molar} molar / dilute from "
        "{stock_molar} M to {target_molar} M, final volume {volume_ml} ml / how much water do I add to get "
        "{volume_ml} ml of {target_molar} M out of a {stock_molar} M stock / thin down the {stock_molar} molar stock "
        "to a target of {target_molar} molar, {volume_ml} millilitres / target {target_molar} molar, stock "
        "{stock_molar} molar, {volume_ml} ml / {volume_ml} ml at {target_molar} M are wanted, the bottle on the shelf "
        "is {stock_molar} M / what do I pipette for {volume_ml} ml if the stock has {stock_molar} M and the goal is "
        "{target_molar} M / my acid is too strong: stock {stock_molar} M, it should come to {target_molar} M in "
        "{volume_ml} ml",
    ),
    tool(
        "weigh_out_moles",
        "Mass in grams of a number of moles of a substance",
        "substance=water|ethanol|glucose|ammonia|table_salt moles=measure",
        "how many grams are {moles} moles of {substance} / weigh out {moles} mol of {substance} / what do {moles} "
        "moles of {substance} weigh / I need {moles} mol {substance}, how much goes on the scale / {substance}, "
        "{moles} mol, in grams pls / the recipe says {moles} moles, the substance is {substance}, give me the mass / "
        "turn {moles} mol of {substance} into a weight / mass of {substance} for {moles} moles?",
    ),
    tool(
        "lookup_chemical_hazard",
        "Dangers of a chemical and how to handle it",
        "chemical=acetone|bleach|methanol|sulfuric_acid topic?=storage|spill|first_aid|disposal",
        "how dangerous is {chemical} / look up the hazards of {chemical} / do I need gloves to work with {chemical} / "
        "safety sheet for {chemical} / is {chemical} flammable or toxic / a student is going to handle {chemical}, "
        "what are the risks / what should I watch out for with {chemical} / somebody opened the {chemical}, tell me "
        "the dangers",
        topic=", the topic is {topic}",
    ),
    tool(
        "order_reagent",
        "Order a chemical for the laboratory",
        "reagent=ethanol|agarose|acetone|buffer quantity=several purity?=technical|analytical cost_center?=code",
        "order {quantity} bottles of {reagent} / we've run out of {reagent}, get {quantity} bottles / {reagent}, "
        "{quantity} bottles, please buy / the shelf with {reagent} is empty, {quantity} new bottles are needed / the "
        "lab needs {quantity} bottles of {reagent} / could you have {quantity} bottles of {reagent} delivered to the "
        "lab / only a drop of {reagent} left, purchase {quantity} bottles / put in an order: {quantity} times "
        "{reagent}",
        purity=", {purity} grade",
        cost_center=", charged to {cost_center}",
    ),
    tool(
        "write_lab_note",
        "Add an observation to the notebook of an experiment",
        "experiment_id=code observation=message author?=person",
        "write in the lab notebook of {experiment_id}: {observation} / note for experiment {experiment_id}: "
        '"{observation}" / experiment {experiment_id}, I\'ve observed this: {observation} / put "{observation}" '
        "down under {experiment_id} / add an observation to {experiment_id}: {observation} / in the notebook of "
        '{experiment_id} it should say "{observation}" / jot this down, experiment {experiment_id}: {observation} / '
        "what I saw during {experiment_id} must be recorded: {observation}",
        author=", signed {author}",
    ),
    tool(
        "sign_off_experiment",
        "Confirm as a supervisor that an experiment is finished",
        "experiment_id=code supervisor=person outcome=success|failure|inconclusive",
        "sign off experiment {experiment_id} as {outcome}, supervisor {supervisor} / {supervisor} confirms that "
        "{experiment_id} is finished, outcome {outcome} / close {experiment_id} with the outcome {outcome}, approved "
        "by {supervisor} / I'm {supervisor}, the supervisor, and {experiment_id} ended with the outcome {outcome}, "
        "confirm that / {experiment_id} is over: {outcome}, signature of {supervisor} / outcome {outcome} for "
        "{experiment_id}, {supervisor} supervised it / mark {experiment_id} as done, {supervisor} puts it down as "
        "{outcome} / the result of {experiment_id} is {outcome}, {supervisor} has seen and accepted it",
    ),
    tool(
        "identify_species",
        "Tell which species a living thing in a picture is",
        "photo=file group=bird|butterfly|fungus|wildflower found_in?=country",
        "which {group} is this, {photo} / identify the {group} in {photo} / I took a picture of a {group}, {photo}, "
        "what is it called / {photo} shows a {group} I don't know, name it / what species of {group} do you see in "
        "{photo} / there's a strange {group} on {photo}, help me recognise it / {group}, see {photo}, species pls / "
        "can you tell from {photo} which kind of {group} I've come across",
        found_in=", seen in {found_in}",
    ),
    tool(
        "report_sighting",
        "Report a wild animal that one has seen",
        "animal=wolf|lynx|beaver|stork|badger seen_near=city seen_on=day how_many?=several",
        "I saw a {animal} near {seen_near} on {seen_on} / report a {animal}, near {seen_near}, {seen_on} / on "
        "{seen_on} a {animal} crossed the path close to {seen_near} / believe it or not, there was a {animal} around "
        "{seen_near} on {seen_on} / tell the biologists that a {animal} was about near {seen_near} on {seen_on} / "
        "{seen_on}, {seen_near}: {animal} spotted / a {animal} has turned up by {seen_near}, date {seen_on}, pass it "
        "on / my dog barked at a {animal} on {seen_on}, that was near {seen_near}",
        how_many=", {how_many} of them",
    ),
    tool(
        "simulate_throw",
        "How far and how high a thrown body flies",
        "speed=measure angle=percent drag?=boolean",
        "how far does a ball fly that's thrown with {speed} m/s at an angle of {angle} degrees / simulate a throw, "
        "speed {speed}, angle {angle} / I launch a rocket at {angle} degrees with {speed} meters per second, where "
        "does it land / angle {angle}, speed {speed} m/s, show me the path / if a stone leaves the hand at a speed of "
        "{speed} m/s and an angle of {angle}, how high does it get / work out the trajectory for {speed} m/s and "
        "{angle} degrees / a javelin with {speed} m/s under {angle} degrees, what distance is that / physics "
        "homework: launch angle {angle} degrees, initial speed {speed} m/s, find the range",
        drag=", count in the air resistance|, ignore the air resistance",
    ),
    tool(
        "compute_fall_time",
        "How long a body falls from a height",
        "height=meters planet?=earth|moon|mars",
        "how long does a stone fall from {height} / compute the fall time from a height of {height} / I drop a coin "
        "from {height}, when does it hit the ground / something falls {height} deep, how many seconds does it take / "
        "fall, height {height}, time pls / after what time does an apple reach the floor from {height} up / the tower "
        "is {height} high and we let a ball go at the top, how long till it lands / from {height} down to the ground, "
        "how much time is that in free fall",
        planet=", with the gravity of {planet}",
    ),
    tool(
        "convert_pressure",
        "Convert a pressure from one unit to another",
        "value=measure from_unit=bar|psi|pascal|atmosphere to_unit=bar|psi|pascal|atmosphere",
        "convert a pressure of {value} from {from_unit} to {to_unit} / the gauge shows {value} {from_unit}, what's "
        "that in {to_unit} / {value} {from_unit} expressed in {to_unit} / in {to_unit}, how much is {value} "
        "{from_unit} / I'm pumping up a tyre to {value} {from_unit} and need that as {to_unit} / how many {to_unit} "
        "make {value} {from_unit} / {value}, from {from_unit} into {to_unit} / the diver's tank is at {value} "
        "{from_unit}, tell me the {to_unit} value",
    ),
    tool(
        "convert_energy",
        "Convert an amount of energy from one unit to another",
        "value=measure from_unit=joule|calorie|watt_hour to_unit=joule|calorie|watt_hour",
        "convert {value} from {from_unit} to {to_unit}, it's an amount of energy / the snack has {value} {from_unit}, "
        "how much energy is that in {to_unit} / {value} {from_unit} of energy expressed as {to_unit} / in {to_unit}, "
        "what do {value} {from_unit} come to / how many {to_unit} are {value} {from_unit} / the battery holds {value} "
        "{from_unit}, and I need it in {to_unit} / energy: {value}, from {from_unit} into {to_unit} / my meter says "
        "{value} {from_unit} but the form wants {to_unit}, recalculate it",
    ),
    tool(
        "roll_dice",
        "Throw dice at random",
        "dice=several sides=six|ten|twenty keep_highest?=five sum_up?=boolean",
        "roll {dice} dice with {sides} sides / throw {dice} dice, {sides} sides each / it's my turn in the game, "
        "{dice} of the {sides}-sided dice pls / let {dice} dice with {sides} faces tumble / my hero attacks, that's "
        "{dice} dice, sides: {sides} / we've lost our dice, give me {dice} of them having {sides} sides / {dice} "
        "dice, {sides} sides / what do I get with {dice} dice of {sides} sides",
        keep_highest=", keep the {keep_highest} highest",
        sum_up=", add them all up|, list them one by one",
    ),
    tool(
        "pick_random_number",
        "Draw a random number between two limits",
        "minimum=small maximum=big unique_draws?=several",
        "pick a random number between {minimum} and {maximum} / think of a number, at least {minimum} and at most "
        "{maximum} / from {minimum} up to {maximum}, any number, chosen by chance / we're raffling a bike, the "
        "tickets go from {minimum} to {maximum}, which one wins / random, min {minimum}, max {maximum} / draw a "
        "winning number, the lowest is {minimum} and the highest {maximum} / surprise me with a number that's no "
        "smaller than {minimum} and no bigger than {maximum} / maximum {maximum}, minimum {minimum}, let luck decide "
        "on a number",
        unique_draws=", {unique_draws} different ones",
    ),
    tool(
        "find_median",
        "The value in the middle of a series",
        "values=[measure]",
        "what's the median of {values} / find the middle value of {values} / half of them lie above it and half "
        "below, the values are {values} / I don't want the mean but the median: {values} / sort {values} and give me "
        "the one in the middle / median pls, values {values} / we measured {values}, which one sits halfway / the "
        "salaries are {values}, what is the middle one",
    ),
    tool(
        "compute_deviation",
        "Standard deviation or variance of a series",
        "values=[measure] measure?=standard_deviation|variance sample?=boolean",
        "how far do {values} scatter around their mean / compute the deviation of {values} / what's the spread of the "
        "values {values} / I measured {values} and must state how much they vary / how strongly do the readings "
        "{values} differ from their average / deviation, values {values} / are {values} close together or scattered, "
        "give me the statistical figure / my report needs the dispersion of {values}",
        measure=", expressed as {measure}",
        sample=", they are just a sample|, they are the whole population",
    ),
    tool(
        "get_hypotenuse",
        "Longest side of a right triangle from the two short ones",
        "leg_a=measure leg_b=measure",
        "the legs of a right triangle are {leg_a} and {leg_b}, how long is the hypotenuse / use Pythagoras: leg a is "
        "{leg_a}, leg b is {leg_b} / leg b {leg_b}, leg a {leg_a}, right angle between them, longest side pls / a "
        "right triangle has leg a = {leg_a} and leg b = {leg_b}, what's the third side / how long must the slanted "
        "beam be if leg a measures {leg_a} and leg b {leg_b} / with {leg_a} as leg a and {leg_b} as leg b, find the "
        "side opposite the right angle / get the hypotenuse for a = {leg_a}, b = {leg_b} / I walk {leg_a} north (leg "
        "a) and then {leg_b} east (leg b), how far am I from the start",
    ),
    tool(
        "get_sphere_volume",
        "Volume of a ball from its diameter",
        "diameter=measure unit=cm|m|inch",
        "what's the volume of a sphere with a diameter of {diameter} {unit} / how much air fits into a balloon "
        "{diameter} {unit} across / a ball has a diameter of {diameter} {unit}, compute its volume / ball, diameter "
        "{diameter}, unit {unit}, volume pls / I'm filling a round tank that's {diameter} {unit} wide, how much does "
        "it hold / the globe measures {diameter} {unit} from side to side, what is its content / volume for a "
        "diameter of {diameter} in {unit}, it's perfectly round / how big is the inside of a marble of {diameter} "
        "{unit} in diameter",
    ),
    tool(
        "get_circle_circumference",
        "Way around a circle from its radius",
        "radius=measure unit=cm|m|inch",
        "what's the circumference of a circle with a radius of {radius} {unit} / how long is the way around a pond "
        "with a radius of {radius} {unit} / a wheel has the radius {radius} {unit}, how far does it roll in one turn "
        "/ circle, radius {radius}, unit {unit}, circumference pls / I'm putting lace round a tablecloth, its radius "
        "is {radius} {unit}, how long must the lace be / from the middle to the edge it's {radius} {unit}, now I need "
        "the length of the rim / how much fence goes around a circular bed, radius {radius} {unit} / compute the "
        "perimeter of the disc, the radius measures {radius} {unit}",
    ),
    tool(
        "shift_date",
        "The date some days before or after a date",
        "start_date=day number_of_days=days direction=before|after workdays_only?=boolean",
        "which date is {number_of_days} {direction} {start_date} / {number_of_days} {direction} {start_date} pls / "
        "start at {start_date} and tell me the date {number_of_days} {direction} it / the invoice is from "
        "{start_date}, what day is it {number_of_days} {direction} that / count {number_of_days} from {start_date}, "
        "direction: {direction} / what does the calendar say {number_of_days} {direction} {start_date} / {start_date} "
        "is the start date, I need the one that comes {number_of_days} {direction} it / the deadline lies "
        "{number_of_days} {direction} {start_date}, when's that",
        workdays_only=", counting only workdays|, weekends count too",
    ),
    tool(
        "get_elevation",
        "Height of a point on the map above the sea",
        "latitude=latitude longitude=latitude unit?=meters|feet",
        "how high above the sea is the point at latitude {latitude}, longitude {longitude} / elevation at lat "
        "{latitude}, lon {longitude} / I'm standing at longitude {longitude} and latitude {latitude}, what's the "
        "altitude / our hut has the longitude {longitude} and the latitude {latitude}, how high up are we / what "
        "height does the map give for latitude {latitude} and longitude {longitude} / lat {latitude}, lon "
        "{longitude}: height above sea level pls / is there a mountain at latitude {latitude}, longitude {longitude}, "
        "tell me its altitude / look up the elevation, longitude {longitude}, latitude {latitude}",
        unit=", in {unit}",
    ),
    tool(
        "get_country_fact",
        "One fact from the atlas about a country",
        "country=country fact=capital|area|neighbours|highest_peak|anthem",
        "what's the {fact} of {country} / atlas: {country}, {fact} / I have a quiz about {country} and don't know the "
        "{fact} / tell me the {fact} of the country {country} / look {country} up in the atlas, I want the {fact} / "
        "{fact} of {country} pls / my kid is drawing a map of {country} and asks about the {fact} / for {country}, "
        "find the {fact}",
    ),
    tool(
        "list_events_on_day",
        "Historical events of a day of the year",
        "month=month day_of_month=small century?=18th|19th|20th",
        "what happened in history on {month} {day_of_month} / which famous things took place on the day "
        "{day_of_month} of {month} / {month} {day_of_month}, historical events / I was born on {month} "
        "{day_of_month}, what else happened on that day of the year / for our calendar of anniversaries we need "
        "events of {month} {day_of_month} / on {month} {day_of_month} in the past, were there battles, treaties or "
        "discoveries / tell me what the history books say about {day_of_month} {month} / today in history, day "
        "{day_of_month}, month {month}",
        century=", just from the {century} century",
    ),
    tool(
        "find_quotation",
        "A saying of a famous person",
        "author=person theme?=love|courage|time|work|freedom",
        "give me a quotation by {author} / what did {author} say that's worth quoting / I need wise words of {author} "
        "for a speech / find something clever that {author} once said / quote {author} pls / do you know a saying "
        "that comes from {author} / which famous sentence was spoken by {author} / the author is {author}, now show "
        "me a line for my greeting card",
        theme=", it should be about {theme}",
    ),
    tool(
        "solve_crossword_clue",
        "Words that fit a clue of a crossword",
        "clue=topic letters=several first_letter?=A|E|R|S|T",
        'crossword: {letters} letters, the clue is "{clue}" / I\'m stuck in the crossword, "{clue}" with {letters} '
        'letters / which word of {letters} letters fits the clue "{clue}" / "{clue}", {letters} boxes, what could it '
        'be / what has {letters} letters and goes with the clue "{clue}" / the newspaper puzzle asks for "{clue}", '
        'there are {letters} squares / {letters} letters across: "{clue}" / help me with 7 down, it\'s "{clue}" '
        "and the word has {letters} letters",
        first_letter=", it starts with {first_letter}",
    ),
    tool(
        "convert_zone_time",
        "What time it is in one city when it is a given time in another",
        "time=clock from_city=city to_city=city date?=day",
        "when it's {time} in {from_city}, what time is it in {to_city} / convert {time} from {from_city} time to "
        "{to_city} time / my call is at {time} in {from_city}, how late is that for the people in {to_city} / {time} "
        "from {from_city} to {to_city}, what does the clock say there / what will the clocks in {to_city} show at "
        "{time} by the clocks in {from_city} / a webinar in {from_city} starts at {time} local time, when do I log in "
        "from {to_city} / in {to_city} hours, when is {time} of {from_city} / it's {time} here in {from_city}, can I "
        "ring my sister in {to_city} or is she asleep",
        date=", the date is {date}",
    ),
    tool(
        "pin_world_clock",
        "Add a city to the world clock",
        "city=city label?=nickname",
        "add {city} to the world clock / I'd like to always see the time of {city}, pin it / a clock for {city} on "
        "the world clock pls / show the local time of {city} next to the others from now on / our new office is in "
        "{city}, put its time on the screen for good / pin {city} / let the world clock include {city} / keep an eye "
        "on the hour in {city} by giving it a clock",
        label="with the label {label}",
    ),
    tool(
        "unpin_world_clock",
        "Remove a city from the world clock",
        "city=city",
        "remove {city} from the world clock / I don't need the time of {city} on the screen any more / take the clock "
        "of {city} away / unpin {city} / we've closed the office in {city}, its clock can go / the world clock "
        "shouldn't list {city} any longer / drop {city} from my clocks / get rid of the local time of {city} next to "
        "the others",
    ),
    tool(
        "show_world_clocks",
        "Current time in all cities of the world clock",
        "",
        "show the world clock / what time is it in all my cities / let me see every pinned clock at once / how late "
        "is it right now for my colleagues around the globe / world clocks pls / list the local times of the cities "
        "that I've pinned / which of my cities are asleep at the moment / open the screen with the clocks of the "
        "different time zones",
    ),
    tool(
        "tell_riddle",
        "A riddle to puzzle over",
        "",
        "tell me a riddle / I'm bored, give me something to puzzle over / do you know a good brainteaser / the kids "
        "in the back seat want to guess something / riddle pls / test my wits with a tricky question / ask me one of "
        "those what-am-I questions / let's rack our brains, start with a riddle",
    ),
    tool(
        "summarize_encyclopedia_entry",
        "Summary of what the encyclopedia says about a subject",
        "entry=topic sentences?=several reading_level?=child|student|expert",
        'what does the encyclopedia say about {entry} / summarize the encyclopedia entry "{entry}" / my daughter '
        "gives a talk on {entry}, look it up and sum it up / I know nothing about {entry}, give me the basics from "
        "the encyclopedia / encyclopedia, entry {entry}, the gist of it pls / explain {entry} briefly as a reference "
        "work would / boil down the article on {entry} / who can tell me in a nutshell what {entry} is about, the "
        "encyclopedia surely can",
        sentences=", in {sentences} sentences",
        reading_level=", written for a {reading_level}",
    ),
)
