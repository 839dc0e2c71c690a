"""Tools for bees, fields, tractors, forests, gardens and markets."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "inspect_hive",
        "Write down what was seen in a beehive",
        "hive=code brood_frames=handful queen_seen=boolean temper?=calm|nervous|aggressive",
        "I looked into hive {hive}, {brood_frames} frames of brood / {hive} has {brood_frames} brood frames / check "
        "of the bees in {hive}: {brood_frames} frames with brood / note for hive {hive}, brood on {brood_frames} "
        "frames / bees, {hive}, brood frames: {brood_frames} / I've been through {hive} and counted {brood_frames} "
        "frames of brood / put {brood_frames} frames of brood on the card of colony {hive} / {brood_frames} brood "
        "frames were in colony {hive} when I lifted the lid",
        queen_seen=", the queen was there|, I didn't see the queen",
        temper=", the bees were {temper}",
    ),
    tool(
        "treat_varroa",
        "Treat a bee colony against mites",
        "hive=code agent=oxalic_acid|formic_acid|thymol on=day strips?=handful",
        "give hive {hive} {agent} against the mites on {on} / {hive} has too many mites, use {agent} on {on} / on "
        "{on} we treat {hive} with {agent} / varroa: {hive}, {agent}, {on} / mites are killing the bees in {hive}, "
        "plan {agent} for {on} / {agent} for colony {hive}, date {on}, against varroa / plan the mite cure of {hive} "
        "for {on}, agent {agent} / can you schedule {agent} in hive {hive} on {on}, the bees have varroa",
        strips="using {strips} strips",
    ),
    tool(
        "report_swarm",
        "Call a beekeeper to a swarm of bees",
        "street=street city=city hangs_on=tree|roof|hedge|chimney height?=meters",
        "there's a swarm of bees on a {hangs_on} in {street}, {city} / bees have settled on our {hangs_on}, {street} "
        "in {city}, who can catch them / a beekeeper should come to {street} in {city}, a cluster of bees sits on the "
        "{hangs_on} / in {city}, {street}, a swarm is hanging from the {hangs_on} / thousands of bees on the "
        "{hangs_on}! {street}, {city} / swarm: {hangs_on}, {street}, {city} / can anybody collect a buzzing cloud "
        "from the {hangs_on} at {street}, {city} / please get these bees off the {hangs_on}, address {street} in "
        "{city}",
        height="about {height} up",
    ),
    tool(
        "plough_field",
        "Order a field to be ploughed",
        "field=word depth_cm=small tractor?=first_name before?=day",
        "plough {field} {depth_cm} cm deep / turn over the soil of {field}, depth {depth_cm} cm / the stubble on "
        "{field} must go under, {depth_cm} centimetres deep / {field}: plough, {depth_cm} cm / can you have the "
        "furrows on {field} drawn {depth_cm} cm deep / break the ground of {field} to a depth of {depth_cm} cm / "
        "{depth_cm} cm furrows on the field {field}, please / get someone to till {field}, the share goes down to "
        "{depth_cm} cm",
        tractor="with the tractor called {tractor}",
        before="before {before}",
    ),
    tool(
        "get_soil_temperature",
        "How warm the ground of a field is",
        "field=word depth_cm?=small",
        "how warm is the ground on {field} / is the soil of {field} warm enough to sow, what's its temperature / soil "
        "temperature {field} / degrees in the earth of {field} right now / has the ground on {field} warmed up yet / "
        "what does the soil thermometer in {field} say / I'd plant potatoes on {field} if the ground isn't too cold, "
        "how many degrees does it have / tell me how cold the earth is at {field}",
        depth_cm="at a depth of {depth_cm} cm",
        result="temperature=degrees",
        answer="The ground has {temperature}.",
    ),
    tool(
        "get_soil_moisture",
        "How wet the ground of a field is",
        "field=word layer?=topsoil|subsoil",
        "how wet is the ground on {field} / is the soil of {field} dry / soil moisture {field} / what's the water "
        "content of the earth in {field} / can the ground of {field} bear a tractor or is it still too damp / does "
        "{field} suffer from drought, how much moisture is in the ground / tell me how soggy the field {field} is / "
        "after all that rain, how much water is in the soil of {field}",
        layer="in the {layer}",
        result="moisture=percentage",
        answer="The moisture is {moisture}.",
    ),
    tool(
        "get_monthly_rainfall",
        "How much rain fell at a place in a month",
        "city=city month=month year=year compare_with_normal?=boolean",
        "how much rain fell in {city} in {month} {year} / millimetres of rain, {city}, {month} {year} / was {month} "
        "{year} a wet month in {city}? I need the total / rainfall of {month} {year} in {city} / what did the rain "
        "gauge of {city} collect over {month} {year} / in {month} of {year}, how many millimetres came down on {city} "
        "/ {city} had a dry {month} in {year}, how many millimetres were there / give me the precipitation sum for "
        "{city}, month {month}, year {year}",
        compare_with_normal="compared with the long-term mean|without any comparison",
    ),
    tool(
        "hitch_implement",
        "Couple an implement to a tractor",
        "tractor=code implement=plough|baler|harrow|trailer|seed_drill",
        "hitch the {implement} to tractor {tractor} / tractor {tractor} needs the {implement} on / attach the "
        "{implement} to {tractor} / {tractor} should pull the {implement} today, couple it / couple {tractor} with "
        "the {implement} / {implement} onto {tractor}, pls / get {tractor} ready, the {implement} has to be mounted / "
        "I want to go out with {tractor} and the {implement}, hook it up",
    ),
    tool(
        "unhitch_implement",
        "Take an implement off a tractor",
        "tractor=code implement=plough|baler|harrow|trailer|seed_drill park_at?=barn|yard|shed",
        "take the {implement} off tractor {tractor} / tractor {tractor} no longer needs the {implement}, uncouple it "
        "/ detach the {implement} from {tractor} / free {tractor} of the {implement} / we're done with the "
        "{implement}, drop it from {tractor} / {implement} off {tractor}, pls / the {implement} still hangs on "
        "{tractor}, unhook it / {tractor} has to be without the {implement} for the road, remove it",
        park_at="and leave it in the {park_at}",
    ),
    tool(
        "bale_hay",
        "Press the hay of a meadow into bales",
        "meadow=word shape=round|square wrapped?=boolean bales?=several",
        "press the hay on {meadow} into {shape} bales / {shape} bales from the meadow {meadow} / the hay of {meadow} "
        "is dry, make {shape} bales of it / bale {meadow}, {shape} / {meadow} has been mown and turned, now roll it "
        "up as {shape} bales / I need the cut grass on {meadow} as bales, shape {shape} / before it rains get the hay "
        "from {meadow} into {shape} bales / can we have {shape} bales made of what lies on {meadow}",
        wrapped="wrapped in film|without film",
        bales=", about {bales} of them",
    ),
    tool(
        "get_silo_level",
        "How full a silo is",
        "silo=code unit?=percent|tonnes|cubic_metres",
        "how full is silo {silo} / what's left in silo {silo} / is there still room in {silo} for more grain / fill "
        "level {silo} / how much grain is stored in {silo} / do I have to refill silo {silo}, what does the level say "
        "/ has {silo} run low on maize / check the contents of silo {silo}",
        unit="in {unit}",
        result="level=measure",
        answer="The level of silo {silo} is {level}.",
    ),
    tool(
        "request_felling_permit",
        "Apply for leave to cut trees down",
        "forest=word species=oak|beech|spruce|ash|pine trees=several owner=person cause?=bark_beetle|storm|thinning",
        "{owner} would like to cut down {trees} trees in {forest}, species {species} / ask for leave to fell {trees} "
        "{species} trees in {forest}, the owner is {owner} / may we take out {trees} trees of the sort {species} in "
        "{forest}? {owner} owns it / felling application: {owner}, {forest}, {species}, {trees} trees / I'm {owner} "
        "and {trees} {species} trees of mine in {forest} should come down, get the permit / permission for {trees} "
        "stems of {species} in {forest} please, for {owner} / {forest} belongs to {owner}, who wants {trees} "
        "{species} trees removed, apply for that / the chainsaw is waiting, apply for {owner}: {species}, {trees} "
        "trees, wood {forest}",
        cause="because of {cause}",
    ),
    tool(
        "replant_forest",
        "Order saplings to be planted in a wood",
        "forest=word species=oak|beech|spruce|ash|pine saplings=count fenced?=boolean season?=spring|autumn",
        "plant {saplings} {species} saplings in {forest} / {forest} should get {saplings} young trees, species "
        "{species} / {saplings} {species} seedlings for {forest} / fill the gaps in {forest} with {saplings} saplings "
        "of {species} / after the storm {forest} needs new trees, {species}, {saplings} of them / let's grow "
        "{species} in {forest}, {saplings} little ones / reforest {forest}: {saplings} x {species} / the foresters "
        "should put {saplings} {species} trees into the ground of {forest}",
        fenced="with a fence against deer|without any fence",
        season="in {season}",
    ),
    tool(
        "buy_fishing_licence",
        "Buy leave to fish in a water",
        "angler=person water=river|lake|sea|canal valid_from=day days=days night_fishing?=boolean",
        "{angler} wants to fish in the {water} for {days} from {valid_from} / fishing licence for {angler}, {water}, "
        "{days}, valid from {valid_from} / I'm {angler} and need a permit to angle in the {water}, {days} as of "
        "{valid_from} / get an angling card for {angler}: {water}, start {valid_from}, {days} / from {valid_from} "
        "{angler} would like to cast a rod in the {water} for {days} / {days} of angling in the {water}, starting "
        "{valid_from}, name {angler} / so that the warden doesn't fine {angler}, buy {days} on the {water} from "
        "{valid_from} / may {angler} go after pike in the {water}? {days} from {valid_from}, please pay for it",
        night_fishing=", nights included|, by day only",
    ),
    tool(
        "get_closed_season",
        "When a fish must not be caught",
        "species=trout|pike|carp|perch|eel country=country",
        "when is it forbidden to catch {species} in {country} / closed season for {species}, {country} / from when to "
        "when is {species} protected in {country} / am I allowed to take {species} in {country} at present or is it "
        "spawning time / in {country}, which months are off limits for {species} / I'd like to go for {species} in "
        "{country}, when mustn't I / {country}: when do anglers have to leave {species} alone / tell me the protected "
        "period of {species} under the rules of {country}",
        result="start=day end=day",
        answer="It is closed from {start} to {end}.",
    ),
    tool(
        "get_zoo_feeding_time",
        "When visitors can see an animal being fed",
        "animal=penguins|seals|lions|otters|pelicans zoo=company on?=day",
        "when are the {animal} fed at {zoo} / what time do the {animal} in {zoo} get their food / {zoo}, {animal}, "
        "feeding time / my kids want to watch the keeper feed the {animal} at {zoo}, when must we be there / at what "
        "hour does {zoo} throw fish or meat to the {animal} / when's lunch for the {animal} of {zoo} / I'd like to "
        "see the {animal} eat at {zoo}, tell me the time / is there a public feeding of the {animal} in {zoo} and at "
        "what time",
        on="on {on}",
        result="time=clock",
        answer="The {animal} are fed at {time}.",
    ),
    tool(
        "prune_plants",
        "Put the cutting back of plants on the gardener's list",
        "plants=roses|hedge|vines|apple_trees|lilac severity=light|medium|hard gardener=first_name by?=day",
        "{gardener} should cut back the {plants}, {severity} / have the {plants} trimmed by {gardener}, {severity} "
        "pruning / {severity} pruning of the {plants}, for {gardener} / {gardener}: {plants}, {severity} cut / the "
        "{plants} grow out of bounds, let {gardener} take the secateurs to them, {severity} / could {gardener} "
        "shorten the {plants}? a {severity} cut is what I mean / tell {gardener} to snip the {plants}, severity "
        "{severity} / secateurs out, {gardener}! a {severity} cut for the {plants}",
        by="by {by}",
    ),
    tool(
        "turn_compost",
        "Have a compost heap turned over",
        "heap=left|middle|right add?=[straw|ash|lime|leaves]",
        "turn over the {heap} compost heap / the {heap} heap smells, give it air with the fork / {heap} compost: fork "
        "it over / aerate the compost, {heap} heap / could someone mix up the {heap} heap of kitchen scraps / it rots "
        "too slowly, so toss the {heap} compost about / the {heap} one of our compost heaps wants turning / dig "
        "through the {heap} compost so that the worms get some air",
        add="and mix in {add}",
    ),
    tool(
        "reserve_market_stall",
        "Reserve a place for a seller on a market",
        "seller=company market=city date=day length=meters goods?=[crop]",
        "{seller} wants a stall of {length} at the market in {market} on {date} / book {length} on the {market} "
        "market for {seller}, {date} / on {date} {seller} would like to sell at {market}, {length} of counter / "
        "market place {market}: {seller}, {length}, {date} / is there a pitch for {seller} at the farmers' market in "
        "{market} on {date}? {length} please / keep {length} free for our stand, {seller}, on the market of {market}, "
        "{date} / we'd set up our booth in {market} on {date}, {length} long, name {seller} / a pitch of {length} on "
        "{date} for {seller}, {market} farmers' market",
        goods="to sell {goods}",
    ),
    tool(
        "give_up_market_stall",
        "Give a reserved place on a market back",
        "seller=company market=city date=day refund_to?=account|voucher",
        "{seller} won't come to the market in {market} on {date} / the stall of {seller} in {market} on {date} isn't "
        "needed any more / cancel the pitch of {seller} at the {market} market, {date} / someone else can have the "
        "place of {seller} on {date} at {market} market / {market}, {date}: {seller} gives up its stand / on {date} "
        "{seller} stays away from the farmers' market of {market}, free the place / our van broke down, so no stand "
        "in {market} on {date}, we are {seller} / release the booth that {seller} has on the market in {market} on "
        "{date}",
        refund_to="and pay the fee back as {refund_to}",
    ),
    tool(
        "get_market_price",
        "What a crop fetches at a wholesale market",
        "crop=crop market=city quality?=organic|first_class|juice_grade",
        "what do {crop} fetch at the wholesale market in {market} / how much are {crop} in {market} at wholesale / "
        "price of {crop}, {market} market / what would I get for a crate of {crop} if I drove it to {market} / is it "
        "worth selling {crop} in {market}, what do traders pay / quote for {crop} at {market}, please / at the "
        "moment, what do the dealers in {market} give for {crop} / I've harvested {crop}, tell me the going rate in "
        "{market}",
        quality="in {quality} quality",
        result="price=price",
        answer="The price is {price}.",
    ),
    tool(
        "hire_pickers",
        "Hire seasonal hands for a harvest",
        "crop=crop pickers=several starts=day ends=day wage_per_hour?=money",
        "we need {pickers} hands to harvest {crop} from {starts} to {ends} / {pickers} pickers for the {crop}, start "
        "{starts}, end {ends} / the {crop} are ripe, find {pickers} seasonal workers from {starts} until {ends} / "
        "from {starts} till {ends} somebody has to bring in the {crop}, {pickers} people / {crop}, {pickers} harvest "
        "hands, {starts} to {ends} / hire {pickers} people who gather {crop} between {starts} and {ends} / {pickers} "
        "helpers pls to get the {crop} off the field, first day {starts}, last day {ends} / can I take on {pickers} "
        "labourers for the {crop}? work begins on {starts} and is over on {ends}",
        wage_per_hour="for {wage_per_hour} an hour",
    ),
    tool(
        "list_sick_animals",
        "All animals of the farm that are ill at the moment",
        "",
        "which of our animals are ill at the moment / who's in the sick bay / show me all the animals that are being "
        "treated / is anybody lame or feverish in the stable today / list of ailing beasts, pls / the vet asks which "
        "animals aren't well / give me an overview of the sick ones on the farm / do we have any patients among the "
        "livestock",
        result="animals=[first_name]",
        answer="These are ill: {animals}.",
    ),
    tool(
        "test_electric_fence",
        "Measure the voltage on the pasture fence",
        "",
        "is there current on the pasture fence / check the voltage of the fence around the pasture / does the "
        "electric fence still work / the heifers got out again, see whether the fence has enough volts / how many "
        "volts are on the wire / fence voltage, pls / measure whether the wire around the grazing still gives a shock "
        "/ I touched the wire and felt nothing, test it",
        result="volts=big",
        answer="There are {volts} volts on the fence.",
    ),
)
