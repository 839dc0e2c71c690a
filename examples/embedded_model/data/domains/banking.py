"""Banks' tools: cards, payees, transfers, savings and loans."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
