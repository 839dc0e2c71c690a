"""Farms' tools: milk, calves, herds, vets, pets and feed."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
