"""Tools of buildings and real estate: landlords, front desks, hotels, warehouses, building sites."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "raise_rent",
        "Increase the rent of a flat",
        "flat_no=code new_rent=price effective_month=month reason?=modernisation|index|local_market",
        "raise the rent for flat {flat_no} to {new_rent} starting in {effective_month} / from {effective_month} on "
        "the tenants in {flat_no} pay more, {new_rent} / flat {flat_no} is far too cheap, make it {new_rent} as of "
        "{effective_month} / {effective_month}: rent up to {new_rent}, apartment {flat_no} / can you put the monthly "
        "rent of {flat_no} up to {new_rent}, effective {effective_month} / the increase for apartment {flat_no} takes "
        "effect in {effective_month} and the higher amount is {new_rent} / we have to charge more for unit {flat_no}, "
        "{new_rent} a month beginning with {effective_month} / I want {new_rent} instead of the old, lower rent from "
        "{effective_month}, it's apartment {flat_no}",
        reason=", grounds: {reason}",
        answer="The rent of flat {flat_no} rises to {new_rent}.",
    ),
    tool(
        "reduce_rent",
        "Lower the rent of a flat for a time because of a defect",
        "flat_no=code percent=percentage defect=mould|noise|no_heating|leak end_month?=month",
        "reduce the rent of flat {flat_no} by {percent} because of {defect} / {defect} in {flat_no}, so the tenants "
        "pay {percent} less / take {percent} off the rent for apartment {flat_no}, they suffer from {defect} / the "
        "tenant in {flat_no} wants a rent cut of {percent}, the defect is {defect} / can we knock {percent} off what "
        "flat {flat_no} pays us, they complain about {defect} / rent cut {percent}, flat {flat_no}, {defect} / since "
        "there's {defect} in apartment {flat_no} the rent should drop by {percent} / lower rent for {flat_no} pls, "
        "minus {percent}, cause: {defect}",
        end_month=", to last through {end_month}",
    ),
    tool(
        "extend_lease",
        "Prolong a tenancy",
        "tenant=person until=day flat_no?=code",
        "extend the lease of {tenant} until {until} / {tenant} would like to stay on as a tenant till {until} / "
        "prolong the tenancy of {tenant}, new end {until} / {tenant} may keep living there until {until}, renew the "
        "contract / can the rental contract with {tenant} run on to {until} / we're happy with {tenant}, let the "
        "tenancy go on to {until} / new lease end {until}: {tenant} / our tenant {tenant} isn't moving out yet, give "
        "them until {until}",
        flat_no=", it's flat {flat_no}",
    ),
    tool(
        "terminate_lease",
        "Give notice for a flat",
        "tenant=person move_out_date=day notice_by=tenant|landlord forwarding_address?=address",
        "terminate the lease of {tenant} with effect from {move_out_date}, notice was given by the {notice_by} / "
        "{tenant} is moving out on {move_out_date}, the {notice_by} gave notice / notice by the {notice_by}: {tenant} "
        "leaves the flat on {move_out_date} / end the tenancy of {tenant}, last day {move_out_date}, at the wish of "
        "the {notice_by} / the {notice_by} doesn't want to go on with the contract, so {tenant} has to be out by "
        "{move_out_date} / on {move_out_date} the rental contract with {tenant} ends, the {notice_by} has cancelled "
        "it / can you put down a notice for {tenant}, leaving {move_out_date}, party giving notice: {notice_by} / "
        "{move_out_date}, move-out of {tenant}, notice came from the {notice_by}",
        forwarding_address=", forwarding address {forwarding_address}",
    ),
    tool(
        "list_vacant_flats",
        "All flats that stand empty",
        "building=company min_rooms?=several furnished?=boolean",
        "which flats are empty in the building {building} / list the vacant apartments of {building} / what have we "
        "got to let at {building} / somebody wants to rent at {building}, is there anything free / show me what "
        "stands empty in {building} / free flats in {building}? / I need an overview of unlet flats, building "
        "{building} / are there any apartments without a tenant at {building}",
        min_rooms=", at least {min_rooms} rooms",
        furnished=", with furniture in it|, unfurnished",
        result="flat=code rent=price",
        answer="{flat} is free for {rent}.",
    ),
    tool(
        "get_flat_details",
        "Size, rent and fittings of one flat",
        "flat_no=code include_floor_plan?=boolean",
        "tell me more about flat {flat_no} / how big is apartment {flat_no} and what does it cost / show the details "
        "of flat {flat_no} / what's the rent and floor area of {flat_no} / I've got a caller asking about apartment "
        "{flat_no}, what's in it / flat {flat_no}: size, fittings, rent / does {flat_no} have a balcony, and how many "
        "square metres / look up the one flat numbered {flat_no}",
        include_floor_plan=", with the floor plan|, without the floor plan",
        result="square_metres=measure rent=price",
        answer="Flat {flat_no} has {square_metres} square metres.",
    ),
    tool(
        "refund_deposit",
        "Pay the security deposit back to a former tenant",
        "tenant=person amount=amount iban=id deductions?=[cleaning|damage|unpaid_rent|lost_key]",
        "refund the deposit of {tenant}, {amount}, to the account {iban} / {tenant} has moved out and gets {amount} "
        "of the security back, IBAN {iban} / pay {amount} back to {iban}, it's the deposit of {tenant} / the bond of "
        "{tenant} can be released: {amount} to {iban} / IBAN {iban}, {amount}, deposit return for {tenant} / flat's "
        "spotless, so send our ex-tenant {tenant} the {amount} they left as security, account {iban} / return "
        "{amount} of caution money, payee {tenant}, account number {iban} / would you transfer the security of "
        "{amount} back to {tenant} at {iban}",
        deductions=", after deductions for {deductions}",
    ),
    tool(
        "withhold_deposit",
        "Keep part of a security deposit",
        "tenant=person amount=amount grounds=cleaning|damage|unpaid_rent|lost_key",
        "withhold {amount} of the deposit of {tenant} for {grounds} / keep back {amount} from the security that "
        "{tenant} paid, grounds: {grounds} / {tenant} won't get the whole deposit, we keep {amount} because of "
        "{grounds} / due to {grounds} we retain {amount} of the bond of {tenant} / {grounds}, so hold on to {amount} "
        "of what {tenant} left as security / can we retain {amount} from the deposit, tenant {tenant}, on account of "
        "{grounds} / deposit of {tenant}: retain {amount}, {grounds} / don't pay out {amount} of the caution money to "
        "{tenant}, it covers {grounds}",
    ),
    tool(
        "issue_key",
        "Hand out a key",
        "key_no=code holder=person return_by?=day kind?=master|flat|cellar|letterbox",
        "issue key {key_no} to {holder} / {holder} takes key number {key_no} / hand {holder} the key {key_no} / I'm "
        "giving {key_no} from the key cabinet to {holder} / note that {holder} has received key {key_no} / key "
        "{key_no} goes out to {holder} / {holder} needs to get in, let them have key {key_no} / please sign {key_no} "
        "out of the key safe for {holder}",
        return_by=", to be given back by {return_by}",
        kind=", key type {kind}",
        answer="{holder} holds key {key_no} now.",
    ),
    tool(
        "take_back_key",
        "Receive a key that was handed out",
        "key_no=code returned_by=person damaged?=boolean",
        "{returned_by} has brought back key {key_no} / take back {key_no} from {returned_by} / key {key_no} is in the "
        "cabinet again, returned by {returned_by} / got {key_no} back, {returned_by} dropped it off / {returned_by} "
        "doesn't need key {key_no} any more and left it with me / return of key {key_no} by {returned_by} / could you "
        "book the key {key_no} in, {returned_by} just returned it / {returned_by} handed in the key with the number "
        "{key_no}",
        damaged=", and it is damaged|, and it is undamaged",
    ),
    tool(
        "report_lost_key",
        "Report that a key is gone",
        "key_no=code loser=person lost_on=day change_locks?=boolean",
        "{loser} lost key {key_no} on {lost_on} / key {key_no} is gone, {loser} lost it on {lost_on} / report the "
        "loss of {key_no} on {lost_on} by {loser} / since {lost_on} {loser} can't find key {key_no} / {loser} mislaid "
        "the key {key_no}, it happened on {lost_on} / lost: key {key_no}, {lost_on}, {loser} / on {lost_on} the key "
        "{key_no} went missing, the person who lost it is {loser} / key {key_no} must have slipped out of the pocket "
        "of {loser} on {lost_on}, it's nowhere to be found",
        change_locks=", the locks have to be changed|, the locks can stay as they are",
    ),
    tool(
        "list_key_holders",
        "Who has keys to a door",
        "door=place building?=company",
        "who has a key to the {door} / list everybody with keys for the {door} / which people can unlock the {door} "
        "with their own key / how many keys to the {door} are out and with whom / give me the holders of keys, door: "
        "{door} / somebody has been in the {door}, who owns a key to it / key holders {door} pls / I want the names "
        "of all persons who carry a key for the {door}",
        building=", building {building}",
        result="holders=[person]",
        answer="{holders} have a key.",
    ),
    tool(
        "announce_visitor",
        "Tell the reception that a guest will come",
        "visitor=person host=person arrival=clock day=day company?=company needs_wifi?=boolean",
        "announce {visitor} at the reception, coming to see {host} on {day} at {arrival} / on {day} at {arrival} "
        "{visitor} will visit {host} / {host} expects {visitor} as a guest, {day}, {arrival} / let the front desk "
        "know that {visitor} arrives at {arrival} on {day}, the host is {host} / visitor: {visitor}, host: {host}, "
        "{day} {arrival} / my name is {host} and I'm having a guest, {visitor}, on {day} at {arrival} / the porter "
        "should expect {visitor} on {day} around {arrival}, who asks for {host} / {day}, {arrival}: {visitor} calls "
        "on our colleague {host}",
        company=", from the company {company}",
        needs_wifi=", guest wifi is needed|, guest wifi is not needed",
        answer="The reception expects {visitor}.",
    ),
    tool(
        "sign_out_visitor",
        "Note that a visitor has left the building",
        "visitor=person left_at=clock card_returned?=boolean",
        "sign {visitor} out, left at {left_at} / {visitor} has gone home, it was {left_at} / at {left_at} the guest "
        "{visitor} left the building / the visit of {visitor} ended at {left_at} / our guest {visitor} walked out at "
        "{left_at}, note it / {visitor} isn't in the house any more since {left_at} / visitor {visitor} out {left_at} "
        "/ can you put down {left_at} as the time when {visitor} went away",
        card_returned=", visitor card handed in|, visitor card still missing",
    ),
    tool(
        "list_visitors_on_site",
        "Which visitors are in the building right now",
        "site=company host?=person",
        "who is visiting {site} at the moment / list the guests who are inside {site} now / fire drill: which "
        "outsiders are on the premises of {site} / are there still any visitors at {site} / how many guests haven't "
        "left {site} yet / visitors in house, {site} / give me the names of all external people on site at {site} / "
        "which guests does the reception of {site} have in the building just now",
        host=", only those of the host {host}",
        result="visitors=[person]",
        answer="In the building: {visitors}.",
    ),
    tool(
        "order_window_cleaning",
        "Have the windows of a building cleaned",
        "building=company cleaning_date=day floors?=[small] outside_only?=boolean",
        "have the windows of {building} cleaned on {cleaning_date} / the panes at {building} are filthy, send "
        "somebody with a squeegee on {cleaning_date} / on {cleaning_date} the glass of {building} should be washed / "
        "order window cleaners for {cleaning_date}, building {building} / window wash {building}, {cleaning_date} / "
        "you can't see through the glazing of {building} any longer, get it done on {cleaning_date} / we need clean "
        "window panes at {building} by {cleaning_date} / book the window cleaner to come to {building} on "
        "{cleaning_date}",
        floors=", floors {floors}",
        outside_only=", outside only|, inside as well",
    ),
    tool(
        "move_cleaning_day",
        "Change the weekday on which the cleaners come",
        "area=place from_weekday=weekday to_weekday=weekday",
        "move the cleaning of the {area} from {from_weekday} to {to_weekday} / the cleaners shouldn't do the {area} "
        "on {from_weekday} any more but on {to_weekday} / from now on the {area} gets cleaned on {to_weekday} instead "
        "of {from_weekday} / {from_weekday} is bad for the {area}, could the cleaning crew come on {to_weekday} / new "
        "cleaning day for the {area}: {to_weekday}, so far {from_weekday} / instead of each {from_weekday} the "
        "charwoman should mop the {area} each {to_weekday} / shift the janitorial round in the {area} to "
        "{to_weekday}, it used to be {from_weekday} / {area}: cleaners {to_weekday}, no longer {from_weekday}",
    ),
    tool(
        "refill_washroom",
        "Top up supplies in a toilet",
        "washroom=code supplies=[soap|paper_towels|toilet_paper|sanitiser]",
        "refill {supplies} in washroom {washroom} / there's no {supplies} left in the restroom {washroom} / restroom "
        "{washroom} has run out of {supplies} / put new {supplies} into the toilets {washroom} / we need {supplies} "
        "in the ladies' room {washroom} / loo {washroom}, {supplies} empty / can the janitor bring {supplies} to "
        "lavatory {washroom} / somebody complained that {supplies} is missing in the gents, number {washroom}",
    ),
    tool(
        "call_elevator",
        "Bring a lift to a floor",
        "lift=code floor=small destination?=small",
        "call lift {lift} to floor {floor} / send the elevator {lift} to floor number {floor} / I'm waiting on floor "
        "{floor}, let elevator {lift} come / bring {lift}, the elevator, up or down to storey {floor} / lift {lift} "
        "should pick me up on floor {floor} / I have a trolley and stand at level {floor}, get me lift {lift} / cabin "
        "{lift} to level {floor} please / the elevator numbered {lift} is wanted on floor {floor}",
        destination=", the ride goes on to floor {destination}",
    ),
    tool(
        "shut_down_elevator",
        "Take a lift out of service",
        "lift=code cause=repair|inspection|fire_alarm|moving until?=clock",
        "take lift {lift} out of service, {cause} / shut down elevator {lift} because of {cause} / nobody should use "
        "lift {lift} for now, the cause is {cause} / {cause}: halt the elevator {lift} / put an out-of-order sign on "
        "lift {lift}, cause {cause} / elevator {lift} has to stand still on account of {cause} / can you stop {lift}, "
        "the lift, from running, it's for {cause} / lift {lift} off, {cause}",
        until=", until {until}",
    ),
    tool(
        "return_elevator_to_service",
        "Put a lift back into operation",
        "lift=code technician=person test_runs?=several",
        "lift {lift} can run again, {technician} has released it / put elevator {lift} back into operation, "
        "technician {technician} / {technician} fixed the elevator {lift}, so people may ride it again / {technician} "
        "says that lift {lift} works again, open it for use / remove the out-of-order sign from elevator {lift}, "
        "mended by {technician} / elevator {lift} on again, ok by {technician} / lift {lift} is up and running, "
        "{technician} approved it / can we use the lift {lift} again now that {technician} has repaired it",
        test_runs=", after {test_runs} test runs",
    ),
    tool(
        "free_trapped_passengers",
        "Send help to people who are stuck in a lift",
        "lift=code people=several callback?=phone medical_help?=boolean",
        "{people} of us are stuck in lift {lift} / help, elevator {lift} won't move and there are {people} of us "
        "inside / free the passengers of lift {lift}, number of people {people} / lift {lift} stopped between two "
        "floors with {people} on board / emergency in elevator {lift}, {people} trapped / the doors of elevator "
        "{lift} don't open, {people} inside, get us out / someone pushed the alarm button in lift {lift}, they say "
        "that they are {people} / rescue {people} from the stuck elevator {lift}",
        callback=", call back on {callback}",
        medical_help=", a paramedic is needed|, nobody is hurt",
        answer="Help for lift {lift} is on its way.",
    ),
    tool(
        "bleed_radiator",
        "Send the caretaker to let the air out of a radiator",
        "flat_no=code room=bedroom|kitchen|bathroom|living_room|hall gurgling?=boolean",
        "bleed the radiator in the {room} of flat {flat_no} / there's air in the heating of flat {flat_no}, it's the "
        "{room} / flat {flat_no}, {room}: radiator needs venting / the caretaker should let the air out, {room}, "
        "apartment {flat_no} / the upper half of the radiator stays cold in the {room}, apartment {flat_no}, somebody "
        "must vent it / can you have the heater in our {room} vented, we live in {flat_no} / vent the {room} radiator "
        "at number {flat_no} / in apartment {flat_no} the {room} has trapped air in the radiator, get rid of it",
        gurgling=", it gurgles|, it makes no sound",
    ),
    tool(
        "start_heating_season",
        "Fire up the central heating of a building for the winter",
        "building=company start_date=day flow_temperature?=age",
        "start the heating season at {building} on {start_date} / from {start_date} on the central heating of "
        "{building} should run for the winter / it's getting cold, fire up the boilers of {building} on {start_date} "
        "/ the tenants of {building} freeze, begin with the heating on {start_date} / {building}: winter heating "
        "begins {start_date} / can the radiators at {building} come on as of {start_date} / wake the boiler of "
        "{building} from its summer sleep on {start_date} / {start_date} is the first day of heating in building "
        "{building}",
        flow_temperature=", flow temperature {flow_temperature} degrees",
    ),
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
