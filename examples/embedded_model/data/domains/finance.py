"""Invoicing, payments, insurance, customers, staff and real estate."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "mark_invoice_paid",
        "Record that an invoice was paid",
        "invoice_number=code paid_on=day method?=card|transfer|cash|cheque",
        "the invoice {invoice_number} was paid on {paid_on} / on {paid_on} the money for {invoice_number} came in / "
        "mark invoice {invoice_number} as paid on {paid_on} / {invoice_number} is settled since {paid_on} / book the "
        "payment of {invoice_number}, received {paid_on}",
        method="by {method}",
        answer="Invoice {invoice_number} is marked as paid.",
    ),
    tool(
        "send_invoice_reminder",
        "Remind a customer of an unpaid invoice",
        "invoice_number=code level?=friendly|firm|final fee?=price",
        "remind the customer of invoice {invoice_number} / nobody has paid {invoice_number} yet, send a reminder / "
        "{invoice_number} is overdue, write to the customer / chase the payment of {invoice_number} / we still wait "
        "for the money of {invoice_number}, dun them",
        level="in a {level} tone",
        fee="with a fee of {fee}",
    ),
    tool(
        "list_invoices",
        "Invoices, filtered by customer and state",
        "customer?=company state?=draft|sent|paid|overdue year?=year",
        "list the invoices / which invoices are there / show me all bills / I want to see our invoices / get the "
        "invoices we wrote",
        customer="for {customer}",
        state="in state {state}",
        year="from the year {year}",
    ),
    tool(
        "create_quote",
        "Write a quote for a customer",
        "customer=company lines=[line] valid_until?=day discount_percent?=percentage",
        "{customer} wants a quote for {lines} / write an offer to {customer} about {lines} / what would {lines} cost "
        "{customer}, make a quote / quote {lines} for {customer} / we offer {customer} {lines}, put that in a quote",
        valid_until=", valid until {valid_until}",
        discount_percent="with a discount of {discount_percent}",
        result="quote=code total=price",
        answer="Quote {quote} comes to {total}.",
    ),
    tool(
        "stripe_create_payment_link",
        "Create a Stripe payment link",
        "product=product price=money",
        "make a payment link for {product} at {price} / I sell {product} for {price}, give me a link to pay / we "
        "charge {price} for {product}, set up the payment link / our customers should pay {price} online for {product} "
        "/ I need a payment link: {product}, {price}",
        result="url=url",
        answer="Customers can pay at {url}.",
    ),
    tool(
        "create_subscription",
        "Subscribe a customer to a plan",
        "customer_email=email plan=basic|plus|premium interval=monthly|yearly trial_days?=days",
        "subscribe {customer_email} to the {plan} plan, paid {interval} / {customer_email} takes {plan}, billed "
        "{interval} / put {customer_email} on {interval} {plan} / start a {interval} {plan} subscription for "
        "{customer_email} / the customer {customer_email} chose {plan} and pays {interval}",
        trial_days="after a trial of {trial_days}",
        answer="{customer_email} has the {plan} plan.",
    ),
    tool(
        "cancel_subscription",
        "End a subscription",
        "subscription_id=id at_period_end?=boolean",
        "cancel the subscription {subscription_id} / {subscription_id} wants to quit, end the subscription / terminate "
        "{subscription_id} / the customer with subscription {subscription_id} is leaving us, cancel it / stop charging "
        "for {subscription_id}",
        at_period_end="when the period ends|at once",
    ),
    tool(
        "issue_refund",
        "Refund a charge, in full or in part",
        "charge_id=id amount?=amount reason?=duplicate|fraudulent|requested_by_customer",
        "refund the charge {charge_id} / give the money of {charge_id} back / {charge_id} was charged wrongly, pay it "
        "back / reverse the charge {charge_id} / the buyer wants the money for {charge_id} back",
        amount=", only {amount}",
        reason=", reason: {reason}",
    ),
    tool(
        "record_expense",
        "Record a business expense",
        "category=travel|meals|software|office amount=amount date=day vendor?=company",
        "I spent {amount} on {category} on {date} / book {amount} for {category}, dated {date} / on {date} we paid "
        "{amount} for {category} / add an expense: {category}, {amount}, {date} / the expense of {date}: {amount} "
        "({category})",
        vendor="at {vendor}",
        answer="I booked {amount} for {category}.",
    ),
    tool(
        "approve_expense_report",
        "Approve or reject an expense report",
        "report_id=code decision=approve|reject comment?=title",
        "{decision} the expense report {report_id} / {report_id} is checked: {decision} it / I have looked at "
        "{report_id}, please {decision} it / my decision on expenses {report_id} is {decision} / for {report_id}, "
        "{decision}",
        comment='with the comment "{comment}"',
    ),
    tool(
        "get_exchange_rate",
        "Get the exchange rate between two currencies",
        "base=currency quote=currency date?=day",
        "what is the rate from {base} to {quote} / how many {quote} do I get for one {base} / {base}/{quote} exchange "
        "rate / how does {base} stand against {quote} / I need the {base} to {quote} rate",
        date="on {date}",
        result="rate=measure",
        answer="One {base} is {rate} {quote}.",
    ),
    tool(
        "schedule_payment",
        "Schedules a bank payment for a later day.",
        "iban=id amount=amount execution_date=day reference?=code",
        "pay {amount} to {iban} on {execution_date} / on {execution_date}, {amount} should go to the account {iban} / "
        "{iban} gets {amount} on {execution_date} / schedule a payment of {amount} for {execution_date}, account "
        "{iban} / we owe {amount}, due {execution_date}, to the IBAN {iban}",
        reference="with reference {reference}",
    ),
    tool(
        "list_transactions",
        "List the transactions of an account",
        "account=id from_date?=day to_date?=day min_amount?=price",
        "show the transactions of {account} / what was booked on account {account} / which payments went through "
        "{account} / list everything that moved on {account} / I want the statement of {account}",
        from_date="from {from_date}",
        to_date="until {to_date}",
        min_amount=", only those over {min_amount}",
    ),
    tool(
        "block_card",
        "Block a bank card",
        "last_four=count reason=lost|stolen|damaged|suspicious",
        "block my card ending in {last_four}, it is {reason} / the card ending in {last_four} is {reason} / freeze "
        "card {last_four} because it is {reason} / my {reason} card, number ending {last_four}, must be blocked / "
        "nobody may pay with card {last_four} any more, reason {reason}",
        answer="The card ending in {last_four} is blocked.",
    ),
    tool(
        "calculate_tax",
        "Calculate the tax on an amount",
        "amount=amount rate=percentage included?=boolean",
        "how much tax is {rate} on {amount} / calculate {rate} tax on {amount} / with a rate of {rate}, what tax falls "
        "on {amount} / I have to pay {rate} tax for {amount}, how much is that / the tax on {amount} at {rate}",
        included="with the tax included in it|with the tax on top",
        result="tax=price",
        answer="The tax is {tax}.",
    ),
    tool(
        "get_stock_history",
        "Historical prices of a share",
        "symbol=ticker period=range interval?=daily|weekly|monthly",
        "how did {symbol} do from {period} / show the price history of {symbol} for {period} / {symbol} prices, "
        "{period} / chart {symbol} from {period} / from {period}, how was the share {symbol} traded",
        interval="as {interval} values",
    ),
    tool(
        "place_stock_order",
        "Place an order at the stock exchange",
        "side=buy|sell symbol=ticker quantity=count limit_price?=price",
        "{side} {quantity} shares of {symbol} / I want to {side} {quantity} {symbol} / put in an order to {side} "
        "{symbol}, {quantity} shares / {quantity} {symbol}: {side} / for my depot, {side} {symbol}, quantity "
        "{quantity}",
        limit_price="at no worse than {limit_price}",
        result="order=code",
        answer="Order {order} is placed.",
    ),
    tool(
        "get_insurance_quote",
        "Price of an insurance policy",
        "kind=car|home|travel|health age=age sum_insured?=big",
        "what does {kind} insurance cost for someone aged {age} / I am {age} and need {kind} insurance / quote me a "
        "{kind} policy, age {age} / a {age}-year-old asks for {kind} insurance / price a {kind} policy for a person of "
        "{age} years",
        sum_insured="over a sum of {sum_insured}",
        result="premium=price",
        answer="The {kind} policy costs {premium} a year.",
    ),
    tool(
        "file_claim",
        "File an insurance claim",
        "policy_number=code incident_date=day damage=fire|water|theft|accident estimate?=amount",
        "on {incident_date} I had a case of {damage}, policy {policy_number} / file a {damage} claim on "
        "{policy_number} for {incident_date} / the holder of policy {policy_number} reports {damage}, it happened on "
        "{incident_date} / report {damage} damage of {incident_date} under policy {policy_number} / {policy_number}: "
        "claim for {damage} on {incident_date}",
        estimate="with a loss of about {estimate}",
        result="claim=code",
        answer="Your claim has the number {claim}.",
    ),
    tool(
        "get_claim_status",
        "How far an insurance claim has come",
        "claim_number=code",
        "what about my claim {claim_number} / is the claim {claim_number} settled / how far are you with "
        "{claim_number} / I am waiting for news about claim {claim_number} / has {claim_number} been decided",
        result="status=received|in_review|paid",
        answer="Claim {claim_number} is {status}.",
    ),
    tool(
        "crm_create_lead",
        "Create a lead in the CRM",
        "name=person company=company email?=email source?=website|fair|referral|call",
        "{name} of {company} is interested, add a lead / new lead: {name} from {company} / I met {name}, who works for "
        "{company}, put that into the CRM / create the lead {name} ({company}) / at {company}, {name} wants to hear "
        "from us",
        email=", reachable at {email}",
        source=", known through a {source}",
    ),
    tool(
        "update_deal_stage",
        "Move a deal through the sales pipeline",
        "deal=code stage=qualified|proposal|negotiation|won|lost",
        "the deal {deal} is {stage} / move {deal} to {stage} / we have {deal} at the stage {stage} / put the "
        "opportunity {deal} into {stage} / update deal {deal}: {stage} / {deal} counts as {stage} now",
        answer="Deal {deal} is at {stage}.",
    ),
    tool(
        "log_call",
        "Note a phone call with a customer",
        "contact=person duration_minutes=minutes outcome=reached|voicemail|no_answer date?=day",
        "I phoned {contact} for {duration_minutes}, {outcome} / log a call with {contact}: {outcome}, "
        "{duration_minutes} / the call to {contact} took {duration_minutes}, result {outcome} / note that I spent "
        "{duration_minutes} calling {contact} ({outcome}) / {contact}, {outcome}, {duration_minutes} on the phone",
        date="on {date}",
    ),
    tool(
        "find_customer",
        "Find customers by name and place",
        "name=person city=city",
        "find the customer {name} who lives in {city} / who is {name} from {city} / look up {name}, {city}, in our "
        "customer base / in {city} we have a customer named {name}, get the record / there must be a {name} in {city}, "
        "search",
        result="customer_id=code",
        answer="{name} is customer {customer_id}.",
    ),
    tool(
        "update_customer_address",
        "Change the address of a customer",
        "customer_id=code address=address",
        "the customer {customer_id} moved to {address} / {customer_id} lives at {address} now / the new address of "
        "{customer_id} is {address} / change where {customer_id} lives to {address} / send mail for {customer_id} to "
        "{address} from now on",
    ),
    tool(
        "hire_employee",
        "Creates the record of a new employee in the HR system",
        "name=person position=job start_date=day salary?=big manager?=person",
        "{name} starts as {position} on {start_date} / hire {name} as a {position} from {start_date} / on "
        "{start_date}, {name} joins us as {position} / we have a new {position}, {name}, beginning {start_date} / the "
        "{position} we hired is {name}, first day {start_date}",
        salary="for {salary} a year",
        manager=", reporting to {manager}",
    ),
    tool(
        "terminate_employment",
        "End the employment of a staff member",
        "employee=person last_day=day voluntary?=boolean",
        "{employee} leaves the company on {last_day} / the last day of {employee} is {last_day} / end the contract of "
        "{employee} as of {last_day} / from {last_day} on, {employee} does not work here any more / we part with "
        "{employee} on {last_day}",
        voluntary="by own choice|by our choice",
    ),
    tool(
        "approve_leave",
        "Approve days off",
        "employee=person period=range kind?=vacation|parental|unpaid",
        "{employee} may be off {period} / approve the leave of {employee}, {period} / {employee} asked for {period} "
        "off and gets it / grant {employee} days off from {period} / I agree that {employee} is away {period}",
        kind="as {kind} leave",
    ),
    tool(
        "get_vacation_balance",
        "Remaining vacation days",
        "employee=person year?=year",
        "how many days off does {employee} have left / what vacation remains for {employee} / {employee} asks for the "
        "remaining leave / get the vacation balance of {employee} / can {employee} still take holidays",
        year="in {year}",
        result="days=small",
        answer="{employee} has {days} days left.",
    ),
    tool(
        "clock_in",
        "Register the beginning of a shift",
        "employee_id=big at=clock site?=city",
        "the employee {employee_id} came at {at} / clock in {employee_id} at {at} / {employee_id} began to work at "
        "{at} / the shift of {employee_id} started {at} / at {at}, employee {employee_id} arrived",
        site="in {site}",
    ),
    tool(
        "run_payroll",
        "Pay the salaries of a month",
        "month=month year=year department?=sales|legal|finance|research",
        "run the payroll for {month} {year} / pay the salaries of {month} {year} / it is time for the wages of {month} "
        "{year} / the staff should get the {month} {year} salary / do the {year} {month} payroll",
        department="in {department}",
    ),
    tool(
        "schedule_interview",
        "Arrange an interview with an applicant",
        "candidate=person position=job date=day time=clock interviewer?=person",
        "{candidate}, who applied as {position}, comes for an interview on {date} at {time} / interview {candidate} "
        "for the {position} job on {date}, {time} / at {time} on {date} we talk to {candidate} about working as "
        "{position} / set up a job interview: {candidate}, {position}, {date}, {time} / on {date} at {time}, meet the "
        "{position} candidate {candidate}",
        interviewer="with {interviewer} asking the questions",
    ),
    tool(
        "search_properties",
        "Search flats and houses on the market",
        "city=city offer=rent|buy max_price?=big rooms?=handful balcony?=boolean",
        "I am looking for a home to {offer} in {city} / which flats can I {offer} in {city} / find property in {city} "
        "to {offer} / we want to {offer} a place in {city} / what is there to {offer} in {city}",
        max_price="for at most {max_price}",
        rooms="with {rooms} rooms",
        balcony=", a balcony is a must|, a balcony does not matter",
    ),
    tool(
        "schedule_viewing",
        "Arrange a viewing of a property",
        "listing_id=code visitor=person date=day time=clock",
        "{visitor} wants to see {listing_id} on {date} at {time} / show {listing_id} to {visitor} on {date}, {time} / "
        "on {date} at {time} the flat {listing_id} is shown to {visitor} / book a viewing of {listing_id} for "
        "{visitor}: {date}, {time} / at {time} on {date}, {visitor} visits {listing_id}",
    ),
    tool(
        "estimate_property_value",
        "Estimate what a property is worth",
        "address=address area_sqm=measure built?=year",
        "what is the house at {address} worth, it has {area_sqm} square metres / value {address}, {area_sqm} sqm / "
        "estimate the price of {area_sqm} m² at {address} / I own {area_sqm} square metres at {address}, what could I "
        "sell it for / how much would {address} bring with its {area_sqm} sqm",
        built=", built in {built}",
        result="value=big",
        answer="It is worth about {value}.",
    ),
)
