"""Practice tools: certificates, births, first aid, gyms, diets, glasses."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "certify_fit_for_sport",
        "Write a certificate that somebody may do a sport",
        "athlete=person discipline=sport examined_on=day ecg_done?=boolean",
        "{athlete} was examined on {examined_on} and is healthy enough for {discipline}, write the certificate / "
        "certify that {athlete} may do {discipline}, examined on {examined_on} / the club wants a paper that "
        "{athlete} is fit for {discipline}, the check-up was on {examined_on} / nothing speaks against {discipline} "
        "for {athlete} after the examination of {examined_on}, put that in writing / fitness certificate: {athlete}, "
        "{discipline}, examined {examined_on} / heart and lungs of {athlete} were fine on {examined_on}, clear the "
        "way for {discipline} / medical clearance for {discipline}, athlete {athlete}, exam date {examined_on} / on "
        "{examined_on} I gave {athlete} a thorough look-over, so attest that {discipline} is no risk",
        ecg_done=", an ECG was done|, no ECG was done",
    ),
    tool(
        "extend_sick_note",
        "Prolong an existing certificate of unfitness for work",
        "note_id=code new_end=day",
        "extend sick note {note_id} until {new_end} / I'm still ill, please prolong the certificate {note_id} to "
        "{new_end} / {note_id} runs out and the patient isn't fit yet, new end {new_end} / the sick note {note_id} "
        "should last longer, up to {new_end} / {note_id}, new end {new_end} pls, the cough won't go away / make it "
        "{new_end} instead of the old end date on the unfitness certificate {note_id} / can my sick leave under "
        "{note_id} be stretched until {new_end} / until {new_end} I can't go back to work, lengthen {note_id}",
    ),
    tool(
        "refer_to_specialist",
        "Write a referral to a specialist",
        "patient=person specialist=doctor suspicion=ailment urgency?=routine|soon|urgent attach?=[file]",
        "refer {patient} to a {specialist} for suspected {suspicion} / write {patient} a referral, {specialist}, "
        "suspicion {suspicion} / {patient} should be seen by a {specialist}, I suspect {suspicion} / a {specialist} "
        "must look at {patient}, it may be {suspicion} / suspicion: {suspicion}, patient: {patient}, send on to the "
        "{specialist} / could be {suspicion}, so {patient} gets a slip for the {specialist} / referral slip for "
        "{patient} to the {specialist} because of possible {suspicion} / I can't treat {suspicion} myself, pass "
        "{patient} on to a {specialist}",
        urgency=", urgency {urgency}",
        attach=", attach {attach}",
    ),
    tool(
        "register_new_patient",
        "Put somebody on the books of a practice",
        "name=person birth_date=day insurance=public|private|none previous_practice?=company phone?=phone",
        "register {name}, born {birth_date}, insurance {insurance} / a new face at our practice: {name}, date of "
        "birth {birth_date}, insurance: {insurance} / I just moved here and want to join your surgery, I'm {name}, "
        "born on {birth_date}, insurance {insurance} / please open a file for {name}, {birth_date}, insurance "
        "{insurance} / insurance {insurance}, born {birth_date}, called {name}, first visit to the practice / take on "
        "{name} as a patient, birth date {birth_date}, insurance {insurance} / are you accepting patients, it's for "
        "{name}, born {birth_date}, with insurance {insurance} / new patient {name}, {birth_date}, {insurance}",
        previous_practice=", who used to go to {previous_practice}",
        phone=", phone {phone}",
    ),
    tool(
        "release_medical_records",
        "Send a patient's file to another practice",
        "patient=person recipient=email documents=[xray|history|vaccinations|ecg] consent_signed=boolean",
        "send {documents} of {patient} to {recipient} / {patient} changes doctors, forward {documents} to {recipient} "
        "/ release {documents} from the file of {patient}, recipient {recipient} / the new doctor at {recipient} asks "
        "for {documents}, patient {patient} / {recipient} needs the following of {patient}: {documents} / mail "
        "{recipient} the medical records of {patient}, that is {documents} / hand over {documents} about {patient} to "
        "{recipient} / records: {patient}, {documents}, to {recipient}",
        consent_signed=", consent is signed|, consent isn't signed yet",
    ),
    tool(
        "start_contraction_timer",
        "Begin to time a contraction during labor",
        "strength?=weak|medium|strong",
        "a contraction is coming, start the clock / it's starting, time this contraction / my belly goes hard again, "
        "begin timing / here comes the next wave of labor, go / start timing the contraction now / labor pain begins, "
        "run the timer / she's having a contraction right now, measure it from here / ouch, another pain, the baby "
        "wants out, start counting",
        strength=", it feels {strength}",
    ),
    tool(
        "stop_contraction_timer",
        "End the timing of a contraction",
        "note?=message",
        "the contraction is over, stop the clock / it's gone, end the timing of this contraction / my belly is soft "
        "again, halt the timer / stop timing the contraction now / the wave has passed, finish measuring / phew, that "
        "labor pain is done, stop counting / contraction finished / she can breathe again, the contraction has ended",
        note=", note: {note}",
        result="seconds=seconds",
        answer="It lasted {seconds}.",
    ),
    tool(
        "draft_birth_plan",
        "Write down wishes for a delivery",
        "mother=person due_date=day place=hospital|birth_center|home pain_relief=epidural|gas|bath|none "
        "partner?=first_name",
        "{mother} is due on {due_date} and wants to deliver here: {place}, pain relief {pain_relief} / birth plan for "
        "{mother}, due {due_date}, place {place}, pain relief: {pain_relief} / against the pain it shall be "
        "{pain_relief}, {mother} gives birth on about {due_date}, place {place} / write my wishes for the delivery, "
        "I'm {mother}, place {place}, pain relief {pain_relief}, due date {due_date} / place of birth: {place}, "
        "mother {mother}, expected {due_date}, {pain_relief} for the pain / the baby of {mother} comes around "
        "{due_date}, note down the place {place} and {pain_relief} as pain relief / for the midwife: {mother}, "
        "{due_date}, {place}, {pain_relief} / the delivery of {mother} is expected on {due_date}, chosen place "
        "{place}, chosen pain relief {pain_relief}",
        partner=", and {partner} will be at her side",
    ),
    tool(
        "weigh_newborn",
        "Enter the weight of a baby",
        "baby=first_name grams=count weighed_on=day before_feeding?=boolean",
        "little {baby} weighs {grams} grams on {weighed_on} / on {weighed_on} the scales showed {grams} g for baby "
        "{baby} / enter {grams} g as the weight of the newborn {baby}, {weighed_on} / {baby} has put on weight, "
        "{grams} grams on {weighed_on} / baby scale: {baby}, {weighed_on}, {grams} g / the midwife weighed {baby} on "
        "{weighed_on}, it was {grams} grams / {weighed_on}: {grams} grams, infant {baby} / our infant {baby} came to "
        "{grams} grams on {weighed_on}, write it in the growth curve",
        before_feeding=", before the feed|, after the feed",
    ),
    tool(
        "show_first_aid_steps",
        "What to do at once for an injury",
        "injury=burn|nosebleed|choking|fracture|poisoning|snake_bite victim=adult|child|baby",
        "quick, what do I do, injury: {injury}, the victim is: {victim} / first aid for {injury}, {victim} / help, "
        "it's a case of {injury}, {victim} / I need the steps to treat this until the ambulance comes: {injury}, the "
        "hurt person is: {victim} / {victim} with {injury} in front of me, what now / how should a layman deal with "
        "{injury}, the victim being: {victim} / walk me through {injury}, victim {victim} / there's been an accident, "
        "{victim}, {injury}, tell me what comes first",
    ),
    tool(
        "find_defibrillator",
        "The nearest public device against cardiac arrest",
        "street=street indoors_only?=boolean",
        "where's the closest defibrillator to {street} / somebody collapsed at {street}, where do I get an AED / AED "
        "near {street}, hurry / find the shock device for a stopped heart around {street} / no pulse, we're at "
        "{street}, where does a defib hang / is there a defibrillator within reach of {street} / show me the AED box "
        "nearest to {street} / cardiac arrest, {street}, which wall has the device",
        indoors_only=", inside a building|, inside or outside",
        result="location=place",
        answer="The nearest one is at {location}.",
    ),
    tool(
        "restock_first_aid_kit",
        "Refill a first-aid box",
        "kit_location=place items=[plasters|gauze|scissors|gloves|burn_gel] expires_before?=day",
        "the first-aid box at {kit_location} lacks {items} / refill {items} in the kit, location {kit_location} / "
        "we've used up {items} in the emergency box by {kit_location}, get new ones / restock the kit at "
        "{kit_location} with {items} / {kit_location}, first-aid kit: {items} are missing / put {items} back into the "
        "green cross box, {kit_location} / somebody emptied the bandage case at {kit_location}, add {items} / top up "
        "{items} in the first-aid kit, {kit_location}",
        expires_before=", and swap what expires before {expires_before}",
    ),
    tool(
        "freeze_gym_contract",
        "Put a fitness membership on hold for a while",
        "member_id=id months=several from_day=day grounds?=injury|pregnancy|travel|illness",
        "freeze my gym contract {member_id} for {months} months from {from_day} / from {from_day} I can't train for "
        "{months} months, put membership {member_id} on hold / I'm member {member_id}, pause everything at the gym "
        "for {months} months as of {from_day} / membership {member_id}: hold of {months} months, beginning {from_day} "
        "/ no gym and no fee for {months} months please, starting {from_day}, my number is {member_id} / suspend "
        "{member_id} at the studio, {months} months, first day {from_day} / as of {from_day} the fitness membership "
        "{member_id} should rest for {months} months / can I have a {months} month break from the gym, member "
        "{member_id}, starting on {from_day}",
        grounds=", on grounds of {grounds}",
    ),
    tool(
        "reactivate_gym_contract",
        "End the hold of a fitness membership",
        "member_id=id resume_on=day",
        "reactivate my gym contract {member_id} on {resume_on} / I'm fit again and want to train from {resume_on}, "
        "member {member_id} / end the hold on {member_id}, back at the gym on {resume_on} / lift the freeze for "
        "{member_id} as of {resume_on} / the break is over for gym member {member_id}, resume on {resume_on} / wake "
        "up the sleeping fitness membership {member_id} on {resume_on} / on {resume_on} member {member_id} returns to "
        "the weights room, unfreeze the contract / {member_id} back to active, {resume_on}, no more pause",
    ),
    tool(
        "swap_workout_class",
        "Change a booked fitness class for another one",
        "member=first_name old_class=spinning|pilates|yoga|zumba|aqua_fit new_class=boxing|stretching|step|bodypump "
        "date=day fee_ok?=boolean",
        "{member} is booked into {old_class} on {date} and would rather do {new_class} / swap {old_class} for "
        "{new_class} on {date}, member {member} / take {member} out of {old_class} and into {new_class} instead, "
        "{date} / on {date} {member} wants {new_class} instead of {old_class} / {old_class} is too tough for "
        "{member}, change the booking of {date} to {new_class} / {member}, {date}: not {old_class} but {new_class} "
        "pls / can {member} exchange the place in {old_class} on {date} for one in {new_class} / new class "
        "{new_class}, old class {old_class}, for {member} at the gym on {date}",
        fee_ok=", an extra fee is fine|, but only without an extra fee",
    ),
    tool(
        "build_training_plan",
        "Make a plan of exercises for the gym",
        "goal=strength|endurance|weight_loss|mobility exercises=[exercise] sessions_per_week=five "
        "weak_spots?=[knees|back|shoulders|wrists]",
        "make me a plan for {goal} with {exercises}, {sessions_per_week} sessions a week / I want {goal} and like "
        "{exercises}, {sessions_per_week} times a week at the gym / {sessions_per_week} workouts weekly, built around "
        "{exercises}, goal: {goal} / what should my week look like if I train {sessions_per_week} times, do "
        "{exercises} and aim at {goal} / goal {goal}, {sessions_per_week} sessions per week, exercises {exercises} / "
        "the coach says {exercises} are good for me, put them into {sessions_per_week} sessions a week towards {goal} "
        "/ I'm a beginner, {goal} is my aim, plan {exercises} over {sessions_per_week} weekly sessions / design a "
        "routine from {exercises} for {goal}, per week {sessions_per_week} sessions",
        weak_spots=", mind my bad {weak_spots}",
    ),
    tool(
        "prescribe_physiotherapy",
        "Order sessions of physiotherapy for a patient",
        "patient=person sessions=handful technique=massage|traction|heat|lymph_drainage "
        "complaint=back_pain|stiff_neck|frozen_shoulder|tennis_elbow home_visit?=boolean",
        "{patient} gets {sessions} sessions of physio with {technique} for {complaint} / prescribe {sessions} times "
        "{technique} against {complaint}, patient {patient} / because of {complaint} {patient} needs {technique} from "
        "the physio, {sessions} sessions / physiotherapy for {patient}: {technique}, {sessions} sessions, complaint "
        "{complaint} / {sessions} appointments of {technique} shall cure the {complaint} of {patient} / to treat "
        "{complaint}, order {technique} from the therapist for {patient}, {sessions} sessions / {patient} complains "
        "of {complaint}, {technique} would help, write out {sessions} sessions / {technique} x {sessions}, {patient}, "
        "{complaint}",
        home_visit=", the therapist comes to the home|, in the therapist's rooms",
    ),
    tool(
        "track_rehab_progress",
        "How far a patient has recovered in rehabilitation",
        "patient=person joint?=knee|hip|shoulder|ankle",
        "how is {patient} getting on in rehab / has {patient} made progress since the operation / show the recovery "
        "of {patient} / rehab progress {patient} pls / can {patient} bend and walk better than before / is the "
        "therapy working for {patient} / I'm curious whether {patient} is on track with the rehabilitation / the "
        "therapist's measurements of how well {patient} has recovered",
        joint=", the joint is the {joint}",
        result="progress=percentage",
        answer="{patient} has recovered to {progress}.",
    ),
    tool(
        "count_meal_nutrients",
        "Work out calories and nutrients of a dish",
        "dish=dish portion_grams=grams nutrients?=[protein|fat|carbs|fiber|salt]",
        "how many calories are in {portion_grams} of {dish} / I had {dish} for lunch, about {portion_grams}, what did "
        "I take in / nutrients of {dish}, {portion_grams} / work out the kcal of {portion_grams} of {dish} / is "
        "{portion_grams} of {dish} fattening / a plate of {dish} weighs {portion_grams}, how many calories is that / "
        "for my diet I need the nutritional values of {dish}, portion {portion_grams} / what's inside {portion_grams} "
        "of {dish} in terms of energy",
        nutrients=", I care about {nutrients}",
    ),
    tool(
        "compose_diet_sheet",
        "Put together what a patient may eat",
        "client=person diet=low_salt|diabetic|gluten_free|soft_food avoid=[food] days?=days",
        "{client} has to eat {diet} without {avoid}, write a sheet / diet sheet for {client}: {diet}, avoid {avoid} / "
        "what may {client} eat on a {diet} diet, {avoid} must be avoided / the nutritionist puts {client} on {diet}, "
        "no {avoid} / compose {diet} menus for {client}, leave out {avoid} / the following is forbidden for {client}: "
        "{avoid}, otherwise {diet} / {client}, {diet}, avoid {avoid} / the kitchen of the clinic needs the {diet} "
        "food plan of {client}, who can't have {avoid}",
        days=", valid for {days}",
    ),
    tool(
        "order_glasses",
        "Order spectacles at the optician",
        "customer=person frame_model=code lens_type=single|bifocal|progressive left_diopters=latitude "
        "right_diopters=latitude anti_glare?=boolean tint?=color",
        "order glasses for {customer}, frame {frame_model}, {lens_type} lenses, left {left_diopters}, right "
        "{right_diopters} / {customer} chose frame {frame_model} with {lens_type} lenses, right eye {right_diopters}, "
        "left eye {left_diopters} / spectacles: {customer}, {lens_type}, left {left_diopters}, right "
        "{right_diopters}, model {frame_model} / grind {lens_type} lenses for {customer}, {right_diopters} diopters "
        "on the right and {left_diopters} on the left, frame {frame_model} / {customer} can't read without specs: "
        "frame {frame_model}, {lens_type}, L {left_diopters}, R {right_diopters} / in the frame {frame_model} put "
        "{lens_type} lenses with {left_diopters} diopters left and {right_diopters} right for {customer} / new "
        "eyewear for {customer}, left eye {left_diopters}, right eye {right_diopters}, {lens_type}, frame "
        "{frame_model} / the optician should make {customer} a {lens_type} pair, model {frame_model}, diopters right "
        "{right_diopters}, left {left_diopters}",
        anti_glare=", with an anti-glare coating|, without an anti-glare coating",
        tint=", tinted {tint}",
    ),
    tool(
        "reorder_contact_lenses",
        "Order contact lenses again",
        "customer_number=code boxes=several wear=daily|biweekly|monthly solution?=boolean",
        "I'm down to my last contacts, customer {customer_number}, {boxes} boxes of {wear} lenses / reorder {boxes} "
        "boxes of {wear} contact lenses, customer number {customer_number} / {wear} lenses again, {boxes} boxes, I'm "
        "customer {customer_number} / customer {customer_number} wears {wear} contacts and needs {boxes} more boxes / "
        "{customer_number}: contacts, {wear}, {boxes} boxes / same contact lenses as last time, type {wear}, {boxes} "
        "boxes, number {customer_number} / send {boxes} boxes of {wear} contacts to customer {customer_number} / my "
        "eye lenses are running out, wear {wear}, boxes {boxes}, customer number {customer_number}",
        solution=", with a bottle of solution|, without solution",
    ),
    tool(
        "mark_tooth_finding",
        "Enter a finding in the dental chart",
        "patient=person tooth_number=small finding=cavity|crown|root_canal|missing|implant "
        "surface?=inner|outer|chewing",
        "tooth {tooth_number} of {patient} has the finding {finding} / dental chart {patient}: {finding} at tooth "
        "number {tooth_number} / chart {finding} for tooth {tooth_number}, patient {patient} / I've looked into the "
        "mouth of {patient}, number {tooth_number}: {finding} / {patient}, tooth {tooth_number}, {finding} / mark "
        "{finding} on tooth {tooth_number} of {patient} / under tooth {tooth_number} write {finding}, the patient is "
        "{patient} / the X-ray of {patient}'s jaw shows: tooth {tooth_number}, {finding}",
        surface=", on the {surface} surface",
    ),
    tool(
        "arrange_respite_care",
        "Find short-term care while relatives are away",
        "elder=person care_level=five stay_from=day stay_until=day dementia=boolean region?=city",
        "we go on holiday and {elder}, care level {care_level}, needs a place from {stay_from} until {stay_until} / "
        "respite care for {elder}, level {care_level}, {stay_from} to {stay_until} / who looks after my old father "
        "{elder}, care level {care_level}, between {stay_from} and {stay_until} / from {stay_from} to {stay_until} we "
        "can't nurse {elder}, the care level is {care_level} / short-term care pls: {elder}, level {care_level}, from "
        "{stay_from}, until {stay_until} / the carer of {elder} needs a break from {stay_from} till {stay_until}, "
        "care level {care_level} / find a nursing home that takes {elder} temporarily, from {stay_from} until "
        "{stay_until}, with care level {care_level} / until {stay_until}, beginning {stay_from}, {elder} with level "
        "{care_level} should stay in a home for the aged",
        dementia=", suffering from dementia|, clear in the head",
        region=", near {region}",
    ),
)
