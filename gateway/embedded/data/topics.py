"""What records are about: topics with their fields, the names that schemas give them, and the ways prose says them."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.embedded.data.values import Kind, kind_of


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the keys that a schema may give it, the first of which names it in openings; its kind; its clauses."""

    keys: tuple[str, ...]
    kind: Kind
    clauses: tuple[str, ...]

    @property
    def name(self) -> str:
        """What openings call it."""
        return self.keys[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What a language puts around facts: before a sentence, between clauses, and in a letter."""

    conjunction: str
    about: str
    leads: tuple[str, ...]
    greetings: tuple[str, ...]
    closings: tuple[str, ...]
    subjects: tuple[str, ...]


ENGLISH = Wording(
    conjunction="and",
    about="about this {}",
    leads=("Yesterday", "As you know,", "In short:", "Note that", "I heard that", "For the record:", "FYI:", "Update:"),
    greetings=("Hi,", "Hello,", "Dear Sir or Madam,", "Dear {},", "Good morning,"),
    closings=("Best regards", "Thanks", "Kind regards,", "Cheers", "Sincerely"),
    subjects=("Subject: {}\n\n", "", "", "Subject: your {}\n"),
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A thing that records describe. An opening may hold `{name}` places of fields; the others become clauses."""

    name: str
    openings: tuple[str, ...]
    fields: tuple[Field, ...]
    wording: Wording = ENGLISH


def topic(name: str, openings: str, *fields: str, wording: Wording = ENGLISH) -> Topic:
    """A topic; a field is written `key other_key = kind : clause ; clause`, with `{}` for the value."""
    read = []
    for text in fields:
        keys, _, rest = text.partition(" = ")
        kind, _, clauses = rest.partition(" : ")
        said = tuple(clause.strip() for clause in clauses.split(" ; ") if clause.strip())
        read.append(Field(tuple(keys.split()), kind_of(kind.strip()), said))
    return Topic(name, tuple(openings.split(" / ")), tuple(read), wording)


TOPICS = (
    topic(
        "person",
        "{name} is a person we met / I met {name} / This is {name} / My name is {name} and I am {age} / {name}, "
        "{age} / "
        "{name} is {age} years old / I am {name} / {name} lives in {city} / {name} ({age}) / I'm {name}, {age}, "
        "from {city}"
        " / {name} from {city} / The customer is called {name} / Call {name} / {name} works at {company} / user {name}",
        "name full_name person customer who user_name patient = person : called {} ; with the name {}",
        "age years age_years = age : who is {} years old ; aged {} ; {} years old",
        "city location town place home stadt ville ciudad = city : who lives in {} ; from {} ; living in {}",
        "email email_address mail contact = email : with the email {} ; {} ; reachable at {}",
        "company employer organization works_for = company : who works at {} ; of {} ; employed by {}",
        "phone phone_number telephone tel mobile = phone : with the phone number {} ; phone {} ; or {}",
        "job occupation profession role title = job : who is a {} ; working as {} ; a {}",
        "weight_kg weight = kilograms : who weighs {} ; weighing {}",
    ),
    topic(
        "names",
        "{first_name} {last_name} / The customer is called {first_name} {last_name} / Dear {first_name} {last_name} / "
        "My name is {first_name} {last_name} / signed: {first_name} {last_name}",
        "first_name given_name firstname forename vorname = first_name",
        "last_name surname family_name lastname nachname = last_name",
        "email mail = email : {} ; with the email {}",
        "birthday date_of_birth born = day : born on {} ; born {}",
    ),
    topic(
        "weather",
        "It is {temperature} in {city} / In {city} it's {temperature} today / The weather in {city}: {temperature} / "
        "It's {condition} in {city} / {city}: {temperature} / {temperature} and {condition} in {city}",
        "city location place town = city : in {}",
        "temperature degrees temp celsius = degrees : at {} ; with {}",
        "condition weather sky = sunny|cloudy|rainy|windy|snowy : and {} ; , {}",
        "humidity humidity_percent = percentage : with a humidity of {} ; humidity {}",
    ),
    topic(
        "city",
        "{name} has {population} inhabitants / {name} is a city / {name} lies in {country} / {name}, {country} / "
        "{population} people live in {name} / The population of {name} is {population}",
        "name city town = city",
        "population inhabitants residents people = people : with {} inhabitants ; with a population of {}",
        "country state nation = country : in {} ; in the country {}",
        "mayor = person : whose mayor is {} ; led by mayor {}",
    ),
    topic(
        "invoice",
        "invoice {number} came in / Invoice {number} / invoice {number} for {customer} / INVOICE {number} / "
        "{customer} sent us a bill / {customer} invoiced us {total} / Here is invoice number {number}",
        "number invoice_number invoice_id id invoice_no = code : with the number {} ; no. {}",
        "customer vendor supplier company seller client = company : for {} ; from {} ; of {}",
        "total amount total_amount sum price = amount : over a total of {} ; total {} ; over {} ; , total: {}",
        "currency = EUR|USD|CHF|GBP : in {}",
        "due_date due payable_by deadline = day : due on {} ; payable by {} ; due {}",
        "date invoice_date issued = day : dated {} ; of {} ; issued on {}",
        "paid is_paid = boolean : which is paid|not yet paid",
    ),
    topic(
        "event",
        "{title} will take place / {title} takes place in {location} / {title} on {date} / We announce {title} / "
        "{title} with {host} at {time} / Please come to {title} / {title}, {date}, {location}",
        "title event name = occasion",
        "date day when event_date = day : on {} ; on the day {}",
        "location place where venue city = city : in {} ; , in {}",
        "time start start_time = time : at {} ; starting at {}",
        "attendees participants guests count = count : with {} attendees ; for {} people",
        "speakers talks_by = [person] : with talks by {} ; with {}",
        "host who organizer with = first_name : with {} ; hosted by {} ; organized by {}",
    ),
    topic(
        "product",
        "we sell {name} / The {name} costs {price} / {name}, {price} / {name} for {price} / I bought a {name} / "
        "We'd like to buy {stock} {name} / {name} / {name}: {price}",
        "name product item title article = thing",
        "price cost amount price_eur = amount : for {} ; at {} ; it costs {} ; , price {}",
        "color colour = color : in {} ; {} in color",
        "stock quantity available count units = count : with {} in stock ; , {} left",
        "sku article_number product_id id code model = code : under the number {} ; (no. {}) ; model {}",
        "serial serial_number = id : , serial {} ; with the serial number {}",
        "in_stock available is_available = boolean : and is in stock|, sold out",
        "brand manufacturer maker = company : by {} ; made by {}",
    ),
    topic(
        "trip",
        "flight {number} departs / I need a train from {origin} to {destination} / flight from {origin} to "
        "{destination} / "
        "I want to go from {origin} to {destination} / {origin} to {destination} on {date} / flying to {destination}",
        "origin from start departure from_city departure_city = city : from {}",
        "destination to arrival to_city target = city : to {}",
        "date day travel_date departure_date when = day : on {} ; leaving {}",
        "number flight flight_number = code : with flight {}",
        "passengers travelers seats people = handful : for {} people ; with {} passengers",
        "gate = code : at gate {} ; from gate {}",
        "price fare cost = amount : for {} ; costing {}",
    ),
    topic(
        "book",
        "{title} is a book / I just read {title} by {author} / {title} by {author} / {title} came out in {year} / "
        "{title} ({year}) / {author} wrote {title} / {title} was directed by {author} / I watched {title}",
        "title book movie film name song = work",
        "author director writer artist by = person : by {} ; written by {}",
        "year published release_year released = year : from {} ; published in {} ; out since {}",
        "pages length = count : of {} pages ; with {} pages",
        "language = language : in {}",
        "publisher label = company : published by {}",
        "rating stars score = small : rated {} stars ; with {} stars",
    ),
    topic(
        "job",
        "a job as {title} is open / We are hiring a {title} / {company} is looking for a {title} / {title} wanted / "
        "{title} with {years} years of experience",
        "title job position role = job",
        "company employer = company : at {} ; with {}",
        "salary pay income = big : paying {} ; for {} a year",
        "city location place = city : in {} ; based in {}",
        "skills technologies languages = [skill] : that asks for {} ; in {} ; with knowledge of {}",
        "years years_of_experience experience = handful : with {} years of experience ; , {} years of experience",
        "remote is_remote = boolean : fully remote|on site",
    ),
    topic(
        "order",
        "an order came in / Order {order_id} / I need {items} / I'd like to order {items} / Order: {items} / "
        "{customer} ordered {items} / Please send {items} / We bought {items}",
        "order_id id number order_number = code : with the number {} ; , order {}",
        "items products articles = [line] : for {} ; of {}",
        "customer name buyer = person : from {} ; for {}",
        "total amount price sum = amount : costing {} ; for {} in all ; total {}",
        "express urgent = boolean : by express|by normal mail",
    ),
    topic(
        "list",
        "I need {items} / The list: {items} / We have {items} / {items} / Buy {items} / Don't forget {items} / "
        "On the table are {items}",
        "items things list products shopping_list ingredients = [thing]",
        "count number_of_items = handful : , {} pieces",
        "shop store = company : from {} ; at {}",
    ),
    topic(
        "people",
        "{names} went to the cinema / {names} were there / Present: {names} / I know {names} / {names}",
        "names people attendees persons members = [first_name]",
        "place location city where = city : in {}",
        "date day = day : on {}",
    ),
    topic(
        "colors",
        "The flag is {colors} / It comes in {colors} / {colors} / I like {colors} / Available in {colors}",
        "colors colours = [color]",
        "product item = thing : for the {}",
    ),
    topic(
        "house",
        "a house is for sale / For sale: {address} / House at {address} / flat for rent in {city}",
        "address street location = street : at {}",
        "city town place = city : in {}",
        "price rent cost = big : for {} ; asking {}",
        "rooms bedrooms = small : with {} rooms ; {} rooms",
        "area size area_m2 = count : of {} square meters ; , {} m2",
        "garden has_garden = boolean : with a garden|without a garden",
    ),
    topic(
        "ticket",
        "{customer} wrote to us / {customer} has a problem / Ticket from {customer} / {customer} reported {problem}",
        "customer name reporter user from = person",
        "product item about = thing : about the {} ; regarding the {}",
        "problem issue message description = title : who says {} ; problem: {}",
        "date day = day : on {}",
        "priority urgency severity = low|medium|high : with {} priority ; priority {}",
        "ticket_id id ticket = code : as ticket {} ; (ticket {})",
    ),
    topic(
        "patient",
        "patient {patient} was seen / Patient {patient} / {patient} came to see doctor {doctor} / "
        "{patient} weighs {weight}",
        "patient name patient_name = person",
        "weight weight_kg kg = kilograms : weighing {} ; weight {} ; with {}",
        "height height_m = meters : {} tall ; height {}",
        "date visit = day : on {}",
        "doctor physician = last_name : by doctor {} ; with Dr. {}",
        "medicine medication drug = word : who takes {} ; treated with {}",
    ),
    topic(
        "recipe",
        "{dish} is easy to make / For {dish} you need {ingredients} / {dish} / Try {dish}",
        "dish title name recipe = title",
        "ingredients needs = [food] : from {} ; you need {}",
        "minutes time duration cooking_time = small : in {} minutes ; takes {} minutes",
        "servings people portions = small : for {} people ; serves {}",
        "vegetarian is_vegetarian = boolean : without meat|with meat",
    ),
    topic(
        "address",
        "send it to {street}, {city} / Please ship it to {street}, {city}, {zip} / {street}, {city}, {country} / "
        "{street}\n{zip} {city}\n{country} / I live at {street} in {city} / Address: {street}, {zip} {city}",
        "street address street_address line1 = street : at {}",
        "city town = city : in {}",
        "zip postal_code zipcode postcode zip_code plz = zip : with zip code {} ; {}",
        "country = country : in the country {} ; , {}",
        "recipient name to = person : for {} ; to {}",
    ),
    topic(
        "log",
        "{timestamp} {level} {message} / [{timestamp}] {level} {service}: {message} / {level}: {message} / "
        "{timestamp} {service} {level} - {message} / {ip} - {level} {message}",
        "timestamp time at = stamp",
        "level severity = ERROR|WARN|INFO|DEBUG",
        "service component source module = slug : from {}",
        "message msg text = trouble",
        "ip client host address = ip : from {} ; client {}",
        "status code status_code = status : with status {} ; status {}",
    ),
    topic(
        "request",
        '{ip} - "{method} {url}" {status} / {method} {url} gave {status} / {method} {url} {status} / see {url}',
        "ip client client_ip = ip : from {}",
        "method verb = GET|POST|PUT|DELETE",
        "url path link endpoint = url",
        "status code status_code = status : with status {}",
        "duration_ms ms latency = count : in {} ms",
    ),
    topic(
        "account",
        "The id is {id} / account {id} / Meine IBAN lautet {id} / key {id} / id: {id} / user {owner} has the id {id} / "
        "{owner} has account {id}",
        "id iban account account_id key token reference uuid = id : with the id {}",
        "owner name holder user = person : of {} ; belonging to {}",
        "balance amount = amount : with a balance of {} ; holding {}",
        "bank = company : at {}",
        "note comment nickname alias = script : called {} ; noted as {}",
    ),
    topic(
        "review",
        "{rating} out of 5 stars for the {product} / I give the {product} {rating} stars / {product}: {rating}/5 / "
        "My review of the {product}",
        "product item name = thing",
        "rating stars score = five : , {} stars ; {} of 5 stars",
        "reviewer author name user = person : by {} ; , signed {}",
        "date = day : on {}",
        "recommend recommended would_recommend = boolean : and I recommend it|and I do not recommend it",
    ),
    topic(
        "measurement",
        "The sensor {sensor} reads {value} / {sensor}: {value} / {value} at sensor {sensor} / reading of {sensor}",
        "sensor device id sensor_id = code",
        "value reading measurement = measure : with {} ; value {}",
        "unit = celsius|percent|bar|volt : in {}",
        "time timestamp at = time : at {}",
        "location room place = place : in the {}",
    ),
    topic(
        "server",
        "the server {host} is {state} / {host} ({ip}) is {state} / host {host} / {host} runs {software}",
        "host server hostname name = slug",
        "ip address ip_address = ip : at {} ; with the address {}",
        "state status = up|down|starting",
        "software service app = skill : running {}",
        "port = port : on port {} ; port {}",
        "cpu cpu_percent load = percentage : with {} load ; at {}",
    ),
)
