"""Science tools: weather, water, stars, samples, machines and chemicals."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
