"""Topics of buying and selling: invoices, orders, products, payments, parcels, flats."""

from __future__ import annotations

from embedded_model.data.topics.topic import topic

TRADE = (
    topic(
        "invoice",
        """
        {vendor} sent us a bill over {total}, payable by {due_date} / {vendor} sent an invoice for {total}
        {vendor} billed us {total} / We were billed {total} by {vendor} / {vendor} invoiced us {total} on {date}
        We owe {vendor} {total} / we have to pay {total} to {vendor} by {due_date}
        Please pay {total} to {vendor} before {due_date} / Invoice {number} from {vendor} is due on {due_date}
        Invoice {number}: {total}, due {due_date} / invoice {number} came in / INVOICE {number}¶{vendor}¶Total: {total}
        INVOICE¶{vendor}¶No. {number}¶Date: {date}¶Total: {total} / INVOICE #{number}¶Total {total}
        INVOICE¶Number: {number}¶From: {vendor}¶Due: {due_date}
        Invoice¶No: {number}¶Amount due: {total}¶Pay by: {due_date} / Bill from {vendor} dated {date}, total {total}
        The bill of {vendor} amounts to {total} / a bill over {total} came from {vendor}
        {total} is what {vendor} wants for invoice {number} / Here is invoice number {number}
        the invoice with the number {number} / {vendor} issued invoice {number} on {date}
        On {date} we got invoice {number} from {vendor} / invoice {number} of {date}
        The total of invoice {number} is {total} / invoice no. {number} over {total} is still open
        Did you pay {vendor} the {total}? / Attached is the invoice from {vendor} over {total}
        {vendor} charged {total} for the work / {vendor} wants {total} by {due_date}
        got another bill from {vendor}, {total} this time / hey, {vendor} still gets {total} from us
        {vendor}: invoice {number}, {total} / By {due_date} we must transfer {total} to {vendor}
        Payment of {total} for invoice {number} is due {due_date} / {vendor}, {total}
        Reminder from {vendor}: invoice {number} was due on {due_date} / The supplier {vendor} asks for {total}
        """,
        "number invoice_number invoice_id id invoice_no = code : with the number {} ; no. {} ; invoice number {} ; "
        "Invoice no. {} ; #{}",
        "vendor supplier company seller from issuer = company : from {} ; by {} ; issued by {} ; sent by {} ; "
        "The vendor is {} ; "
        "which {} sent ; that we got from {} ; Sender: {}",
        "total amount total_amount sum price = money : over a total of {} ; total {} ; over {} ; , total: {} ; "
        "of {} ; for {} ; "
        "amounting to {} ; Total: {} ; The amount is {} ; We owe {}",
        "due_date due payable_by deadline = day : due on {} ; payable by {} ; due {} ; to be paid by {} ; Due {} ; "
        "It is due on {} ; "
        "payable until {} ; Please pay by {} ; with payment due {}",
        "date invoice_date issued = day : dated {} ; issued on {} ; from {} ; Date: {} ; written on {}",
        "paid is_paid = boolean : which is paid|not yet paid ; already paid|still unpaid",
    ),
    topic(
        "bill",
        """
        invoice {number} for {customer} / {customer} owes us {total} {currency}
        We billed {customer} {total} {currency} / We sent {customer} invoice {number} over {total} {currency}
        {customer} paid {total} {currency} on {date} / {customer} has to pay {total} {currency}
        The invoice to {customer} is {total} {currency} / Bill to: {customer}
        {total} {currency} was paid by {customer} / {currency} {total} from {customer}
        INVOICE¶To: {customer}¶Total: {total} {currency}
        the client {customer} was charged {total} {currency} on {date}
        invoice {number} to {customer} over {currency} {total}
        """,
        "number invoice_number invoice_id id = code : with the number {} ; no. {} ; Invoice {}",
        "customer client buyer bill_to = company : for {} ; to {} ; Customer: {}",
        "total amount sum = amount : over {} ; total {} ; amounting to {} ; Amount: {}",
        "currency = EUR|USD|CHF|GBP : in {} ; Currency: {}",
        "date invoice_date = day : dated {} ; on {} ; Date: {}",
    ),
    topic(
        "product",
        """
        we sell {name} / The {name} costs {price} / {name}, {price} / {name} for {price} / I bought a {name}
        {name}: {price} / We'd like to buy {stock} {name} / {name} / I bought the {name} for {price}
        {price} for the {color} {name}? / {brand} {name} / the {color} {name} costs {price} / {name} in {color}
        a {color} {name} / {brand} makes a {name} / the {name} from {brand} / For {price} you get a {name}
        The {name} by {brand} is sold for {price} / there are {stock} {name} in the store
        {brand} sells its {name} at {price} / {stock} pieces of the {name} are left / our {name} comes in {color}
        how much is the {name}? It costs {price} / the price of the {name} rose to {price} / {name} (SKU {sku})
        {sku}: {name} / NEW: {name} in {color}, only {price} / the {name} has the article number {sku}
        article {sku}, {name}, costs {price} / i paid {price} for a {name} / {price} is too much for a {name}
        I am selling my {name}, {color}, for {price} / We have {stock} {name} in stock / model {sku} of the {name}
        {name} with serial number {serial} / {brand}'s new {name}, {price}
        My {name} cost {price} and was made by {brand} / Is the {name} worth {price}? / {price}
        {name} - {color} - {price}
        """,
        "name product item title article = thing : Product: {} ; a {}",
        "price cost price_eur = money : for {} ; at {} ; it costs {} ; , price {} ; which costs {} ; Price: {} ; "
        "It sells for {} ; "
        "priced at {} ; The price is {}",
        "color colour = color : in {} ; {} in color ; painted {} ; Color: {} ; It is {}",
        "stock quantity available count units = count : with {} in stock ; , {} left ; {} available ; Stock: {} ; "
        "We have {} of them",
        "sku article_number product_id id code model = code : under the number {} ; (no. {}) ; model {} ; "
        "with the SKU {} ; Article number {}",
        "serial serial_number = id : , serial {} ; with the serial number {} ; Serial number: {}",
        "in_stock is_available = boolean : and is in stock|, sold out ; , available now|, no longer available",
        "brand manufacturer maker = company : by {} ; made by {} ; from {} ; manufactured by {} ; The maker is {} ; "
        "Brand: {}",
    ),
    topic(
        "order",
        """
        an order came in / Order {order_id} / I need {items} / I'd like to order {items} / Order: {items}
        {customer} bought {items} / {customer} ordered {items} / Please send {items} / We bought {items}
        {customer} ordered {items} for {total} / Order {order_id} from {customer}
        order {order_id} was placed by {customer} / {items} for {customer}, please / {customer} wants {items} by {date}
        Ship {items} to {customer} / Can I get {items}? / {items} were ordered on {date}
        Your order {order_id} of {items} costs {total} / In order {order_id} we find {items} / {total} for {items}
        On {date} {customer} ordered {items} / The order of {customer} comes to {total}
        {customer} paid {total} for {items} / hi, i want {items} / need {items} asap
        could you deliver {items} to {customer}? / ORDER¶{items}¶Total {total}
        """,
        "order_id id number order_number = code : with the number {} ; , order {} ; as order {} ; Order number: {}",
        "items products articles = [line] : for {} ; of {} ; with {} ; Items: {}",
        "customer name buyer = person : from {} ; by {} ; placed by {} ; Customer: {}",
        "total amount price sum = money : costing {} ; for {} in all ; total {} ; Total: {} ; It comes to {}",
        "date order_date day = day : on {} ; ordered on {} ; Date: {}",
        "express urgent = boolean : by express|by normal mail",
    ),
    topic(
        "purchase",
        """
        {customer} ordered {quantity} {product} / {quantity} {product} for {customer} / I'd like {quantity} {product}
        Buy {quantity} {product} / {customer} bought {quantity} {product} at {price} each
        Please send me {quantity} {product} / we need {quantity} {product}
        {quantity} {product} were sold to {customer} / {quantity} x {product} / {quantity}x {product} for {price}
        {product} x {quantity} / {customer} wants {quantity} {product} delivered on {date}
        On {date} {customer} bought {quantity} {product} at {store} / can i get {quantity} {product} please
        {store} sold {quantity} {product} to {customer} / {product}, {quantity} pieces, {price} each
        put {quantity} {product} on the list / {quantity} {product} from {store}
        At {store} I paid {price} for {quantity} {product} / The {product} was bought by {customer}
        {customer} returned the {product} to {store} / {customer} paid {price} at {store}
        I picked up {quantity} {product} for {price} at {store} / how much are {quantity} {product}? They are {price}
        {product} from {store}
        """,
        "product item name article = thing : of the {} ; Item: {}",
        "quantity count amount number pieces = handful : , {} pieces ; , quantity {} ; Quantity: {} ; {} of them",
        "price unit_price cost = money : at {} ; for {} ; Price: {} ; costing {}",
        "customer buyer client = person : for {} ; by {} ; Customer: {}",
        "store shop market = company : from {} ; at {} ; bought at {} ; Store: {}",
        "date day when = day : on {} ; Date: {}",
    ),
    topic(
        "list",
        """
        I need {items} / The list: {items} / We have {items} / {items} / Buy {items} / Don't forget {items}
        {items} are missing / On the table are {items} / please bring {items} from {store} / {store} has {items}
        At {store} I bought {items} / shopping list: {items} / we ran out of {items} / could you get {items} at {store}?
        todo: buy {items} / {items} are on sale
        """,
        "items things list products shopping_list = [thing]",
        "store shop = company : from {} ; at {} ; Store: {}",
        "number_of_people people = handful : for {} people ; we are {} people",
    ),
    topic(
        "colors",
        """
        The flag is {colors} / It comes in {colors} / {colors} / I like {colors} / Available in {colors}
        {colors} are my favourites / The {product} comes in {colors} / we painted the wall {colors}
        choose between {colors} / {product} in {colors}
        """,
        "colors colours = [color]",
        "product item = thing : for the {} ; Product: {}",
    ),
    topic(
        "transfer",
        """
        {sender} sent {amount} to {recipient} / {sender} transferred {amount} to {recipient} on {date}
        {amount} from {sender} to {recipient} / {recipient} received {amount} from {sender}
        I sent {amount} to {recipient} / Please transfer {amount} to {recipient}
        {amount} was paid to {recipient} by {sender} / On {date}, {sender} paid {recipient} {amount}
        {sender} owes {recipient} {amount} / {sender} lent {recipient} {amount}
        transfer {amount} from {sender} to {iban} / pay {amount} to {iban}, reference {reference}
        {sender} wired {amount} / {recipient}¶{iban}¶{amount} / send {recipient} {amount} for {purpose}
        {amount} for {purpose}, {recipient} / Did {recipient} get the {amount} that {sender} sent?
        {sender} -> {recipient}: {amount} / {recipient} got {amount} for {purpose}
        {recipient} was paid {amount} for {purpose} on {date} / TRANSFER¶From: {sender}¶To: {recipient}¶Amount: {amount}
        """,
        "sender from payer = person : from {} ; sent by {} ; Sender: {}",
        "recipient to payee beneficiary = person : to {} ; for {} ; Recipient: {}",
        "amount sum value = money : of {} ; over {} ; Amount: {}",
        "date day booked = day : on {} ; dated {} ; Date: {}",
        "iban account = id : to the account {} ; IBAN {} ; Account: {}",
        "reference code = code : with the reference {} ; reference {} ; Reference: {}",
        "purpose reason what_for = rent|dinner|tickets|groceries|repairs|taxes",
    ),
    topic(
        "account",
        """
        The id is {id} / account {id} / key {id} / id: {id} / user {owner} has the id {id} / {owner} has account {id}
        The account {id} of {owner} holds {balance} / {owner} has {balance} at {bank}
        {bank} holds {balance} for {owner} / account number {id} belongs to {owner}
        {owner} opened an account at {bank} / the balance of {id} is {balance}
        {balance} are left on the account of {owner} / {owner}'s account at {bank} is {id}
        {id} is the account of {owner} / {id} ({owner}) / {owner} called her account {note} / the token is {id}
        use {id} as reference
        """,
        "id iban account account_id key token reference uuid = id : with the id {} ; Id: {} ; account {}",
        "owner name holder user = person : of {} ; belonging to {} ; owned by {} ; The owner is {}",
        "balance amount = money : with a balance of {} ; holding {} ; Balance: {}",
        "bank = company : at {} ; with {} ; Bank: {}",
        "note comment alias = script : called {} ; noted as {}",
    ),
    topic(
        "delivery",
        """
        Your parcel {tracking} arrives on {date} / parcel {tracking} is on its way to {city}
        Delivery of {item} on {date} / The {item} will be delivered on {date} / {carrier} delivers the {item} on {date}
        {carrier} brings parcel {tracking} to {city} / Package {tracking} was left with {recipient}
        {recipient} received the {item} / the {item} for {recipient} is in {city}
        Your {item} has been shipped with {carrier}, tracking number {tracking} / Tracking {tracking}: now in {city}
        {carrier} could not deliver the {item} to {recipient}
        Hello {recipient}, your {item} arrives on {date} between 9 and 12 / On {date} {carrier} picked up {tracking}
        shipped: {item}, {tracking} / your package from {sender} arrived in {city}
        {sender} sent a {item} to {recipient} / {sender} shipped your {item} on {date}
        where is {tracking}? It is in {city} / DELIVERY NOTICE¶{recipient}¶{item}¶{date}
        the package ({tracking}) will reach {recipient} on {date}
        """,
        "tracking tracking_number parcel_id number id = id : with tracking number {} ; as parcel {} ; "
        "Tracking number: {}",
        "item product content contents = thing : with a {} ; containing a {} ; Contents: {}",
        "date delivery_date arrival eta day = day : on {} ; arriving on {} ; It arrives on {}",
        "carrier courier shipped_by = company : with {} ; by {} ; shipped by {} ; Carrier: {}",
        "recipient to name customer = person : for {} ; addressed to {} ; Recipient: {}",
        "sender from shop = company : from {} ; sent by {} ; Sender: {}",
        "city location place where = city : in {} ; now in {} ; Location: {}",
    ),
    topic(
        "house",
        """
        a house is for sale / For sale: {address} / House at {address} / {rooms} rooms, {area} m2, {price}
        the house at {address} costs {price} / {address}, {city}: {rooms} rooms for {price}
        House in {city} with {rooms} rooms / The house has {rooms} rooms and {area} square meters
        {owner} is selling a house in {city} / {owner} sold {address} for {price}
        {area} square meters in {city}, asking price {price} / {price} for {rooms} rooms at {address}?
        built in {year} at {address} / {address} was built in {year} and has {rooms} rooms
        beautiful home in {city}, {rooms} rooms, {area} m2 / {city}: house for {price}
        """,
        "address street location = street : at {} ; Address: {}",
        "city town place = city : in {} ; located in {} ; City: {}",
        "price cost = big : for {} ; asking {} ; Price: {} ; costing {}",
        "rooms bedrooms = small : with {} rooms ; {} rooms ; It has {} rooms",
        "area size area_m2 = count : of {} square meters ; , {} m2 ; {} sqm ; Size: {} m2",
        "year built = year : built in {} ; from {} ; Year: {}",
        "owner seller = person : sold by {} ; owned by {} ; Owner: {}",
        "garden has_garden = boolean : with a garden|without a garden",
    ),
    topic(
        "rental",
        """
        flat for rent in {city} / {rooms}-room flat in {city} for {rent} a month / Rent a flat at {address} for {rent}
        I rent out {rooms} rooms in {city} from {available} / {landlord} rents out a flat at {address}
        monthly rent {rent}, {rooms} rooms / Available from {available}: {rooms} rooms in {city}
        The rent of the flat in {city} is {rent} / flat, {rooms} rooms, {rent}, {city}
        {landlord} asks {rent} for {rooms} rooms / the apartment at {address} is free from {available}
        to let: {address}, {rent} per month / {rent} a month for {rooms} rooms in {city}
        looking for a tenant in {city}, {rent} a month / {address}: {rent}, deposit {deposit}
        deposit {deposit}, rent {rent} / call {phone} about the flat in {city}
        {landlord} ({phone}) has a flat in {city}
        """,
        "city town place = city : in {} ; located in {} ; City: {}",
        "rent monthly_rent price = money : for {} a month ; rent {} ; Rent: {} ; The rent is {}",
        "deposit = money : with a deposit of {} ; deposit {} ; Deposit: {}",
        "rooms number_of_rooms = handful : with {} rooms ; {} rooms ; It has {} rooms",
        "address street = street : at {} ; Address: {}",
        "available available_from from_date move_in = day : from {} ; available from {} ; free on {} ; Move in on {}",
        "landlord owner contact = person : offered by {} ; of {} ; Landlord: {}",
        "phone tel = phone : phone {} ; call {} ; Phone: {}",
        "pets pets_allowed = boolean : , pets welcome|, no pets ; with pets allowed|without pets",
        "furnished is_furnished = boolean : , furnished|, unfurnished",
    ),
)
