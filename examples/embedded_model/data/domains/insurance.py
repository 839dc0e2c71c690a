"""Tools for mortgages, disputes, policies, claims, pensions and books."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "get_payoff_figure",
        "What it takes to settle a loan completely on a given day.",
        "loan_number=code settlement_date=day include_fees=boolean",
        "how much would it cost to pay off loan {loan_number} on {settlement_date} / what's still owed on "
        "{loan_number} if I settle it in full on {settlement_date} / settlement figure for {loan_number} as of "
        "{settlement_date} / I'm thinking of clearing the credit {loan_number} by {settlement_date}, what's the total "
        "/ on {settlement_date} I want to be rid of loan {loan_number}, how much do I have to bring / calculate the "
        "early redemption of {loan_number}, date {settlement_date} / {settlement_date} is the day, {loan_number} the "
        "loan, tell me the sum that closes it / we sell the car on {settlement_date}, what remains to be paid of the "
        "loan {loan_number}",
        include_fees=", fees included|, leaving fees aside",
        result="total=amount",
        answer="It would take {total}.",
    ),
    tool(
        "simulate_mortgage",
        "Work out the monthly instalment of a home loan.",
        "property_price=people down_payment=amount years=several rate_type?=fixed|variable "
        "interest_percent?=percentage",
        "what would a mortgage cost a month on a house of {property_price}, {years} years, with {down_payment} down / "
        "simulate a home loan: price {property_price}, down payment {down_payment}, term {years} years / the flat is "
        "{property_price}, we have {down_payment} of our own and want to be done in {years} years, what's the "
        "instalment / with {down_payment} as a deposit and {years} years to repay, can we afford a home at "
        "{property_price} / run the numbers on a house for {property_price} if I put in {down_payment} and pay for "
        "{years} years / we're buying for {property_price}, the bank should finance all but {down_payment} over "
        "{years} years, how much is that monthly / {years} year mortgage, own money {down_payment}, purchase price "
        "{property_price} / how high are the monthly payments if a property costs {property_price}, I've saved "
        "{down_payment} and it runs {years} years",
        rate_type=", at a {rate_type} rate",
        interest_percent=", interest {interest_percent}",
        result="monthly=amount",
        answer="That makes {monthly} a month.",
    ),
    tool(
        "suspend_mortgage_payments",
        "Grant a borrower a few months without mortgage instalments.",
        "mortgage_number=code borrower=person months=several hardship=job_loss|illness|divorce|parental_leave",
        "{borrower} needs a payment holiday of {months} months on mortgage {mortgage_number}, reason {hardship} / "
        "because of {hardship} {borrower} can't pay the instalments of {mortgage_number} for {months} months / let "
        "{borrower} skip {months} months on home loan {mortgage_number}, hardship: {hardship} / I'm {borrower}, "
        "mortgage {mortgage_number}, and with the {hardship} I'd like {months} months off from paying / {months} "
        "months without instalments for {mortgage_number}, borrower {borrower}, cause {hardship} / can the mortgage "
        "{mortgage_number} be put on hold for {months} months, {borrower} is going through {hardship} / home loan "
        "{mortgage_number}: deferral for {borrower}, {hardship}, {months} months / {hardship} has hit {borrower}, so "
        "don't collect anything for the house, {mortgage_number}, over the next {months} months",
        answer="{borrower} pays nothing for {months} months.",
    ),
    tool(
        "download_statement",
        "Get the statement of an account for one month as a file.",
        "account=code month=month year=year format?=pdf|csv|xlsx",
        "download the statement of account {account} for {month} {year} / my tax adviser wants to see what happened "
        "on {account} in {month} {year}, get me the statement / {month} {year}, account {account}, statement pls / I "
        "need the bank statement from {month} {year} for {account} as a file / give me the monthly statement of "
        "{account}, that's {month} of {year} / could I have a copy of the {account} statement, month {month}, year "
        "{year} / fetch the bookings of {account} in {month} {year} as an official document / for {year}, month of "
        "{month}, save the statement of {account}",
        format=", in {format} format",
    ),
    tool(
        "sum_up_debts",
        "Adds up everything the user owes on loans, cards and overdrafts.",
        "",
        "how much do I owe altogether / add up all my debts / loans, cards, overdraft: what's the total I'm in the "
        "red with / how deep in debt am I / I've lost track of what I still have to pay back, give me the sum / what "
        "do all my liabilities come to / if I had to repay everything today, how much would that be / total of my "
        "debts pls",
        result="total=amount",
        answer="You owe {total} in all.",
    ),
    tool(
        "dispute_charge",
        "Contest a card payment and ask for the money back.",
        "merchant=company amount=amount charged_on=day ground=not_received|unauthorized|double_charge|wrong_amount "
        "evidence?=[file]",
        "dispute the {amount} that {merchant} charged on {charged_on}, ground: {ground} / there's a payment of "
        "{amount} to {merchant} from {charged_on} on my card, it's {ground} and I want it back / I contest the "
        "{charged_on} charge of {amount} by {merchant}, {ground} / {merchant} took {amount} from my card on "
        "{charged_on}, which is a case of {ground}, start a chargeback / chargeback please, {ground}: {merchant}, "
        "{charged_on}, {amount} / on {charged_on} the sum of {amount} went to {merchant} and I don't accept that, the "
        "ground is {ground} / I object to a card payment: {amount}, merchant {merchant}, date {charged_on}, {ground} "
        "/ what can I do about {merchant}, they've debited {amount} on {charged_on} and the problem is {ground}, open "
        "a dispute",
        evidence=", I attach {evidence}",
        result="case=code",
        answer="The dispute has the number {case}.",
    ),
    tool(
        "drop_dispute",
        "Give up a dispute about a card payment.",
        "case_number=code settled_by_merchant?=boolean",
        "drop the dispute {case_number} / I don't contest the charge any longer, the case was {case_number} / "
        "withdraw my complaint about the card payment, case {case_number} / it was my husband who bought it after "
        "all, so close the dispute {case_number} / forget about the chargeback {case_number} / case {case_number} is "
        "no longer needed, I accept the payment / I was wrong about that charge, please end {case_number} / call off "
        "the chargeback with case number {case_number}",
        settled_by_merchant=", the merchant has refunded me|, the merchant has paid nothing",
        answer="The case {case_number} is closed.",
    ),
    tool(
        "report_scam",
        "Tell the bank's fraud team about an attempt to cheat a customer.",
        "channel=phone_call|email|sms|website pretended_sender=company lost_amount?=amount details?=message",
        "I've been contacted by somebody posing as {pretended_sender}, it was by {channel} / report a scam: "
        "{channel}, they claimed to be {pretended_sender} / a fake {pretended_sender} tried to get my password, the "
        "channel was {channel} / fraud attempt through {channel} in the name of {pretended_sender} / tell your fraud "
        "team that swindlers use the name of {pretended_sender}, they come by {channel} / that {channel} from "
        "{pretended_sender} was phishing, I'm sure / crooks pretending to be {pretended_sender} got in touch with me "
        "via {channel}, warn the others / someone wanted my one-time codes and said it was {pretended_sender}, this "
        "happened by {channel}",
        lost_amount=", I've lost {lost_amount}",
        details=", details: {details}",
        result="ticket=code",
        answer="Thank you, the report is {ticket}.",
    ),
    tool(
        "announce_card_travel",
        "Let the bank know about a trip so that card payments abroad aren't blocked.",
        "countries=[country] departure=day return_date=day card_number?=code",
        "I'll be in {countries} from {departure} to {return_date}, don't block my card there / travel notice: "
        "{countries}, leaving {departure}, back {return_date} / my card should work in {countries} between "
        "{departure} and {return_date} / from {departure} until {return_date} I'm going to pay by card in {countries} "
        "/ tell the bank we're travelling to {countries}, we leave on {departure} and return on {return_date} / back "
        "on {return_date}, off on {departure}, card use planned in {countries} / last time the bank thought it was "
        "fraud, so let them know I'll shop in {countries} from {departure} through {return_date} / expect card "
        "payments from {countries}, the trip starts {departure} and ends {return_date}",
        card_number="with card {card_number}",
        answer="Your card will work in {countries}.",
    ),
    tool(
        "renew_policy",
        "Extend an insurance policy that is about to run out.",
        "policy_number=code years=several same_terms=boolean",
        "renew the policy {policy_number} for {years} years / my insurance {policy_number} expires soon, I'd like "
        "another {years} years / extend {policy_number} by {years} years / policy {policy_number}, {years} more years "
        "pls / we're happy with our cover under {policy_number}, let it run {years} years longer / prolong insurance "
        "contract {policy_number}, the new term is {years} years / keep me insured with {policy_number}, make it "
        "{years} years / for {years} years more I want the protection of {policy_number}",
        same_terms=", on the same terms as now|, on new terms",
        result="premium=amount",
        answer="The premium is {premium}.",
    ),
    tool(
        "terminate_policy",
        "End an insurance policy on a certain day.",
        "policy_number=code end_date=day reason=sold|moved|too_expensive|switched_insurer",
        "cancel my insurance policy {policy_number} as of {end_date}, reason: {reason} / I'm giving notice for "
        "{policy_number}, the cover should end on {end_date}, because: {reason} / policy {policy_number} stops on "
        "{end_date}, {reason} / from {end_date} on I don't need the insurance {policy_number}, the reason is {reason} "
        "/ {reason}, so please end contract {policy_number} on {end_date} / let the insurance with number "
        "{policy_number} run out on {end_date}, put down {reason} / I want out of {policy_number} by {end_date}, "
        "grounds: {reason} / terminate {policy_number}, last day of cover {end_date}, {reason}",
        answer="The policy ends on {end_date}.",
    ),
    tool(
        "insure_driver",
        "Add a further driver to a car insurance.",
        "policy_number=code driver=person birth_date=day licence_years?=several relation?=spouse|child|friend|employee",
        "add {driver}, born {birth_date}, to my car insurance {policy_number} / {driver} is going to drive my car "
        "too, date of birth {birth_date}, the policy is {policy_number} / put {driver} on {policy_number} as a "
        "driver, birthday {birth_date} / on motor policy {policy_number} I'd like another driver: {driver}, "
        "{birth_date} / who's allowed behind the wheel under {policy_number} should include {driver}, born on "
        "{birth_date} / my motor insurance is {policy_number}, cover {driver} as well, born {birth_date} / new driver "
        "for {policy_number}: name {driver}, born {birth_date} / may {driver}, born {birth_date}, use the car insured "
        "under {policy_number}, please include that",
        licence_years=", holding a licence for {licence_years} years",
        relation=", relation to me: {relation}",
        answer="{driver} is insured.",
    ),
    tool(
        "strike_insured_driver",
        "Take a driver off a car insurance.",
        "policy_number=code driver=person",
        "remove {driver} as a driver from my car insurance {policy_number} / {driver} doesn't drive my car anymore, "
        "the motor policy is {policy_number} / strike {driver} off the drivers of {policy_number} / the car policy "
        "{policy_number} still covers {driver}, that isn't necessary any longer / my son {driver} has his own car "
        "now, so leave him out of motor policy {policy_number} / under {policy_number}, {driver} no longer needs to "
        "be allowed behind the wheel / motor insurance {policy_number}, one driver fewer: {driver} / we've split up, "
        "{driver} and I, and the cover as a driver under {policy_number} has to end",
        answer="{driver} is no longer insured.",
    ),
    tool(
        "attach_claim_evidence",
        "Add photos or papers to an insurance claim that is already open.",
        "claim_number=code files=[file] evidence_type?=photo|receipt|police_report|medical_report",
        "attach {files} to my claim {claim_number} / here's what you asked for concerning claim {claim_number}: "
        "{files} / {files} belong with the claim {claim_number}, put them in / my claim is {claim_number}, the "
        "adjuster wanted proof, so add {files} / as proof of the damage I hand in {files} for {claim_number} / claim "
        "{claim_number}, evidence {files} / I forgot to send {files} when I reported the damage, the claim number is "
        "{claim_number} / upload {files}, they show the loss in case {claim_number}",
        evidence_type=", evidence type {evidence_type}",
        answer="The files are with the claim.",
    ),
    tool(
        "appeal_claim_decision",
        "Object to an insurer's decision on a claim.",
        "claim_number=code argument=message claimant=person demanded_sum?=amount lawyer?=last_name",
        "{claimant} appeals against the decision on claim {claim_number}, argument: {argument} / you turned down "
        'claim {claim_number}, {claimant} doesn\'t accept that, because "{argument}" / file an objection for '
        "{claimant}, claim {claim_number}, with this argument: {argument} / the insurer has rejected {claim_number} "
        'and {claimant} says "{argument}", so contest it / I\'m {claimant} and I think what you decided about '
        '{claim_number} is wrong, my argument is "{argument}" / ask for a second look at the refused claim '
        '{claim_number} of {claimant}, arguing "{argument}" / "{argument}" is what {claimant} has to say against your '
        "ruling in {claim_number} / claimant {claimant} wants the verdict on {claim_number} reviewed, argument "
        '"{argument}"',
        demanded_sum=", the demanded sum is {demanded_sum}",
        lawyer=", represented by the lawyer {lawyer}",
        answer="The decision will be reviewed.",
    ),
    tool(
        "name_beneficiary",
        "Choose who gets the money of a life insurance if the insured person dies.",
        "policy_number=code beneficiary=person share=percentage revocable?=boolean",
        "name {beneficiary} as beneficiary of my life insurance {policy_number} with a share of {share} / if I die, "
        "{beneficiary} should get {share} of life policy {policy_number} / {share} of what {policy_number} pays out "
        "on my death goes to {beneficiary} / life insurance {policy_number}: {beneficiary}, {share} / my partner is "
        "{beneficiary}, make sure that {share} of the death benefit from {policy_number} ends up there / when I'm "
        "gone I want {beneficiary} to have {share} of the payout, contract {policy_number} / put down {beneficiary} "
        "for {share} in my life cover {policy_number} / whoever inherits otherwise, the life policy {policy_number} "
        "shall pay {share} to {beneficiary}",
        revocable=", and I may change that later|, and that is final",
        answer="{beneficiary} gets {share}%.",
    ),
    tool(
        "project_pension",
        "Estimate the monthly pension somebody can expect.",
        "current_age=age retire_at=age monthly_contribution=amount scheme?=state|company|private "
        "adjust_for_inflation?=boolean",
        "what pension can I expect if I'm {current_age} now, retire at {retire_at} and pay in {monthly_contribution} "
        "a month / paying in {monthly_contribution} monthly, aged {current_age}, retirement at {retire_at}, what'll I "
        "get / project my pension: current age {current_age}, retirement age {retire_at}, contribution "
        "{monthly_contribution} / I want to stop working at {retire_at}, I'm {current_age} today and put "
        "{monthly_contribution} a month into it, how much will I have in old age / how well off will a {current_age} "
        "year old be who saves {monthly_contribution} each month until retiring at {retire_at} / with "
        "{monthly_contribution} every month from my present age of {current_age} until I leave work at {retire_at}, "
        "what does old age look like / age {current_age}, {monthly_contribution} a month, retiring at {retire_at}, "
        "pension forecast pls / my wife plans on retiring at {retire_at}, she's {current_age} and contributes "
        "{monthly_contribution} monthly, estimate what she'll receive",
        scheme=", from the {scheme} scheme",
        adjust_for_inflation=", inflation counted in|, ignoring inflation",
        result="pension=amount",
        answer="About {pension} a month.",
    ),
    tool(
        "raise_pension_contribution",
        "Pay a larger part of the salary into a pension plan.",
        "plan_number=code new_rate=percentage",
        "raise my contribution to pension plan {plan_number} to {new_rate} / from my salary {new_rate} should go into "
        "pension plan {plan_number} / I'd like to save more for old age, {new_rate} of my pay into {plan_number} / "
        "plan {plan_number}, new contribution rate {new_rate} / put more into my retirement plan {plan_number}, "
        "{new_rate} of what I earn / pay rise, hooray, so let my pension {plan_number} have {new_rate} / increase "
        "what I pay in for retirement under {plan_number}, the new rate is {new_rate} / {new_rate} of my wages for "
        "{plan_number}, I don't want to be poor when I'm old",
        answer="You pay in {new_rate}% now.",
    ),
    tool(
        "watch_exchange_rate",
        "Send an alert when a currency reaches a certain rate.",
        "base=currency quote=currency target_rate=measure direction=above|below notify_by?=sms|email|push",
        "tell me when one {base} is {direction} {target_rate} {quote} / alert me as soon as {base} in terms of "
        "{quote} goes {direction} {target_rate} / keep an eye on how many {quote} I get for a {base}, I want to hear "
        "about it {direction} {target_rate} / watch the rate from {base} to {quote}, the target is {target_rate}, "
        "{direction} that I need a message / {direction} {target_rate} {quote} per {base}, let me know / base {base}, "
        "quote {quote}, ping me {direction} {target_rate} / I'm waiting for a good moment to swap {base} for {quote}, "
        "that is {direction} {target_rate}, warn me then / once the price of a {base} in {quote} has moved "
        "{direction} {target_rate}, notify me",
        notify_by=", by {notify_by}",
        answer="You will hear from me.",
    ),
    tool(
        "rent_safe_deposit_box",
        "Hire a locker in the vault of a bank branch.",
        "branch_city=city box_size=small|medium|large tenant=person insured_value?=amount co_tenant?=person",
        "{tenant} would like to rent a {box_size} safe deposit box in {branch_city} / a {box_size} locker in the "
        "vault at {branch_city} for {tenant} please / I'm {tenant}, I need a place for my jewellery at your branch in "
        "{branch_city}, size {box_size} / in {branch_city}, is there a {box_size} box in the strongroom that {tenant} "
        "could hire / safe deposit, {branch_city}, {box_size}, tenant {tenant} / let {tenant} have a {box_size} "
        "strongbox at the branch of {branch_city} / where can {tenant} keep gold bars and papers safe, {box_size} "
        "will do, the branch is {branch_city} / hire a {box_size} bank locker in the name of {tenant}, {branch_city} "
        "branch",
        insured_value=", insured for {insured_value}",
        co_tenant=", together with {co_tenant} as co-tenant",
        result="box=code",
        answer="The box is {box}.",
    ),
    tool(
        "schedule_vault_visit",
        "Announce that somebody wants to open a rented safe deposit box.",
        "box_number=code visitor=person visit_date=day arrival=clock needs_drill?=boolean",
        "{visitor} wants to get at safe deposit box {box_number} on {visit_date} at {arrival} / on {visit_date} at "
        "{arrival} {visitor} will come to open the box {box_number} / I'm {visitor} and have to fetch my papers from "
        "box {box_number}, could I come on {visit_date} at {arrival} / let {visitor} into the strongroom on "
        "{visit_date}, {arrival}, for box {box_number} / vault visit: {visit_date}, {arrival}, {visitor}, box "
        "{box_number} / someone should be there with the second key for {box_number} when {visitor} comes at "
        "{arrival} on {visit_date} / my jewellery is in {box_number}, I'm wearing it at a wedding, so {visitor} drops "
        "by at {arrival} on {visit_date} to take it out / at {arrival}, {visit_date}, access to locker {box_number} "
        "for {visitor} please",
        needs_drill=", the key is lost and the lock must be drilled|, the key is there",
        answer="{visitor} is expected at {arrival}.",
    ),
    tool(
        "check_credit_score",
        "Shows how creditworthy the user is.",
        "bureau?=equifax|experian|transunion explain_factors?=boolean",
        "what's my credit score / how creditworthy am I / would a bank trust me with a loan, look up my rating / has "
        "my score got better since I paid everything on time / show me the number that lenders see about me / pull my "
        "credit rating / am I a good risk in the eyes of lenders / my credit score pls",
        bureau=", according to {bureau}",
        explain_factors=", and tell me why it's like that|, the figure without explanations",
        result="score=big",
        answer="Your score is {score}.",
    ),
    tool(
        "post_journal_entry",
        "Book an amount in the ledger from one account to another.",
        "debit_account=code credit_account=code amount=amount booking_date=day memo?=message",
        "book {amount} with debit {debit_account} and credit {credit_account}, date {booking_date} / journal entry on "
        "{booking_date}: debit {debit_account}, credit {credit_account}, {amount} / debit {debit_account} and credit "
        "{credit_account} for {amount}, booking date {booking_date} / {amount} has to be entered in the books on "
        "{booking_date}, credit account {credit_account}, debit account {debit_account} / for the ledger, dated "
        "{booking_date}: {credit_account} is credited and {debit_account} debited, the sum is {amount} / post "
        "{amount}, the debit side is {debit_account}, the credit side {credit_account}, as of {booking_date} / our "
        "bookkeeper is ill, so please record {amount} for {booking_date}, {debit_account} being debited, "
        "{credit_account} credited / double entry pls, {booking_date}, {amount}, {debit_account} in debit against "
        "{credit_account} in credit",
        memo=', with the memo "{memo}"',
        result="entry=code",
        answer="It is booked as {entry}.",
    ),
    tool(
        "reverse_journal_entry",
        "Cancel a booking in the ledger by an opposite one.",
        "entry_number=code reversal_date=day cause?=typo|wrong_account|wrong_period|double_entry",
        "reverse the journal entry {entry_number} as of {reversal_date} / the booking {entry_number} was a mistake, "
        "cancel it in the books on {reversal_date} / on {reversal_date} enter the opposite of {entry_number} / I've "
        "booked nonsense under {entry_number}, neutralize that, date {reversal_date} / storno of {entry_number}, "
        "{reversal_date} / the auditor says ledger entry {entry_number} can't stay, undo it with date {reversal_date} "
        "/ counter-entry for {entry_number} dated {reversal_date} please / book {entry_number} back out of the "
        "ledger, reversal date {reversal_date}",
        cause=", cause: {cause}",
        answer="{entry_number} is reversed.",
    ),
)
