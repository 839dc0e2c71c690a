"""Towns' tools: passports, residence, taxes, fines and courts."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "apply_for_passport",
        "Apply for a new passport for a citizen",
        "applicant=person type=regular|express|temporary",
        "{applicant} has no travel document yet and needs a {type} one / put in a {type} passport application for "
        "{applicant} / first passport for {applicant}, {type} procedure / I'd like a new passport, the {type} kind, "
        "my name is {applicant} / can you start the paperwork so {applicant} gets a {type} passport / the applicant "
        "is {applicant}, the type is {type}, we want a new passport / my wife {applicant} wants to go abroad but "
        "never had a passport, get her a {type} one / passport, {type}, for {applicant} pls",
        answer="The application of {applicant} is in.",
    ),
    tool(
        "invalidate_identity_card",
        "Cancel an identity card so that nobody can use it",
        "card_number=code reason=lost|stolen|damaged",
        "my identity card {card_number} is {reason}, make it void / ID card {card_number} has to be cancelled because "
        "it was {reason} / nobody should be able to use identity card {card_number} any more, reason: {reason} / "
        "please invalidate {card_number}, that's my ID and it got {reason} / {reason}: ID card number {card_number}, "
        "cancel it in the register / I have to declare ID {card_number} invalid, it's been {reason} / the ID with the "
        "number {card_number} isn't valid from now on, it has been {reason} / void ID card {card_number}, {reason}",
    ),
    tool(
        "track_identity_card",
        "See how far the production of an ordered identity card is",
        "application_number=code",
        "is the ID card I ordered under {application_number} ready yet / how far along is my identity card, "
        "application number {application_number} / application {application_number}: has the new ID been printed / "
        "when will my ID be done? I applied under {application_number} / I've been waiting for weeks for my identity "
        "card, the application is {application_number}, where is it / check the progress of identity card application "
        "{application_number} / new ID card, {application_number}, status pls / has the state printing works already "
        "produced the ID from application {application_number}",
        result="stage=received|printing|ready",
        answer='The card is at the stage "{stage}".',
    ),
    tool(
        "collect_passport",
        "Agree on when and where a finished passport is handed over",
        "application_number=code office=town_hall|airport|post_office pickup_day=day pickup_time?=clock",
        "my passport is ready, application {application_number}, I'll fetch it at the {office} on {pickup_day} / on "
        "{pickup_day} I'm coming to the {office} to take home the passport with the application number "
        "{application_number} / arrange the handover of passport {application_number} for {pickup_day}, place: "
        "{office} / I can come by the {office} for my finished passport {application_number} on {pickup_day} / hand "
        "out passport {application_number}, {office} counter, {pickup_day} / {office}, {pickup_day}: pick up passport "
        "{application_number} / can I get the passport from application {application_number} at the {office} on "
        "{pickup_day} / have the finished passport lying ready at the {office} on {pickup_day}, the application is "
        "{application_number}",
        pickup_time=", the time is {pickup_time}",
    ),
    tool(
        "register_residence",
        "Register a person's new home address in the town",
        "resident=person address=street move_in_date=day previous_city?=city household_size?=several",
        "{resident} moved into {address} on {move_in_date}, please register that / I'm {resident} and since "
        "{move_in_date} I've been living at {address}, I must tell the residents' office / new home of {resident}: "
        "{address}, moved in on {move_in_date} / we've a new citizen, {resident}, who moves to {address} on "
        "{move_in_date} / sign {resident} up as living at {address} as of {move_in_date} / as of {move_in_date} the "
        "residence of {resident} is {address} / change of address for {resident}: it's {address} from {move_in_date} "
        "on / {address}, from {move_in_date}, resident {resident}, put it in the population register",
        previous_city=", moving here from {previous_city}",
        household_size=", {household_size} people in the household",
    ),
    tool(
        "deregister_residence",
        "Strike a person who moves abroad off the population register",
        "resident=person departure_date=day destination=country forwarding_email?=email",
        "{resident} is leaving for {destination} for good on {departure_date}, take them off the register / I'm "
        "emigrating to {destination} on {departure_date}, please deregister me, {resident} / strike {resident} off "
        "the list of residents, departure on {departure_date}, destination {destination} / from {departure_date} "
        "{resident} won't live here any more but in {destination} / deregister {resident}, moving abroad to "
        "{destination}, {departure_date} / on {departure_date} our resident {resident} gives up the flat here and "
        "goes to {destination} / {destination} will be the new home of {resident} after {departure_date}, so end the "
        "residence in our town / {resident} goes abroad on {departure_date}, {destination}, no longer a resident here "
        "pls",
        forwarding_email=", mail to {forwarding_email} from then on",
    ),
    tool(
        "confirm_residence",
        "Issue a certificate that says where a person lives",
        "resident=person purpose=bank|school|employer|visa copies?=several",
        "{resident} needs a paper that proves where they live, it's for the {purpose} / issue a certificate of "
        "residence for {resident}, purpose: {purpose} / the {purpose} wants proof of my address, I am {resident} / I "
        "need it in writing that {resident} lives here, for the {purpose} / proof of address, {resident}, {purpose} "
        "pls / can the town confirm the address of {resident} for the {purpose} / for the {purpose} we need a "
        "residence certificate in the name of {resident} / purpose {purpose}, resident {resident}: print the "
        "confirmation of the home address",
        copies=", {copies} copies of it",
    ),
    tool(
        "change_surname",
        "Change the family name of a citizen",
        "citizen=person new_surname=last_name ground=marriage|divorce|adoption",
        "{citizen} would like to be called {new_surname} after the {ground} / because of the {ground} the family name "
        "of {citizen} becomes {new_surname} / change the surname of {citizen} to {new_surname}, ground: {ground} / "
        "I'm {citizen} now, but my last name should be {new_surname} following my {ground} / since the {ground} I "
        "want to use {new_surname} as my family name instead, in my papers I'm still {citizen} / {ground}: new "
        "surname {new_surname}, citizen {citizen} / record a new last name, {new_surname}, for {citizen}, due to "
        "{ground} / the {ground} went through, so rename {citizen} to {new_surname}",
        answer="From now on the surname is {new_surname}.",
    ),
    tool(
        "order_birth_certificate",
        "Order a birth certificate from the registry office",
        "full_name=person birth_date=day birth_place=city multilingual=boolean",
        "I need the birth certificate of {full_name}, born on {birth_date} in {birth_place} / {full_name} was born in "
        "{birth_place} on {birth_date}, send the certificate of that / order a document that shows {full_name} came "
        "into the world on {birth_date} in {birth_place} / my birth certificate got lost: {full_name}, {birth_place}, "
        "{birth_date}, get me another / birth certificate, {full_name}, {birth_date}, place of birth {birth_place} / "
        "can the registry office of {birth_place} send proof of birth for {full_name}, date of birth {birth_date} / "
        "from {birth_place} we need the birth record for {full_name}, {birth_date} / born {birth_date}, "
        "{birth_place}, called {full_name}: please order the birth certificate",
        multilingual=", as a multilingual version|, in our language only",
    ),
    tool(
        "show_waiting_time",
        "Tell how long visitors of the town hall have to wait at the moment",
        "",
        "how long's the queue at the town hall right now / how many minutes do people wait at the citizens' office at "
        "the moment / is it crowded at the town hall counters / town hall waiting time pls / I'd like to drop in at "
        "the municipal office without an appointment, would I have to wait long / are lots of visitors ahead of me if "
        "I come to the town hall now / check the current wait at the citizens' counters / I hate standing in line, "
        "what's the wait at the town hall just now",
        result="wait=minutes",
        answer="It takes {wait} minutes.",
    ),
    tool(
        "book_wedding_ceremony",
        "Book a civil wedding at the registry office",
        "bride=person groom=person wedding_day=day venue=town_hall|castle|garden ceremony_time?=clock",
        "the bride {bride} and the groom {groom} want to get married on {wedding_day}, venue: {venue} / book a civil "
        "ceremony for {wedding_day} in the {venue}, bride {bride}, groom {groom} / {groom} is marrying his bride "
        "{bride} on {wedding_day} in the {venue} / we're tying the knot on {wedding_day}! bride is {bride}, groom is "
        "{groom}, we'd love the {venue} / is the {venue} free on {wedding_day}? then marry the groom {groom} to his "
        "bride {bride} there / bride: {bride}, groom: {groom}, {venue}, {wedding_day} / the registrar should marry "
        "her, {bride}, and him, {groom}, in the {venue} on {wedding_day} / reserve the {venue} on {wedding_day} for "
        "the vows of groom {groom} and bride {bride}",
        ceremony_time=", starting at {ceremony_time}",
        answer="{bride} and {groom} can marry on {wedding_day}.",
    ),
    tool(
        "report_found_document",
        "Hand in somebody else's document that was found",
        "document=passport|driving_licence|identity_card|health_card name_on_document=person found_at=street "
        "found_on?=day",
        "I found a {document} at {found_at}, the name on it is {name_on_document} / somebody lost a {document} in "
        "front of {found_at}, it belongs to {name_on_document} / {name_on_document} must be missing a {document}, it "
        "was lying on the ground at {found_at} / a {document} issued to {name_on_document} has turned up at "
        "{found_at} / found: {document}, {found_at}, name {name_on_document} / at {found_at} I picked up a stranger's "
        "{document}, it says {name_on_document} / tell the office that the {document} of {name_on_document} has been "
        "found at {found_at} / there's a {document} in my hands that isn't mine but {name_on_document}'s, it was at "
        "{found_at}",
        found_on=", found on {found_on}",
    ),
    tool(
        "file_tax_return",
        "Submit the income tax return of a year",
        "tax_year=year taxpayer_number=code total_income=amount joint_filing=boolean church_tax?=boolean",
        "for {tax_year} I earned {total_income}, my taxpayer number is {taxpayer_number}, send that to the tax office "
        "/ file the return for {tax_year}: number {taxpayer_number}, income {total_income} / my income in {tax_year} "
        "was {total_income}, do my tax declaration under {taxpayer_number} / taxpayer {taxpayer_number} declares "
        "{total_income} in income for {tax_year} / tax return {tax_year}, {taxpayer_number}, total income "
        "{total_income} pls / I'm finally doing my taxes: the year is {tax_year}, I made {total_income}, the number "
        "is {taxpayer_number} / declare {total_income} of earnings to the revenue office under {taxpayer_number}, tax "
        "year {tax_year} / under taxpayer number {taxpayer_number} please submit the income of {tax_year}, which was "
        "{total_income}",
        joint_filing=", filed together with my spouse|, filed for me alone",
        church_tax=", church tax applies|, no church tax",
    ),
    tool(
        "extend_tax_deadline",
        "Ask the tax office for more time to submit a return",
        "tax_year=year new_deadline=day excuse=illness|missing_papers|stay_abroad",
        "I can't finish my return for {tax_year} in time, reason {excuse}, could I have until {new_deadline} / more "
        "time for the {tax_year} taxes please, till {new_deadline}, because of {excuse} / extend the filing deadline "
        "for {tax_year} to {new_deadline}, excuse: {excuse} / {excuse}, so ask the tax office to wait until "
        "{new_deadline} for my {tax_year} declaration / tax {tax_year}: I need an extension, new deadline "
        "{new_deadline}, {excuse} / due to {excuse} I won't hand in the {tax_year} return before {new_deadline}, ask "
        "for a later date / would the revenue office accept my {tax_year} papers as late as {new_deadline}? the "
        "excuse is {excuse} / push my {tax_year} return back to {new_deadline}, {excuse}",
    ),
    tool(
        "show_tax_assessment",
        "Show the notice with what a taxpayer owes or gets back for a year",
        "tax_year=year",
        "how much do I owe the tax office for {tax_year} / show me the assessment of {tax_year} / do I get money back "
        "from the revenue office for {tax_year} / I want to read my {tax_year} tax notice / what did the tax office "
        "decide about my {tax_year} return / tax notice {tax_year} pls / has the {tax_year} tax bill come, and what's "
        "in it / {tax_year}: refund or additional payment of income tax",
        result="balance=amount",
        answer="The balance for {tax_year} is {balance}.",
    ),
    tool(
        "dispute_tax_assessment",
        "Lodge an objection against a tax notice",
        "notice_number=code tax_type=income|property|trade|dog",
        "the {tax_type} tax notice {notice_number} is wrong, I object / I don't accept notice {notice_number} about "
        "the {tax_type} tax / lodge an objection to {notice_number}, it concerns {tax_type} tax / they've charged me "
        "far too much {tax_type} tax, fight notice {notice_number} / objection, {tax_type} tax, notice number "
        "{notice_number} / I disagree with what the tax office wants from me in {notice_number} for {tax_type} tax / "
        "tell the tax office that their {tax_type} tax notice {notice_number} can't be right / {notice_number} is an "
        "unfair {tax_type} tax bill, contest it",
    ),
    tool(
        "withdraw_tax_objection",
        "Take back an objection against a tax notice",
        "notice_number=code",
        "I don't want to fight tax notice {notice_number} any longer / take back my objection to tax notice "
        "{notice_number} / forget my protest against tax assessment {notice_number}, I'll pay / the tax notice "
        "{notice_number} was right after all, drop the objection / withdraw what I lodged against {notice_number} "
        "with the tax office / my objection to the tax bill {notice_number} is off / I've changed my mind about "
        "objecting to tax notice {notice_number} / tax notice {notice_number}, objection withdrawn",
        answer="The objection is withdrawn.",
    ),
    tool(
        "pay_fine",
        "Pay a fine that was imposed for parking or speeding",
        "fine_number=code amount=amount method=card|cash|bank_transfer",
        "I got a parking ticket, number {fine_number}, and want to settle {amount}, paying by {method} / pay {amount} "
        "for the fine {fine_number}, method {method} / settle fine {fine_number} of {amount} via {method} / by "
        "{method} please: {amount} for my speeding fine {fine_number} / {fine_number}, {amount}, {method}, that's the "
        "fine for parking wrong, get it paid / the traffic warden wants {amount} from me under {fine_number}, I'm "
        "paying by {method} / they flashed me, so {amount} goes to the town for penalty notice {fine_number}, by "
        "{method} / my penalty {fine_number} comes to {amount}, take care of it by {method}",
    ),
    tool(
        "contest_fine",
        "Appeal against a fine for parking or speeding",
        "fine_number=code defence=wrong_driver|broken_meter|no_sign|emergency",
        "I won't pay the parking ticket {fine_number}, my defence is {defence} / appeal against fine {fine_number} on "
        "the grounds of {defence} / the speeding ticket {fine_number} is unjust, defence: {defence} / contest "
        "{fine_number}, that fine isn't fair ({defence}) / {defence}: that's why penalty notice {fine_number} should "
        "be dropped / my ticket {fine_number} must be a mistake, argue {defence} / tell the traffic authority I "
        "dispute the fine {fine_number}, the reason being {defence} / fine {fine_number}, objection, {defence}",
    ),
    tool(
        "list_fines",
        "List the fines that were imposed on a vehicle",
        "license_plate=code unpaid_only=boolean since?=day",
        "what fines are there for the car with the plate {license_plate} / show all tickets of {license_plate} / has "
        "anybody given my car {license_plate} parking tickets / which penalties has {license_plate} collected / "
        "{license_plate}: list of fines pls / I wonder how many times {license_plate} was caught speeding or parking "
        "wrong, give me the tickets / the license plate is {license_plate}, give me an overview of its fines / are "
        "any fines on record for the vehicle {license_plate}",
        unpaid_only=", only what is still unpaid|, paid or not",
        since=", from {since} onwards",
        result="fines=[code]",
        answer="These are on record: {fines}.",
    ),
    tool(
        "request_installments",
        "Ask to pay a debt to the town in monthly parts",
        "debt_number=code monthly_rate=amount first_payment=day",
        "I can't pay debt {debt_number} at once, {monthly_rate} a month from {first_payment} would be possible / can "
        "I pay off {debt_number} in parts of {monthly_rate}, the first on {first_payment} / ask the town treasury for "
        "installments on {debt_number}: {monthly_rate} monthly, beginning {first_payment} / {monthly_rate} each "
        "month, starting {first_payment}, to clear my debt {debt_number} to the town / starting on {first_payment} I "
        "could manage {monthly_rate} a month for what I owe the town under {debt_number} / payment plan for "
        "{debt_number}, first payment {first_payment}, rate {monthly_rate} / money's tight, the town should let me "
        "pay debt {debt_number} bit by bit, {monthly_rate} a month as of {first_payment} / split what I owe under "
        "{debt_number} into monthly rates of {monthly_rate}, from {first_payment}",
    ),
    tool(
        "summon_witness",
        "Call a witness to a court hearing",
        "witness=person case_number=code hearing_day=day court_room?=small",
        "{witness} has to testify in case {case_number} on {hearing_day} / summon {witness} to the hearing on "
        "{hearing_day}, case {case_number} / the judge wants to hear {witness} as a witness in {case_number} on "
        "{hearing_day} / send a summons to {witness}: {hearing_day}, case number {case_number} / case {case_number} "
        "needs the testimony of {witness}, hearing day {hearing_day} / on {hearing_day} {witness} must appear in "
        "court and say what they saw, it's about {case_number} / call {witness} to the witness stand, {case_number}, "
        "{hearing_day} / for the trial {case_number} on {hearing_day} we need {witness} as a witness",
        court_room=", in courtroom {court_room}",
    ),
    tool(
        "adjourn_hearing",
        "Move a court hearing to a later day",
        "case_number=code new_date=day cause=illness|strike|new_evidence|missing_witness",
        "the trial {case_number} can't go ahead because of {cause}, it will be held on {new_date} instead / adjourn "
        "{case_number} until {new_date}, cause: {cause} / put off the hearing in case {case_number} to {new_date}, "
        "{cause} / {cause}! case {case_number} must be heard later, on {new_date} / we have to reschedule court case "
        "{case_number} for {new_date} due to {cause} / the judge postpones {case_number} till {new_date} on account "
        "of {cause} / new court day for {case_number}: {new_date}, cause {cause} / because of {cause} the parties in "
        "{case_number} don't meet in court before {new_date}",
    ),
    tool(
        "appeal_judgment",
        "Take a judgment to a higher court",
        "case_number=code court=regional|high|supreme lawyer?=person suspend_sentence?=boolean",
        "we lost case {case_number} and want to go to the {court} court / appeal the judgment in {case_number} before "
        "the {court} court / I don't accept the verdict in {case_number}, let the {court} court decide / take "
        "{case_number} up to the {court} court / the sentence in {case_number} is too harsh, ask the {court} court to "
        "review it / {court} court, appeal in case {case_number} pls / my client disagrees with the ruling "
        "{case_number}, the next instance is the {court} court / bring the ruling in {case_number} before the judges "
        "of the {court} court",
        lawyer=", represented by {lawyer}",
        suspend_sentence=(
            ", and the sentence should be suspended until then|, the sentence can be carried out meanwhile"
        ),
    ),
)
