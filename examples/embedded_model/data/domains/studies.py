"""Tools for seminars, theses, fees, apprentices, buses, canteens and races."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "swap_seminar_group",
        "Change from one group of a seminar to another",
        "module=code current_group=small desired_group=small",
        "swap my seminar group in {module} from {current_group} to {desired_group} / I'm in number {current_group} of "
        "{module} and would rather sit in number {desired_group} / {module}: out of {current_group}, into "
        "{desired_group} / group {desired_group} suits me better than group {current_group} in {module}, can I change "
        "/ my job clashes with {module}, number {current_group}, so move me over to {desired_group} / seminar "
        "{module}, from group {current_group} to {desired_group} pls / is there room in number {desired_group} of "
        "{module}, I'd give up my place in {current_group} / current group {current_group}, desired group "
        "{desired_group}, module {module}",
    ),
    tool(
        "order_transcript",
        "Order a record of all marks of a student",
        "student_id=id copies=handful format=paper|pdf language?=language certified?=boolean",
        "order {copies} {format} transcripts for student {student_id} / student {student_id} needs {copies} copies of "
        "the list of marks, format {format} / I need a record of my marks for an employer, student id {student_id}, "
        "{copies} as {format} / {copies} times the full overview of grades for {student_id}, in {format} / "
        "transcript, {format}, {copies} copies, student {student_id} / the university abroad asks for my study "
        "record, I'm {student_id}, make it {copies} in {format} / {format} format, {copies} copies: everything "
        "student {student_id} has passed so far / could the registrar send out the marks of {student_id}, {copies} "
        "copies, {format}",
        language=", in {language}",
        certified=", certified|, not certified",
    ),
    tool(
        "submit_thesis",
        "Hand in a thesis",
        "author=person title=work file=file supervisor?=last_name keywords?=[word]",
        'submit the thesis "{title}" by {author}, file {file} / {author} hands in "{title}", the file is {file} / '
        "it's done, {file} is the final version of \"{title}\" and I'm {author}, hand it in / {file} goes to the "
        'examiners: "{title}" by {author} / thesis {file}, title "{title}", author {author} / my dissertation is '
        'called "{title}", take {file}, my name is {author} / the deadline is tonight, send the examination office '
        '{file} by {author}, titled "{title}" / {author} has finished writing "{title}", upload {file} as the work to '
        "be graded",
        supervisor=", supervised by {supervisor}",
        keywords=", keywords {keywords}",
        result="receipt=code",
        answer="The receipt is {receipt}.",
    ),
    tool(
        "extend_thesis_deadline",
        "Give an author more time to hand in a thesis",
        "author=person new_deadline=day grounds=illness|childcare|lab_failure|job",
        "extend the thesis deadline of {author} to {new_deadline}, grounds: {grounds} / {author} can't finish writing "
        "on time because of {grounds} and asks for {new_deadline} / {author} gets until {new_deadline} for the "
        "dissertation, {grounds} / more time for {author}, who must now hand in the thesis by {new_deadline}, on "
        "grounds of {grounds} / {grounds} kept {author} from writing, let the final version come in by {new_deadline} "
        "/ thesis of {author}: new deadline {new_deadline}, {grounds} / with {grounds} to cope with, {author} needs "
        "till {new_deadline} to hand in / {new_deadline} is when {author} will have the master's paper ready, it's "
        "late because of {grounds}",
    ),
    tool(
        "pause_studies",
        "Let a student take a leave from university",
        "student=person terms=handful reason=illness|parenthood|internship|military keep_dorm?=boolean",
        "pause the studies of {student} for {terms} terms, reason {reason} / {student} takes {terms} terms off from "
        "uni for {reason} / leave of absence for {student}: {terms} terms, {reason} / because of {reason}, {student} "
        "won't be at university for {terms} terms / {student} needs a break of {terms} terms from the degree, it's "
        "{reason} / I'm {student}, {reason} is coming up, so freeze my enrolment, {terms} terms / {reason}: interrupt "
        "the course of study of {student}, number of terms {terms} / for {terms} terms {student} steps out of the "
        "programme, the reason is {reason}",
        keep_dorm=", keeping the dorm room|, giving up the dorm room",
    ),
    tool(
        "resume_studies",
        "Let a student come back to university after a leave",
        "student=person from=day",
        "{student} resumes the studies from {from} / {student} is back at uni after the leave, from {from} / the "
        "break is over, {student} goes on with the degree from {from} / end the leave of absence of {student} as of "
        "{from} / from {from} on {student} attends lectures again / unfreeze the enrolment of {student}, starting "
        "{from} / I'm {student}, I've recovered and want to return to my course from {from} / resume: {student}, "
        "studies, from {from}",
    ),
    tool(
        "pay_tuition",
        "Pay the fees of a term",
        "student_id=id amount=price term=winter|summer instalments?=several",
        "pay {amount} euros of tuition for student {student_id}, {term} term / the {term} fees of student "
        "{student_id} are {amount}, settle them / transfer {amount} to the university for {student_id}, it's for the "
        "{term} / {term} term, student {student_id}, {amount} euros in fees / I'm {student_id} and owe the bursar "
        "{amount} for {term}, please take care of it / tuition {term}: {amount}, id {student_id} / before they throw "
        "student {student_id} out, cover the {amount} due for the {term} / send {amount} to cover the {term} fees, "
        "student id {student_id}",
        instalments=", in {instalments} instalments",
        answer="The fees for the {term} are paid.",
    ),
    tool(
        "find_scholarships",
        "Search for grants that pay for studies",
        "field=subject nationality=country min_per_month?=price levels?=[bachelor|master|doctorate]",
        "find scholarships in {field} for students from {nationality} / who pays for studying {field} if I come from "
        "{nationality} / I can't afford to study {field}, are there grants, nationality {nationality} / a passport "
        "from {nationality} and a place in {field}: which foundations would support me / {field} scholarships, "
        "{nationality}, pls / list bursaries for {field} open to people from {nationality} / is there any money for a "
        "student of {field} who was born in {nationality} / stipends, nationality {nationality}, field {field}",
        min_per_month=", at least {min_per_month} a month",
        levels=", level {levels}",
    ),
    tool(
        "nominate_for_scholarship",
        "Suggest a student for a scholarship",
        "nominee=person scholarship=work nominated_by=last_name motivation?=excellence|hardship|volunteering",
        "nominate {nominee} for the {scholarship} scholarship, by {nominated_by} / {nominated_by} suggests {nominee} "
        "for the grant called {scholarship} / for the {scholarship} stipend put forward {nominee}, proposed by "
        "{nominated_by} / {nominee} deserves the {scholarship} award, says Professor {nominated_by}, enter the name / "
        "Dr {nominated_by} proposes a student for {scholarship}: {nominee} / {scholarship} scholarship, nominee "
        "{nominee}, nominated by {nominated_by} / I'm {nominated_by} and would like {nominee} to be considered for "
        "the bursary {scholarship} / recommend {nominee} to the committee of {scholarship}, my name's {nominated_by}",
        motivation=", the motivation is {motivation}",
    ),
    tool(
        "advertise_apprenticeship",
        "Publish an offer to train young people in a trade",
        "employer=company trade=job city=city positions=handful shortened?=boolean",
        "advertise an apprenticeship as a {trade} at {employer} in {city}, {positions} positions / {employer} wants "
        "to train {positions} young people in {city} to become a {trade} / {employer} in {city} is looking for "
        "{positions} trainees, trade {trade} / publish the offer of {employer}: learn to be a {trade} in {city}, "
        "{positions} places / we at {employer} have {positions} open training places in {city}, the trade is {trade}, "
        "let school leavers know / {trade}, {city}, {employer}, {positions} positions for apprentices / put out an "
        "ad, {positions} school leavers can start as a {trade} with {employer} in {city} / in {city} {employer} will "
        "take on {positions} learners for the trade of {trade}, spread the word",
        shortened=", training can be shortened|, training can't be shortened",
    ),
    tool(
        "log_apprentice_hours",
        "Write down how long an apprentice worked",
        "apprentice=person hours=hours department=workshop|sales|accounts|warehouse date=day tasks?=[chore]",
        "log {hours} for {apprentice} in the {department} on {date} / {apprentice} worked {hours} in the {department} "
        "on {date} / on {date} our trainee {apprentice} spent {hours} in the {department} / report book: "
        "{apprentice}, {date}, {department}, {hours} / {hours} of training in the {department} for {apprentice}, "
        "{date} / I'm {apprentice}, I was in the {department} on {date} and put in {hours} / enter in the training "
        "record that {apprentice} did {hours} on {date}, department {department} / apprentice {apprentice}, {hours}, "
        "{department}, {date}",
        tasks=", tasks: {tasks}",
    ),
    tool(
        "end_apprenticeship",
        "Close the training contract of an apprentice",
        "apprentice=person last_day=day cause=passed|quit|dismissed reference_letter=boolean",
        "end the apprenticeship of {apprentice}, last day {last_day}, cause {cause} / {apprentice} stops training "
        "with us, the last day is {last_day}, {cause} / {last_day} will be the last day of our trainee {apprentice}, "
        "cause: {cause} / close the contract of {apprentice} as of {last_day}, put down {cause} / our apprentice "
        "{apprentice} is leaving: {cause}, {last_day} / {cause}: the training of {apprentice} is over, last day "
        "{last_day} / after {last_day} {apprentice} is no longer learning at our firm, mark it as {cause} / "
        "apprenticeship {apprentice}, until {last_day}, {cause}",
        reference_letter=", with a reference letter|, without a reference letter",
    ),
    tool(
        "book_tutoring_session",
        "Arrange a private lesson with a tutor",
        "tutee=first_name tutor=last_name subject=subject date=day start_time=clock online?=boolean",
        "book a tutoring session for {tutee} with {tutor}: {subject}, {date}, {start_time} / {tutee} needs a private "
        "lesson in {subject} from {tutor} on {date} at {start_time} / on {date} at {start_time} {tutor} will go "
        "through {subject} with {tutee} / {tutee} is failing {subject}, have {tutor} coach the child on {date} from "
        "{start_time} / extra {subject} for {tutee}, tutor {tutor}, {date}, {start_time} / could {tutor} help {tutee} "
        "with {subject}, {date}, {start_time} / ask the tutor {tutor} to take {tutee} for {subject}, starting "
        "{start_time} on {date} / session with tutor {tutor}, tutee {tutee}, {subject}, {start_time}, {date}",
        online=", online|, face to face",
    ),
    tool(
        "cancel_tutoring_session",
        "Call off a private lesson with a tutor",
        "tutee=first_name tutor=last_name date=day",
        "cancel the tutoring session of {tutee} with {tutor} on {date} / {tutee} can't make the private lesson with "
        "{tutor} on {date} / call off {tutor} for {date}, {tutee} has a fever / no extra lesson on {date}, tell "
        "{tutor} that {tutee} won't come / {tutor} was to coach {tutee} on {date}, that falls through / tutee "
        "{tutee}, tutor {tutor}, {date}: cancel / the lesson {tutee} has with the tutor {tutor} on {date} isn't "
        "needed any more / please let {tutor} know the {date} tutoring for {tutee} is off",
    ),
    tool(
        "add_bus_stop",
        "Let a school bus stop at one more place",
        "route=code stop=street pickup_time=clock before_stop?=street",
        "add a stop at {stop} to bus route {route}, pickup at {pickup_time} / school bus {route} should also stop at "
        "{stop}, {pickup_time} / there are children waiting at {stop}, have route {route} pick them up at "
        "{pickup_time} / new stop on {route}: {stop}, {pickup_time} / route {route} gets one more halt, {stop}, "
        "pickup time {pickup_time} / we moved to {stop}, could the school's route {route} collect us there at "
        "{pickup_time} / at {pickup_time} the driver of {route} is to pull in at {stop} from now on / include {stop} "
        "in route {route}, kids board at {pickup_time}",
        before_stop=", before the stop at {before_stop}",
    ),
    tool(
        "remove_bus_stop",
        "Let a school bus no longer stop at a place",
        "route=code stop=street",
        "remove the stop at {stop} from bus route {route} / school bus {route} doesn't need to call at {stop} any "
        "more / nobody gets on at {stop}, so route {route} can skip it for good / strike {stop} off route {route} / "
        "route {route} drives past {stop} from now on without halting / the road works make {stop} unsafe, take it "
        "out of {route} / {route}: no more pickup at {stop} / delete {stop} as a stop, bus route {route}",
    ),
    tool(
        "locate_school_bus",
        "Where a school bus is at the moment",
        "bus_number=small",
        "where is school bus {bus_number} / locate bus {bus_number} of the school / my kids are waiting at the stop, "
        "how far away is number {bus_number} / is {bus_number} stuck somewhere, my daughter's riding home in it / "
        "position of school bus {bus_number} pls / has number {bus_number} left the school gate yet / I can't see the "
        "yellow {bus_number} coming, where's it got to / track number {bus_number}, the children should be home by now",
        result="street=street",
        answer="Bus {bus_number} is at {street}.",
    ),
    tool(
        "top_up_lunch_card",
        "Put money on a pupil's card for the canteen",
        "pupil=person sum=money auto_reload?=boolean",
        "top up the lunch card of {pupil} with {sum} / put {sum} on the canteen card of {pupil} / {pupil} can't buy a "
        "school meal any more, load {sum} / {sum} for {pupil} to spend in the canteen / load {sum} so that {pupil} "
        "gets something to eat at school / {pupil} stood at the till with an empty card, add {sum} / lunch card "
        "{pupil}: {sum} / pay in {sum} for the school dinners of {pupil}",
        auto_reload=", and reload it by itself when it's empty|, just this once",
    ),
    tool(
        "check_lunch_balance",
        "How much money is left on a pupil's canteen card",
        "pupil=person",
        "how much is left on the lunch card of {pupil} / check the lunch balance of {pupil} / can {pupil} still pay "
        "in the canteen / has {pupil} got enough for school dinners this week / canteen card {pupil}, what's on it / "
        "{pupil} says the card's empty, is that so / what's the balance for school meals of {pupil} / money left for "
        "meals, {pupil}, pls",
        result="balance=price",
        answer="There is {balance} left for {pupil}.",
    ),
    tool(
        "show_canteen_menu",
        "What the school kitchen cooks",
        "weekday?=weekday without_allergens?=[allergen] diet?=vegetarian|vegan|halal",
        "show the canteen menu / what's for lunch at school / what is the school kitchen cooking / which dishes can "
        "the pupils choose from / is there anything nice in the canteen / menu of the school kitchen pls / what are "
        "they serving in the dining hall / my kids want to know what they'll get to eat at school",
        weekday=", on {weekday}",
        without_allergens=", without {without_allergens}",
        diet=", {diet} only",
        result="dish=dish",
        answer="There is {dish}.",
    ),
    tool(
        "enter_race",
        "Sign a pupil up for an event of the sports day",
        "athlete=person event=sprint|relay|hurdles|sack_race|long_jump age_group=small",
        "enter {athlete} for the {event}, age group {age_group} / {athlete} wants to take part in the {event} on "
        "sports day, age group {age_group} / put {athlete} on the start list of the {event}, under {age_group} / "
        "sports day: {athlete}, {event}, age group {age_group} / {event}, group of the {age_group} year olds, here "
        "comes {athlete}, sign up / I'm {athlete}, I'm in age group {age_group} and I'd like to do the {event} / the "
        "{event} for age group {age_group} is one short, let {athlete} compete / sign up {athlete}, age group "
        "{age_group}, to compete in the {event}",
    ),
    tool(
        "scratch_from_race",
        "Take a pupil out of an event of the sports day",
        "athlete=person event=sprint|relay|hurdles|sack_race|long_jump injured=boolean",
        "scratch {athlete} from the {event} / {athlete} won't be starting in the {event} on sports day / strike "
        "{athlete} off the start list of the {event} / the {event} goes ahead without {athlete} / {athlete} drops out "
        "of the {event} / {event} at the sports day, {athlete} isn't competing after all, take the name out / no "
        "{event} for {athlete}, parents said no / pull {athlete} out of the {event}, pls",
        injured=", because of an injury|, but not because of an injury",
    ),
    tool(
        "record_race_time",
        "Write down how fast a pupil ran on sports day",
        "runner=person event=sprint|relay|hurdles|sack_race seconds=seconds wind_assisted=boolean",
        "record {seconds} for {runner} in the {event} / {runner} ran the {event} in {seconds} / the stopwatch says "
        "{seconds}, {event}, {runner} / in the {event} {runner} crossed the line after {seconds} / {event}: {runner}, "
        "{seconds} / it took {runner} {seconds} to finish the {event}, note it / official time of {runner} in the "
        "{event} is {seconds} / {seconds} was what {runner} needed for the {event} on sports day, enter that in the "
        "results",
        wind_assisted=", with a tailwind|, without a tailwind",
    ),
    tool(
        "show_sports_day_standings",
        "Which house is ahead on sports day",
        "",
        "show the sports day standings / which house is ahead / who's winning the sports day / what's the score "
        "between the houses after today's races / standings pls, sports day / which house is going to take the "
        "athletics cup home / are we still in the lead over the other houses in the races / how do the houses rank "
        "after the relays and the jumping",
    ),
)
