"""Lists of real words, and spelling of invented ones."""

from __future__ import annotations

from embedded_model.data.source import Source


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as a tuple."""
    return tuple(text.split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


FIRST_NAMES = words(
    "Alice Omar Priya Lukas Chen Maria Tomás Aisha Peter Yuki Sofia Ivan Nadia Kofi Elena Jack Mia Hugo Lena "
    "Raj Carla Bruno Dana Felix Grace Henrik Ines Jonas Karim Leila Marco Nora Oscar Paula Quinn Rosa Samir "
    "Tara Uma Victor Wendy Xavier Yara Zoë Anna Boris Clara Diego Emma Frank Greta Hanna Igor Julia Kai "
    "Laura Milan Nina Olga Pablo John Jane Bob Tom Anna Mary James Robert Linda David Susan Paul Mark Sarah Lisa "
    "Kevin Brian Emily Daniel Amy Steve Kate Luke Ben Ann Sam Max Leo Ella Ruth Carol Eve Frank Jürgen Björn Zoé "
    "Chloé José María Ángel Noël Søren Łukasz Şebnem Ömer Renée François Günther Mei Kim Lee Wei Hiroshi Aiko Omar "
    "Fatima Ali Hassan Amina Yusuf Ahmed Ravi Anita Deepak Olu Ngozi Thabo William Bill Sophie Pierre Claire Jean"
)
LAST_NAMES = words(
    "Smith Novak Garcia Tanaka Okafor Müller Rossi Silva Kowalski Haddad Larsen Petrov Nguyen Patel Costa "
    "Weber Dubois Moreau Jansen Fischer Romano Ortiz Ahmed Kim Sato Lindqvist Horvath Bianchi Murphy Walsh "
    "Keller Brandt Farah Mensah Lopez Brown Jones Miller Davis Wilson Clark Lewis Young Hall King Wright "
    "Scott Green Baker Adams Nelson Johnson Taylor Moore White Harris Martin Thompson Allen Evans Parker Cook Bell "
    "Schmidt Schneider Becker Hoffmann Schäfer Köhler Lefèvre Durand Bernard Fernández Gómez Sánchez Martínez Muñoz "
    "Wang Li Zhang Chen Singh Gupta Sharma Khan Yılmaz Kaya Ivanov Popov Nowak Wójcik Hansen Nielsen Wong Doe Hardy"
)
CITIES = _listed(
    "Paris,London,Berlin,Tokyo,Madrid,Rome,Oslo,Vienna,Prague,Lisbon,Dublin,Athens,Warsaw,Cairo,Nairobi,"
    "Lagos,Mumbai,Delhi,Beijing,Shanghai,Seoul,Osaka,Sydney,Melbourne,Toronto,Montreal,Chicago,Boston,"
    "Seattle,Denver,Austin,Miami,Dallas,Houston,Lima,Bogotá,Santiago,Zürich,Geneva,Milan,Naples,Porto,Krakow,"
    "Helsinki,Stockholm,Copenhagen,Brussels,Amsterdam,Rotterdam,Hamburg,Munich,New York,San Francisco,"
    "Los Angeles,Buenos Aires,São Paulo,Hong Kong,Cape Town,Mexico City,Kuala Lumpur,New Orleans,"
    "Salt Lake City,Tel Aviv,Abu Dhabi,Singapore,Bangkok,Hanoi,Istanbul,Dubai,Kyiv,Lyon,Nice,Marseille,Bordeaux,"
    "Frankfurt,Cologne,Köln,München,Leipzig,Dresden,Bremen,Düsseldorf,Zürich,Basel,Bern,Sevilla,Valencia,Barcelona,"
    "Málaga,Bilbao,Turin,Venice,Florence,Pittsburgh,Philadelphia,Phoenix,Portland,Atlanta,Detroit,Las Vegas,"
    "Vancouver,Ottawa,Washington,San Diego,Manchester,Liverpool,Edinburgh,Glasgow,Bristol,Oxford,Cambridge,Reykjavik"
)
COUNTRIES = words(
    "France Germany Japan Spain Italy Norway Austria Portugal Ireland Greece Poland Egypt Kenya Nigeria "
    "India China Korea Australia Canada Peru Chile Brazil Mexico Sweden Finland Denmark Belgium Turkey "
    "Vietnam Thailand Morocco Iceland"
)
LANGUAGES = words(
    "French German Spanish Italian Japanese Korean Polish Dutch Swedish Arabic Hindi Turkish Greek Czech "
    "Danish English Portuguese Finnish Hebrew Thai Ukrainian Romanian Hungarian Swahili"
)
CURRENCIES = words("USD EUR GBP JPY CHF CAD AUD SEK NOK PLN CZK INR CNY BRL MXN KRW TRY ZAR")
ADJECTIVES = words(
    "blue quiet red small large bright dark silver golden wooden heavy light modern classic green soft fast "
    "cold warm simple clever wild hidden broken early late local global open secret winter summer digital "
    "northern royal"
)
NOUNS = words(
    "river lamp chair garden market window engine bottle forest camera bridge table guitar jacket planet "
    "mirror island castle pencil basket kettle ladder carpet helmet tunnel orchard harbor signal ticket "
    "wallet blanket compass drawer folder hammer journal keyboard lantern magnet notebook printer quilt "
    "rocket saddle teapot umbrella violin wagon"
)
THINGS_OF_LIFE = words(
    "house home room door floor wall roof street road town city village country world water fire earth air wind rain "
    "snow sun moon star sky sea lake hill mountain tree flower grass leaf fruit bread milk cheese meat fish egg cake "
    "dinner lunch breakfast coffee tea wine glass cup plate knife spoon bed sofa lamp phone computer screen camera "
    "car bus train plane boat ship bike wheel school class teacher student lesson book page word letter number paper "
    "pen picture song music film game sport team player match ball race work job office boss meeting project plan idea "
    "problem question answer test error report list table price money bank bill tax shop market customer order gift "
    "friend family mother father brother sister child baby doctor nurse hospital hand head eye ear foot heart health "
    "animal dog cat horse cow bird mouse bear day night morning evening week month year summer winter party holiday "
    "travel hotel beach museum church library station airport ticket bag shoe shirt coat hat dress color sound light "
    "power energy engine machine tool box bottle key lock news story voice language law police army king war"
)
QUALITIES = words(
    "good bad new old young big small long short high low hot cold warm dry wet clean dirty full empty rich poor fast "
    "slow early late easy hard soft strong weak heavy light dark bright loud quiet sweet sour fresh safe happy sad "
    "tired busy free open closed right wrong true real simple strange common rare famous local public private ready"
)
DOINGS = words(
    "open close find repair clean paint build sell buy read write move test print cook wash plant carry bring send "
    "plan start stop change learn teach watch count check save share rent fix draw cut fill hide lock load pack ship"
)
TOPICS = _listed(
    "climate,robotics,jazz,gardening,chess,football,painting,astronomy,cooking,history,finance,medicine,"
    "travel,politics,biology,physics,poetry,cinema,sailing,cycling,solar power,machine learning,ancient Rome,"
    "electric cars,deep sea life,space travel,modern art,home repair,data privacy,urban planning,wine making,"
    "bird watching,public health"
)
STREETS = words("Main Oak Park Hill Lake Mill Church Station River Elm Maple King Bridge Garden Forest Harbor")
STREET_KINDS = words("Street Road Avenue Lane Drive Square")
COMPANY_TAILS = words(
    "Ltd Inc Corp LLC GmbH AG Co PLC Group Labs Foods Systems Motors Energy Media Bank Partners Studio Holdings "
    "Solutions Technologies Logistics Consulting Stores Design Trading Brothers Industries Software Services"
)
CARS = words("Toyota Ford Volvo Fiat Honda Skoda Opel Mazda Kia Nissan Tesla Renault Peugeot Seat Jeep Subaru BMW Audi")
DISHES = words(
    "soup salad pie curry stew cake tart pasta pizza risotto sandwich omelette pancakes casserole noodles bread"
)
AILMENTS = _listed(
    "headache,fever,cough,sore throat,back pain,asthma,a broken arm,migraine,hay fever,a cold,flu,high blood pressure,"
    "a sprained ankle,toothache,rash,insomnia,nausea,knee pain,diabetes,an ear infection,chest pain,dizziness"
)
DOMAINS = words("com org net io dev eu co info")
EXTENSIONS = words("pdf txt csv json png docx xlsx md log zip py html")
COLORS = words("red blue green yellow black white orange purple pink grey brown teal violet beige cyan")
FOODS = _listed(
    "pizza,sushi,pasta,salad,soup,bread,cheese,apples,bananas,rice,tofu,salmon,chicken,coffee,tea,milk,eggs,"
    "tomatoes,potatoes,carrots,onions,olive oil,dark chocolate,green beans,orange juice,oat milk,black beans,"
    "red peppers"
)
FAMILIAR = _listed(
    "bread knife,running shoes,blue lamp,coffee machine,garden hose,office chair,phone case,winter coat,desk lamp,"
    "water bottle,laptop bag,headphones,keyboard,mouse,monitor,blender,toaster,kettle,vacuum cleaner,backpack,bicycle,"
    "helmet,tent,sleeping bag,novel,notebook,pencils,screws,bolts,paint,wallpaper,mattress,pillow,towels,socks,shirt,"
    "jeans,dress,sunglasses,watch,necklace,camera,tablet,smartphone,charger,batteries,light bulbs,router,printer,"
    "speaker,television,sofa,bookshelf,mirror,carpet,curtains,washing machine,fridge,oven,microwave,dishwasher,drill,"
    "ladder,hammer,wrench,tyres,engine oil,dog food,cat litter,toothbrush,shampoo,soap,perfume,vitamins,olive oil,"
    "orange juice,green tea,chocolate,honey,cookies,apples,bananas,pears,plums,oranges,grapes,lemons,eggs,milk,butter,"
    "cheese,ham,salmon,chicken,rice,pasta,potatoes,tomatoes,onions,carrots,mushrooms,olives,peppers,spinach,garlic"
)
JOBS = _listed(
    "engineer,teacher,nurse,doctor,lawyer,designer,baker,plumber,electrician,accountant,pilot,chef,architect,painter,"
    "journalist,developer,data scientist,sales manager,project manager,librarian,dentist,farmer,mechanic,driver,"
    "photographer,musician,actor,writer,translator,consultant,receptionist,carpenter,gardener,biologist,chemist"
)
SKILLS = words(
    "Python Go SQL Java Rust Docker Linux Excel React Kubernetes TypeScript Photoshop Git Scala Kotlin Swift HTML CSS "
    "Terraform Spark Tableau PHP Ruby Bash AWS Azure Figma Jira Perl MATLAB"
)
WORKS = _listed(
    "The Silent River,Dune,Blue Horizon,The Last Train,Winter Song,Alien,Yesterday,Golden Hour,The Matrix,Moonlight,"
    "A Day in June,The Glass Tower,Bright Lights,Under the Bridge,Nine Lives,Hey Jude,The Long Way Home,Purple Rain,"
    "The Old Sea,City of Stone,Imagine,Thunder Road,Night Train,Paper Planes,The Hidden Door,Lost in Time"
)
PLACES = _listed(
    "kitchen,bedroom,living room,garage,bathroom,hallway,office,garden,attic,cellar,balcony,dining room,nursery,"
    "study,terrace,lobby,meeting room,workshop,basement,guest room"
)
EVENTS = _listed(
    "Team lunch,Dentist,Standup,Project review,Board meeting,Yoga class,Piano lesson,Birthday party,Budget meeting,"
    "Code review,Parent evening,Job interview,Haircut,Book club,Football training,Doctor,Sprint planning,Workshop,"
    "Wedding,Christmas dinner,Sales call,Design review,Car inspection,School concert,Weekly sync,Product launch"
)
CONDITIONS = words("sunny cloudy rainy windy snowy foggy stormy clear")

MONTHS = words("January February March April May June July August September October November December")
FOREIGN_MONTHS = (
    (".", words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")),
    ("", words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")),
    (
        " de",
        tuple(
            f"{month} de"
            for month in words(
                "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
            )
        ),
    ),
)
NUMBERS = words("zero one two three four five six seven eight nine ten eleven twelve")
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")

_ONSETS = words("b c d f g h j k l m n p r s t v w z br cr dr fl gr kl pl pr sh sk st th tr ch")
_VOWELS = words("a e i o u a e i o ai ea io ou")
_CODAS = ("", "", "", "n", "r", "l", "s", "m", "t", "k", "x", "nd", "rt", "sk", "v", "p")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def syllables(source: Source, low: int = 2, high: int = 3) -> str:
    """An invented, pronounceable word in lower case."""
    count = source.randint(low, high)
    return "".join(source.pick(_ONSETS) + source.pick(_VOWELS) + source.pick(_CODAS) for _ in range(count))


def letters(source: Source, low: int = 3, high: int = 8) -> str:
    """Random letters in lower case: text that can only be copied."""
    return "".join(source.pick(_LETTERS) for _ in range(source.randint(low, high)))


def digits(source: Source, low: int, high: int) -> str:
    """Random digits, the first one not zero."""
    count = source.randint(low, high)
    return str(source.randint(10 ** (count - 1), 10**count - 1))


def identifier(source: Source) -> str:
    """An identifier as machines give them: hexadecimal groups, long numbers, mixed letters and digits."""
    shape = source.randint(0, 4)
    if shape == 0:
        return "-".join(f"{source.getrandbits(4 * n):0{n}x}" for n in source.pick(((8, 4), (8, 4, 4, 4, 12), (4, 4))))
    if shape == 1:
        return digits(source, 6, 14)
    if shape == 2:
        return source.pick(("DE", "FR", "CH", "ES")) + digits(source, 12, 20)
    alphabet = _LETTERS + "0123456789"
    text = "".join(source.pick(alphabet) for _ in range(source.randint(6, 14)))
    return text.upper() if shape == 3 else text


def phrase(source: Source) -> str:
    """Some words as people type them: a search, a headline, a reminder."""
    thing, other, place = source.pick(THINGS_OF_LIFE), source.pick(THINGS_OF_LIFE), source.pick(CITIES)
    quality, doing = source.pick(QUALITIES), source.pick(DOINGS)
    return source.pick(
        (f"{quality} {thing}", f"{thing} {other}", f"{quality} {thing} in {place}", f"{thing} in {place}",
         f"{doing} the {thing}", f"how to {doing} a {thing}", f"{thing} is {quality}", f"our {thing} is {quality}",
         f"{thing} and {other}", f"{thing} for the {other}", f"{quality} {thing} {other}", f"{thing} of the {other}",
         f"cannot {doing} the {thing}", f"{doing} {quality} {thing} near {place}", f"{thing} {other} {doing}",
         f"{thing} with {quality} {other}", f"please {doing} the {thing} {source.pick(WEEKDAYS)}",
         f"your {thing} does not {doing}", f"we {doing} the {thing} at the {other}", f"{quality} or {thing}")
    )  # fmt: skip
