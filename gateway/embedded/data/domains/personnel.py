"""Tools of offices and personnel: hiring, shifts, pay, trips, meetings, calls, projects, votes and courts."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "shortlist_applicant",
        "Put an applicant into the final round for a vacancy",
        "applicant=person position=job rank?=handful",
        "shortlist {applicant} for the vacancy of {position} / {applicant} was convincing, put that name through to "
        "the final round for {position} / for the open post of {position} we want {applicant} among the finalists / I "
        "liked the application of {applicant} best, keep them in the running as {position} / can {applicant} go on "
        "the short list for {position} / final round {position}: {applicant} is in / candidate {applicant} made the "
        "cut, the job is {position} / we're down to a few people for the {position} job and {applicant} has to be one "
        "of them",
        rank=", at rank {rank}",
    ),
    tool(
        "turn_down_applicant",
        "Send a rejection to an applicant",
        "applicant=person position=job reason=overqualification|lack_of_experience|hiring_freeze|salary_demands "
        "keep_in_pool?=boolean",
        "turn down {applicant} for the job of {position}, reason: {reason} / {applicant} won't become our {position}, "
        "write them a rejection on the grounds of {reason} / send {applicant}, who applied as {position}, a polite "
        "no, grounds: {reason} / we can't take {applicant} as {position}, it's {reason}, let them know / reject the "
        "application of {applicant}, {reason}, the vacancy was {position} / sadly {reason} is the reason why "
        "{applicant} doesn't get the {position} job, please tell them / no thanks to {applicant} as {position} "
        "({reason}) / could you write to {applicant} that the {position} post goes to somebody else, {reason}",
        keep_in_pool=", and keep the file in our talent pool|, and don't keep the file in our talent pool",
    ),
    tool(
        "make_job_offer",
        "Offer a position to a candidate",
        "candidate=person position=job annual_salary=amount reply_by=day remote?=boolean",
        "offer {candidate} the position of {position} with {annual_salary} a year, reply by {reply_by} / we want "
        "{candidate} as our {position}: annual salary {annual_salary}, the answer has to be here by {reply_by} / "
        "{candidate} has until {reply_by} to accept a post as {position} that pays {annual_salary} / send an offer "
        "letter for {position} to {candidate}, yearly pay {annual_salary}, open until {reply_by} / job offer for "
        "{candidate}, {annual_salary} per year, title {position}, valid till {reply_by} / for {annual_salary} a year "
        "we'd take {candidate} as {position}, they should decide by {reply_by} / let {candidate} know we'd love to "
        "have them as {position} at {annual_salary}, deadline {reply_by} / by {reply_by} {candidate} should tell us "
        "whether {annual_salary} a year is fine for the role of {position}",
        remote=", to be done from home|, to be done on site",
    ),
    tool(
        "withdraw_job_offer",
        "Take back an offer that a candidate has not accepted yet",
        "candidate=person reason?=budget_cut|failed_reference|no_reply",
        "withdraw the job offer to {candidate} / we offered {candidate} a post, that's off now, take it back / the "
        "offer letter for {candidate} is void, pull it / please retract what we've proposed to candidate {candidate} "
        "/ {candidate} hasn't accepted yet and we no longer want them, cancel the offer / tell {candidate} that our "
        "job offer doesn't stand any more / rescind offer, candidate {candidate} / can we still revoke the offer of "
        "employment that {candidate} got from us",
        reason=", on account of {reason}",
    ),
    tool(
        "extend_employment_contract",
        "Move the end of a fixed-term contract to a later day",
        "employee=person new_end_date=day weekly_hours?=hours",
        "extend the employment contract of {employee} to {new_end_date} / the fixed term of {employee} now runs until "
        "{new_end_date} / {employee} stays with us longer, new last day of the contract is {new_end_date} / push the "
        "end of the temporary contract of {employee} back to {new_end_date} / we'd like to keep {employee} on till "
        "{new_end_date}, prolong the fixed-term agreement / new end date {new_end_date} for the limited contract of "
        "{employee} / could {employee} get an extension, the contract should end on {new_end_date} / until "
        "{new_end_date} we need {employee} as a temp, so prolong",
        weekly_hours="with {weekly_hours} a week",
    ),
    tool(
        "convert_to_permanent",
        "Turn a fixed-term contract into a permanent one",
        "employee=person effective_date=day",
        "make {employee} permanent as of {effective_date} / from {effective_date} on the contract of {employee} has "
        "no end date any more / {employee} is a temp now and becomes a permanent member of staff on {effective_date} "
        "/ the fixed term of {employee} falls away on {effective_date}, make it open-ended / give {employee} an "
        "unlimited contract, effective {effective_date} / effective {effective_date}: {employee}, fixed-term to "
        "permanent / we want to keep {employee} for good, so lift the time limit on {effective_date} / can {employee} "
        "get a contract without an end, starting on {effective_date}",
    ),
    tool(
        "onboard_newcomer",
        "Prepare the first day of a new employee",
        "newcomer=person first_day=day mentor=person equipment?=[laptop|phone|badge|headset]",
        "onboard {newcomer}, who starts on {first_day}, with {mentor} as mentor / {newcomer} begins with us on "
        "{first_day} and {mentor} is the mentor, get everything ready / on {first_day} there's a new face, "
        "{newcomer}, and the mentor {mentor} will show them around / prepare the first day of {newcomer}, "
        "{first_day}, mentor: {mentor} / mentor {mentor}, newcomer {newcomer}, first day {first_day} / our new hire "
        "is {newcomer}, first day {first_day}, have {mentor} mentor them / {mentor} should take the newcomer "
        "{newcomer} by the hand from {first_day} on / who starts on {first_day} is {newcomer}, please set up the "
        "welcome and make {mentor} their mentor",
        equipment=", equipment: {equipment}",
    ),
    tool(
        "cover_shift",
        "Have somebody step in for a missing colleague",
        "absent_employee=person substitute=person date=day shift=early|late|night",
        "{substitute} covers the {shift} shift of {absent_employee} on {date} / {absent_employee} can't work the "
        "{shift} shift on {date}, {substitute} steps in / on {date} we need {substitute} to fill in for "
        "{absent_employee}, shift: {shift} / substitute for {absent_employee} is {substitute}, {shift} shift, {date} "
        "/ have {substitute} stand in for {absent_employee} on the {shift} shift of {date} / {absent_employee} is "
        "missing on {date}, so put {substitute} on the {shift} shift instead / who fills the gap that "
        "{absent_employee} leaves in the {shift} shift of {date} is {substitute} / {date}, {shift} shift, "
        "{substitute} instead of the absent {absent_employee}",
    ),
    tool(
        "publish_roster",
        "Make the duty roster of a department visible to its staff",
        "department=kitchen|warehouse|reception|sales|nursing month=month notify_staff?=boolean",
        "publish the {month} roster of the {department} department / the {department} people want to see who works "
        "when in {month}, put the plan out / the duty plan {department} for {month} is finished, make it visible / "
        "release the {month} shifts for {department} / staff in {department} may now look at their duty roster for "
        "{month} / department {department}, roster for {month}, publish it / hang out the {month} rota, {department} "
        "/ can you make the {month} shift plan public for everybody in {department}",
        notify_staff=", and notify the staff|, but don't notify the staff yet",
    ),
    tool(
        "unpublish_roster",
        "Hide a published duty roster again",
        "department=kitchen|warehouse|reception|sales|nursing month=month",
        "unpublish the {month} roster of {department} / the {department} rota for {month} is full of mistakes, hide "
        "it again / nobody in {department} should see the {month} duty plan any more / take the published shift plan "
        "of {department} offline, month {month} / pull back the {month} roster that {department} can already see / "
        "we've put out the wrong {month} plan for the {department} team, make it invisible / hide roster, {month}, "
        "{department} / can the {department} shifts for {month} disappear from view until I've fixed them",
    ),
    tool(
        "cancel_leave",
        "Withdraw a request for leave that has been filed",
        "employee=person start_date=day",
        "cancel the leave of {employee} that starts on {start_date} / {employee} won't go on holiday on {start_date} "
        "after all, withdraw the request / the vacation of {employee} from {start_date} is off / {employee} is going "
        "to work instead of being on leave from {start_date}, take the request back / drop the time off which "
        "{employee} had asked for as of {start_date} / {employee}'s trip fell through, the days off starting "
        "{start_date} aren't needed / leave from {start_date} no longer wanted, employee {employee} / please give "
        "{employee} back the vacation days that would've begun on {start_date}",
    ),
    tool(
        "call_in_sick",
        "Report that an employee is ill and cannot work",
        "employee=person first_day=day symptom?=symptom expected_days?=handful",
        "{employee} calls in sick from {first_day} / {employee} is ill and can't work as of {first_day} / sick note "
        "in the system for {employee}, first day {first_day} / on {first_day} {employee} won't come to work, they've "
        "caught something / tell HR that {employee} is unwell and off from {first_day} / {employee} isn't fit for "
        "work, starting {first_day} / {employee} stays in bed, first day of illness {first_day} / from {first_day} "
        "we've got to do without {employee}, who's sick",
        symptom=", with {symptom}",
        expected_days=", expected to last {expected_days} days",
    ),
    tool(
        "report_recovery",
        "Report that a sick employee is back at work",
        "employee=person back_on=day reduced_hours?=hours",
        "{employee} has recovered and is back on {back_on} / the sick leave of {employee} is over, first day back is "
        "{back_on} / {employee} is healthy again and works from {back_on} / end the illness of {employee}, back on "
        "{back_on} / good news, {employee} feels better and returns on {back_on} / as of {back_on} {employee} is fit "
        "for work again / {employee} was off sick, returns to the office {back_on} / no longer ill: {employee}, at "
        "work from {back_on}",
        reduced_hours=", with only {reduced_hours} a week for a start",
    ),
    tool(
        "raise_salary",
        "Increase the pay of an employee",
        "employee=person new_salary=amount effective_from=day reason?=promotion|merit|inflation",
        "raise the salary of {employee} to {new_salary} from {effective_from} / from {effective_from} {employee} "
        "earns {new_salary} / {employee} gets a pay rise, the new wage is {new_salary} as of {effective_from} / "
        "{new_salary} is what {employee} should get from {effective_from} on, that's more than now / bump the pay of "
        "{employee} up to {new_salary}, effective {effective_from} / increase {employee}'s wage, {new_salary}, valid "
        "from {effective_from} / effective from {effective_from}, more money for {employee}: new salary {new_salary} "
        "/ {employee} has deserved a raise to {new_salary}, starting {effective_from}",
        reason=", reason {reason}",
    ),
    tool(
        "award_bonus",
        "Pay an employee an extra sum once",
        "employee=person amount=amount type=christmas|performance|referral|jubilee tax_free?=boolean",
        "award {employee} a {type} bonus of {amount} / {employee} gets {amount} on top once, type of bonus: {type} / "
        "pay {employee} an extra {amount}, it's a {type} bonus / one-off payment for {employee}, {amount}, as {type} "
        "bonus / a {type} bonus for {employee}, namely {amount} / {amount} as a thank-you to {employee}, book it as a "
        "{type} bonus / please treat {employee} to a single {type} payment of {amount} / next pay day {employee} "
        "should find {amount} more, as a {type} bonus, just this once",
        tax_free=", paid tax-free|, paid with tax deducted",
    ),
    tool(
        "show_payslip",
        "Show what an employee earned in a month",
        "employee=person month=month year?=year",
        "show the {month} payslip of {employee} / what did {employee} earn in {month} / I'd like to see the wage "
        "statement of {employee} for {month} / how much tax was taken from the {month} salary of {employee} / gross "
        "and net of {employee} for {month} / {employee} wants the salary slip of {month} / payslip {employee}, "
        "{month} / which deductions did {employee} have in the pay of {month}",
        year="in the year {year}",
    ),
    tool(
        "reimburse_expenses",
        "Pay back what an employee laid out for the company",
        "employee=person amount=amount purpose?=taxi|hotel|client_dinner|office_supplies",
        "reimburse {employee} for expenses of {amount} / {employee} laid out {amount} for the company, pay it back / "
        "give {employee} the {amount} back that they've spent for us / refund the outlay of {employee}, {amount} / "
        "{employee} paid {amount} out of their own pocket on business and wants it back / the company owes {employee} "
        "{amount} in expenses, settle that / {amount} in out-of-pocket costs go back to {employee} / out-of-pocket "
        "{amount}, employee {employee}, pay back pls",
        purpose=", purpose {purpose}",
    ),
    tool(
        "authorize_business_trip",
        "Give an employee permission to travel for work",
        "traveller=person destination=city departure=day return_day=day transport?=train|plane|company_car|own_car",
        "authorize the business trip of {traveller} to {destination} from {departure} to {return_day} / {traveller} "
        "may travel to {destination} for work, leaving {departure}, returning {return_day} / yes, {traveller} can go "
        "to {destination} on business, departure {departure}, return {return_day} / I give {traveller} permission to "
        "visit the client in {destination}, off on {departure}, back on {return_day} / sign off the work trip to "
        "{destination}: {traveller}, out on {departure} and home on {return_day} / the boss agrees that {traveller} "
        "flies out to the fair in {destination} on {departure} and comes back on {return_day} / leaving on "
        "{departure}, back {return_day}: {traveller}'s official journey to {destination} is okay / from {departure} "
        "until {return_day} {traveller} is allowed to be in {destination} for the company",
        transport="by {transport}",
    ),
    tool(
        "call_off_business_trip",
        "Cancel an employee's planned journey for work",
        "traveller=person destination=city inform_host?=boolean",
        "call off the business trip of {traveller} to {destination} / {traveller} doesn't have to travel to "
        "{destination} for work any more / the client in {destination} has cancelled, so {traveller} stays here, drop "
        "the journey / scrap {traveller}'s work trip to {destination} / no journey to {destination} for {traveller}, "
        "the company can't afford it / {traveller} won't be going to {destination} on business, delete the trip / "
        "trip to {destination} is off, traveller {traveller} / can you cancel the official visit to {destination} "
        "that {traveller} had planned",
        inform_host=", and inform the host|, and don't inform the host",
    ),
    tool(
        "claim_per_diem",
        "Claim the daily allowance for days spent on a business trip",
        "traveller=person country=country full_days=handful meals_provided?=[breakfast|lunch|dinner]",
        "claim the per diem of {traveller} for {full_days} full days in {country} / {traveller} was in {country} for "
        "work, {full_days} full days, and is due the daily allowance / daily rate for {traveller}: country {country}, "
        "full days {full_days} / how about the daily allowance for {full_days} days which {traveller} spent on "
        "business in {country} / {full_days} full days in {country}, put in for the flat daily money for {traveller} "
        "/ I want the daily subsistence for {traveller} from the trip to {country}, {full_days} days / meal allowance "
        "after a business trip: {country}, {full_days} days, {traveller} / get {traveller} the flat rate per day for "
        "{country}, it was {full_days} days",
        meals_provided=", meals provided: {meals_provided}",
    ),
    tool(
        "assign_mandatory_training",
        "Make an employee take a compulsory course",
        "employee=person course=first_aid|fire_safety|data_protection|anti_bribery complete_by=day",
        "assign the mandatory {course} training to {employee}, complete by {complete_by} / {employee} must do the "
        "{course} course by {complete_by} / by {complete_by} {employee} has to be trained in {course} / {course} is "
        "compulsory for {employee}, deadline {complete_by} / oblige {employee} to sit through {course} no later than "
        "{complete_by} / put the {course} instruction on the list of {employee}, due {complete_by} / {employee} still "
        "lacks {course} and can't get around it, the last day for it is {complete_by} / make sure that {employee} "
        "learns about {course} before {complete_by}, there's no choice",
    ),
    tool(
        "waive_mandatory_training",
        "Free an employee from a compulsory course",
        "employee=person course=first_aid|fire_safety|data_protection|anti_bribery justification?=message",
        "waive the mandatory {course} training for {employee} / {employee} doesn't need to do the {course} course / "
        "spare {employee} the {course} training / {employee} is exempt from {course} / excuse {employee} from the "
        "compulsory lessons in {course} / {course} isn't necessary for {employee}, who knows it all already / can we "
        "let {employee} off the {course} course / no {course} for {employee}, please free them from that duty",
        justification=', justification: "{justification}"',
    ),
    tool(
        "add_agenda_item",
        "Put a subject on the agenda of a meeting",
        "meeting=title agenda_item=topic presenter?=person minutes?=minutes",
        'add {agenda_item} to the agenda of the meeting "{meeting}" / we should talk about {agenda_item} in the '
        'meeting "{meeting}" / put {agenda_item} on the list of points for "{meeting}" / the meeting "{meeting}" '
        'needs one more point: {agenda_item} / can {agenda_item} be discussed at "{meeting}" / new item on the '
        'agenda, {agenda_item}, the meeting is "{meeting}" / "{meeting}" must also deal with {agenda_item} / I\'d '
        'like to bring up {agenda_item} when we sit together for "{meeting}"',
        presenter=", presented by {presenter}",
        minutes=", time needed {minutes}",
    ),
    tool(
        "strike_agenda_item",
        "Take a subject off the agenda of a meeting",
        "meeting=title agenda_item=topic",
        'strike {agenda_item} from the agenda of "{meeting}" / we don\'t have time for {agenda_item} in the meeting '
        '"{meeting}", take it off / the meeting "{meeting}" won\'t deal with {agenda_item} after all / remove the '
        "point {agenda_item} from what's planned for \"{meeting}\" / {agenda_item} is settled, so it needn't be "
        'discussed at "{meeting}" any longer / off the agenda: {agenda_item}, the meeting is "{meeting}" / can you '
        'delete {agenda_item} as a point of "{meeting}" / "{meeting}" has too many points, drop {agenda_item}',
    ),
    tool(
        "circulate_minutes",
        "Send the written record of a meeting to people",
        "meeting=title recipients=[email] confidential?=boolean",
        'circulate the minutes of "{meeting}" to {recipients} / send {recipients} the written record of the meeting '
        '"{meeting}" / what was said in "{meeting}" should be sent round to {recipients} / {recipients} couldn\'t '
        'be at "{meeting}" and would like to read the minutes / the protocol of the "{meeting}" meeting goes out to '
        '{recipients} / recipients of the minutes are {recipients}, the meeting was "{meeting}" / mail the record of '
        '"{meeting}" around, namely to {recipients} / let {recipients} have the notes which were taken at the meeting '
        '"{meeting}"',
        confidential=", marked as confidential|, not marked as confidential",
    ),
    tool(
        "dictate_letter",
        "Write a letter from dictation and print it",
        "recipient=person text=message tone?=formal|friendly|stern letterhead?=boolean",
        'take a letter to {recipient}: "{text}" / I dictate, the letter goes to {recipient} and says "{text}" / write '
        'to {recipient} on paper, text: "{text}" / "{text}", print that as a letter for {recipient} / type up the '
        'following for {recipient} and put it in an envelope: "{text}" / please set down a letter for {recipient} '
        'that reads "{text}" / letter, recipient {recipient}, "{text}" / a printed note with the words "{text}" '
        "should go to {recipient} by post",
        tone=", in a {tone} tone",
        letterhead=", on letterhead|, on plain paper",
    ),
    tool(
        "request_signature",
        "Ask somebody to sign a document",
        "signatory=guest file=file sign_by?=day",
        "request the signature of {signatory} for {file} / {signatory} has to sign {file}, ask for it / {file} needs "
        "to be signed by {signatory} / send {file} to {signatory} so that they can put their name under it / can you "
        "get {signatory} to sign {file} / ask {signatory} for an autograph under {file} / signatory {signatory}, "
        "document {file} / without the name of {signatory} at the bottom {file} isn't valid, please ask",
        sign_by=", the signing deadline is {sign_by}",
    ),
    tool(
        "shred_dossiers",
        "Destroy paper files in the archive for good",
        "dossier_numbers=[code] witness?=person",
        "shred the dossiers {dossier_numbers} / these paper files may be destroyed now: {dossier_numbers} / we don't "
        "have to keep {dossier_numbers} in the archive any longer, put them through the shredder / get rid of what's "
        "in the archive under {dossier_numbers} for good / {dossier_numbers}: the retention period is over, have the "
        "papers destroyed / nobody needs the papers of {dossier_numbers} any more, into the shredder with them / "
        "archive, destroy {dossier_numbers} / can the old files with the numbers {dossier_numbers} be cut to pieces",
        witness=", {witness} is the witness",
    ),
    tool(
        "extend_retention",
        "Keep a paper file in the archive for more years",
        "dossier_number=code extra_years=handful ground?=lawsuit|audit|tax|research",
        "extend the retention of dossier {dossier_number} by {extra_years} years / don't throw {dossier_number} away "
        "yet, the archive should keep it {extra_years} more years / keep the paper file {dossier_number} for another "
        "{extra_years} years / {extra_years} years longer in the archive for {dossier_number} / the dossier "
        "{dossier_number} must stay on the shelf {extra_years} additional years / dossier {dossier_number}, retention "
        "plus {extra_years} years / we might need the papers of {dossier_number} again, hold on to them {extra_years} "
        "more years / add {extra_years} years to the time that {dossier_number} is stored in the archive",
        ground=", because of {ground}",
    ),
    tool(
        "play_voicemails",
        "Play the messages on the answering machine",
        "only_new?=boolean caller?=person",
        "play my voicemails / what's on the answering machine / I want to hear the messages that callers have left / "
        "did anyone leave a message while I was out, let me listen / listen to the mailbox of my phone / let me hear "
        "what people said after the beep / voice messages pls / the light on the answering machine is blinking, let "
        "it speak",
        only_new=", only the new ones|, the old ones too",
        caller=", I mean those from {caller}",
    ),
    tool(
        "erase_voicemails",
        "Delete the messages on the answering machine",
        "older_than_days?=small",
        "erase my voicemails / clear the answering machine / the mailbox of my phone is full, delete the messages in "
        "it / I've heard all the messages after the beep, they can go / wipe what callers have left on the answering "
        "machine / get rid of the recorded phone messages / voicemail: delete / callers can't leave messages because "
        "there's no space, make room",
        older_than_days=", but only what's older than {older_than_days} days",
    ),
    tool(
        "transfer_call",
        "Put the current caller through to somebody else",
        "extension=port announce?=boolean",
        "transfer this call to extension {extension} / put the caller through to {extension} / I can't help this "
        "customer on the phone, connect them with {extension} / the person on the line wants to talk to the colleague "
        "at {extension} / pass the current call on to {extension} / hand the caller over to extension {extension} / "
        "could {extension} take over this conversation, the caller's still on the line / extension {extension} pls, "
        "for the gentleman on the phone",
        announce=", and tell the colleague first who it is|, without telling the colleague first who it is",
    ),
    tool(
        "hold_call",
        "Let the current caller wait with music",
        "music?=classical|jazz|nature_sounds",
        "put the caller on hold / let the person on the line wait for a moment / I have to look something up, keep "
        "the caller waiting / park this call / the customer on the phone should hear the waiting music now / pause "
        "the phone conversation, I'll be right back on the line / one moment, hold the line for me / I need to ask my "
        "boss something, the caller mustn't hear it",
        music=", and play {music} meanwhile",
    ),
    tool(
        "resume_held_call",
        "Take the waiting caller off hold",
        "",
        "take the caller off hold / I'm back, let me speak to the person who's been waiting on the line / stop the "
        "waiting music, I've got the answer for the customer / go on with the parked call / put me back on the line "
        "with my caller / the caller has waited long enough, connect us again / unhold / can I carry on with the "
        "phone conversation that I interrupted",
    ),
    tool(
        "staff_project",
        "Put an employee on a project with a part of the working time",
        "project=work employee=person workload_percent=percentage role?=lead|developer|tester|analyst",
        'staff the project "{project}" with {employee} at {workload_percent} / {employee} works {workload_percent} of '
        'the time on "{project}" from now on / we need {employee} on the project "{project}", {workload_percent} of '
        'the working time / plan {employee} in for "{project}" with a workload of {workload_percent} / '
        '{workload_percent} of {employee}\'s time goes to the project "{project}" / new on the team of '
        '"{project}": {employee}, {workload_percent} / "{project}" is short of people, give it {workload_percent} of '
        '{employee} / can {employee} join the "{project}" team at {workload_percent}',
        role=", role: {role}",
    ),
    tool(
        "pull_off_project",
        "Take an employee away from a project",
        "project=work employee=person successor?=person",
        'pull {employee} off the project "{project}" / {employee} doesn\'t work on "{project}" any more / take '
        '{employee} away from "{project}", they\'re needed elsewhere / from now on the project "{project}" has to '
        'do without {employee} / remove {employee} from the team of "{project}" / "{project}" loses {employee} / '
        '{employee} is out of the "{project}" team / can we free {employee} from the work on "{project}"',
        successor=", successor is {successor}",
    ),
    tool(
        "open_ballot",
        "Start a vote on a question with options to choose from",
        "question=message options=[title] closes_on=day anonymous?=boolean quorum_percent?=percentage",
        'open a ballot on "{question}" with the options {options}, it closes on {closes_on} / the staff should vote '
        'on "{question}", choices {options}, until {closes_on} / let everybody choose between {options} by '
        '{closes_on}, the question is "{question}" / start a poll, "{question}", answers {options}, last day '
        '{closes_on} / until {closes_on} people can vote for {options}, the question reads "{question}" / what do the '
        'colleagues think about "{question}", let them pick from {options} up to {closes_on} / vote: "{question}", to '
        'choose from {options}, ends {closes_on} / put "{question}" to the vote, closing on {closes_on}, with '
        "{options} on the ballot paper",
        anonymous=", the vote is anonymous|, everybody may see who voted for what",
        quorum_percent=", quorum {quorum_percent}",
    ),
    tool(
        "cast_vote",
        "Give one's own vote in a running ballot",
        "ballot_id=code choice=yes|no|abstain on_behalf_of?=person",
        "cast my vote in ballot {ballot_id}: {choice} / I vote {choice} in {ballot_id} / put me down as {choice} in "
        "the ballot {ballot_id} / ballot {ballot_id}, my choice is {choice} / my answer to {ballot_id} is {choice}, "
        "hand in the ballot paper / in the running ballot {ballot_id} my voice counts as {choice} / {choice} is how I "
        "want to vote in {ballot_id} / count me as {choice} when it comes to the vote {ballot_id}",
        on_behalf_of=", I do this on behalf of {on_behalf_of}",
    ),
    tool(
        "tally_votes",
        "Count the votes of a closed ballot",
        "ballot_id=code by_department?=boolean",
        "tally the votes of ballot {ballot_id} / how did the ballot {ballot_id} turn out / who won the vote "
        "{ballot_id} / count the ballot papers of {ballot_id} / {ballot_id} is closed, what's the result of the vote "
        "/ how many said yes and how many said no in {ballot_id} / result of the ballot {ballot_id} pls / everybody "
        "has voted in {ballot_id}, so add up the votes",
        by_department=", split by department|, only the overall figures",
    ),
    tool(
        "correct_timesheet",
        "Change the recorded hours of a working day",
        "employee=person work_day=day started_at=clock ended_at=clock break_minutes?=minutes",
        "correct the timesheet of {employee} for {work_day}: started at {started_at}, ended at {ended_at} / "
        "{employee} forgot to clock out on {work_day}, the right hours are from {started_at} to {ended_at} / on "
        "{work_day} {employee} really worked from {started_at} until {ended_at}, fix the record / the hours of "
        "{employee} on {work_day} are wrong, start {started_at}, end {ended_at} / amend {work_day} for {employee}, in "
        "at {started_at}, out at {ended_at} / {employee} left at {ended_at} on {work_day} and had come in at "
        "{started_at}, put that right in the time records / time recording of {employee}, {work_day}, should read "
        "{started_at} to {ended_at} / the clock was broken on {work_day}, so change the entry of {employee}, began "
        "{started_at}, finished {ended_at}",
        break_minutes=", the break was {break_minutes}",
    ),
    tool(
        "commission_translation",
        "Order a sworn translator's version of a document",
        "file=file source_language=language target_language=language certified?=boolean needed_by?=day",
        "commission a translation of {file} from {source_language} into {target_language} / have a translator put "
        "{file} into {target_language}, it's written in {source_language} / {file} is in {source_language} and we "
        "need it in {target_language}, hire a translator / order the {target_language} version of our "
        "{source_language} document {file} from the translation agency / a sworn translator should turn {file} from "
        "{source_language} to {target_language} / source language {source_language}, target language "
        "{target_language}, file {file}, to the translation bureau / the court only reads {target_language}, get "
        "{file} translated by a professional, original in {source_language} / can somebody at the agency translate "
        "{file}, from {source_language}, to {target_language}",
        certified=", with a certified stamp|, without a certified stamp",
        needed_by=", needed by {needed_by}",
    ),
    tool(
        "retain_lawyer",
        "Hire a lawyer for a legal matter",
        "lawyer=last_name field=labour_law|tax_law|copyright|family_law|criminal_law retainer?=amount",
        "retain the lawyer {lawyer} for a matter of {field} / we need a solicitor for {field}, take {lawyer} / "
        "{lawyer} shall represent us, it's about {field} / hire attorney {lawyer}, field {field} / give {lawyer} the "
        "mandate for our {field} case / a case of {field} is coming up and {lawyer} should be our counsel / engage "
        "{lawyer} as our legal adviser in {field} / I'm being sued, it's {field}, and I want {lawyer} to defend me",
        retainer="with a retainer of {retainer}",
    ),
    tool(
        "dismiss_lawyer",
        "Take the mandate away from a lawyer",
        "lawyer=last_name case_number=code request_files?=boolean",
        "dismiss the lawyer {lawyer} from the case {case_number} / {lawyer} no longer represents us in {case_number} "
        "/ we aren't happy with our attorney {lawyer}, end the mandate in {case_number} / withdraw the power of "
        "attorney of {lawyer} for {case_number} / case {case_number}: {lawyer} is not our counsel any more / fire our "
        "solicitor {lawyer}, case number {case_number} / in {case_number} we want a different lawyer, so let {lawyer} "
        "go / terminate what we've agreed with the lawyer {lawyer} about {case_number}",
        request_files=", and ask for our files back|, but leave our files there",
    ),
    tool(
        "seek_postponement",
        "Ask the court to move a court date to a later day",
        "case_number=code from_date=day to_date=day ground=illness|new_evidence|settlement_talks|travel",
        "seek a postponement of the court date in {case_number} from {from_date} to {to_date}, ground {ground} / we "
        "can't be in court on {from_date} because of {ground}, ask for {to_date} in the case {case_number} / ask the "
        "judge to move {case_number} from {from_date} to {to_date}, the ground is {ground} / case {case_number}: we'd "
        "rather have {to_date} than {from_date} as a court date, {ground} / because of {ground} the court date of "
        "{from_date} should be put off until {to_date}, case number {case_number} / tell the court that {from_date} "
        "doesn't suit us in {case_number}, {ground}, would {to_date} do / could {case_number} come before the court "
        "on {to_date} instead of {from_date}, owing to {ground} / {ground} is our ground for asking the court to "
        "shift {case_number} from {from_date} to {to_date}",
    ),
    tool(
        "list_vacancies",
        "List the open posts of the company",
        "skills?=[skill] contract_type?=full_time|part_time|internship",
        "list the vacancies / which posts are open at the moment / what jobs do we have to fill / show me all "
        "unfilled positions / who are we looking for right now / are we hiring, and for what / open positions pls / I "
        "have a friend who'd like to work here, what's free",
        skills=", skills needed: {skills}",
        contract_type=", contract type {contract_type}",
    ),
    tool(
        "share_calendar",
        "Let a colleague look into one's calendar",
        "colleague=email access=busy_only|details|edit",
        "share my calendar with {colleague}, access {access} / {colleague} should be able to see my appointments, "
        "level of access: {access} / let {colleague} look into my calendar with {access} rights / give {colleague} "
        "{access} access to my diary / I want {colleague} to know when I'm free, open my calendar for them as "
        "{access} / {access} rights to my calendar for {colleague} / calendar access, colleague {colleague}, {access} "
        "/ my assistant is {colleague}, allow them into my calendar, {access}",
    ),
    tool(
        "unshare_calendar",
        "End a colleague's access to one's calendar",
        "colleague=email",
        "stop sharing my calendar with {colleague} / {colleague} shouldn't see my appointments any more / lock "
        "{colleague} out of my calendar / my dates are none of the business of {colleague} any longer / take away the "
        "access to my diary from {colleague} / end the view that {colleague} has into my calendar / {colleague}, no "
        "more calendar access / {colleague} isn't my assistant now, so hide my appointments from them",
    ),
    tool(
        "merge_duplicate_contacts",
        "Join two entries of the address book that are the same person",
        "keep=person duplicate=person",
        "merge the contact {duplicate} into {keep} / keep {keep} in the address book, {duplicate} is the duplicate, "
        "join them / {duplicate} is a superfluous entry for the person whom I want to keep as {keep} / the duplicate "
        "{duplicate} should be absorbed by the contact {keep} / address book: the entry to keep is {keep}, the double "
        "one is {duplicate} / I have one person twice, keep {keep} and fold the duplicate {duplicate} into it / "
        "delete nothing, just move all numbers of the double {duplicate} over to {keep} and leave that one / can the "
        "double entry {duplicate} be combined with {keep}, which is the one that stays",
    ),
)
