"""Lists of real words, and spelling of invented ones."""

from __future__ import annotations

from gateway.embedded.data.source import Source


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as a tuple."""
    return tuple(text.split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


FIRST_NAMES = words(
    "Alice Omar Priya Lukas Chen Maria Tomás Aisha Peter Yuki Sofia Ivan Nadia Kofi Elena Jack Mia Hugo Lena "
    "Raj Carla Bruno Dana Felix Grace Henrik Ines Jonas Karim Leila Marco Nora Oscar Paula Quinn Rosa Samir "
    "Tara Uma Victor Wendy Xavier Yara Zoë Anna Boris Clara Diego Emma Frank Greta Hanna Igor Julia Kai "
    "Laura Milan Nina Olga Pablo"
)
LAST_NAMES = words(
    "Smith Novak Garcia Tanaka Okafor Müller Rossi Silva Kowalski Haddad Larsen Petrov Nguyen Patel Costa "
    "Weber Dubois Moreau Jansen Fischer Romano Ortiz Ahmed Kim Sato Lindqvist Horvath Bianchi Murphy Walsh "
    "Keller Brandt Farah Mensah Lopez Brown Jones Miller Davis Wilson Clark Lewis Young Hall King Wright "
    "Scott Green Baker Adams Nelson"
)
CITIES = _listed(
    "Paris,London,Berlin,Tokyo,Madrid,Rome,Oslo,Vienna,Prague,Lisbon,Dublin,Athens,Warsaw,Cairo,Nairobi,"
    "Lagos,Mumbai,Delhi,Beijing,Shanghai,Seoul,Osaka,Sydney,Melbourne,Toronto,Montreal,Chicago,Boston,"
    "Seattle,Denver,Austin,Miami,Dallas,Houston,Lima,Bogotá,Santiago,Zürich,Geneva,Milan,Naples,Porto,Krakow,"
    "Helsinki,Stockholm,Copenhagen,Brussels,Amsterdam,Rotterdam,Hamburg,Munich,New York,San Francisco,"
    "Los Angeles,Buenos Aires,São Paulo,Hong Kong,Cape Town,Mexico City,Kuala Lumpur,New Orleans,"
    "Salt Lake City,Tel Aviv,Abu Dhabi,Singapore,Bangkok,Hanoi,Istanbul,Dubai,Kyiv"
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
TOPICS = _listed(
    "climate,robotics,jazz,gardening,chess,football,painting,astronomy,cooking,history,finance,medicine,"
    "travel,politics,biology,physics,poetry,cinema,sailing,cycling,solar power,machine learning,ancient Rome,"
    "electric cars,deep sea life,space travel,modern art,home repair,data privacy,urban planning,wine making,"
    "bird watching,public health"
)
STREETS = words("Main Oak Park Hill Lake Mill Church Station River Elm Maple King Bridge Garden Forest Harbor")
STREET_KINDS = words("Street Road Avenue Lane Drive Square")
COMPANY_TAILS = words("Ltd Inc Group Labs Foods Systems Motors Energy Media Bank Partners Studio")
DOMAINS = words("com org net io dev eu co info")
EXTENSIONS = words("pdf txt csv json png docx xlsx md log zip py html")
COLORS = words("red blue green yellow black white orange purple pink grey brown teal violet beige cyan")
FOODS = _listed(
    "pizza,sushi,pasta,salad,soup,bread,cheese,apples,bananas,rice,tofu,salmon,chicken,coffee,tea,milk,eggs,"
    "tomatoes,potatoes,carrots,onions,olive oil,dark chocolate,green beans,orange juice,oat milk,black beans,"
    "red peppers"
)
CONDITIONS = words("sunny cloudy rainy windy snowy foggy stormy clear")

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
