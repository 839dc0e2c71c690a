"""Italian, which only the evaluation speaks."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_phrases

ITALIAN = Language(
    openings=("", "Ciao, "),
    endings=("", "?", "."),
    refusals=("Non ho uno strumento per questo.",),
    conjunction="and",
    phrases=read_phrases("""
get_weather: Che tempo fa a {city} / Dimmi il meteo di {city}
get_current_weather: Che tempo fa adesso a {location}
get_time: Che ore sono a {city}
book_flight: Prenota un volo da {origin} a {destination} il {date}
set_timer: Imposta un timer di {minutes} minuti
set_alarm: Metti la sveglia alle {time}
create_event: Aggiungi {title} al calendario il {date}
convert_currency: Converti {amount} {from} in {to}
web_search: Cerca {query} su internet
get_stock_price: Quanto vale l'azione {symbol}
book_table: Prenota un tavolo per {people} persone da {restaurant} alle {time}
get_directions: Come arrivo da {start} a {end}
turn_on_light: Accendi la luce in {room}
turn_off_light: Spegni la luce in {room}
add_to_list: Aggiungi {items} alla lista {list}
"""),
)
