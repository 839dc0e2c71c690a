"""Buildings' tools: rents, keys, visitors, cleaning, lifts and heating."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
