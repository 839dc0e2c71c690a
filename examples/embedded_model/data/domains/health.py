"""Tools of health and fitness: visits, medicines, symptoms, workouts, food diaries."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "book_doctor_appointment",
        "Book a visit at a practice.",
        "specialty=doctor patient=person date=day time?=clock first_visit?=boolean",
        "{patient} needs to see the {specialty} on {date} / get {patient} in with the {specialty} on {date} / book "
        "the {specialty} for {patient} on {date} / I'd like a visit to the {specialty} on {date}, the patient is "
        "{patient} / on {date} {patient} would have time to see the {specialty}, please arrange that / make a "
        "doctor's date: {specialty}, {patient}, {date}",
        time="at {time}",
        first_visit="who has never been there|who has been there before",
        result="visit=code",
        answer="{patient} sees the {specialty}, visit {visit}.",
    ),
    tool(
        "cancel_doctor_appointment",
        "Call off a visit at a practice",
        "visit_code=code",
        "cancel the doctor's visit {visit_code} / I feel fine again, so I don't need visit {visit_code} at the "
        "doctor / please call off {visit_code}, my visit at the practice / my doctor expects me under {visit_code} "
        "but I can't come / we won't make it to the doctor, the visit is {visit_code}",
    ),
    tool(
        "check_symptoms",
        "First advice about a symptom, no diagnosis",
        "symptom=symptom since_days=several age?=age",
        "I have had {symptom} for {since_days} days / what helps against {symptom} that has lasted {since_days} "
        "days / for {since_days} days now my son has complained about {symptom} / {symptom} since {since_days} "
        "days, what should I do / should I worry about {symptom} if it goes on for {since_days} days / it's been "
        "{since_days} days and {symptom} won't go away",
        age=", age {age}",
        result="advice=rest|doctor|hospital",
        answer="The advice is: {advice}.",
    ),
    tool(
        "set_medication_reminder",
        "Remind somebody to take a medicine every day",
        "medicine=medicine time=clock dose?=handful for_person?=first_name",
        "remind me to take {medicine} every day at {time} / I must take {medicine} at {time} and keep forgetting / "
        "{medicine} at {time}, daily, don't let me forget it / every day at {time} it's time for {medicine} / ping "
        "me at {time} for the {medicine} pls / the doctor prescribed {medicine}, to be taken at {time}, set up a "
        "reminder",
        dose=", {dose} pieces at a time",
        for_person=", this is for {for_person}",
        answer="The reminder for {medicine} is set.",
    ),
    tool(
        "log_medication",
        "Record that a medicine was taken",
        "medication=medicine amount=handful taken_at=clock",
        "I took {amount} {medication} at {taken_at} / log {amount} {medication}, taken at {taken_at} / at "
        "{taken_at} I swallowed {amount} {medication} / mark as taken: {medication}, {amount} pieces, {taken_at} / "
        "{amount} of {medication} went down at {taken_at} / note that {medication} was taken at {taken_at}, "
        "{amount} of them",
    ),
    tool(
        "refill_prescription",
        "Order more of a prescribed medicine from a pharmacy",
        "medicine_name=medicine quantity=several pharmacy?=company pickup_date?=day",
        "refill my {medicine_name}, {quantity} packs / I'm running out of {medicine_name}, get me {quantity} more "
        "packs / {quantity} boxes of {medicine_name} on my prescription please / my {medicine_name} is nearly gone "
        "and I need {quantity} new packs / can the pharmacy prepare {quantity} packs of {medicine_name} / we have "
        "no {medicine_name} left, have {quantity} packs made ready",
        pharmacy="at {pharmacy}",
        pickup_date="which I collect on {pickup_date}",
        answer="{quantity} packs of {medicine_name} are on order.",
    ),
    tool(
        "check_drug_interaction",
        "Whether two medicines can be taken together",
        "drug_a=medicine drug_b=medicine",
        "can I take {drug_a} together with {drug_b} / does {drug_a} get along with {drug_b} / I already take "
        "{drug_a}, is {drug_b} safe too / {drug_a} and {drug_b} at the same time, any danger / my mother is on "
        "{drug_a} and the doctor now gave her {drug_b}, do they clash / check {drug_a} against {drug_b}",
        result="risk=none|mild|severe",
        answer="The risk is {risk}.",
    ),
    tool(
        "find_pharmacy",
        "Pharmacies in a city, also those on night duty",
        "city=city medicine?=medicine on_duty?=boolean",
        "where is a pharmacy in {city} / I need a chemist in {city} / find a pharmacy in {city} / I'm in {city} and "
        "have to buy medicine / which pharmacies are there in {city} / drugstore {city} pls",
        medicine="that stocks {medicine}",
        on_duty="open during the night|with normal hours",
    ),
    tool(
        "record_blood_pressure",
        "Store a blood pressure reading",
        "systolic=percent diastolic=age pulse?=age patient?=first_name",
        "my blood pressure is {systolic} over {diastolic} / record a blood pressure of {systolic} over {diastolic} "
        "/ the meter showed {systolic} over {diastolic}, save that / {systolic} over {diastolic} this morning, put "
        "it with my blood pressure / I measured {systolic} over {diastolic} today / blood pressure {systolic} over "
        "{diastolic} pls",
        pulse="with a pulse of {pulse}",
        patient=", measured on {patient}",
    ),
    tool(
        "log_blood_sugar",
        "Store a glucose reading",
        "value=measure unit=mmol|mg moment=fasting|breakfast|lunch|dinner|bedtime",
        "my sugar was {value} {unit} at {moment} / log glucose: {value} {unit}, {moment} / at {moment} I measured "
        "{value} {unit} of blood sugar / {moment} reading is {value} {unit} / save {value} {unit} as my blood "
        "sugar, measured at {moment} / the sensor said {value} {unit}, that was the {moment} one",
    ),
    tool(
        "track_sleep",
        "Save how long somebody slept",
        "went_to_bed=clock got_up=clock quality?=good|okay|bad",
        "I went to bed at {went_to_bed} and got up at {got_up} / I slept from {went_to_bed} until {got_up} / log my "
        "sleep, {went_to_bed} to {got_up} / I got up at {got_up} after lying down at {went_to_bed} / record a night "
        "that began at {went_to_bed} and ended at {got_up} / it was lights out {went_to_bed}, alarm {got_up}, put "
        "that in the sleep diary",
        quality=", it was {quality}",
    ),
    tool(
        "log_water_intake",
        "Add a drink to today's intake",
        "milliliters=count beverage?=water|tea|juice|coffee",
        "I drank {milliliters} ml / add {milliliters} ml to what I drank today / {milliliters} milliliters just "
        "went down / log a drink of {milliliters} ml / just had a bottle with {milliliters} ml in it / count "
        "another {milliliters} ml for my drinking goal",
        beverage=", it was {beverage}",
        answer="{milliliters} ml are added.",
    ),
    tool(
        "log_meal",
        "Record what somebody ate",
        "meal=breakfast|lunch|dinner|snack items=[dish] calories?=big",
        "I had {items} for {meal} / log {items} as my {meal} / for {meal} there was {items} / {meal} was {items} / "
        "put {items} into the food diary under {meal} / my {meal} today consisted of {items}",
        calories="with {calories} calories",
        answer="Your {meal} is recorded.",
    ),
    tool(
        "get_nutrition_facts",
        "Calories and nutrients of a food",
        "food=dish portion_g=grams nutrient?=protein|fat|sugar|fiber|salt",
        "how many calories are in {portion_g} of {food} / I need the nutrition of {portion_g} {food} / I'm about to "
        "eat {portion_g} of {food}, what does that contain / is {food} healthy, I mean a portion of {portion_g} / "
        "{food}, {portion_g}: nutritional values please / what do {portion_g} of {food} do to my diet",
        nutrient=", mostly the {nutrient}",
        result="calories=big",
        answer="That has {calories} calories.",
    ),
    tool(
        "calculate_bmi",
        "Body mass index from height and weight",
        "height_m=meters weight_kg=kilograms",
        "what is my BMI at {height_m} and {weight_kg} / I weigh {weight_kg} and I'm {height_m} tall, what's my body "
        "mass index / I want the body mass index for {weight_kg}, {height_m} / with a height of {height_m} and a "
        "weight of {weight_kg}, is that too heavy / BMI pls: {height_m}, {weight_kg} / my brother is {height_m} "
        "tall and has {weight_kg}, work out his BMI",
        result="bmi=measure",
        answer="The body mass index is {bmi}.",
    ),
    tool(
        "log_training",
        "Save strength training",
        "exercise=exercise sets=handful reps=small weight_kg?=kilograms",
        "I did {sets} sets of {reps} {exercise} / {exercise}: {sets} sets, {reps} repetitions / record {reps} "
        "{exercise} in each of {sets} sets / log {exercise} with {sets} sets of {reps} / just finished {sets} "
        "rounds of {exercise}, {reps} per round / today's training was {exercise}, {reps} repeats, done in {sets} "
        "sets",
        weight_kg="with {weight_kg}",
        answer="{exercise} is recorded.",
    ),
    tool(
        "create_training_plan",
        "Make a weekly training plan",
        "goal=strength|endurance|mobility|weight days_per_week=handful minutes_per_session=minutes "
        "level?=beginner|advanced equipment?=[thing]",
        "make me a training plan for {goal}, {days_per_week} days a week, {minutes_per_session} each / I want to "
        "work on my {goal} and can train {days_per_week} times a week for {minutes_per_session} / {days_per_week} "
        "times {minutes_per_session} a week, the goal is {goal}, write me a plan / for {goal} I have "
        "{days_per_week} days a week and {minutes_per_session} per session / what should my week look like if I "
        "train {days_per_week} days, {minutes_per_session} at a time, for {goal}",
        level=", level {level}",
        equipment="using {equipment}",
    ),
    tool(
        "join_fitness_class",
        "Sign up for a class at the gym",
        "class_name=yoga|pilates|spinning|zumba|boxing "
        "weekday=monday|tuesday|wednesday|thursday|friday|saturday|sunday start=clock member=person",
        "sign {member} up for {class_name} on {weekday} at {start} / {member} would like to join the {class_name} "
        "class that starts at {start} on {weekday} / is there a place for {member} in {class_name}, {weekday} "
        "{start} / put {member} down for {weekday}, {start}, {class_name} / {member} - {class_name} - {weekday} "
        "{start} pls / I'm {member} and I want to come to the {class_name} at {start} on {weekday}",
        result="place=small",
        answer="{member} has place {place} in {class_name}.",
    ),
    tool(
        "cancel_gym_membership",
        "End a gym membership",
        "member_number=id end_date=date reason?=message",
        "cancel my gym membership {member_number} as of {end_date} / I don't want to go to the gym after "
        "{end_date}, my number is {member_number} / end membership {member_number} on {end_date} / from {end_date} "
        "on the gym should no longer charge me, member {member_number} / the member {member_number} leaves the gym "
        "on {end_date}",
        reason="because: {reason}",
    ),
    tool(
        "get_step_count",
        "Steps walked on a day",
        "date=day wearer?=first_name",
        "how many steps did I walk on {date} / my steps on {date} / did I move enough on {date} / show the step "
        "counter for {date} / tell me how much I walked on {date} / on {date} I was on my feet a lot, what did the "
        "pedometer say",
        wearer=", for {wearer}",
        result="steps=count",
        answer="It was {steps} steps on {date}.",
    ),
    tool(
        "set_step_goal",
        "Set how many steps to walk a day",
        "steps=big",
        "I want to walk {steps} steps a day / set my step goal to {steps} / {steps} steps daily is my new target / "
        "change the number of steps to reach to {steps} / from now on I should do {steps} steps every day / make "
        "the pedometer cheer when I hit {steps}",
        answer="Your goal is {steps} steps.",
    ),
    tool(
        "start_run",
        "Start recording a run with GPS",
        "goal_km?=kilometers audio_cues?=boolean playlist?=work",
        "start a run / I'm going running now, record it / track my jog / off for a run, turn on the GPS / begin "
        "recording, I'm about to run / let's go running",
        goal_km="with a goal of {goal_km}",
        audio_cues="with spoken cues|without spoken cues",
        playlist="to the playlist {playlist}",
    ),
    tool(
        "log_mood",
        "Write how somebody feels into a diary",
        "mood=mood intensity=five note?=message",
        "I feel {mood} today, {intensity} out of 5 / mood: {mood}, strength {intensity} pls / put down that I am "
        "{mood}, at a level of {intensity} / on a scale of one to 5 it is a {intensity} and the feeling is {mood} / "
        "today I've been {mood}, about {intensity} of 5 / write {mood} into the mood diary with intensity "
        "{intensity}",
        note=", note: {note}",
    ),
    tool(
        "start_meditation",
        "Play a guided meditation",
        "minutes=minutes theme?=sleep|focus|stress|gratitude voice?=female|male",
        "meditate with me for {minutes} / I need {minutes} of quiet to calm down / start a meditation of {minutes} "
        "/ give me {minutes} of mindfulness / my head is full, I'd like to breathe for {minutes} / {minutes} guided "
        "meditation pls",
        theme="for {theme}",
        voice="with a {voice} voice",
    ),
    tool(
        "add_allergy",
        "Add an allergy to a person's health record",
        "person=person allergen=allergen severity?=mild|moderate|severe",
        "{person} is allergic to {allergen} / add {allergen} to the allergies of {person} / note that {person} "
        "can't stand {allergen}, it's an allergy / {allergen} makes {person} ill, put it in the health record / the "
        "patient {person}, who reacts to {allergen}, needs that in the file / an allergy of {person}: {allergen}",
        severity="and the reaction is {severity}",
        answer="The allergy to {allergen} is in the record.",
    ),
    tool(
        "request_sick_note",
        "Ask the practice for a sick note",
        "patient_name=person from_date=day until_date=day symptom=symptom",
        "{patient_name} has {symptom} and needs a sick note from {from_date} to {until_date} / I need a sick note "
        "for {patient_name}, {from_date} until {until_date}, because of {symptom} / I'm {patient_name}, I have "
        "{symptom} and can't work from {from_date} until {until_date} / from {from_date} to {until_date} "
        "{patient_name} stays at home with {symptom}, ask for the certificate / get the doctor to certify that "
        "{patient_name} was ill with {symptom} between {from_date} and {until_date}",
    ),
    tool(
        "find_therapist",
        "Look for a therapist who takes new patients",
        "language=language issue=mood online?=boolean max_wait_weeks?=several",
        "find a therapist who speaks {language}, I often feel {issue} / I've been {issue} for months and want to "
        "talk to a professional in {language} / who treats people that are {issue} and speaks {language} / my "
        "friend is {issue} and needs a psychologist with {language} / a {language} speaking therapist please, the "
        "trouble is being {issue}",
        online=", by video|, in person",
        max_wait_weeks="within {max_wait_weeks} weeks",
    ),
    tool(
        "get_vaccination_schedule",
        "Which vaccinations are due at an age",
        "age_years=age country?=country",
        "which shots should somebody of {age_years} get / I need the vaccinations due at age {age_years} / my "
        "father is {age_years}, what does he have to be vaccinated against / I turned {age_years}, which vaccines "
        "are recommended / what jabs does one need with {age_years} years / list the vaccines for a person who is "
        "{age_years}",
        country="in {country}",
    ),
    tool(
        "donate_blood",
        "Register for a blood donation",
        "donor=person blood_type=A|B|AB|O city=city date=date",
        "{donor} wants to give blood in {city} on {date}, type {blood_type} / register {donor} with blood type "
        "{blood_type} for the donation in {city} on {date} / a blood donation on {date}, {city}: {donor}, group "
        "{blood_type} / I have blood type {blood_type}, my name is {donor}, and on {date} I can donate in {city} / "
        "in {city} there's a blood drive on {date} and {donor}, who is type {blood_type}, would like to take part",
    ),
)
