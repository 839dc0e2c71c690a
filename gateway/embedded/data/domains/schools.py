"""Tools of schools, universities and training: lessons, exams, fees, school buses, canteens and sports days."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "give_detention",
        "Keep a pupil in after school as a punishment",
        "pupil=person date=day reason=talking|fighting|phone|vandalism minutes?=minutes",
        "give {pupil} detention on {date} for {reason} / {pupil} has to stay behind after lessons on {date}, reason "
        "{reason} / keep {pupil} in on {date}, it was {reason} again / I've had enough: {reason} in my class, so "
        "{pupil} sits here after school on {date} / detention {date}, {pupil}, {reason}, pls / can you put {pupil} "
        "down for staying late on {date} because of {reason} / as a punishment for {reason}, {pupil} won't go home "
        "with the others on {date} / on {date} I want {pupil} to serve a detention, the reason is {reason}",
        minutes=", for {minutes}",
        answer="{pupil} stays behind on {date}.",
    ),
    tool(
        "waive_detention",
        "Let a pupil off a punishment after school",
        "pupil=person date=day",
        "let {pupil} off the detention on {date} / {pupil} doesn't need to stay behind after school on {date} after "
        "all / please drop the punishment that {pupil} was given for {date} / it wasn't {pupil} who broke the window, "
        "so no sitting in on {date} / strike the detention of {pupil}, {date} / waive it for {pupil}: the detention "
        "on {date} / could {pupil} be forgiven and go home with the others on {date} rather than being kept in / on "
        "{date} {pupil} was to be kept in, I've changed my mind, call it off",
    ),
    tool(
        "issue_hall_pass",
        "Allow a pupil to leave the lesson for a while",
        "pupil=first_name destination=toilet|nurse|office|library valid_for=minutes",
        "issue a hall pass to {pupil}, destination {destination}, valid for {valid_for} / {pupil} may leave the "
        "lesson for {valid_for} and go to the {destination} / let {pupil} out to the {destination}, back in "
        "{valid_for} / {pupil} asks to go to the {destination}, {valid_for} is fine with me / a pass for {valid_for}, "
        "please: {pupil}, {destination} / I'm sending {pupil} out of class to the {destination}, that should take "
        "{valid_for} / hall pass {pupil}, {destination}, {valid_for} / for the next {valid_for} {pupil} is excused "
        "from my room to visit the {destination}",
    ),
    tool(
        "award_house_points",
        "Add points to the score of a school house",
        "house=word points=small",
        "award {points} points to house {house} / {house} has earned {points} more, put them on the score / well "
        "done, {points} extra for the {house} house / {house} house goes up by {points} / give {house} {points} house "
        "points for that lovely assembly / plus {points} for {house}, pls / someone from {house} helped tidy up the "
        "changing rooms, so raise their total by {points} / can the house called {house} get {points} points on top",
    ),
    tool(
        "deduct_house_points",
        "Take points away from a school house",
        "house=word points=small",
        "deduct {points} points from house {house} / {house} loses {points} for running in the corridor / minus "
        "{points} for {house}, pls / take {points} off the score of {house} / {house} house goes down by {points} / "
        "that food fight costs the {house} house {points} points / someone from {house} was rude to the caretaker, so "
        "lower their total by {points} / strip {house} of {points} house points",
    ),
    tool(
        "mark_pupil_late",
        "Note that a pupil came late to a lesson",
        "pupil=person minutes_late=minutes lesson=subject has_note?=boolean",
        "mark {pupil} as {minutes_late} late for {lesson} / {pupil} walked into {lesson} {minutes_late} after the "
        "bell / {lesson}: {pupil} came {minutes_late} late / {pupil} turned up for {lesson} with a delay of "
        "{minutes_late} / the register for {lesson} should say that {pupil} wasn't on time, it was {minutes_late} / "
        "we'd been doing {lesson} for {minutes_late} when {pupil} finally showed up, write that down / late again, "
        "{pupil}, {minutes_late}, {lesson} / {pupil} missed the first {minutes_late} of {lesson}, overslept",
        has_note=", with a note from home|, without a note from home",
    ),
    tool(
        "count_unexcused_absences",
        "How often a pupil was missing without an excuse",
        "pupil=person since?=day",
        "how many times was {pupil} missing without an excuse / count the unexcused absences of {pupil} / how often "
        "has {pupil} been skipping school / {pupil} plays truant a lot, how many days is it now / number of unexcused "
        "days, {pupil} / I'm meeting the parents of {pupil} and need to know how often there was no sick note / has "
        "{pupil} been bunking off, and how many times / total of unexcused absences for {pupil}, pls",
        since=", counted since {since}",
        result="absences=small",
        answer="{pupil} was missing {absences} times.",
    ),
    tool(
        "confiscate_item",
        "Take a thing away from a pupil for some time",
        "item=thing owner=first_name return_on?=day storage?=safe|desk|office",
        "confiscate the {item} of {owner} / I took the {item} away from {owner}, log it / {owner} was playing with "
        "the {item} under the desk, so it's mine for now / put down that the {item} was taken off {owner} in class / "
        "no {item} in my lessons, {owner} has had to give it up / {owner} has lost the right to the {item}, we're "
        "keeping it / confiscated: {item}, owner {owner} / seize the {item} that {owner} keeps showing around",
        return_on=", to be returned on {return_on}",
        storage=", stored in the {storage}",
    ),
    tool(
        "hand_back_item",
        "Return a confiscated thing to its owner",
        "item=thing owner=first_name",
        "hand the {item} back to {owner} / {owner} can have the {item} again / return the confiscated {item} to "
        "{owner} / {owner} has behaved, so no need to keep the {item} any longer / {item} goes back to its owner, "
        "{owner} / release the {item} we took from {owner} / it's Friday, {owner} may come and get the confiscated "
        "{item} / the {item} isn't with us anymore, I've just given it to {owner} again",
    ),
    tool(
        "reschedule_school_bell",
        "Change when the school bell rings",
        "bell=start|break|lunch|end ring_at=clock weekday?=weekday",
        "reschedule the {bell} bell to {ring_at} / the {bell} bell should ring at {ring_at} / make it ring at "
        "{ring_at} for the {bell} / from now on the {bell} is rung at {ring_at} / {bell} bell: {ring_at} / at "
        "{ring_at} I want the chime for {bell} to sound / the gong for {bell} is at the wrong time, {ring_at} would "
        "be right / could the ringing for {bell} be shifted to {ring_at}",
        weekday=", on a {weekday}",
    ),
    tool(
        "register_for_exam",
        "Sign a student up for an exam",
        "student_number=id exam_code=code",
        "register student number {student_number} for exam {exam_code} / sign {student_number} up for the exam with "
        "the code {exam_code} / my student number is {student_number} and I'd like to sit {exam_code} / put "
        "{student_number} on the list of candidates for {exam_code} / {exam_code} is the paper I want to take, I'm "
        "student {student_number} / exam {exam_code}, student {student_number}, sign up pls / I haven't got a seat in "
        "the {exam_code} test yet, get me in, student number {student_number} / student {student_number} wants to "
        "write the final with code {exam_code}",
    ),
    tool(
        "deregister_from_exam",
        "Take a student off the list for an exam",
        "student_number=id exam_code=code medical_certificate=boolean",
        "deregister student number {student_number} from exam {exam_code} / take {student_number} off the list for "
        "{exam_code} / I won't sit {exam_code} after all, my student number is {student_number} / I'm not ready for "
        "the exam {exam_code}, please strike student {student_number} / {exam_code} without me, student "
        "{student_number} / student {student_number} wants out of the test with code {exam_code} / exam {exam_code}: "
        "remove the candidate with student number {student_number} / the student {student_number} is signed up for "
        "{exam_code} and has to be signed off again",
        medical_certificate=", with a medical certificate|, without a medical certificate",
    ),
    tool(
        "postpone_exam",
        "Move an exam to a later date",
        "subject=subject old_date=day new_date=day",
        "postpone the {subject} exam from {old_date} to {new_date} / the {subject} test won't be on {old_date}, it "
        "will be on {new_date} / put off {subject}, old date {old_date}, new date {new_date} / {new_date} is the new "
        "date for the {subject} paper that was set for {old_date} / we can't write {subject} on {old_date}, push it "
        "back to {new_date} / {subject} finals: {new_date} rather than {old_date} / my class gets more time to "
        "revise, the {subject} exam of {old_date} moves to {new_date} / exam {subject}, not {old_date}, but {new_date}",
    ),
    tool(
        "fetch_exam_results",
        "Look up how a candidate did in an exam session",
        "candidate_number=code session=spring|summer|autumn",
        "fetch the {session} exam results for candidate number {candidate_number} / did I pass, my candidate number "
        "is {candidate_number}, {session} session / how did candidate {candidate_number} do in the {session} / "
        "{session} session, candidate {candidate_number}: which marks / I sat my papers in {session} and can't wait "
        "any longer, I'm candidate {candidate_number} / results {candidate_number}, {session}, pls / are the "
        "{session} results out for {candidate_number} / what has {candidate_number} scored in the session of {session}",
        result="mark=percent",
        answer="Candidate {candidate_number} has {mark} percent.",
    ),
    tool(
        "appeal_mark",
        "Ask for a paper to be marked again",
        "student=person paper=subject current_mark=percent expected_mark=percent justification?=message",
        "{student} appeals the mark in {paper}: now {current_mark}, expected {expected_mark} / have the {paper} paper "
        "of {student} looked at again, it got {current_mark} and should have got {expected_mark} / {student} doesn't "
        "accept {current_mark} in {paper}, {expected_mark} would be fair / {expected_mark} is what {student} expected "
        "in {paper}, not {current_mark}, ask for a second look / re-mark {paper} for {student}, current "
        "{current_mark}, expected {expected_mark} / I think the examiner added it up wrong: {paper}, {student}, it "
        "says {current_mark} but must be {expected_mark} / appeal for {student} in {paper}, from {current_mark} up to "
        "{expected_mark} / only {current_mark} for {student} in {paper} can't be right, we had reckoned with "
        "{expected_mark} and contest it",
        justification=', the justification is "{justification}"',
    ),
    tool(
        "grant_extra_time",
        "Give a candidate more time in exams",
        "candidate=person extra_minutes=minutes ground=dyslexia|injury|adhd|language aids?=[laptop|reader|scribe]",
        "grant {candidate} {extra_minutes} of extra time for {ground} / {candidate} may write {extra_minutes} longer "
        "in exams because of {ground} / {extra_minutes} more for {candidate} in every test, the ground is {ground} / "
        "on the ground of {ground}, {candidate} has a right to {extra_minutes} on top / {candidate}, {ground}: add "
        "{extra_minutes} to the exams / my candidate {candidate} is held back by {ground}, allow {extra_minutes} "
        "beyond the normal end / extra time {extra_minutes}, {candidate}, {ground} / could {candidate} hand in "
        "{extra_minutes} after the others, given the {ground}",
        aids=", with these aids: {aids}",
    ),
    tool(
        "appoint_invigilator",
        "Choose the teacher who watches over an exam",
        "teacher=last_name exam_code=code date=day from=clock",
        "appoint {teacher} as invigilator of exam {exam_code} on {date} from {from} / {teacher} watches over "
        "{exam_code} on {date}, starting at {from} / who keeps an eye on the candidates of {exam_code} on {date} from "
        "{from} on, it's {teacher} / Mrs {teacher} will supervise the exam {exam_code}, {date}, {from} / we still "
        "need someone at the front of {exam_code} on {date} from {from}, take {teacher} / {exam_code}, {date}, "
        "{from}: supervision by {teacher} / make Mr {teacher} the invigilator, exam {exam_code}, on {date} as of "
        "{from} / on {date} at {from} {teacher} is on exam duty for {exam_code}",
    ),
    tool(
        "report_cheating",
        "Report that somebody cheated in an exam",
        "suspect=person exam=subject method=notes|phone|copying|ghostwriter witnesses?=[last_name]",
        "report {suspect} for cheating in {exam} with {method} / {suspect} wasn't honest in the {exam} exam, the "
        "method was {method} / in {exam} I caught {suspect}, it was {method} / there's a suspicion of fraud in the "
        "{exam} paper of {suspect}, method {method} / {exam}: {suspect} cheated, {method} / I must tell the "
        "examination board about {suspect}, {method} during the {exam} test / {method} in the {exam} final, the "
        "suspect is {suspect}, let the dean know / cheating, {exam}, {suspect}, {method}",
        witnesses=", seen by {witnesses}",
        answer="The board will hear {suspect}.",
    ),
    tool(
        "calculate_average_grade",
        "Work out the mean of several marks",
        "marks=[percent] rounding=up|down|none drop_lowest?=boolean",
        "calculate the average of {marks}, rounding {rounding} / I got {marks} this term, what's the mean, with "
        "rounding {rounding} / work out the mean of these marks: {marks}, rounding: {rounding} / what final grade do "
        "{marks} make, rounding {rounding} / my tests came back with {marks}, what does that come to overall, "
        "rounding set to {rounding} / marks {marks}, rounding {rounding}, mean pls / with {rounding} for rounding, "
        "what do {marks} average out at / rounding {rounding}: the overall grade from {marks}",
        drop_lowest=", leaving out the lowest|, with the lowest counted too",
        result="average=percent",
        answer="The average is {average}.",
    ),
    tool(
        "apply_for_degree",
        "Apply for a place at a university",
        "applicant=person field=subject level=bachelor|master|doctorate university=company funding?=grant|loan|own",
        "apply for a {level} in {field} at {university} for {applicant} / {applicant} wants to study {field} at "
        "{university}, level {level} / {university} should consider {applicant} for the {level} programme in {field} "
        "/ send off the application of {applicant}: {university}, {field}, {level} / I'm {applicant} and dream of a "
        "{level} degree in {field} from {university} / after school {applicant} hopes for a place in {field} at "
        "{university}, as a {level} / {field}, {level}, {university}, applicant {applicant} / try to get {applicant} "
        "into {university} to read {field}, aiming at a {level}",
        funding=", funding: {funding}",
    ),
    tool(
        "withdraw_degree_application",
        "Take back an application for a university place",
        "application_id=id",
        "withdraw my degree application {application_id} / I don't want the place any more, take back "
        "{application_id} / pull {application_id}, I'm going to another university / the university can forget about "
        "{application_id} / cancel application {application_id} to study / I've decided against going to uni, so "
        "please retract {application_id} / {application_id}: withdraw / no need for the admissions office to read "
        "{application_id}, I step back from it",
    ),
    tool(
        "check_admission_status",
        "See how far a university application is",
        "application_id=id",
        "check the admission status of {application_id} / how far is my application {application_id} / have I been "
        "accepted, it's application {application_id} / has the university decided on {application_id} yet / any news "
        "from the admissions office about {application_id} / status of {application_id} pls / I handed in "
        "{application_id} weeks ago and heard nothing, where does it stand / did they let me in or turn me down, "
        "application number {application_id}",
        result="status=accepted|rejected|pending",
        answer="Your application is {status}.",
    ),
    tool(
        "defer_admission",
        "Keep an offered university place for a later start",
        "application_id=id new_start_year=year purpose=travel|work|service|health",
        "defer my admission {application_id} to {new_start_year} for {purpose} / I've got the place under "
        "{application_id} but can't start before {new_start_year}, purpose {purpose} / hold the offer "
        "{application_id} for me until {new_start_year}, it's for {purpose} / gap year for {purpose}: keep "
        "{application_id} open, I start in {new_start_year} / {application_id}, later start in {new_start_year}, "
        "{purpose} / {purpose} comes first, so move my start at uni to {new_start_year}, application {application_id} "
        "/ start year {new_start_year} please for the offer in {application_id}, the purpose is {purpose} / can I "
        "begin my studies in {new_start_year} and still keep the place of {application_id}, because of {purpose}",
    ),
    tool(
        "drop_module",
        "Leave a module that a student takes",
        "student_id=id module=code",
        "drop module {module} for student {student_id} / student {student_id} no longer takes {module} / I'm "
        "{student_id} and want out of the course {module} / take me, {student_id}, off the class list of {module} / "
        "the workload is too much, {module} has to go, student id {student_id} / {student_id} leaves {module} / "
        "unenrol student id {student_id} from module {module} / {module} isn't for me, I'm quitting it, my id is "
        "{student_id}",
    ),
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
