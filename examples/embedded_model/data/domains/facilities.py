"""Tools for desks, badges, craftsmen, hotels, pallets and building sites."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "end_heating_season",
        "Put the central heating of a building into summer rest",
        "building=company end_date=day keep_hot_water=boolean",
        "end the heating season at {building} on {end_date} / summer's here, the central heating of {building} can "
        "rest from {end_date} / {end_date} is the last day of heating in building {building} / no more radiators at "
        "{building} after {end_date} / {building}: boilers to summer mode on {end_date} / it's warm enough, let the "
        "heating of {building} stop for the year on {end_date} / can we quit heating {building} by {end_date}, spring "
        "has come / close down the winter heating of building {building} as of {end_date}",
        keep_hot_water=", hot water has to stay on|, hot water goes off too",
    ),
    tool(
        "claim_desk",
        "Reserve a shared desk in the office",
        "desk_no=code day=day near_window?=boolean equipment?=[monitor|dock|standing_frame|headset]",
        "I'd like to sit at desk {desk_no} on {day} / claim desk {desk_no} for {day} / on {day} I'm in the office, "
        "keep the desk {desk_no} for me / get me the hot desk {desk_no}, {day} / is desk {desk_no} still available on "
        "{day}, if so I take it / workplace {desk_no} for me on {day} pls / put my name on the table {desk_no} for "
        "{day} / {day}: shared desk {desk_no} is mine",
        near_window=", close to the window|, away from the window",
        equipment=", equipped with {equipment}",
        answer="Desk {desk_no} is yours.",
    ),
    tool(
        "give_up_desk",
        "Make a reserved desk available to others",
        "desk_no=code day=day reason?=home_office|illness|trip",
        "I don't need desk {desk_no} on {day} after all / give up my desk {desk_no} on {day} / let somebody else sit "
        "at desk {desk_no} on {day}, I won't be there / on {day} the desk {desk_no} can go to a colleague / {day}: my "
        "desk {desk_no} is up for grabs / I'm not coming in on {day}, make desk {desk_no} available to others / drop "
        "the desk that I reserved, number {desk_no}, {day} / could you hand my workplace {desk_no} back to the pool "
        "for {day}",
        reason=", because of {reason}",
    ),
    tool(
        "locate_colleague_desk",
        "Where in the building a colleague sits",
        "colleague=person day?=day",
        "where does {colleague} sit / which desk is {colleague} working at / I want to drop by at the place of "
        "{colleague}, on which floor is it / find the desk of {colleague} / {colleague}, floor and desk? / I'm "
        "looking for the workplace of {colleague} in our building / can you tell me how to get to the seat of my "
        "workmate {colleague} / in what corner of the office can {colleague} be found",
        day=", the day is {day}",
        result="desk=code floor=small",
        answer="{colleague} sits at desk {desk} on floor {floor}.",
    ),
    tool(
        "lend_meeting_equipment",
        "Give out gear for a meeting",
        "item=projector|flip_chart|pinboard|webcam|microphone|whiteboard borrower=person back_by=clock asset_tag?=code",
        "lend {borrower} a {item} until {back_by} / {borrower} needs a {item} for a meeting and brings it back by "
        "{back_by} / a {item} for {borrower}, back by {back_by} / I give {borrower} one {item}, to be returned by "
        "{back_by} / {borrower} has a conference and borrows our {item} till {back_by} / until {back_by} the {item} "
        "is with {borrower} / can {borrower} have the {item} out of the media cupboard, it'll be back at {back_by} / "
        "{borrower} borrows: {item}, return time {back_by}",
        asset_tag=", asset tag {asset_tag}",
    ),
    tool(
        "receive_meeting_equipment",
        "Book in gear that comes back from a meeting",
        "item=projector|flip_chart|pinboard|webcam|microphone|whiteboard condition=fine|broken|incomplete "
        "asset_tag?=code",
        "the {item} is back from the meeting, condition {condition} / got the borrowed {item} back, it's {condition} "
        "/ book in a {item} that was lent out, state: {condition} / they've returned the {item} and it is {condition} "
        "/ {item} returned, {condition} / somebody just put the {item} on my counter again, {condition} as far as I "
        "see / receive the {item} after the conference and note {condition} / our {item} has come home {condition}",
        asset_tag=", asset tag {asset_tag}",
    ),
    tool(
        "print_badge",
        "Produce an identity badge",
        "full_name=person department=company photo?=file colour?=color temporary=boolean",
        "print a badge for {full_name}, department {department} / {full_name} starts at {department} and has no ID "
        "card yet / make an ID badge with the name {full_name} and the department {department} / a new pass for "
        "{full_name} from {department} / we need something to wear round the neck for {full_name}, it must say "
        "{department} / badge: {full_name}, {department} / could you produce the company card of {full_name}, "
        "department {department} / the department is {department}, the name on the pass {full_name}",
        photo=", photo in {photo}",
        colour=", on a {colour} card",
        temporary=", a temporary one|, a permanent one",
    ),
    tool(
        "deactivate_badge",
        "Stop a badge from opening doors",
        "badge_no=code why=lost|stolen|left_company|misuse",
        "deactivate badge {badge_no}, reason {why} / badge {badge_no} mustn't open doors any more, category {why} / "
        "{why}: kill the pass {badge_no} / make the ID card {badge_no} useless at the readers, {why} / switch off "
        "badge number {badge_no} because of this: {why} / no more access with pass {badge_no}, {why} / the turnstile "
        "should refuse the badge {badge_no}, cause {why} / bar the employee card {badge_no}, please enter {why}",
    ),
    tool(
        "extend_badge_validity",
        "Let a badge open doors for longer",
        "badge_no=code valid_until=day zones?=[lobby|garage|lab|server_room|canteen]",
        "badge {badge_no} should work until {valid_until} / extend the validity of pass {badge_no} to {valid_until} / "
        "my badge {badge_no} is about to expire, let it open doors till {valid_until} / valid until {valid_until} "
        "from now: badge {badge_no} / prolong ID card {badge_no}, new expiry {valid_until} / the contractor stays "
        "longer, so pass {badge_no} has to last until {valid_until} / can the expiry of badge {badge_no} be put off "
        "to {valid_until} / {badge_no} badge, longer please, till {valid_until}",
        zones=", zones {zones}",
    ),
    tool(
        "allow_plate",
        "Let a car pass the barrier of the car park",
        "plate=code driver=person valid_until?=day level?=roof|ground|basement",
        "let the car {plate} of {driver} through the barrier / allow number plate {plate} into our car park, driver "
        "{driver} / {driver} drives {plate} and should get into the garage / the barrier has to open for {plate}, "
        "that's {driver} / add the licence plate {plate}, owner {driver}, to the permitted cars / {driver} may park "
        "with us, the registration is {plate} / whitelist {plate}, {driver} / could the car with the number {plate} "
        "come in, it belongs to {driver}",
        valid_until=", valid until {valid_until}",
        level=", parking level {level}",
    ),
    tool(
        "ban_plate",
        "Keep a car out of the car park",
        "plate=code offence=blocked_exit|unpaid|wrong_bay|no_permit",
        "ban the number plate {plate} for {offence} / the barrier must stay shut for {plate}, offence: {offence} / "
        "don't let the car {plate} into the garage again, {offence} / {offence}: keep the vehicle {plate} out of our "
        "car park / blacklist {plate}, {offence} / I've had enough of the driver of {plate}, no more parking here, "
        "offence {offence} / the car with the licence number {plate} isn't welcome any longer, cause: {offence} / "
        "refuse entry at the parking gate to {plate}, note {offence}",
    ),
    tool(
        "request_craftsman_quote",
        "Ask a craftsman what a job would cost",
        "trade=plumber|joiner|roofer|painter|tiler|glazier task=message address=address deadline?=day",
        'ask a {trade} at what price they would do "{task}", the address is {address} / get an offer from a {trade} '
        'for "{task}" at {address} / what would a {trade} charge for the job "{task}", house: {address} / "{task}" '
        'needs doing at {address}, I\'d like a quote by a {trade} / {address}, {trade}, "{task}": please send an '
        'estimate / before I hire anyone I want to know the costs for "{task}" at {address}, trade: {trade} / invite '
        'a {trade} to tender for "{task}" at {address} / for the property {address} we look for a {trade} and a price '
        'for "{task}"',
        deadline=", the offer has to be here by {deadline}",
    ),
    tool(
        "accept_craftsman_quote",
        "Give a craftsman the job at the price offered",
        "quote_no=code begin_on=day client=person contact_phone?=phone",
        "accept quote {quote_no} in the name of {client}, work begins on {begin_on} / {client} is happy with offer "
        "{quote_no}, they can start on {begin_on} / the craftsman with the offer {quote_no} gets the job from "
        "{client}, first day {begin_on} / {client} says yes to estimate {quote_no}, begin {begin_on} / order the "
        "works as per quotation {quote_no} for {client} as of {begin_on} / tell them that we agree to quote "
        "{quote_no}, client {client}, and want them on {begin_on} / on {begin_on} the builder may begin as offered in "
        "{quote_no}, commissioned by {client} / go ahead with quote {quote_no}, {begin_on}, customer {client}",
        contact_phone=", phone on site {contact_phone}",
    ),
    tool(
        "order_moving_boxes",
        "Order packing material for moving house",
        "boxes=several delivery_date=day wardrobe_boxes?=several bubble_wrap?=boolean tape_colour?=color",
        "send me {boxes} moving boxes by {delivery_date} / we're moving and need {boxes} cartons on {delivery_date} / "
        "order {boxes} cardboard boxes for packing up the house, delivery {delivery_date} / deliver {boxes} removal "
        "boxes on {delivery_date} / on {delivery_date} I want to start packing, that takes {boxes} boxes / {boxes} "
        "cartons for our move, {delivery_date} / can I have packing cases for the new flat by {delivery_date}, "
        "{boxes} of them / {delivery_date}: {boxes} boxes for books and crockery, we change flats",
        wardrobe_boxes=", plus {wardrobe_boxes} wardrobe boxes for hanging clothes",
        bubble_wrap=", with bubble wrap|, without bubble wrap",
        tape_colour=", with {tape_colour} tape",
    ),
    tool(
        "assemble_furniture",
        "Send a fitter who puts furniture together",
        "pieces=[wardrobe|bunk_bed|bookcase|sofa|desk|kitchen_cabinet] address=address visit_on=day "
        "wall_mounting?=boolean",
        "send a fitter to {address} on {visit_on} to assemble this: {pieces} / I've got flat packs here, {pieces}, "
        "who puts them together on {visit_on} at {address} / {pieces} still in pieces at {address}, somebody with a "
        "screwdriver should come on {visit_on} / assemble {pieces}, {address}, {visit_on} / on {visit_on} there's "
        "furniture to build up at {address}: {pieces} / the new {pieces} should be set up on {visit_on}, address "
        "{address} / can you have someone at {address} on {visit_on}, I'm hopeless with the instructions of this: "
        "{pieces} / furniture fitter for {address}, {pieces}, date {visit_on}",
        wall_mounting=", fixed to the wall|, free standing",
    ),
    tool(
        "check_out_guest",
        "Close the stay of a hotel guest",
        "room_no=code guest=last_name pays_by=cash|card|company_invoice|voucher minibar_items?=handful",
        "check out room {room_no}, guest {guest}, who pays by {pays_by} / Mrs {guest} in {room_no} is leaving, "
        "payment by {pays_by} / {guest} settles the bill of room {room_no} with {pays_by} and goes home / departure "
        "of Mr {guest}, room {room_no}, {pays_by} / room {room_no} is free again, {guest} has paid by {pays_by} / "
        "{guest} returned the key card of {room_no} and wants to pay by {pays_by} / end the stay of the family "
        "{guest} in room {room_no}, method of payment {pays_by} / guest {guest} at the desk with suitcases, room "
        "{room_no}, {pays_by}, final bill please",
        minibar_items=", {minibar_items} items from the minibar",
        answer="Room {room_no} is checked out.",
    ),
    tool(
        "wake_hotel_guest",
        "Schedule a wake-up call to a hotel room",
        "room_no=code call_at=clock repeat_after?=minutes with_breakfast?=boolean",
        "wake the guest in room {room_no} at {call_at} / room {room_no} would like a wake-up call at {call_at} / ring "
        "room {room_no} at {call_at} so that they don't oversleep / the people in {room_no} have to get up at "
        "{call_at}, phone them / morning call {call_at} for {room_no} / I'm in room {room_no} and catch an early "
        "plane, get me out of bed at {call_at} / at {call_at} the night porter should rouse the guest of room "
        "{room_no} / can you put {call_at} down as the wake-up time of hotel room {room_no}",
        repeat_after=", ring again after {repeat_after}",
        with_breakfast=", and bring up breakfast|, no breakfast",
    ),
    tool(
        "rent_hostel_locker",
        "Rent a locker to a backpacker",
        "locker=code nights=several size=small|medium|large padlock?=boolean",
        "rent locker {locker} for {nights} nights, size {size} / a backpacker wants to lock away a rucksack for "
        "{nights} nights, {size} one, locker {locker} / give me a {size} locker for my stuff in the dorm, {nights} "
        "nights, number {locker} / {size} locker {locker}, {nights} nights / I stay {nights} nights and need a safe "
        "place for my valuables, {size}, I'd like locker {locker} / hire out the {size} locker with the number "
        "{locker} for {nights} nights / for {nights} nights my passport and laptop go into locker {locker}, a {size} "
        "one / can our hosteller have locker {locker} until checkout in {nights} nights, size: {size}",
        padlock=", with a padlock of the house|, with their own padlock",
    ),
    tool(
        "store_pallet",
        "Put a pallet into the warehouse",
        "pallet=code aisle=small rack_level=five goods?=product weight?=kilograms fragile?=boolean",
        "store pallet {pallet} in aisle {aisle}, rack level {rack_level} / pallet {pallet} goes into aisle {aisle} on "
        "level {rack_level} of the rack / put the pallet {pallet} away: aisle {aisle}, level {rack_level} / the lorry "
        "brought pallet {pallet}, stow it on rack level {rack_level} of aisle {aisle} / there's a pallet {pallet} on "
        "the ramp, it belongs in aisle {aisle}, rack level {rack_level} / aisle {aisle}, level {rack_level}, new "
        "pallet {pallet} / can the forklift shelve {pallet} on level {rack_level} in aisle {aisle} / inbound pallet "
        "{pallet}, space for it at rack level {rack_level}, aisle {aisle}",
        goods=", loaded with {goods}",
        weight=", weighing {weight}",
        fragile=", fragile|, not fragile",
    ),
    tool(
        "retrieve_pallet",
        "Fetch a pallet out of the warehouse",
        "pallet=code dock=small truck_at?=clock",
        "retrieve pallet {pallet} and bring it to dock {dock} / pallet {pallet} is to leave, take it to loading dock "
        "{dock} / the truck at dock {dock} is waiting for pallet {pallet} / fetch {pallet} from the rack, dock {dock} "
        "/ get the pallet {pallet} down and over to dock number {dock} / outbound: pallet {pallet}, dock {dock} / can "
        "the forklift carry {pallet} out of storage to bay door {dock} / we ship pallet {pallet} from dock {dock}, "
        "pull it off the shelf",
        truck_at=", the truck comes at {truck_at}",
    ),
    tool(
        "order_concrete",
        "Have ready-mixed concrete delivered to a building site",
        "cubic_metres=small site=street pour_date=day strength?=C20|C25|C30|C35 pump_needed?=boolean",
        "order {cubic_metres} cubic metres of concrete for the site {site} on {pour_date} / we pour the slab at "
        "{site} on {pour_date} and need {cubic_metres} cubic metres / send mixers with {cubic_metres} m3 to {site}, "
        "{pour_date} / on {pour_date} {cubic_metres} cubes of ready-mix should be at {site} / the formwork at {site} "
        "is ready, bring {cubic_metres} cubic metres to fill it on {pour_date} / {pour_date}, {site}, {cubic_metres} "
        "m3 of concrete pls / foundation work at {site}: how about {cubic_metres} cubic metres from the batching "
        "plant on {pour_date} / the volume is {cubic_metres} cubic metres, the construction site {site}, the day of "
        "the pour {pour_date}",
        strength=", strength {strength}",
        pump_needed=", with a pump|, without a pump",
        answer="{cubic_metres} cubic metres come on {pour_date}.",
    ),
    tool(
        "erect_scaffold",
        "Have a scaffold put up",
        "site=street height=meters up_by=day load_class?=light|medium|heavy netting?=boolean",
        "erect a scaffold of {height} at {site}, it has to stand by {up_by} / the painters need something to climb on "
        "at {site}, scaffold {height} high, ready by {up_by} / put up scaffolding at {site} by {up_by}, height "
        "{height} / by {up_by} there should be {height} of scaffolding in front of {site} / {site}: scaffold, "
        "{height}, up by {up_by} / the facade of {site} gets plastered, have poles and planks of {height} up by "
        "{up_by} / could the scaffolders build {height} of staging around {site} by {up_by} / scaffold wanted, height "
        "{height}, deadline {up_by}, building site {site}",
        load_class=", load class {load_class}",
        netting=", with dust netting|, without netting",
    ),
    tool(
        "dismantle_scaffold",
        "Have a scaffold taken down",
        "site=street down_by=day foreman?=person",
        "dismantle the scaffold at {site} by {down_by} / the facade of {site} is finished, so the poles and planks "
        "can go, by {down_by} please / take down the scaffolding at {site}, at the latest on {down_by} / {site}: "
        "scaffold away by {down_by} / the scaffold in front of {site} must be gone on {down_by} / by {down_by} I "
        "don't want to see scaffolding at {site} any more / have the scaffolders clear {site} and carry off their "
        "planks by {down_by} / we've painted {site}, when can the staging come down, we need it gone by {down_by}",
        foreman=", the foreman is {foreman}",
    ),
    tool(
        "get_house_rules",
        "Read the rules that all tenants have to follow",
        "topic?=quiet_hours|bicycles|waste|barbecue|pets|laundry_room",
        "what are the house rules / show me the rules for tenants / what am I allowed to do in this building and what "
        "not / I've just moved in, what do all tenants have to stick to / house rules pls / my neighbour says "
        "something is forbidden here, let me read the regulations of the house / what do the rules of the building "
        "say / could you read me the regulations for residents",
        topic=", the chapter on {topic}",
        result="rules=message",
        answer="The rules say: {rules}.",
    ),
)
