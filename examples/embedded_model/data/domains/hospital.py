"""Hospital tools: wards, findings and medicines."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "schedule_operation",
        "Put an operation on the plan of a theatre",
        "patient=person procedure=appendix|cataract|hip_replacement|tonsils|hernia surgeon=last_name date=day "
        "theatre_number?=small general_anesthesia?=boolean",
        "schedule the procedure {procedure} for {patient} on {date}, surgeon {surgeon} / on {date} Dr {surgeon} "
        "operates on {patient}, procedure: {procedure} / {patient} goes under the knife of Dr {surgeon} on {date}, "
        "it's {procedure} / operation plan {date}: {patient}, {procedure}, surgeon {surgeon} / patient {patient}, "
        "{procedure}, {date}, Dr {surgeon} holds the scalpel / we can operate on {date}, the procedure is "
        "{procedure}, the patient {patient} and the surgeon {surgeon} / put {patient} on the surgical list of Dr "
        "{surgeon} for {date}, type {procedure} / surgeon {surgeon} wants to do the {procedure} of patient {patient} "
        "on {date}",
        theatre_number=", in theatre {theatre_number}",
        general_anesthesia=", under general anesthesia|, with a local anesthetic",
    ),
    tool(
        "discharge_inpatient",
        "Let a patient leave the hospital",
        "patient=person leaving_on=day destination=home|rehab|hospice|nursing_home letter_to?=email",
        "discharge {patient} on {leaving_on}, going to: {destination} / {patient} may leave the hospital on "
        "{leaving_on}, destination {destination} / on {leaving_on} {patient} is well enough to go, next stop "
        "{destination} / {patient}'s stay with us ends on {leaving_on}, then it's {destination} / free the bed of "
        "{patient}, who departs for {destination} on {leaving_on} / destination {destination}, leaving on "
        "{leaving_on}: the patient {patient} / let {patient} out of hospital on {leaving_on}, afterwards "
        "{destination} / can we release {patient} from the ward on {leaving_on} with {destination} as the destination",
        letter_to=", with the letter sent to {letter_to}",
    ),
    tool(
        "transfer_inpatient",
        "Move a patient from one ward to another",
        "patient=last_name from_ward=code to_ward=code escort?=porter|nurse|doctor",
        "transfer Mr {patient} from ward {from_ward} to ward {to_ward} / Mrs {patient} moves to {to_ward}, at present "
        "she's on {from_ward} / wheel patient {patient} out of ward {from_ward} and over to {to_ward} / ward "
        "{to_ward} will take over {patient} from ward {from_ward} / {patient}: from {from_ward}, to {to_ward}, pls / "
        "{from_ward} is full, so bring the patient {patient} from there to {to_ward} / can {patient} be shifted to "
        "ward {to_ward}, the old ward is {from_ward} / relocate {patient}, who lies on {from_ward}, to ward {to_ward}",
        escort=", with a {escort} as escort",
    ),
    tool(
        "list_inpatients",
        "All patients who lie on a ward at the moment",
        "ward=code isolation_only?=boolean",
        "who is lying on ward {ward} / list the inpatients of ward {ward} / which patients does ward {ward} have "
        "right now / show me everybody in the beds of {ward} / I'm taking over the shift on {ward}, give me all "
        "patients there / patient list ward {ward} pls / how full is {ward}, and with whom / names of all the people "
        "on ward {ward}",
        isolation_only=", only those in isolation|, isolated or not",
        result="patients=[person]",
        answer="On {ward} there are {patients}.",
    ),
    tool(
        "get_visiting_hours",
        "When relatives may come to a ward",
        "hospital=company ward=cardiology|surgery|maternity|intensive_care",
        "when can I visit my dad in {ward} at {hospital} / visiting hours of {hospital}, {ward} / at {hospital}, from "
        "when until when are visitors let into {ward} / grandma is in {ward} at {hospital} and I'd like to drop by "
        "with flowers, when is that allowed / are relatives welcome in the evening in {ward} of {hospital} / {ward}, "
        "{hospital}: when may family come / how late may I sit with my wife in {ward} at {hospital} / tell me the "
        "times for visitors, hospital {hospital}, ward {ward}",
        result="from=clock until=clock",
        answer="Visitors may come from {from} until {until}.",
    ),
    tool(
        "estimate_er_wait",
        "Expected waiting time in an emergency room",
        "hospital=company triage_level?=green|yellow|orange|red",
        "how long would I sit in the emergency room of {hospital} / what's the wait at the ER of {hospital} / is the "
        "A&E at {hospital} crowded just now / estimate the waiting time, emergency department, {hospital} / I cut my "
        "hand and I'm on the way to {hospital}, how many minutes until somebody sees me in the ER / casualty at "
        "{hospital}: how long is the queue / {hospital} emergency room wait pls / before I drive to casualty at "
        "{hospital}, how long do people wait there",
        triage_level=", with triage level {triage_level}",
        result="minutes=minutes",
        answer="You would wait about {minutes}.",
    ),
    tool(
        "page_physician_on_call",
        "Call the doctor on duty to a ward",
        "specialty=surgery|neurology|anesthesia|pediatrics ward=code reason=message callback?=phone",
        "page the on-call doctor for {specialty} to ward {ward}: {reason} / we need the {specialty} physician on duty "
        'on {ward} at once, the reason is "{reason}" / get whoever is on call in {specialty}, ward {ward}, reason: '
        '{reason} / beep the {specialty} doctor, tell them "{reason}", and send them to ward {ward} / ward {ward} '
        'urgently wants {specialty} to come, "{reason}" / "{reason}", so call the doctor on duty from {specialty} to '
        "{ward} / is anybody from {specialty} on call, please get them over to {ward} because of this: {reason} / "
        "on-call {specialty}, ward {ward}, {reason}",
        callback=", callback number {callback}",
    ),
    tool(
        "adjust_infusion_rate",
        "Change how fast a drip runs",
        "patient=person pump_id=code ml_per_hour=age check_again_at?=clock",
        "set the drip of {patient} to {ml_per_hour} ml per hour, pump {pump_id} / pump {pump_id} at the bed of "
        "{patient} should run at {ml_per_hour} ml an hour / {patient}'s infusion is too fast, make it {ml_per_hour} "
        "ml per hour on {pump_id} / adjust pump {pump_id} to a rate of {ml_per_hour}, the patient is {patient} / "
        "{ml_per_hour} ml per hour through {pump_id} for {patient} from now on / infusion {patient}: {pump_id}, "
        "{ml_per_hour} ml hourly / slow down or speed up {pump_id} until it gives {patient} {ml_per_hour} ml each "
        "hour / the IV line of {patient} hangs on pump {pump_id}, change the flow to {ml_per_hour} ml per hour",
        check_again_at=", check again at {check_again_at}",
    ),
    tool(
        "record_oxygen_saturation",
        "Enter how much oxygen the blood holds",
        "patient=person spo2=percentage oxygen_mask?=boolean",
        "{patient} has an oxygen saturation of {spo2} / the finger clip of {patient} says {spo2} / SpO2 {spo2}, "
        "patient {patient} / note {spo2} of oxygen in the blood for {patient} / record {spo2} saturation for "
        "{patient} / {patient} is short of breath, pulse oximeter at {spo2}, put that in the chart / the oximeter on "
        "{patient} reads {spo2}, enter it / sats of {patient} are {spo2}",
        oxygen_mask=", with the oxygen mask on|, without an oxygen mask",
    ),
    tool(
        "get_vital_signs",
        "Look up pulse, pressure and temperature of a patient",
        "patient=person signs?=[pulse|temperature|blood_pressure|breathing]",
        "how are the vitals of {patient} / show me what the monitor has measured for {patient} / get the vital signs "
        "of {patient} / has {patient} been stable, let me see the readings / {patient}, vitals pls / I'd like to look "
        "at the measured curve of {patient} / what did the nurses measure for {patient} / open the observation chart "
        "of {patient}",
        signs=", just {signs}",
    ),
    tool(
        "change_wound_dressing",
        "Document a new dressing on a wound",
        "patient=person body_part=knee|heel|hip|elbow|belly dressing=gauze|foam|hydrogel|alginate next_change?=day",
        "I've put fresh {dressing} on the {body_part} of {patient} / wound of {patient} at the {body_part} was "
        "dressed with {dressing} / {patient} got a new bandage, {body_part}, made of {dressing} / the dressing on "
        "{patient}'s {body_part} has been changed to {dressing} / document wound care: {patient}, {body_part}, "
        "{dressing} / with {dressing} I covered the sore on the {body_part} of {patient} again / old plaster off, "
        "{dressing} on, {body_part}, patient {patient} / note that the cut on the {body_part} of {patient} is under "
        "{dressing} now",
        next_change=", the next change is due on {next_change}",
    ),
    tool(
        "log_repositioning",
        "Note that a bedridden person was turned",
        "resident=last_name position=left_side|right_side|back|sitting turned_at=clock nurse?=first_name",
        "at {turned_at} I turned {resident} to this position: {position} / {resident} has lain in the position "
        "{position} since {turned_at} / we repositioned Mrs {resident} at {turned_at}, {position} / against bedsores "
        "Mr {resident} was moved at {turned_at}, new position {position} / {turned_at}, {resident}, {position}, "
        "turned / log for the bedridden {resident} the position {position}, turned at {turned_at} / new position for "
        "{resident} is {position}, that was at {turned_at} / to spare the skin, {resident} was rolled over at "
        "{turned_at}, position {position}",
        nurse="by nurse {nurse}",
    ),
    tool(
        "order_blood_panel",
        "Have the laboratory examine a patient's blood",
        "patient=person panels=[lipids|thyroid|liver|kidney|iron] draw_date=day fasting?=boolean",
        "draw blood from {patient} on {draw_date} and check {panels} / the lab should test {patient} for {panels}, "
        "drawn on {draw_date} / order {panels} for {patient}, blood draw {draw_date} / on {draw_date} {patient} comes "
        "for a blood test with {panels} / {patient} feels weak, I want {panels} values from a needle prick on "
        "{draw_date} / blood work {patient}: {panels}, {draw_date} / let's see {panels} in the blood of {patient}, "
        "take it on {draw_date} / one tube from {patient} on {draw_date}, panels {panels}",
        fasting=", on an empty stomach|, after a normal breakfast",
    ),
    tool(
        "cancel_blood_panel",
        "Call off an ordered blood test",
        "order_id=id reason?=duplicate|refused|wrong_patient",
        "cancel the blood test {order_id} / the lab needn't run {order_id} any more / drop order {order_id}, no blood "
        "has to be drawn / blood panel {order_id} is called off / we won't need the bloodwork under {order_id} after "
        "all / please withdraw lab order {order_id} / don't take any blood for {order_id} / {order_id} was for blood "
        "values, scrap it",
        reason=", the reason is {reason}",
    ),
    tool(
        "fetch_lab_findings",
        "Get the results of a laboratory sample",
        "sample_id=code format?=pdf|text|table",
        "what did the lab find in sample {sample_id} / fetch the findings for {sample_id} / are the results of sample "
        "{sample_id} in / show me the lab report, sample {sample_id} / I'm waiting for the values of {sample_id} from "
        "the laboratory / was anything abnormal in tube {sample_id} / results {sample_id} pls / the doctor wants to "
        "read what came out of the analysis of {sample_id}",
        format=", as {format}",
        result="findings=message",
        answer="The lab says: {findings}.",
    ),
    tool(
        "trace_specimen",
        "Where a laboratory sample is at the moment",
        "sample_id=code",
        "where is specimen {sample_id} / has tube {sample_id} reached the laboratory yet / trace the sample "
        "{sample_id} / specimen {sample_id} seems lost, where was it scanned last / I can't find the swab "
        "{sample_id}, is it still with the courier / location of sample {sample_id} pls / in which fridge is the vial "
        "{sample_id} / who has got the biopsy jar {sample_id} now",
        result="location=place",
        answer="It is at {location}.",
    ),
    tool(
        "interpret_lab_value",
        "Explain whether a laboratory value is normal",
        "marker=ferritin|creatinine|hemoglobin|cholesterol|TSH value=measure age?=age sex?=female|male",
        "is a {marker} of {value} normal / my {marker} is {value}, should I worry / what does {marker} {value} mean / "
        "I got {value} for {marker} on my report and don't understand it / explain {value}, marker {marker} / the "
        "paper says {marker}: {value}, is that too high or too low / with a value of {value} for {marker}, am I "
        "within the reference range / {marker} at {value}, good or bad",
        age=", at the age of {age}",
        sex=", sex {sex}",
    ),
    tool(
        "borrow_care_equipment",
        "Lend out an aid for walking or nursing at home",
        "borrower=person aid=walker|wheelchair|crutches|commode|hospital_bed lent_from=day return_by=day "
        "deliver_to?=street",
        "{borrower} would like to borrow this from {lent_from} to {return_by}: {aid} / lend {borrower} the {aid} from "
        "{lent_from}, return by {return_by} / after the fall {borrower} can hardly walk, {aid} on loan from "
        "{lent_from} until {return_by} / {aid} for {borrower}, out on {lent_from}, back by {return_by} / return by "
        "{return_by}, lent from {lent_from}, item {aid}, name {borrower} / I'm nursing {borrower} at home from "
        "{lent_from} and could use the {aid} until {return_by} / the medical supply store hands out the {aid} to "
        "{borrower} on {lent_from} and gets it back by {return_by} / rent of the {aid} starting {lent_from} and "
        "ending {return_by}, in the name of {borrower}",
        deliver_to=", deliver it to {deliver_to}",
    ),
    tool(
        "redeem_prescription",
        "Hand in a prescription at a pharmacy",
        "prescription_code=code pharmacy=company delivery?=boolean",
        "redeem prescription {prescription_code} at {pharmacy} / {pharmacy} should fill the script "
        "{prescription_code} / hand in {prescription_code} to the pharmacist at {pharmacy} / I got the e-prescription "
        "{prescription_code}, {pharmacy} can get my tablets ready / send {prescription_code} to the chemist "
        "{pharmacy} and have it dispensed / cash in {prescription_code}, pharmacy {pharmacy} / could {pharmacy} "
        "dispense what is on {prescription_code} / the pharmacy {pharmacy} is to fill {prescription_code}",
        delivery=", and bring it to my door|, and I fetch it myself",
    ),
    tool(
        "check_drug_interactions",
        "Whether medicines may be taken together",
        "medicines=[medicine] alcohol?=boolean",
        "do these get on with each other: {medicines} / is it safe to combine the drugs {medicines} / my tray of "
        "tablets has {medicines}, any clash / check for interactions: {medicines} / I swallow {medicines} every day, "
        "is that mix dangerous / {medicines}, do they interact / could there be a problem if the patient is on "
        "{medicines} at the same time / screen the list {medicines} for interactions",
        alcohol=", with a glass of wine on top|, with no alcohol at all",
    ),
    tool(
        "locate_night_pharmacy",
        "Pharmacies on emergency duty at night",
        "zip_code=zip night_of=day within_km?=kilometers",
        "which pharmacy is on duty around {zip_code} in the night of {night_of} / I need a chemist that's open at "
        "night, {night_of}, {zip_code} / night duty pharmacies {zip_code} on {night_of} / it's late, where in "
        "{zip_code} can I still get fever syrup on {night_of} after the shops are shut / {zip_code}, {night_of}: who "
        "dispenses after midnight / on {night_of} my baby may need drops at night, which pharmacist near {zip_code} "
        "opens the hatch / find the emergency chemist for {night_of}, postcode {zip_code} / where do they sell "
        "tablets overnight in {zip_code} on {night_of}",
        within_km="within {within_km}",
        result="pharmacy=company",
        answer="{pharmacy} is on duty.",
    ),
    tool(
        "suggest_generic",
        "Name a cheaper medicine with the same agent",
        "brand=word form?=tablet|syrup|spray|ointment",
        "is there a generic for {brand} / {brand} is so expensive, what's a cheaper medicine with the same agent / "
        "the pharmacy has no {brand}, what is the equivalent / what else contains the active ingredient of {brand} / "
        "name a substitute for the brand {brand} / I can't afford {brand}, suggest something with the same substance "
        "/ no-name version of the drug {brand} pls / which copy drug may replace {brand}",
        form=", in the form of {form}",
        result="generic=medicine",
        answer="{generic} has the same effect.",
    ),
    tool(
        "report_side_effect",
        "Report an unwanted effect of a medicine",
        "medicine=medicine effect=symptom severity=mild|moderate|severe started_on?=day still_taking?=boolean",
        "I get {effect} from {medicine}, it's {severity} / since I take {medicine} I have {severity} {effect} / "
        "report {effect} as a side effect of {medicine}, severity {severity} / {medicine} gave my mother {severity} "
        "{effect}, the authority should know / {severity} {effect} after swallowing {medicine} / adverse reaction: "
        "{medicine}, {effect}, {severity} / my body doesn't tolerate {medicine}, the effect is {effect}, rated "
        "{severity} / I think the {severity} {effect} comes from {medicine}, pass that on",
        started_on=", it started on {started_on}",
        still_taking=", still taking it|, no longer taking it",
    ),
    tool(
        "dispense_weekly_pillbox",
        "Have tablets sorted into a box for the week",
        "resident=person medicines=[medicine] week_from=day blister?=boolean",
        "sort {medicines} into the weekly box of {resident}, starting {week_from} / fill the pillbox for {resident} "
        "with {medicines} for the week from {week_from} / {resident} mixes up the tablets, please portion {medicines} "
        "for the week beginning {week_from} / from {week_from} on {resident} needs a sorted week of {medicines} / "
        "week of {week_from}, {resident}: box with {medicines} / could the pharmacist lay out {medicines} by day for "
        "{resident} as of {week_from} / the pill organiser of {resident} should hold {medicines} in the week of "
        "{week_from} / put {medicines} in the morning, noon and evening compartments for {resident}, week from "
        "{week_from}",
        blister=", as sealed blisters|, in the plastic box",
    ),
)
