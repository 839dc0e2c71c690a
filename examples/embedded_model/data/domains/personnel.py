"""Personnel tools: hiring, shifts, leave, wages, trips and agendas."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
