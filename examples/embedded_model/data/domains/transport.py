"""Tools for podcasts, clubs, buses, taxis, freight, customs and lost things."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "release_episode",
        "Put a podcast episode online",
        "show=podcast episode_title=title audio=file release_date?=day explicit?=boolean",
        'put the episode "{episode_title}" of {show} online, the audio is {audio} / release {audio} as a new part of '
        'the podcast {show}, titled "{episode_title}" / "{episode_title}" is ready, it\'s in {audio} and belongs '
        'to {show} / the listeners of {show} get {audio} under the title "{episode_title}" / publish on {show}: '
        '"{episode_title}", audio {audio} / we\'ve edited {audio}, now everybody should hear it on {show} as '
        '"{episode_title}" / upload the recording {audio} to the feed of {show} and call it "{episode_title}" / new '
        'episode for {show}, title "{episode_title}", sound file {audio}',
        release_date=", out on {release_date}",
        explicit=", marked as explicit|, suitable for children",
        answer="{episode_title} is online.",
    ),
    tool(
        "withdraw_episode",
        "Take a podcast episode offline",
        "show=podcast episode_title=title",
        'take "{episode_title}" of {show} offline / nobody should be able to hear the {show} episode '
        '"{episode_title}" any more / our guest complains, so pull "{episode_title}" from the podcast {show} / '
        'withdraw "{episode_title}", podcast {show} / there\'s a mistake in the episode called "{episode_title}", '
        'remove it from the feed of {show} / {show}: unpublish "{episode_title}" / make "{episode_title}" disappear '
        'from the list of {show} episodes / the lawyers want the talk "{episode_title}" out of {show}, delete it there',
    ),
    tool(
        "invite_podcast_guest",
        "Ask somebody to talk in a podcast",
        "show=podcast guest=person theme=topic recording?=day",
        'ask {guest} to come to {show} and talk about "{theme}" / we want {guest} as our guest in {show}, theme '
        '"{theme}" / invite {guest} to the podcast {show}, to be interviewed on "{theme}" / "{theme}" is the theme of '
        'the next {show}, and {guest} would be perfect to chat with / an interview with {guest} about "{theme}" for '
        '{show}, send the request / would {guest} like to be on {show}? the conversation is about "{theme}" / guest '
        'for {show}: {guest}, theme: "{theme}" / the host of {show} wants to speak with {guest} on air, on "{theme}"',
        recording=", recording on {recording}",
    ),
    tool(
        "develop_film",
        "Have an exposed roll of film developed",
        "rolls=several film_type=colour|slide|monochrome push_stops?=five scans?=boolean",
        "develop {rolls} rolls of {film_type} film / I've shot {rolls} rolls, {film_type}, please put them through "
        "the chemistry / {rolls} exposed {film_type} films for the lab / the photo lab gets {rolls} rolls, type "
        "{film_type} / here are {rolls} cartridges from my old camera, {film_type} film, I'd like to have the "
        "negatives / darkroom order: {film_type}, {rolls} rolls / back from the trip with {film_type} film, {rolls} "
        "rolls in number, get them processed / can you process {film_type} film? it's {rolls} rolls",
        push_stops=", pushed by {push_stops} stop(s)",
        scans=", with scans|, without scans",
        answer="The lab develops {rolls} rolls.",
    ),
    tool(
        "license_photo",
        "Buy the right to print or show a photograph",
        "photo_id=code usage=editorial|advertising|web|book licensee=company print_run?=count credit?=person",
        "{licensee} wants to use photo {photo_id} for {usage} / buy the rights in picture {photo_id}, licensee "
        "{licensee}, usage {usage} / we're {licensee} and would like to show photograph {photo_id}, it's for {usage} "
        "/ license {photo_id} to {licensee} for {usage} use / photo {photo_id}, {usage}, invoice the licence to "
        "{licensee} / for {usage}, may {licensee} reproduce the shot with the number {photo_id} / get {licensee} "
        "permission to publish image {photo_id}, purpose: {usage} / picture desk pls: {usage} licence on {photo_id} "
        "for {licensee}",
        print_run=", print run {print_run}",
        credit=", the credit line is {credit}",
    ),
    tool(
        "reserve_kiln",
        "Keep the kiln of the pottery free for a firing",
        "potter=first_name firing_date=day cone=small glaze?=color",
        "{potter} needs the kiln on {firing_date}, cone {cone} / reserve the kiln for {potter}, {firing_date}, cone "
        "{cone} / on {firing_date} {potter} wants to fire some bowls at cone {cone} / heat the oven of the pottery up "
        "to cone {cone} on {firing_date}, it's for {potter} / firing: {potter}, {firing_date}, cone {cone} / the clay "
        "mugs of {potter} are dry, they'd like a firing at cone {cone} on {firing_date} / cone {cone} on "
        "{firing_date} for the ceramics of {potter} / can {potter} bake stoneware on {firing_date}, going up to cone "
        "{cone}",
        glaze=", with a {glaze} glaze",
    ),
    tool(
        "take_festival_shift",
        "Sign a volunteer up for a shift at the festival",
        "volunteer=person crew=bar|gate|stage|cleaning shift_date=day begins=clock meal?=vegan|vegetarian|meat",
        "{volunteer} will help with the {crew} crew on {shift_date} from {begins} / sign {volunteer} up for a "
        "festival shift, {crew} crew, {shift_date} at {begins} / on {shift_date} the {crew} crew gets {volunteer}, "
        "who begins at {begins} / I'm {volunteer} and I'd like to volunteer in the {crew} team on {shift_date}, "
        "starting {begins} / crew {crew}, {shift_date}, {begins}: {volunteer} / who works at {begins} on {shift_date} "
        "in the {crew} crew? put {volunteer} in / {volunteer} lends us a hand, crew: {crew}, {shift_date}, first hour "
        "{begins} / at {begins} on {shift_date} the {crew} crew is still short of a helper, take {volunteer}",
        meal=", with a {meal} meal",
        answer="{volunteer} is in the {crew} crew.",
    ),
    tool(
        "give_up_festival_shift",
        "Strike a volunteer from a shift at the festival",
        "volunteer=person shift_date=day",
        "{volunteer} can't do the festival shift on {shift_date} / strike {volunteer} from the shift of {shift_date} "
        "/ on {shift_date} we have to manage the festival without our helper {volunteer} / {volunteer} has broken a "
        "leg, so no volunteering on {shift_date} / take {volunteer} off the volunteers' rota for {shift_date} / "
        "volunteer out: {volunteer}, {shift_date} / sorry, this is {volunteer}, I have to give up the shift I took "
        "for {shift_date} / the crew on {shift_date} loses {volunteer}, correct the helpers' plan",
    ),
    tool(
        "join_sports_club",
        "Become a member of a sports club",
        "member=person discipline=sport club=company membership=junior|adult|senior|family trial?=boolean",
        "{member} wants to do {discipline} at the club {club}, {membership} membership / sign {member} up at {club} "
        "for {discipline}, as {membership} member / {club} gets a new member: {member}, {discipline}, {membership} / "
        "make {member} a member of {club}, type {membership}, the discipline is {discipline} / {membership} "
        "membership in the {discipline} section of {club} for {member} / I'd like to start with {discipline}, my name "
        "is {member}, and I apply to {club} for membership, type {membership} / {discipline} for {member} at {club}, "
        "{membership} rate / the {discipline} squad of {club} has talked {member} into joining, type of membership: "
        "{membership}",
        trial=", with a trial month first|, without a trial period",
    ),
    tool(
        "leave_sports_club",
        "End somebody's membership of a sports club",
        "member=person club=company",
        "{member} quits the sports club {club} / end the membership of {member} at {club} / {member} doesn't want to "
        "train at {club} any more and leaves / {club} loses its member {member} / I'm {member} and hereby resign from "
        "{club} / since the injury {member} can't play, so cancel the club membership at {club} / sports club {club}: "
        "strike the member {member} off the list / no more fees to the club {club} for {member}, who is getting out",
        answer="{member} has left {club}.",
    ),
    tool(
        "announce_bus_delay",
        "Tell passengers that a bus is late",
        "line_number=small stop=street delay=minutes cause?=traffic|breakdown|weather|staff",
        "line {line_number} is {delay} late at {stop} / tell the people waiting at {stop} that bus {line_number} "
        "comes {delay} later / passengers at {stop} should know about a delay of {delay} on line {line_number} / the "
        "{line_number} bus will reach {stop} {delay} behind schedule, announce it / stop {stop}, line {line_number}, "
        "plus {delay} / at {stop} make an announcement: bus number {line_number} needs another {delay} / {delay} of "
        "delay for line {line_number}, show that on the display at {stop} / bus {line_number} is held up, those "
        "standing at {stop} have to wait {delay} more",
        cause=", cause: {cause}",
    ),
    tool(
        "divert_bus_line",
        "Send the buses of a line another way",
        "line_number=small closed_street=street via=street until?=day",
        "{closed_street} is closed, send bus line {line_number} via {via} / line {line_number} goes through {via} "
        "instead of {closed_street} / divert line {line_number}, avoiding {closed_street}, via {via} / there are "
        "roadworks in {closed_street}, so the buses of line {line_number} take {via} / {via} is the detour for bus "
        "{line_number} as {closed_street} is shut / the drivers of line {line_number} can't use {closed_street} and "
        "should turn into {via} / bus {line_number}: closed street {closed_street}, new way via {via} / for the "
        "street party in {closed_street} let the {line_number} bus run along {via}",
        until=", until {until}",
    ),
    tool(
        "close_tram_stop",
        "Take a tram stop out of service",
        "stop=street since=day works?=rails|platform|cable|shelter",
        "no tram stops at {stop} from {since} on / close the tram stop {stop} as of {since} / starting {since}, trams "
        "pass {stop} without stopping / the tram stop at {stop} goes out of service on {since} / {stop}: tram stop "
        "shut from {since} / builders arrive on {since}, passengers can't get on the tram at {stop} from that day / "
        "from {since} trams don't halt at {stop} / take {stop} out of the tram network, beginning {since}",
        works=", because of works on the {works}",
    ),
    tool(
        "reopen_tram_stop",
        "Put a closed tram stop back into service",
        "stop=street reopening=day",
        "trams stop at {stop} again from {reopening} / reopen the tram stop {stop} on {reopening} / the works are "
        "finished, from {reopening} people can board the tram at {stop} again / tram stop {stop} is back in service "
        "as of {reopening} / {reopening}: tram stop {stop} open again / the closure of the tram stop at {stop} ends "
        "on {reopening} / let the trams halt at {stop} once more, starting {reopening} / on {reopening} the repaired "
        "platform at {stop} gets its trams back",
    ),
    tool(
        "stow_ferry_vehicle",
        "Give a vehicle its place on a ferry",
        "plate=code vehicle=car|van|lorry|motorbike deck=upper|middle|lower lane=five dangerous_goods?=boolean",
        "the {vehicle} with plate {plate} goes to the {deck} deck, lane {lane} / on the ferry, park {vehicle} {plate} "
        "in lane {lane} of the {deck} deck / {deck} deck, lane {lane}: {vehicle}, plate {plate} / lane {lane} on the "
        "{deck} deck is for {plate}, a {vehicle} / wave the {vehicle} {plate} aboard, down to the {deck} deck and "
        "into lane {lane} / loading plan: {plate} ({vehicle}), deck {deck}, lane {lane} / where should the {vehicle} "
        "registered as {plate} stand on the ship? lane {lane}, {deck} deck / a {vehicle} drives up the ramp, plate "
        "{plate}, give it lane {lane} on the {deck} deck",
        dangerous_goods=", carrying dangerous goods|, no dangerous goods",
    ),
    tool(
        "report_stolen_bicycle",
        "Report that somebody's bicycle was stolen",
        "frame_number=code owner=person last_seen=street stolen_on=day colour?=color",
        "the bike of {owner}, frame number {frame_number}, was stolen from {last_seen} on {stolen_on} / my bicycle is "
        "gone, it stood in {last_seen} on {stolen_on}, frame {frame_number}, I'm {owner} / on {stolen_on} thieves "
        "took the bike {frame_number} of {owner}, last seen at {last_seen} / bicycle theft: {frame_number}, owner "
        "{owner}, {last_seen}, {stolen_on} / {owner} had a bike with the frame number {frame_number}, since "
        "{stolen_on} it's missing from {last_seen} / somebody cut the lock in {last_seen} on {stolen_on} and rode off "
        "on {owner}'s bike, frame number {frame_number} / in {last_seen}, {stolen_on}, a bicycle was nicked, owner "
        "{owner}, number on the frame {frame_number} / stolen on {stolen_on}: bike {frame_number}, it belongs to "
        "{owner} and was chained up in {last_seen}",
        colour=", it's {colour}",
    ),
    tool(
        "dispatch_taxi",
        "Send one of our cabs to a passenger",
        "cab=code pickup=street passenger=last_name passengers?=several wheelchair?=boolean",
        "send cab {cab} to {pickup} for {passenger} / cab {cab} should pick up {passenger} in {pickup} / {passenger} "
        "is waiting at {pickup}, cab {cab} is nearest / dispatch {cab}: {pickup}, name {passenger} / driver of {cab}, "
        "go to {pickup}, ask for {passenger} / at {pickup} there's a passenger called {passenger}, give the ride to "
        "cab {cab} / fare for cab {cab}, passenger {passenger}, pickup {pickup} / tell {cab} that a Mr {passenger} "
        "wants to be collected from {pickup}",
        passengers=", {passengers} people in all",
        wheelchair=", with a wheelchair|, no wheelchair",
        answer="Cab {cab} is on its way to {pickup}.",
    ),
    tool(
        "recall_taxi",
        "Tell one of our cabs to break off its way to a passenger",
        "cab=code",
        "call cab {cab} back / cab {cab} can turn round, the passenger has changed their mind / tell the driver of "
        "cab {cab} to break off the trip to the pickup / nobody's waiting there any more, cab {cab} should return / "
        "stop cab {cab}, the ride is off / cab {cab}, abort and come back / the customer has found another way home, "
        "let cab {cab} know it needn't go there / {cab} is driving to a fare that doesn't exist, recall that cab",
    ),
    tool(
        "list_free_taxis",
        "Cabs of our fleet that have no passenger at the moment",
        "",
        "which of our cabs are free / show me all the drivers without a passenger / is any cab of ours idle right now "
        "/ free taxis pls / who in the fleet is available at the moment / what cabs can I still send out / list the "
        "cars that are standing empty at the rank / dispatch here, I need to know which taxis aren't carrying anyone",
    ),
    tool(
        "book_pallet_space",
        "Reserve room for pallets on a truck",
        "pallets=small origin=city destination=city loading_day=day chilled?=boolean",
        "{pallets} pallets from {origin} to {destination}, loading on {loading_day} / book space for {pallets} "
        "pallets on a truck that leaves {origin} for {destination} on {loading_day} / on {loading_day} we load "
        "{pallets} pallets in {origin}, they go to {destination} / our customer in {destination} gets {pallets} "
        "pallets, a lorry should take them on in {origin} on {loading_day} / freight from {origin}, {loading_day}: "
        "{pallets} pallets bound for {destination} / is there room for {pallets} pallets to {destination}? they're "
        "picked up in {origin} on {loading_day} / {destination} is the destination, {origin} the origin, {pallets} "
        "pallets, {loading_day} / the haulier must carry {pallets} pallets to {destination} on {loading_day}, the "
        "warehouse is in {origin}",
        chilled=", chilled|, no cooling needed",
    ),
    tool(
        "redirect_parcel",
        "Have a parcel delivered to another address",
        "tracking_number=id new_address=address",
        "bring parcel {tracking_number} to {new_address} instead / redirect {tracking_number} to {new_address} / I've "
        "moved, my parcel {tracking_number} should come to {new_address} / the address on parcel {tracking_number} is "
        "wrong, the right one is {new_address} / {new_address} is where I want parcel {tracking_number} to be "
        "delivered / don't deliver {tracking_number} to my home, take it to {new_address} / parcel {tracking_number}, "
        "new address {new_address} / could the courier with the package {tracking_number} drive to {new_address}",
    ),
    tool(
        "hold_parcel",
        "Keep a parcel at the depot for some days",
        "tracking_number=id hold_for=days",
        "keep parcel {tracking_number} at the depot for {hold_for} / don't deliver {tracking_number} yet, hold it for "
        "{hold_for} / I'm away for {hold_for}, parcel {tracking_number} has to stay with you / for {hold_for} nobody "
        "can accept package {tracking_number}, store it in your depot / parcel {tracking_number}: hold, {hold_for} / "
        "leave {tracking_number} lying at the parcel depot for {hold_for} / my package {tracking_number} shouldn't "
        "come now, put it aside for {hold_for} / could {tracking_number} wait in the depot for {hold_for}? I'd rather "
        "not have it sent back",
        answer="We keep {tracking_number} for you.",
    ),
    tool(
        "declare_goods",
        "Fill in a customs declaration for goods",
        "goods=product worth=amount origin_country=country purpose=sale|gift|sample|repair weight?=kilograms",
        "declare {goods} worth {worth} from {origin_country} at customs, purpose {purpose} / customs form: {goods}, "
        "value {worth}, made in {origin_country}, {purpose} / I'm bringing {goods} in from {origin_country}, it's "
        "worth {worth}, the purpose is {purpose} / the customs officer wants a declaration of {goods}, country of "
        "origin {origin_country}, {worth}, for {purpose} / from {origin_country} we import {goods}, purpose "
        "{purpose}, fill in the declaration with a value of {worth} / for {purpose}, {goods}, origin "
        "{origin_country}, worth {worth}, declare it pls / {worth} is what {goods} is worth, it comes from "
        "{origin_country}, tell customs it's meant as {purpose} / nothing to hide at the border: {goods} out of "
        "{origin_country} with a worth of {worth}, here for {purpose}",
        weight=", weighing {weight}",
    ),
    tool(
        "estimate_import_duty",
        "How much duty is due on goods from abroad",
        "goods=product worth=amount origin_country=country",
        "how much duty do I pay on {goods} from {origin_country} worth {worth} / what will customs charge for {goods} "
        "with a value of {worth} out of {origin_country} / estimate the duty: {goods}, {origin_country}, {worth} / "
        "I'd like to buy {goods} in {origin_country} for {worth}, what does the taxman at the border take / is there "
        "any import tax on {goods} if it's worth {worth} and comes from {origin_country} / before I order {goods} for "
        "{worth} from {origin_country}, tell me what the duty would be / {worth} worth of {goods}, origin "
        "{origin_country}, the tariff comes to how much / from {origin_country}, {goods}, value {worth}, duty?",
        result="duty=price",
        answer="The duty is {duty}.",
    ),
    tool(
        "hand_in_found_item",
        "Bring something that somebody found to lost property",
        "item=garment vehicle=bus|tram|ferry|taxi found_on=day finder?=person reward?=boolean",
        "I found a {item} in the {vehicle} on {found_on} / somebody left a {item} behind in the {vehicle} on "
        "{found_on}, here it is / take in one {item}, found on {found_on} in a {vehicle} / on {found_on} a {item} was "
        "lying on a seat of the {vehicle}, it goes to lost property / lost property office, new find: {item}, "
        "{vehicle}, {found_on} / the driver of the {vehicle} brings us a {item} that turned up on {found_on} / hand "
        "in a {item}, vehicle {vehicle}, date {found_on} / a {item} without an owner has been picked up in the "
        "{vehicle} on {found_on}, register it with the finds",
        finder=", the finder is {finder}",
        reward=", and a reward is wanted|, no reward wanted",
    ),
    tool(
        "search_lost_property",
        "Look whether something lost has been handed in",
        "item=garment vehicle=bus|tram|ferry|taxi lost_on=day",
        "I lost my {item} in the {vehicle} on {lost_on}, have you got it / has anybody handed in a {item} that was "
        "forgotten in a {vehicle} on {lost_on} / on {lost_on} I left my {item} in the {vehicle}, is it with you / "
        "look for a {item} among the finds, lost on {lost_on} in the {vehicle} / my {item} is gone, I last had it in "
        "the {vehicle} on {lost_on}, did it turn up / is there a {item} at lost property? missing since {lost_on}, it "
        "was in the {vehicle} / {vehicle}, {lost_on}, lost: {item}, any trace of it / I got off the {vehicle} on "
        "{lost_on} without my {item}, please see if an honest person gave it to you",
    ),
    tool(
        "claim_lost_item",
        "Let the owner fetch something from lost property",
        "find_number=code owner=person id_shown=passport|licence|none",
        "{owner} is here for find number {find_number}, ID: {id_shown} / give find {find_number} back to its owner "
        "{owner}, ID shown: {id_shown} / the thing with find number {find_number} belongs to {owner}, identification: "
        "{id_shown} / lost property {find_number} goes to {owner}, proof of identity: {id_shown} / {owner} claims "
        "{find_number}, ID {id_shown} / ID checked ({id_shown}), {owner} may take find number {find_number} home / "
        "we've found out whose the item {find_number} is: {owner} has come to collect it, ID shown is {id_shown} / "
        "I'm {owner}, you've got my bag, find number {find_number}, and as ID you saw: {id_shown}",
        answer="{owner} has got the item back.",
    ),
)
