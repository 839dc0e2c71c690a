"""Science, health and school tools."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "get_element",
        "Properties of a chemical element",
        "element=hydrogen|oxygen|carbon|iron|gold|helium property=mass|density|melting_point|boiling_point",
        "what is the {property} of {element} / give me the {property} of {element} / {element}: {property} / I need to "
        "know the {property} that {element} has / look up {element} and tell me its {property}",
        result="value=measure",
        answer="The {property} of {element} is {value}.",
    ),
    tool(
        "run_statistics_test",
        "Compare two samples statistically",
        "test=t_test|anova|chi_square|wilcoxon file=file columns=[word] alpha_percent?=percentage",
        "run the {test} on {columns} of {file} / do {columns} in {file} differ, use the {test} / apply {test} to the "
        "columns {columns} in {file} / {file} holds {columns}, test them with {test} / with a {test}, compare "
        "{columns} from {file}",
        alpha_percent="at a level of {alpha_percent}",
    ),
    tool(
        "log_experiment",
        "Write an entry into the lab notebook",
        "experiment=code temperature_c=degrees yield_percent=percentage chemist?=person",
        "the experiment {experiment} gave {yield_percent} at {temperature_c} / at {temperature_c} we got a yield of "
        "{yield_percent} in {experiment} / new lab note: {experiment}, {temperature_c}, yield {yield_percent} / write "
        "down that {experiment} ran at {temperature_c} and yielded {yield_percent} / the yield of {experiment} was "
        "{yield_percent} at {temperature_c}",
        chemist=", done by {chemist}",
    ),
    tool(
        "book_lab_equipment",
        "Reserve an instrument",
        "instrument=microscope|centrifuge|spectrometer|laser date=day slot=slot project?=title",
        "I need the {instrument} on {date}, {slot} / reserve the {instrument} from {slot} on {date} / on {date} from "
        "{slot} we work at the {instrument} / keep the {instrument} free for me on {date}, {slot} / put me down for "
        "the {instrument}: {date}, {slot}",
        project='for the project "{project}"',
    ),
    tool(
        "find_star",
        "Where a celestial object stands in the sky",
        "object_name=word latitude=latitude time=clock date?=day",
        "where in the sky is {object_name} at {time} seen from latitude {latitude} / I am at latitude {latitude}, "
        "where do I look for {object_name} at {time} / at {time}, how high does {object_name} stand at latitude "
        "{latitude} / point my telescope to {object_name} at {time}, latitude {latitude} / find the star {object_name} "
        "for {latitude} at {time}",
        date="on {date}",
    ),
    tool(
        "earthquakes_near",
        "Lists earthquakes around a place",
        "place=city min_magnitude?=five radius_km?=kilometers since?=day",
        "were there earthquakes near {place} / did the earth shake around {place} / list the quakes close to {place} / "
        "show seismic activity at {place} / I felt something in {place}, was it a quake",
        min_magnitude="of magnitude {min_magnitude} or more",
        radius_km="within {radius_km}",
        since="since {since}",
    ),
    tool(
        "get_air_quality",
        "Air quality of a place",
        "city=city pollutant?=ozone|pm10|pm25|no2",
        "how clean is the air in {city} / what is the air quality in {city} / can I go running in {city} or is the air "
        "bad / is there smog in {city} / how bad is the air pollution in {city}",
        pollutant=", above all {pollutant}",
        result="index=percent",
        answer="The air quality index of {city} is {index}.",
    ),
    tool(
        "request_prescription",
        "Ask a doctor's office for a prescription",
        "patient=person medicine=word doctor?=last_name dose_mg?=count",
        "{patient} needs a new prescription for {medicine} / request {medicine} for {patient} / {patient} has run out "
        "of {medicine}, ask for a prescription / get {patient} a refill of {medicine} / the patient {patient} takes "
        "{medicine} and wants more of it",
        doctor="from doctor {doctor}",
        dose_mg="at {dose_mg} mg",
    ),
    tool(
        "record_vital_signs",
        "Record blood pressure, pulse and temperature of a patient",
        "patient_id=code systolic=percent diastolic=percent pulse?=percent",
        "the blood pressure of {patient_id}: {systolic} over {diastolic} / {patient_id} has {systolic}/{diastolic} / "
        "we measured {systolic} over {diastolic} at patient {patient_id} / enter {systolic} over {diastolic} for "
        "{patient_id} / the patient {patient_id} shows a pressure of {systolic} to {diastolic}",
        pulse=", pulse {pulse}",
    ),
    tool(
        "check_drug_interaction",
        "See whether medicines go together",
        "drugs=[word] age?=age",
        "may {drugs} be taken together / do {drugs} interact / is it safe to combine {drugs} / I take {drugs}, is that "
        "a problem / check {drugs} for interactions",
        age="at the age of {age}",
    ),
    tool(
        "admit_patient",
        "Admit a patient to a ward",
        "patient=person ward=surgery|pediatrics|cardiology|maternity age=age insurance?=company",
        "{patient}, {age}, comes to {ward} / admit {patient}, aged {age}, to the {ward} ward / a patient of {age} "
        "years, {patient}, is taken in at {ward} / the {ward} ward gets {patient}, age {age} / we have {patient}, who "
        "is {age}, for {ward}",
        insurance=", insured with {insurance}",
    ),
    tool(
        "enroll_student",
        "Enroll a student in a course",
        "student=person course=topic semester?=spring|summer|autumn|winter",
        'enroll {student} in "{course}" / {student} wants to take "{course}" / put {student} on the list for '
        '"{course}" / the course "{course}" has a new student, {student} / {student} signs up for "{course}"',
        semester="in the {semester} semester",
        answer="{student} is enrolled.",
    ),
    tool(
        "submit_grade",
        "Enter a grade",
        "student=person exam=title grade=A|B|C|D|F",
        '{student} got {grade} in "{exam}" / give {student} the grade {grade} for "{exam}" / the exam "{exam}" by '
        '{student} is worth {grade} / for "{exam}", {student} earns {grade} / enter {grade} as the mark of {student} '
        'in "{exam}"',
    ),
    tool(
        "set_homework",
        "Gives homework to a class",
        "class_name=code subject=topic due=day pages?=[small]",
        'the class {class_name} has to do "{subject}" by {due} / homework for {class_name}: "{subject}", due {due} / '
        'by {due}, {class_name} should prepare "{subject}" / set "{subject}" as homework for {class_name} until {due} '
        '/ my class {class_name} shall learn "{subject}" until {due}',
        pages=", pages {pages}",
    ),
)
