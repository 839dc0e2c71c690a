"""Tools for bins, roads, police and fire services, elections and petitions."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "report_missed_collection",
        "Tell the waste service that a bin was not emptied",
        "address=street bin_type=paper|glass|organic|residual missed_on=day",
        "the {bin_type} bin at {address} wasn't emptied on {missed_on} / on {missed_on} the dustmen drove past "
        "{address} and left the {bin_type} rubbish / our {bin_type} bin is still full, they should have come to "
        "{address} on {missed_on} / {address}: {bin_type} bin skipped on {missed_on} / nobody picked up the "
        "{bin_type} waste from {address} on {missed_on}, complain to the waste service / the garbage truck forgot "
        "{address} on {missed_on}, it's the {bin_type} bin / tell the refuse people they missed {address}, type "
        "{bin_type}, on {missed_on} / the {bin_type} waste at {address} has been sitting there since the lorry didn't "
        "stop on {missed_on}",
    ),
    tool(
        "get_collection_dates",
        "Days on which the bins of an address are emptied",
        "address=street bin_type?=paper|glass|organic|residual",
        "when do the bins go out at {address} / which days does the garbage truck come to {address} / I need the "
        "waste calendar for {address} / on what days is the rubbish picked up at {address} / bin days, {address} / I "
        "never know when to put out the trash at {address}, tell me the dates / look up the refuse collection "
        "schedule of {address} / when's the dustcart next in front of {address}",
        bin_type=", only for the {bin_type} bin",
        result="dates=[day]",
        answer="They come on {dates}.",
    ),
    tool(
        "order_waste_bin",
        "Order a new or another bin from the waste service",
        "address=street bin_type=paper|glass|organic|residual size=small|medium|large lockable?=boolean",
        "we need a {size} {bin_type} bin at {address} / our {bin_type} bin is broken, bring a {size} new one to "
        "{address} / deliver a {bin_type} bin, size {size}, to {address} / {address} would like a {size} bin for "
        "{bin_type} waste / there's no bin for {bin_type} waste at {address} yet, a {size} one would do / {size} "
        "{bin_type} container for {address} pls / the tenants of {address} have too much {bin_type} rubbish, get them "
        "a {size} bin / a dustbin for {address}, {bin_type}, {size}",
        lockable=", with a lock|, without a lock",
    ),
    tool(
        "return_waste_bin",
        "Give a bin back that is no longer needed",
        "address=street bin_type=paper|glass|organic|residual",
        "we don't need the {bin_type} bin at {address} any more, take it away for good / fetch the surplus {bin_type} "
        "bin from {address}, we're giving it back / {address} has one {bin_type} bin too many, have it removed / I'm "
        "giving up the {bin_type} bin at {address} / the {bin_type} container at {address} can go back to the waste "
        "service / return of a bin: {bin_type}, {address} / cancel our {bin_type} bin, the address is {address} / "
        "please withdraw the {bin_type} bin from {address}, nobody uses it now",
    ),
    tool(
        "collect_bulky_waste",
        "Have old furniture and other big things taken away",
        "items=[sofa|mattress|wardrobe|fridge|carpet|table] address=street date=day floor?=handful",
        "the town should pick up these things at {address} on {date}: {items} / get rid of {items} for me, {address}, "
        "{date} / bulky waste at {address} on {date}: {items} / on {date} please have {items} carted off from "
        "{address} / we cleared out a flat at {address}, {items} must go, {date} would suit us / {items} to be taken "
        "to the tip from {address} on {date} / could the waste truck come to {address} on {date} and take {items} / "
        "too big for the bin: {items}, ready on the kerb at {address} on {date}",
        floor=", everything is on floor {floor}",
    ),
    tool(
        "report_broken_streetlight",
        "Report a lamp in the street that is out or flickers",
        "location=street fault=dark|flickering|leaning|always_on",
        "the streetlight at {location} is {fault} / a lamp post in front of {location} is {fault}, send someone / by "
        "{location} the street lamp has been {fault} for days / {fault} street lamp, {location} / I walk home past "
        "{location} every night and the lantern there is {fault} / let the town know about the public lighting at "
        "{location}, it's {fault} / can the electricians look at the lamp near {location}? fault: {fault} / fault "
        "{fault}, streetlight, location {location}",
    ),
    tool(
        "close_road",
        "Block a road for traffic",
        "road=street from_day=day until_day=day reason=construction|festival|filming|flooding detour?=street",
        "{road} must be closed to traffic from {from_day} until {until_day} for {reason} / shut {road} because of "
        "{reason}, {from_day} to {until_day} / no cars on {road} between {from_day} and {until_day}, reason {reason} "
        "/ block {road} off from {from_day} till {until_day}, it's on account of {reason} / {reason} at {road}: put "
        "up barriers on {from_day}, take them down on {until_day} / due to {reason} nobody may drive through {road} "
        "from {from_day} up to {until_day} / starting {from_day} and ending {until_day}, road closure at {road}, "
        "{reason} / we need {road} free of traffic for {reason}, that's from {from_day} until {until_day}",
        detour=", with a detour via {detour}",
        answer="{road} is closed until {until_day}.",
    ),
    tool(
        "reopen_road",
        "Let traffic through a closed road again",
        "road=street speed_limit?=age",
        "{road} can be opened to traffic again / take away the barriers at {road} / the works at {road} are finished, "
        "let the cars through / lift the closure of {road} / {road}: no longer blocked / drivers may use {road} "
        "again, tell the road office / the flood is gone, so make {road} passable once more / end the roadblock at "
        "{road}",
        speed_limit=", with a speed limit of {speed_limit}",
    ),
    tool(
        "clear_snow",
        "Send a snowplough to a street",
        "road=street priority=low|normal|urgent spread_salt=boolean",
        "{road} is full of snow, send the plough, priority {priority} / plough {road}, it's {priority} / nobody gets "
        "through the snow on {road}, have it cleared with {priority} priority / winter service to {road}, {priority} "
        "/ with {priority} priority, get the snow off {road} / it snowed all night at {road}, someone has to push it "
        "away, priority: {priority} / a snowplough is needed at {road}, level {priority} / make {road} free of snow, "
        "I'd call it {priority}",
        spread_salt=", with salt on the ice|, without any salt",
    ),
    tool(
        "remove_graffiti",
        "Have paint or stickers cleaned off a public surface",
        "location=street surface=wall|bridge|bench|sign|bus_stop",
        "someone sprayed the {surface} at {location}, clean it / there's graffiti on the {surface} near {location} / "
        "scrub the tags off the {surface} at {location} / vandals have smeared paint over a {surface} at {location} / "
        "the {surface} by {location} is covered in scribbles, get a cleaning crew there / {location}, {surface}, "
        "graffiti, pls wash off / have the spray paint taken off at {location}, the surface is a {surface} / our "
        "{surface} at {location} got tagged last night, can the town wipe it off",
    ),
    tool(
        "report_theft",
        "Report stolen property to the police",
        "stolen_item=bicycle|wallet|phone|car|jewellery victim=person scene=street stolen_on=day value?=amount",
        "somebody stole the {stolen_item} of {victim} at {scene} on {stolen_on} / {victim} wants to tell the police "
        "that a {stolen_item} was taken at {scene} on {stolen_on} / I'm {victim}, on {stolen_on} a thief took my "
        "{stolen_item} in front of {scene} / police report: {stolen_item} gone from {scene}, {stolen_on}, owner "
        "{victim} / on {stolen_on} the {stolen_item} belonging to {victim} disappeared from {scene}, someone pinched "
        "it / at {scene} thieves helped themselves to a {stolen_item} on {stolen_on}, the victim is {victim} / my "
        "name is {victim} and I've been robbed: {stolen_item}, {scene}, {stolen_on} / press charges against unknown "
        "for the {stolen_item}, it was nicked on {stolen_on} at {scene}, the victim is {victim}",
        value=", value {value}",
        result="file_number=code",
        answer="The file number is {file_number}.",
    ),
    tool(
        "report_noise",
        "Send a police patrol because of a disturbance of the peace",
        "noise_source=music|barking|construction|party|fireworks address=street anonymous=boolean since?=clock",
        "I can't sleep because of the {noise_source} at {address}, send a patrol / the neighbours at {address} are "
        "too loud again, it's {noise_source} / noise complaint, {noise_source}, {address} / {address}: {noise_source} "
        "that keeps the whole block awake / can an officer go to {address} and stop the {noise_source} / there's "
        "{noise_source} coming from {address}, it's unbearable, tell the police / the racket at {address} has to end, "
        "source: {noise_source} / disturbance of the peace by {noise_source} at {address}, pls have a patrol car drop "
        "by",
        anonymous=", don't mention my name|, you may give my name",
        since=", it's been going on since {since}",
    ),
    tool(
        "reclaim_towed_car",
        "Get a car back that was towed away",
        "license_plate=code owner=person release_day=day",
        "my car {license_plate} was towed, I'm {owner} and want to get it out of the pound on {release_day} / {owner} "
        "will come for the towed vehicle {license_plate} on {release_day} / the pound should release {license_plate} "
        "to {owner} on {release_day} / on {release_day}, hand the impounded car {license_plate} over to its owner "
        "{owner} / they've hauled off my car with the plate {license_plate}, can I fetch it on {release_day}? the "
        "owner is {owner} / release from the car pound: {license_plate}, owner {owner}, {release_day} / the tow truck "
        "took {license_plate}, let {owner} have it back on {release_day} / {owner} wants the car {license_plate} back "
        "from the tow yard, {release_day}",
    ),
    tool(
        "dispatch_fire_engine",
        "Send the fire brigade to an emergency",
        "location=street incident=fire|flood|gas_leak|trapped_person caller?=person people_in_danger?=several",
        "there's a {incident} at {location}, send the fire brigade / firefighters to {location}, {incident} / help, "
        "quick, {incident} in the house at {location} / {incident}! we're at {location} / get a fire truck to "
        "{location} right away because of a {incident} / alarm the crew: {location}, incident type {incident} / "
        "someone just phoned about a {incident} at {location}, dispatch an engine / emergency at {location}, looks "
        "like a {incident}, fire service needed",
        caller=", the caller is {caller}",
        people_in_danger=", {people_in_danger} people are in danger",
    ),
    tool(
        "recall_fire_engine",
        "Call a fire engine back that is no longer needed",
        "engine_number=small cause?=false_alarm|extinguished|handed_over",
        "engine {engine_number} can turn round and go back to the station / recall fire engine {engine_number} / we "
        "don't need engine {engine_number} at the scene any longer / tell the crew of engine {engine_number} to "
        "return to the fire station / engine number {engine_number}, abort, head home / stand down, engine "
        "{engine_number} / bring fire truck {engine_number} back / the firefighters on truck {engine_number} may "
        "leave the scene",
        cause=", cause: {cause}",
    ),
    tool(
        "permit_bonfire",
        "Allow an open fire on a day",
        "organizer=person site=street burn_date=day height_limit?=handful",
        "{organizer} would like to light a bonfire at {site} on {burn_date} / allow an open fire at {site} on "
        "{burn_date}, {organizer} is in charge / may I, {organizer}, burn a pile of wood on {burn_date} at {site} / "
        "on {burn_date} our club makes a campfire at {site}, we need leave for that, responsible is {organizer} / "
        "bonfire permit: {site}, {burn_date}, organizer {organizer} / {organizer} asks for permission to burn "
        "branches on {burn_date}, the site is {site} / get the OK of the fire authority for {organizer} to have a "
        "fire outdoors at {site} on {burn_date} / grant {organizer} the right to an Easter fire on {burn_date} at "
        "{site}",
        height_limit=", the fire may be {height_limit} metres high",
    ),
    tool(
        "enter_electoral_roll",
        "Put a citizen on the list of voters",
        "voter=person birth_date=day district=small party?=green|liberal|conservative|labour",
        "{voter}, born {birth_date}, wants to be able to vote in district {district} / put {voter} on the voters' "
        "list of district {district}, date of birth {birth_date} / I'm not on the electoral roll yet: {voter}, "
        "{birth_date}, district {district} / register {voter} as a voter, district {district}, birthday {birth_date} "
        "/ new voter {voter}, district number {district}, born on {birth_date} / in district {district} we're missing "
        "{voter} on the voter list, born {birth_date} / my daughter {voter} has come of age, birth date {birth_date}, "
        "so she may go to the polls in district {district} now, add her / voter registration for district {district}: "
        "{voter}, {birth_date}",
        party=", as a supporter of the {party} party",
    ),
    tool(
        "request_postal_ballot",
        "Have the voting papers sent home",
        "voter=person election=local|regional|national|european mail_to=street arrive_by?=day",
        "{voter} wants to vote by mail in the {election} election, papers to {mail_to} / send the ballot for the "
        "{election} election to {mail_to}, the voter is {voter} / on polling day I'm away, so post the {election} "
        "ballot paper to {mail_to} for {voter} / postal vote, {election}, {voter}, {mail_to} / I'd rather fill in my "
        "{election} ballot at home, the name is {voter}, the address {mail_to} / absentee ballot for {voter}: "
        "{election} election, deliver it to {mail_to} / {voter} can't go to the polls, let the {election} voting "
        "papers come to {mail_to} / absentee vote in the {election} election for {voter}, please mail everything to "
        "{mail_to}",
        arrive_by=", it has to arrive by {arrive_by}",
    ),
    tool(
        "find_polling_station",
        "Where the people of an address cast their vote",
        "address=street wheelchair_access?=boolean",
        "where do I vote if I live at {address} / which polling place is right for {address} / I live at {address} "
        "and don't know where to cast my ballot / where's the ballot box for the residents of {address} / polling "
        "station for {address} pls / election Sunday's coming, where do people from {address} have to go / find the "
        "place where {address} votes / my voting notice got lost, tell me where the polls for {address} are",
        wheelchair_access=", it must be suitable for wheelchairs|, stairs are no problem",
        result="station=company",
        answer="You vote at {station}.",
    ),
    tool(
        "start_petition",
        "Launch a petition that citizens can sign",
        "demand=bike_lanes|free_transit|more_trees|lower_fees initiator=person signature_goal=count closing_date?=day",
        "{initiator} launches a petition for {demand}, the goal is {signature_goal} signatures / set up a new "
        "petition: {demand}, by {initiator}, {signature_goal} signatures needed / I'm {initiator} and want to gather "
        "{signature_goal} signatures for {demand} / the town should do something about {demand}, so {initiator} "
        "starts collecting {signature_goal} names / petition, initiator {initiator}, demand {demand}, target "
        "{signature_goal} / let citizens sign for {demand}, {initiator} is behind it and hopes for {signature_goal} "
        "supporters / open a signature campaign with {signature_goal} as its goal, demanding {demand}, initiator "
        "{initiator} / {demand}! let's get {signature_goal} people behind that, {initiator} is the initiator",
        closing_date=", closing on {closing_date}",
    ),
    tool(
        "sign_petition",
        "Add a citizen's signature to a petition that is running",
        "petition_number=code signatory=person public_name?=boolean",
        "{signatory} supports petition {petition_number} / put the name of {signatory} under petition "
        "{petition_number} / I want to sign {petition_number}, I'm {signatory} / one more signature for petition "
        "{petition_number}, from {signatory} / petition {petition_number}: yes from {signatory} / {signatory} is all "
        "for what {petition_number} demands, add the signature / please count {signatory} among the supporters of "
        "petition {petition_number} / on petition {petition_number} I'd like to see my name, {signatory}",
        public_name=", the name may be shown|, keep the name hidden",
    ),
    tool(
        "compare_town_statistics",
        "Compare official figures of several towns",
        "towns=[city] indicator=birth_rate|unemployment|rents|crime_rate",
        "how do {towns} differ in {indicator} / compare {towns} by {indicator} / {indicator} side by side for {towns} "
        "/ put the official {indicator} figures of {towns} next to each other / I'm writing about {indicator}, give "
        "me the numbers for {towns} in a comparison / what does the statistical office say about {indicator} in "
        "{towns} / in terms of {indicator}, which does best: {towns} / statistics, {towns}, {indicator} pls",
    ),
    tool(
        "notarize_contract",
        "Have a notary certify a contract between two people",
        "contract_type=sale|gift|inheritance|loan first_party=person second_party=person appointment=day "
        "notary?=last_name",
        "{first_party} as first party and {second_party} as second party want a {contract_type} contract certified on "
        "{appointment} / notarize the {contract_type} contract of {first_party} (first party) with {second_party} "
        "(second party), {appointment} / on {appointment} we need a notary for a {contract_type} contract, first "
        "party {first_party}, second party {second_party} / {contract_type} deed, first party: {first_party}, second: "
        "{second_party}, at the notary's on {appointment} / have it sealed by a notary on {appointment}: "
        "{contract_type}, the first party is {first_party}, the second {second_party} / the first party, "
        "{first_party}, signs a {contract_type} agreement before the notary on {appointment}, the second party being "
        "{second_party} / can we get a notary's stamp on {appointment} under the {contract_type} agreement between "
        "party one, {first_party}, and party two, {second_party} / first party {first_party}, second party "
        "{second_party}, {contract_type} contract, official certification on {appointment}",
        notary=", the notary is {notary}",
    ),
    tool(
        "apply_for_benefit",
        "Claim a social benefit for a household",
        "benefit=housing|child|unemployment|parental|heating claimant=person monthly_income=amount start_month=month "
        "bank_account?=id",
        "{claimant} earns only {monthly_income} a month and claims the {benefit} benefit from {start_month} on / I "
        "need {benefit} support as of {start_month}, my income is {monthly_income} a month, my name is {claimant} / "
        "apply for {benefit} benefit: {claimant}, {monthly_income} monthly, start {start_month} / with "
        "{monthly_income} a month we can't make ends meet, ask for {benefit} assistance for {claimant} beginning in "
        "{start_month} / from {start_month} the state should help {claimant} with {benefit} money, the monthly income "
        "is {monthly_income} / {benefit} allowance for {claimant}, starting {start_month}, income {monthly_income} / "
        "starting in {start_month}, is there {benefit} aid for {claimant}? please claim it, there's {monthly_income} "
        "coming in each month / claimant {claimant}, type {benefit}, monthly income {monthly_income}, payments to "
        "begin in {start_month}",
        bank_account=", to be paid to account {bank_account}",
    ),
)
