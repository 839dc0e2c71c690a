"""Tools of banks, insurers and bookkeepers."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "freeze_card",
        "Put a payment card on hold for a while; the holder can release it later.",
        "card_number=code until?=day",
        "freeze my card {card_number} / I can't find card {card_number} but it's probably at home, put it on hold for "
        "now / please lock {card_number} temporarily, I don't want anybody to pay with it for the moment / can you "
        "disable the card {card_number} for a bit / card {card_number}: on ice pls / left my wallet at the office "
        "with {card_number} in it, pause the card / nobody should be able to use {card_number} while I look for it / "
        "suspend payments with card {card_number} for the time being",
        until="until {until}",
        answer="The card {card_number} is on hold.",
    ),
    tool(
        "thaw_card",
        "Release a payment card that was put on hold.",
        "card_number=code",
        "unfreeze {card_number} / I've found my card again, {card_number}, please release it / the card {card_number} "
        "was on hold, take the hold off / can I use {card_number} again, it's been frozen since last week / lift the "
        "temporary lock on card {card_number} / it was under the sofa all along, so let {card_number} pay again / "
        "thaw {card_number} pls / end the pause of my card {card_number}, I need it now",
        answer="The card {card_number} works again.",
    ),
    tool(
        "replace_card",
        "Send out a new payment card in place of an old one.",
        "card_number=code reason=lost|stolen|damaged|expired express?=boolean ship_to?=address",
        "I need a replacement for card {card_number}, reason: {reason} / card {card_number} is {reason}, send me a "
        "new one / my card's {reason}, number {card_number}, could you mail me another / replace {card_number}, it's "
        "{reason} / new plastic for {card_number} please, the old one is {reason} / how do I get a fresh card, "
        "{card_number} is {reason} / {reason} card, no. {card_number}, issue a substitute / the {reason} one is "
        "{card_number} and I want it swapped for a new card",
        express=", by express courier|, by ordinary post",
        ship_to=", ship it to {ship_to}",
        answer="A new card is on its way.",
    ),
    tool(
        "activate_card",
        "Bring a newly received payment card into service.",
        "card_number=code activation_code=zip",
        "activate card {card_number} with the code {activation_code} / my new card came in the mail, {card_number}, "
        "and the letter gives {activation_code} as activation code / the code in the letter is {activation_code}, "
        "make the new card {card_number} usable / enable my brand-new card {card_number}, activation code "
        "{activation_code} / just received {card_number}, how do I get it going, the code says {activation_code} / "
        "put the new debit card {card_number} into service, {activation_code} is the code / activation code "
        "{activation_code}, new card {card_number} / first use of {card_number}: it wants activating and I've got the "
        "code {activation_code}",
        answer="You can pay with {card_number} now.",
    ),
    tool(
        "change_card_pin",
        "Give a payment card another PIN.",
        "card_number=code old_pin=zip new_pin=zip",
        "change the PIN of {card_number} from {old_pin} to {new_pin} / I want {new_pin} as the new PIN for card "
        "{card_number}, the old one is {old_pin} / someone saw me type {old_pin}, so let card {card_number} have "
        "{new_pin} instead / card {card_number}, current PIN {old_pin}, new PIN {new_pin} / my secret number for "
        "{card_number} is {old_pin} and should become {new_pin} / swap the old PIN {old_pin} for {new_pin} on card "
        "{card_number} / can I use {new_pin} instead of {old_pin} at the cash machine with {card_number} / {old_pin} "
        "is too easy to guess, for my card {card_number} I'd rather type {new_pin}",
        answer="The new PIN is valid.",
    ),
    tool(
        "set_card_limit",
        "Cap what can be spent with a card per day, week or month.",
        "card_number=code max_amount=amount period=daily|weekly|monthly channel?=online|atm|in_store",
        "set a {period} limit of {max_amount} on card {card_number} / card {card_number} shouldn't be able to spend "
        "more than {max_amount}, that's the {period} cap / raise the {period} maximum to {max_amount} for "
        "{card_number} / my daughter has {card_number}, cap it at {max_amount} on a {period} basis / {period} ceiling "
        "for {card_number}: {max_amount} / make {max_amount} the highest {period} sum for my card {card_number} / I "
        "keep overspending with {card_number}, don't let me go over {max_amount}, counted {period} / the {period} "
        "spending limit of {card_number} ought to be {max_amount}",
        channel="for {channel} use",
        answer="The limit is {max_amount} now.",
    ),
    tool(
        "get_card_limits",
        "Tells how much a card may spend and how much of it is left.",
        "card_number=code",
        "what are the limits of card {card_number} / how much can I still spend with {card_number} / is there a cap "
        "on my card {card_number}, and how high is it / show the spending limits that apply to {card_number} / I'm "
        "about to buy a sofa with {card_number}, will the card allow that much / card {card_number}: max spend and "
        "what's left of it / how far can I go with {card_number} before it's declined / tell me the ceiling that's "
        "set for {card_number}",
        result="limit=amount left=amount",
        answer="The limit is {limit}, {left} of it is left.",
    ),
    tool(
        "link_card_to_wallet",
        "Add a card to the payment app of a phone or watch.",
        "card_number=code wallet=apple_pay|google_pay|samsung_pay|garmin_pay make_default?=boolean",
        "add {card_number} to {wallet} / I'd like to tap with my phone, put card {card_number} into {wallet} / can "
        "{card_number} be used with {wallet}, set that up / link my card {card_number} and {wallet} / {wallet} should "
        "have my card {card_number} in it / got a new watch, load {card_number} onto {wallet} / connect {wallet} with "
        "the debit card {card_number} / register {card_number} for contactless by {wallet}",
        make_default=", as the default card|, not as the default card",
    ),
    tool(
        "unlink_card_from_wallet",
        "Take a card out of the payment app of a phone or watch.",
        "card_number=code wallet=apple_pay|google_pay|samsung_pay|garmin_pay",
        "remove {card_number} from {wallet} / I've sold my phone, get card {card_number} out of {wallet} / {wallet} "
        "still shows my old card {card_number}, take it off / disconnect {wallet} and card {card_number} / no more "
        "tapping with {card_number}, it must vanish from {wallet} / unlink {card_number}, the wallet is {wallet} / "
        "delete the digital copy of {card_number} in {wallet} / I don't want {wallet} to have my card {card_number} "
        "any longer",
    ),
    tool(
        "add_payee",
        "Save a recipient of transfers with the account details.",
        "payee_name=person iban=code nickname?=nickname bank?=company",
        "save {payee_name} as a payee, IBAN {iban} / new recipient: {payee_name}, account {iban} / I'll be paying "
        "{payee_name} more often, keep the IBAN {iban} on file / add {iban} to my saved beneficiaries, it belongs to "
        "{payee_name} / my landlord is called {payee_name} and banks under {iban}, remember that for transfers / "
        "could you put {payee_name} with {iban} on my list of recipients / store the account details of {payee_name}: "
        "{iban} / {iban} is the account of {payee_name}, save it so I needn't type it again",
        nickname=", nickname {nickname}",
        bank=", the bank is {bank}",
        answer="{payee_name} is saved.",
    ),
    tool(
        "delete_payee",
        "Remove a saved recipient of transfers.",
        "payee_name=person",
        "delete {payee_name} from my payees / I won't be sending money to {payee_name} anymore, take that recipient "
        "off the list / get rid of the saved account details of {payee_name} / {payee_name} needn't be among my saved "
        "beneficiaries any longer / erase the payee {payee_name} / we've fallen out, {payee_name} and me, so strike "
        "that name off my recipients / forget the bank details of {payee_name} / payee {payee_name}, remove pls",
        answer="{payee_name} is no longer saved.",
    ),
    tool(
        "list_payees",
        "Shows the saved recipients of transfers.",
        "country?=country sort_by?=name|last_used|amount",
        "who are my saved payees / show me the recipients on file / list everybody whose account details I've stored "
        "/ whom can I pay without typing an IBAN / let me see all my beneficiaries / payees, full list / which names "
        "are saved for transfers / I can't remember whose bank details I kept, show me",
        country=", only those in {country}",
        sort_by=", sorted by {sort_by}",
        result="payees=[person]",
        answer="You have saved {payees}.",
    ),
    tool(
        "wire_money_abroad",
        "Send an international wire; says who bears the charges.",
        "beneficiary=person destination_country=country amount=amount currency=currency "
        "charges=shared|sender|recipient",
        "wire {amount} {currency} to {beneficiary} in {destination_country}, charges: {charges} / I need to get "
        "{amount} {currency} over to {beneficiary}, who lives in {destination_country}, the fees are {charges} / "
        "{beneficiary} in {destination_country} is to receive {amount} {currency} by SWIFT, fee option {charges} / "
        "international payment to {destination_country}: {beneficiary}, {amount} {currency}, costs {charges} / "
        "abroad, country {destination_country}, beneficiary {beneficiary}, charges option {charges}, send {amount} "
        "{currency} / can you remit {amount} in {currency} to a bank in {destination_country} for {beneficiary}, with "
        "{charges} as the charges option / with charges set to {charges}, make an overseas transfer of {amount} "
        "{currency} for {beneficiary}, {destination_country} / my supplier {beneficiary} has a bank in "
        "{destination_country} and is waiting for {amount} {currency}, put {charges} for the charges",
        answer="{amount} {currency} are on their way to {beneficiary}.",
    ),
    tool(
        "recall_transfer",
        "Try to get back a transfer that was already sent.",
        "transfer_id=code reason=wrong_recipient|wrong_amount|duplicate|fraud note?=message",
        "recall transfer {transfer_id}, reason: {reason} / I've made a mistake with transfer {transfer_id}, it's a "
        "case of {reason}, get the money back / try to reverse the payment I sent as {transfer_id} because of "
        "{reason} / {transfer_id} has gone out already but must come back, {reason} / is it too late to pull back "
        "{transfer_id}, the problem is {reason} / ask the receiving bank to return {transfer_id} and give {reason} as "
        "the reason / oh no, {reason}, can transfer no. {transfer_id} still be called back / {reason}: undo my sent "
        "transfer {transfer_id}",
        note=', add the note "{note}"',
        result="chance=low|medium|high",
        answer="The recall has started, the chance of success is {chance}.",
    ),
    tool(
        "pause_standing_order",
        "Interrupt a regular payment until a day; it goes on by itself afterwards.",
        "order_reference=code resume_on=day",
        "pause the standing order {order_reference} and let it go on again on {resume_on} / skip the regular payment "
        "{order_reference} for now, it resumes on {resume_on} / I'm short of cash, {order_reference} shouldn't run "
        "before {resume_on} / no payments under standing order {order_reference} until {resume_on} / can "
        "{order_reference} have a break till {resume_on} and then continue / put the recurring transfer "
        "{order_reference} to sleep, wake it on {resume_on} / {resume_on} is when {order_reference} should start up "
        "again, interrupt it until then / the rent is waived till {resume_on}, so suspend the automatic payment "
        "{order_reference} that long",
        answer="It goes on again on {resume_on}.",
    ),
    tool(
        "amend_standing_order",
        "Alter the sum or the rhythm of a regular payment.",
        "order_reference=code new_amount=amount frequency?=weekly|monthly|quarterly|yearly first_date?=day",
        "change the standing order {order_reference} to {new_amount} / my rent has gone up, the regular payment "
        "{order_reference} must be {new_amount} from now on / {new_amount} is the new sum for the recurring transfer "
        "{order_reference} / adjust {order_reference}, it should send {new_amount} each time / I'd like to pay "
        "{new_amount} under my existing order {order_reference} / the automatic payment {order_reference} is still at "
        "the old price, make that {new_amount} / standing order {order_reference}: new amount {new_amount} / can you "
        "alter {order_reference} so that {new_amount} goes out every time",
        frequency=", at a {frequency} rhythm",
        first_date=", as of {first_date}",
        answer="{order_reference} sends {new_amount} now.",
    ),
    tool(
        "authorize_direct_debit",
        "Allow a company to collect payments from an account.",
        "creditor=company account=code ceiling?=amount one_off?=boolean",
        "allow {creditor} to collect from my account {account} / {creditor} may debit account {account} / sign a "
        "direct debit mandate for {creditor}, the account is {account} / my new gym is called {creditor} and wants to "
        "collect the fee itself, from {account}, that's fine with me / let {creditor} take what I owe out of "
        "{account} / I give {creditor} permission to draw from {account} / set up a direct debit for {creditor} on "
        "account {account} / from {account} please, {creditor} can help itself when bills are due",
        ceiling=", no more than {ceiling} at once",
        one_off=", just one single time|, again and again from now on",
        answer="{creditor} may collect from {account}.",
    ),
    tool(
        "revoke_direct_debit",
        "Withdraw a company's permission to collect payments from an account.",
        "creditor=company account=code",
        "stop {creditor} from collecting out of my account {account} / {creditor} may no longer debit account "
        "{account} / cancel the direct debit mandate of {creditor}, the account is {account} / I've quit the gym, "
        "it's called {creditor}, don't let it take anything more from {account} / withdraw the permission that "
        "{creditor} has for {account} / revoke the mandate, {creditor}, account {account} / account {account}: no "
        "more collections by {creditor} from now on / why can {creditor} still draw from {account}, I want that ended",
        answer="{creditor} can't collect from {account} any more.",
    ),
    tool(
        "feed_savings_pot",
        "Put money aside from the current account into a savings pot.",
        "pot=occasion amount=amount from_account?=code repeat?=boolean",
        "put {amount} into my savings pot {pot} / set {amount} aside for {pot} / I've got {amount} left over this "
        "month, it goes into the pot called {pot} / stash {amount} away in {pot} / the pot {pot} should grow by "
        "{amount} / save another {amount} towards {pot} / can I move {amount} to the {pot} savings / pot {pot}, plus "
        "{amount}",
        from_account="from account {from_account}",
        repeat=", the same again every month|, just this once",
        answer="{amount} more for {pot}.",
    ),
    tool(
        "draw_from_savings_pot",
        "Take money out of a savings pot, back to the current account.",
        "pot=occasion amount=amount",
        "take {amount} out of my savings pot {pot} / I need {amount} back from the {pot} savings / the boiler's "
        "broken, get {amount} from the pot called {pot} / withdraw {amount} from {pot}, my current account is empty / "
        "dip into {pot} for {amount} / pot {pot}, minus {amount} / return {amount} of what I put aside for {pot} to "
        "my current account / we've saved too much for {pot}, I want {amount} of it to spend",
        answer="{amount} are back on the current account.",
    ),
    tool(
        "place_fixed_deposit",
        "Lock money away for a fixed term at a fixed interest rate.",
        "amount=amount term_months=several at_maturity=renew|pay_out holder?=person",
        "place {amount} in a fixed deposit for {term_months} months, at maturity {at_maturity} / lock away {amount} "
        "for {term_months} months and {at_maturity} afterwards / I won't need {amount} for the next {term_months} "
        "months, put it on term deposit, at maturity: {at_maturity} / term deposit: {amount}, {term_months} months, "
        "then {at_maturity} / tie up {amount} at a fixed rate, it should {at_maturity} when the {term_months} months "
        "are over / for {term_months} months you can have {amount} of mine at a fixed rate, when it matures, "
        "{at_maturity} / invest {amount} in a time deposit that'll {at_maturity} after {term_months} months / what "
        "about a fixed term of {term_months} months for {amount}, choose {at_maturity} at maturity",
        holder=", account holder {holder}",
        result="rate=percentage",
        answer="You get {rate}% interest.",
    ),
    tool(
        "compare_savings_rates",
        "Find the banks that pay the best interest.",
        "deposit=amount instant_access?=boolean country?=country max_results?=several",
        "which bank pays the best interest on {deposit} / I've inherited {deposit}, where does it earn most / compare "
        "savings rates for a deposit of {deposit} / who gives me the highest return on {deposit} without risk / "
        "{deposit} are lying around, find me a good interest rate / top savers' rates, sum {deposit} / what would "
        "banks offer if I parked {deposit} with them / my bank pays nothing on {deposit}, is there a better one",
        instant_access=", I need access at any time|, it may be tied up for a while",
        country=", only banks in {country}",
        max_results=", list {max_results} of them",
        result="bank=company rate=percentage",
        answer="{bank} pays {rate}%.",
    ),
    tool(
        "request_loan_offer",
        "Ask for a binding offer of a personal loan.",
        "purpose=car|renovation|education|wedding|holiday amount=amount term_years=several applicant=person "
        "guarantor?=person",
        "{applicant} would like to borrow {amount} for {term_years} years, purpose: {purpose} / loan offer for "
        "{applicant} pls: {amount}, {purpose}, {term_years} years / I'm {applicant} and need {amount} for {purpose}, "
        "to be paid back within {term_years} years / what would you lend {applicant} for {purpose}, we're thinking of "
        "{amount} over {term_years} years / make an offer of credit to {applicant} for {purpose} of {amount} with a "
        "term of {term_years} years / for {purpose}, {applicant} is short of {amount} and can repay it in "
        "{term_years} years / {amount} on credit, {term_years} years, applicant {applicant}, it's for {purpose} / "
        "could {applicant} get a personal loan, the amount is {amount}, the purpose {purpose} and the term "
        "{term_years} years",
        guarantor=", {guarantor} is the guarantor",
        result="rate=percentage",
        answer="{applicant} can have it at {rate}%.",
    ),
    tool(
        "prepay_loan",
        "Make an extra repayment towards a running loan.",
        "loan_number=code extra_amount=amount effect?=shorter_term|lower_rate",
        "pay {extra_amount} extra on my loan {loan_number} / I got a bonus, use {extra_amount} to bring down the loan "
        "{loan_number} / knock {extra_amount} off the debt of {loan_number} / loan {loan_number}, additional "
        "repayment of {extra_amount} / can I throw in {extra_amount} on top of the usual instalments of {loan_number} "
        "/ an unscheduled payment of {extra_amount} towards credit {loan_number} please / {extra_amount} ahead of "
        "schedule for the loan with number {loan_number} / I'd like to owe less on {loan_number}, so take "
        "{extra_amount} now",
        effect=", effect: {effect}",
        answer="You owe {extra_amount} less.",
    ),
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
