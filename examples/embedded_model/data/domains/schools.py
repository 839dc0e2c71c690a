"""Schools' tools: pupils, exams, degrees and admissions."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
