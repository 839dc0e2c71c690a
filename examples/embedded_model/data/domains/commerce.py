"""Shopping, money and logistics tools."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "get_stock_price",
        "Price of a stock",
        "symbol=ticker currency?=currency",
        "what is the stock price of {symbol} / how much is {symbol} trading at / get the price of {symbol} / quote "
        "{symbol} / what would one share of {symbol} cost me now / how are my {symbol} shares doing, tell me what "
        "one is worth / {symbol} shares, current value pls / could you tell me what the market pays for {symbol} / "
        "I'm thinking of investing in {symbol}, what does a share go for",
        currency="in {currency}",
        result="price=price",
        answer="{symbol} trades at {price}.",
    ),
    tool(
        "convert_currency",
        "Convert money",
        "amount=price from=currency to=currency",
        "convert {amount} {from} to {to} / how much is {amount} {from} in {to} / change {amount} {from} into {to} / "
        "if I hand over {amount} {from}, what do I get in {to} / {amount} {from} = ? {to} / what are {amount} {from} "
        "worth in {to} / I come home with {amount} {from} in my wallet, what is that in {to} / could you tell me the "
        "value of {amount} {from} expressed in {to}",
        result="result=price",
        answer="{amount} {from} are {result} {to}.",
    ),
    tool(
        "search_products",
        "Search the shop",
        "query=product max_price?=price category?=home|garden|sports|books in_stock?=boolean",
        "search for {query} / find {query} in the shop / show me products like {query} / I am looking for {query} / "
        "do you sell {query} / I'd like to buy {query}, what have you got / have you anything like {query} / "
        "{query}, what's on offer / could you show me what there is in the way of {query}",
        max_price="under {max_price}",
        category="in {category}",
        in_stock="only in stock|even if sold out",
        result="products=[title]",
        answer="I found {products}.",
    ),
    tool(
        "add_to_cart",
        "Put a product into the cart",
        "product_id=code quantity=small",
        "add {quantity} of {product_id} to my cart / put {quantity} pieces of {product_id} in the cart / I'll take "
        "{quantity} of {product_id}, but I'm not paying yet / {quantity} x {product_id} into the basket pls / could "
        "you drop {quantity} of {product_id} into my basket / put {quantity} of {product_id} in my basket, I'm still "
        "looking around / {product_id} looks good, into the trolley with {quantity} of them",
    ),
    tool(
        "place_order",
        "Order products",
        "items=[line] address=address express?=boolean",
        "order {items} to {address} / place an order for {items}, shipped to {address} / I want to buy {items}, send "
        "everything to {address} / buy {items} for me and have them shipped to {address} / please get {items} on "
        "their way to {address} / {items}, ship to {address} pls / we've run out, so purchase {items}, and the goods "
        "go to {address}",
        express="by express|by normal mail",
        result="order=code",
        answer="Your order is {order}.",
    ),
    tool(
        "track_order",
        "Where an order is",
        "order_id=code",
        "where is my order {order_id} / track order {order_id} / what is the status of order {order_id} / I'm still "
        "waiting for what I bought as {order_id}, has it left yet / when does my purchase {order_id} arrive / "
        "{order_id} hasn't come yet, what's going on / any news of {order_id} / could you find out how far my "
        "delivery {order_id} has got",
        result="status=packed|shipped|delivered city=city",
        answer="Order {order_id} is {status} and in {city}.",
    ),
    tool(
        "cancel_order",
        "Cancel an order",
        "order_id=code reason?=mistake|late|price",
        "cancel order {order_id} / stop my order {order_id} / I don't want what I bought under {order_id} any more / "
        "I've changed my mind about purchase {order_id}, don't send it / call off my purchase {order_id} / please "
        "don't ship {order_id}, I won't take it / scrap {order_id} pls",
        reason="because of {reason}",
    ),
    tool(
        "refund_payment",
        "Pay money back",
        "payment_id=code amount=price",
        "refund {amount} of payment {payment_id} / pay back {amount} for {payment_id} / the customer should get "
        "{amount} of {payment_id} back / return {amount} from {payment_id} to the buyer / we charged {amount} too "
        "much with {payment_id}, give it back / {payment_id}: {amount} back to the customer / could you reimburse "
        "{amount} that came in as {payment_id}",
    ),
    tool(
        "create_invoice",
        "Write an invoice",
        "customer=company amount=price currency=currency due_date?=date",
        "create an invoice for {customer} over {amount} {currency} / bill {customer} {amount} {currency} / "
        "{customer} owes us {amount} {currency}, put it in writing / charge {customer} {amount} {currency} for our "
        "work / the work for {customer} is done, ask them for {amount} {currency} / {customer}, {amount} {currency}, "
        "invoice pls / could you make out a bill of {amount} {currency} to {customer}",
        due_date="due {due_date}",
        result="invoice=code",
        answer="Invoice {invoice} for {customer} is ready.",
    ),
    tool(
        "transfer_money",
        "Transfer money",
        "to=person amount=price currency?=currency note?=title",
        "transfer {amount} to {to} / send {to} {amount} / pay {amount} to {to} / I owe {to} {amount}, please settle "
        "it / {to} should get {amount} from me / {amount} to {to} pls / could you wire {to} {amount} / let {to} have "
        "{amount} from my bank",
        currency="in {currency}",
        note="with the note {note}",
        answer="I have sent {amount} to {to}.",
    ),
    tool(
        "get_balance",
        "Balance of an account",
        "account=big",
        "what is the balance of account {account} / how much money is in account {account} / am I in the red on "
        "{account} / can I still afford something with what is on {account} / what's left on {account} / how rich am "
        "I according to {account} / {account}, how much is on it",
        result="balance=price",
        answer="Account {account} holds {balance}.",
    ),
    tool(
        "calculate_loan",
        "Monthly rate of a loan",
        "principal=big rate=measure years=small",
        "what is the monthly rate of a loan of {principal} at {rate} percent over {years} years / calculate a loan "
        "of {principal} for {years} years at {rate} percent / if I borrow {principal} at {rate} percent for {years} "
        "years, what do I pay each month / what would {principal} from the bank cost me monthly at {rate} percent in "
        "{years} years / the bank lends me {principal} for {years} years and wants {rate} percent, what leaves my "
        "purse every month / {principal} borrowed, {rate} percent, {years} years, monthly burden pls / can I afford "
        "a mortgage of {principal} with {rate} percent interest that runs {years} years",
        result="monthly=price",
        answer="You pay {monthly} a month.",
    ),
    tool(
        "calculate_tip",
        "Tip for a bill",
        "bill=price percent=percent",
        "what is a {percent} percent tip on {bill} / calculate the tip for a bill of {bill} at {percent} percent / "
        "dinner was {bill}, how much do I leave the waiter at {percent} percent / the waiter was nice and deserves "
        "{percent} percent on top of {bill}, how much is that / {bill}, {percent} percent for the waitress, what do "
        "I leave / we paid {bill} at the restaurant, what extra does the staff get at {percent} percent / how much "
        "should I give the waiter if the meal cost {bill} and I'm giving {percent} percent",
    ),
    tool(
        "ship_package",
        "Ship a package",
        "weight_kg=measure destination=address insured?=boolean",
        "ship a package of {weight_kg} kg to {destination} / send a {weight_kg} kg parcel to {destination} / this "
        "box of {weight_kg} kg has to get to {destination} / get {weight_kg} kg of goods to {destination} by carrier "
        "/ parcel, {weight_kg} kg, to {destination} pls / could a courier take {weight_kg} kg to {destination} / I "
        "have a present weighing {weight_kg} kg that must go to {destination}",
        insured="with insurance|without insurance",
    ),
    tool(
        "check_stock",
        "Units in a warehouse",
        "sku=code warehouse?=city",
        "how many units of {sku} do we have / check the stock of {sku} / are we running low on {sku} / is there "
        "still enough {sku} on the shelves / how many {sku} are left / {sku}, quantity on hand pls / can we still "
        "deliver {sku} or have we run out",
        warehouse="in {warehouse}",
        result="units=count",
        answer="There are {units} units of {sku}.",
    ),
    tool(
        "apply_coupon",
        "Use a coupon code",
        "code=code order_id=code",
        "apply coupon {code} to order {order_id} / use code {code} on {order_id} / I have a voucher {code}, make "
        "{order_id} cheaper with it / take the discount {code} off {order_id} / {code} should lower the price of "
        "{order_id} / could you redeem {code} for my purchase {order_id} / there's this promo {code}, it belongs on "
        "{order_id}",
    ),
    tool(
        "rate_product",
        "Rate a product",
        "product=product stars=small comment?=message",
        "rate {product} with {stars} stars / give {product} {stars} stars / my verdict on {product} is {stars} stars "
        "/ {product} deserves {stars} stars / {product}: {stars} stars / put me down with {stars} stars for "
        "{product} / I bought {product} and I'd say {stars} stars",
        comment="and comment {comment}",
    ),
    tool(
        "rent_car",
        "Rent a car",
        "city=city period=range type?=small|compact|van",
        "rent a car in {city} from {period} / I need a rental car in {city} from {period} / I need something to "
        "drive in {city} from {period} / get me wheels in {city} from {period} / we want to drive around {city} "
        "ourselves from {period}, get us a vehicle / could you hire a vehicle for me in {city} from {period} / I'll "
        "be in {city} without my own vehicle from {period}, find me one",
        type="of type {type}",
    ),
    tool(
        "buy_ticket",
        "Buy event tickets",
        "event=title count=small seats?=front|middle|back",
        "buy {count} tickets for {event} / get me {count} tickets to {event} / {count} of us want to go to {event}, "
        "get us in / {event}, {count} seats pls / I'd love to see {event}, we are {count} / could you get {count} "
        "seats for {event} / please reserve admission to {event} for {count} people",
        seats="in the {seats}",
    ),
)
