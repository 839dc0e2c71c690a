"""Tools of farms, gardens, woods and waters, and of all who look after animals."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "start_milking",
        "Start the milking machine in one of the parlours",
        "parlour=north|south|rotary wash_first?=boolean",
        "switch the milking machine on in the {parlour} parlour / the cows are waiting at the {parlour} parlour, "
        "let's begin milking / {parlour} parlour: clusters on, go / can we get the {parlour} parlour going, udders "
        "are full / time to milk, it's the {parlour} parlour today / begin the milking round in the {parlour} one / "
        "the herd is in, please run the machine in the {parlour} parlour / get the vacuum pumps of the {parlour} "
        "parlour running so that we can milk",
        wash_first="after rinsing the lines first|without washing beforehand",
    ),
    tool(
        "stop_milking",
        "Stop the milking machine in one of the parlours",
        "parlour=north|south|rotary cause?=finished|kick_off|vacuum_loss|injury",
        "switch off the milking machine in the {parlour} parlour / no more milking in the {parlour} parlour for now / "
        "{parlour} parlour: take the clusters off and shut it down / the last cow has left the {parlour} parlour, you "
        "can halt the machine / halt the machine in the {parlour} parlour, please / can you end the milking in the "
        "{parlour} one / shut the pumps of the {parlour} parlour down, nobody gets milked now / we have to break off "
        "milking, I mean in the {parlour} parlour",
        cause="and put {cause} down as the cause",
    ),
    tool(
        "record_milk_yield",
        "Write down how much milk a cow has given",
        "cow=first_name litres=measure session=morning|noon|evening fat?=percentage",
        "{cow} gave {litres} litres this {session} / {session} milking: {litres} litres from {cow} / put down "
        "{litres} litres for the cow {cow}, {session} session / we got {litres} l out of {cow} at the {session} "
        "milking / note for {session}: {cow}, {litres} litres in the tank / log the {session} yield of {cow}, it was "
        "{litres} litres / the {session} pail of {cow} held {litres} litres, save that / old {cow} has filled "
        "{litres} litres, {session} session, please enter it",
        fat="with a fat content of {fat}",
    ),
    tool(
        "get_milk_yield",
        "How much milk a cow has given in a period",
        "cow=first_name since=day until?=day",
        "how much milk has {cow} given since {since} / what did we get from the cow {cow} from {since} on / show me "
        "the litres of {cow}, starting {since} / is {cow} still a good milker? her figures from {since} onwards pls / "
        "I want to see what {cow} has yielded since {since} / litres from {cow} as of {since}, in total / since "
        "{since}, how many litres came out of {cow} / tell me the milk total for {cow} beginning on {since}",
        until="and until {until}",
        result="litres=measure",
        answer="{cow} has given {litres} litres.",
    ),
    tool(
        "register_calving",
        "Enter the birth of a calf",
        "mother=first_name born_on=day calf_sex=heifer|bull weight?=kilograms assisted=boolean",
        "{mother} has had a {calf_sex} calf on {born_on} / a {calf_sex} was born to our cow {mother} on {born_on} / "
        "new calf: {calf_sex}, dam {mother}, {born_on} / on {born_on} our {mother} calved, it's a {calf_sex} / put "
        "the newborn {calf_sex} of {mother} into the herd book, date {born_on} / please enter a birth on {born_on}: "
        "the mother is {mother} and the little one a {calf_sex} / we've got a baby {calf_sex} since {born_on}, out of "
        "{mother} / calving of {mother}, {born_on}, sex of the calf {calf_sex}",
        weight="with a birth weight of {weight}",
        assisted=", we had to pull it out with ropes|, she managed without any help",
    ),
    tool(
        "attach_ear_tag",
        "Give an animal its first ear tag",
        "animal=first_name tag_number=code ear?=left|right",
        "put ear tag {tag_number} on {animal} / {animal} hasn't got a tag yet, give it {tag_number} / tag our calf "
        "{animal}, the number is {tag_number} / {tag_number} is going to be the number of {animal}, who has none so "
        "far / {animal} from now on wears {tag_number} / the lamb {animal} needs marking, use number {tag_number} / "
        "first tag for {animal}: {tag_number} / use {tag_number} to mark the untagged animal {animal}",
        ear="in the {ear} ear",
    ),
    tool(
        "replace_ear_tag",
        "Replace a lost or broken ear tag by a new one",
        "old_tag=code new_tag=code",
        "swap ear tag {old_tag} for {new_tag} / the animal with the old tag {old_tag} gets the new tag {new_tag} / "
        "{new_tag} is the replacement for tag {old_tag} / we need a different number in the ear of {old_tag}, the new "
        "one is {new_tag} / take out {old_tag} and clip in {new_tag} instead / from {old_tag} to {new_tag}, change "
        "the tag in its ear / the ewe that was {old_tag} up to now has been retagged as {new_tag} / new tag "
        "{new_tag}, it takes the place of {old_tag}",
    ),
    tool(
        "move_herd",
        "Drive a herd from one paddock to another",
        "herd=cattle|sheep|goats|horses from_paddock=word to_paddock=word on?=day",
        "drive the {herd} from {from_paddock} to {to_paddock} / the grass on {from_paddock} is eaten down, take the "
        "{herd} over to {to_paddock} / bring the {herd} to {to_paddock}, they're on {from_paddock} at the moment / "
        "{herd}: out of {from_paddock}, into {to_paddock} / fresh grazing for the {herd} please, to {to_paddock} from "
        "{from_paddock} / can the {herd} leave {from_paddock} and graze on {to_paddock} instead / {to_paddock} is "
        "ready for the {herd}, they can come over from {from_paddock} / shift the {herd} that graze on {from_paddock} "
        "to the paddock {to_paddock}",
        on="on {on}",
    ),
    tool(
        "count_herd",
        "Number of animals that we keep of one sort",
        "herd=cattle|sheep|goats|horses only_pregnant?=boolean",
        "how many {herd} do we have / count the {herd} / headcount of {herd}, pls / tell me the number of {herd} on "
        "the farm / are all the {herd} there? how many is it / what size is our stock of {herd} right now / the "
        "inspector asks how many head of {herd} we keep / I need a tally of the {herd}",
        only_pregnant=", only those in calf, lamb or foal|, pregnant or not",
        result="head=count",
        answer="There are {head} {herd}.",
    ),
    tool(
        "quarantine_animal",
        "Keep a sick animal apart from the others",
        "tag=code days=days disease?=mastitis|ringworm|foot_rot|scrapie|influenza",
        "put {tag} in quarantine for {days} / isolate animal {tag} for the next {days} / {tag} looks ill, keep it "
        "away from the others for {days} / for {days} nobody else should share a pen with {tag} / {tag} into the sick "
        "bay, {days} / {days} of isolation for the one with tag {tag} / the vet wants {tag} kept separate, {days} to "
        "be precise / don't let {tag} near the herd for {days}, it's infectious",
        disease=", we suspect {disease}",
    ),
    tool(
        "release_from_quarantine",
        "Let a recovered animal back to the others",
        "tag=code pen?=word",
        "{tag} is healthy again, let it out of isolation / end the quarantine of {tag} / {tag} can go back to the "
        "rest of the herd / the tests of {tag} were negative, no need to keep it apart any longer / let {tag} out of "
        "the sick bay / isolation of {tag} is over / {tag} has recovered and may join the others again / lift the "
        "isolation on animal {tag}",
        pen=", it goes into pen {pen}",
    ),
    tool(
        "book_shearer",
        "Have sheep shorn",
        "farm=company head=several date=day fleece_pickup?=boolean",
        "we have {head} sheep to be shorn at {farm} on {date} / send a shearer to {farm} on {date}, {head} animals / "
        "on {date} the wool has to come off {head} sheep, the farm is {farm} / {farm}, {date}, {head} fleeces, "
        "shearing pls / can somebody shear {head} ewes at {farm} on {date} / it's getting hot for the flock, {head} "
        "of them want clipping on {date}, we are {farm} / get me a shearing gang for {date}: {head} sheep, {farm} / "
        "{farm} would like its {head} woolly ladies clipped on {date}",
        fleece_pickup=", the wool should be taken away afterwards|, the wool stays with us",
    ),
    tool(
        "book_farrier",
        "Have a farrier come to look after a horse's hooves",
        "horse=first_name service=trim|new_shoes|shoe_removal date=day at=clock",
        "my horse {horse} needs the farrier, {service}, on {date} at {at} / {date}, {at}: hooves of {horse}, "
        "{service} / farrier for {horse} pls, it's a {service} job, {at} on {date} / can someone do the hooves of "
        "{horse} on {date} at {at}? {service} is what we want / at {at} on {date} the smith should see to the feet of "
        "{horse}, service {service} / get the blacksmith out to the stable for {horse}, {service}, {date}, {at} / "
        "{horse} is limping on worn hooves, book {service} for {at} on {date} / {service} for my mare {horse}, on "
        "{date}, and I'm in the stable at {at}",
    ),
    tool(
        "call_vet_out",
        "Have a vet come to a farm for an animal",
        "farm=company animal=cow|horse|goat problem=colic|lameness|difficult_birth|wound urgent=boolean phone?=phone",
        "we need the vet at {farm}, a {animal} with {problem} / {problem} in a {animal} at {farm}, can a vet come / "
        "send a vet to {farm}, it's about a {animal}, {problem} / our {animal} has trouble, I'd say {problem}, the "
        "farm is {farm} / {farm} here, {animal} down with {problem}, please come out / could a doctor look at a "
        "{animal} here at {farm}, the problem is {problem} / I've got a {animal} in the barn, {problem}, somebody has "
        "to drive out to {farm} / home visit at {farm}: {animal}, {problem}",
        urgent=", it's an emergency|, there is no rush",
        phone=", reach us on {phone}",
    ),
    tool(
        "trace_microchip",
        "Find the owner of an animal by its chip",
        "chip_number=code",
        "whose animal has the chip {chip_number} / I've scanned a stray cat, the chip says {chip_number}, who is the "
        "owner / look up chip {chip_number} / who does the dog with the transponder {chip_number} belong to / "
        "{chip_number} is what the reader showed, find the keeper / trace the owner behind {chip_number}, it's under "
        "the skin of a stray / can you tell from the microchip {chip_number} where this dog lives / chip no. "
        "{chip_number}, owner pls",
        result="owner=person phone=phone",
        answer="It belongs to {owner}, {phone}.",
    ),
    tool(
        "report_lost_pet",
        "Announce that a pet has run away",
        "pet=first_name species=dog|cat|parrot|tortoise last_seen=street on=day collar?=color",
        "our {species} {pet} has run away, last seen in {last_seen} on {on} / {pet} is missing since {on}, a "
        "{species}, it was in {last_seen} / lost {species}: {pet}, {last_seen}, {on} / have you seen {pet}? our "
        "{species} vanished from {last_seen} on {on} / I can't find my {species} anywhere, called {pet}, on {on} it "
        "was still in {last_seen} / on {on} {pet} the {species} disappeared near {last_seen}, spread the word / put "
        "up a search notice for the {species} {pet}, gone since {on}, {last_seen} / somewhere around {last_seen} our "
        "{species} got away on {on}, it listens to {pet}",
        collar=", it wears a {collar} collar",
    ),
    tool(
        "report_found_animal",
        "Tell the shelter about a stray that was found",
        "species=dog|cat|hedgehog|swan|parrot found_at=street injured=boolean finder_phone?=phone",
        "I've found a {species} in {found_at} / a {species} without an owner is sitting in {found_at} / there's a "
        "stray {species} here at {found_at}, can the shelter fetch it / somebody's {species} has turned up in "
        "{found_at} / picked up a {species}, {found_at} / in {found_at} a {species} came to our door, it isn't ours / "
        "we came across a helpless {species} at {found_at} / found: one {species}, place {found_at}",
        injured=", it is hurt|, it seems unharmed",
        finder_phone=", my number is {finder_phone}",
    ),
    tool(
        "board_pet",
        "Book a stay in a kennel or cattery",
        "pet=first_name kennel=company check_in=day check_out=day own_food?=boolean",
        "{pet} stays at {kennel} from {check_in} to {check_out} / we're off on holiday, can {kennel} take {pet} from "
        "{check_in} until {check_out} / book my dog {pet} into {kennel}, in on {check_in}, out on {check_out} / "
        "{kennel}: {pet}, check-in {check_in}, check-out {check_out} / from {check_in} till {check_out} {pet} needs a "
        "bed, preferably at {kennel} / I'd bring {pet} to {kennel} on {check_in} and collect it on {check_out} / who "
        "looks after {pet} while I'm away? ask {kennel}, drop-off {check_in}, pickup {check_out} / cattery place at "
        "{kennel} for {pet} between {check_in} and {check_out}",
        own_food=", we bring the food|, they should feed what they have",
    ),
    tool(
        "hire_dog_walker",
        "Have somebody take a dog for regular walks",
        "dog=first_name weekdays=[weekday] duration=minutes leash_only?=boolean max_fee?=money",
        "somebody should walk {dog} on {weekdays}, {duration} each time / I work late on {weekdays}, who can take "
        "{dog} out for {duration} / dog walker for {dog}: {weekdays}, {duration} / {dog} wants a {duration} stroll "
        "every {weekdays}, find a person for it / find someone to go round the park with {dog} for {duration} on "
        "{weekdays} / every {weekdays} my dog {dog} needs {duration} of exercise with a sitter / {duration} of "
        "walkies for {dog}, days: {weekdays}, I'd pay somebody / I can't go out with {dog} on {weekdays}, get a "
        "helper for {duration}",
        leash_only=", always on the leash|, running free is fine",
        max_fee="for {max_fee} per walk at most",
    ),
    tool(
        "order_feed",
        "Order fodder from a supplier",
        "feed=hay|silage|oats|pellets|straw tonnes=several supplier=company deliver_by?=day",
        "we've run out of {feed}, get {tonnes} tonnes from {supplier} / {tonnes} t of {feed} from {supplier} / ask "
        "{supplier} to bring us {tonnes} tonnes of {feed} / the barn is empty, {supplier} should send {feed}, "
        "{tonnes} tonnes / buy {feed} at {supplier}, {tonnes} tonnes will do / our stock of {feed} won't last, have "
        "{supplier} drop off {tonnes} tonnes / {supplier}, {feed}, {tonnes} tonnes pls / I'd like to purchase "
        "{tonnes} tonnes of {feed} for the animals, seller {supplier}",
        deliver_by="by {deliver_by}",
    ),
    tool(
        "set_feeder",
        "Program an automatic feeder",
        "pen=word at=clock portion=grams weekdays?=[weekday]",
        "the feeder in {pen} should give {portion} at {at} / at {at} drop {portion} into the trough of {pen} / pen "
        "{pen}: {portion}, {at}, automatic / let the animals in {pen} have {portion} each at {at} / program {portion} "
        "at {at} for {pen} / I won't be home, make the machine in {pen} release {portion} at {at} / {portion} of "
        "pellets at {at} please, it's the automatic one in {pen} / change the dispenser in pen {pen} so that it "
        "serves {portion} at {at}",
        weekdays=", only on {weekdays}",
    ),
    tool(
        "skip_feeding",
        "Leave out the next meal of an automatic feeder",
        "pen=word reason?=surgery|overweight|illness|leftovers",
        "no food in {pen} next time, please / leave out the next meal in pen {pen} / the animals of {pen} shouldn't "
        "get their next portion / {pen} has to fast once, skip the coming feed / drop the upcoming meal for {pen} / "
        "can the feeder in {pen} miss one turn / keep the trough of {pen} empty the next time the feeder would run / "
        "pen {pen}: one meal fewer",
        reason=", the reason is {reason}",
    ),
    tool(
        "open_coop_hatch",
        "Raise the hatch of a henhouse",
        "coop=word only_after_sunrise?=boolean",
        "let the hens of {coop} out / the chickens in {coop} want to go outside, raise the hatch / open up {coop} for "
        "the hens / hatch of {coop} up, please / my hens are still locked in at {coop}, let them into the run / let "
        "the poultry of {coop} roam / time for the birds in {coop} to get out and scratch around / can you raise the "
        "little door of the henhouse {coop}",
        only_after_sunrise=", but only once the sun is up|, even if it's dark",
    ),
    tool(
        "shut_coop_hatch",
        "Lower the hatch of a henhouse",
        "coop=word fox_alarm?=boolean",
        "lock the hens of {coop} in / all the chickens of {coop} are on the perch, lower the hatch / close {coop} so "
        "that no marten gets at the hens / hatch of {coop} down, please / the birds of {coop} should stay inside, "
        "bring the hatch down / did I leave the henhouse {coop} open? shut it now / nobody in or out of the henhouse "
        "{coop} any more / bedtime for the poultry in {coop}, shut their door",
        fox_alarm=", turn the fox alarm on too|, leave the fox alarm off",
    ),
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
