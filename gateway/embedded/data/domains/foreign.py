"""Ways to ask for declared tools in German, French and Spanish; and in Italian, which only the evaluation speaks."""

from __future__ import annotations

from typing import Literal

Language = Literal["de", "fr", "es", "it"]
TRAIN_LANGUAGES: tuple[Language, ...] = ("de", "fr", "es")
HELDOUT_LANGUAGES: tuple[Language, ...] = ("it",)

PHRASES: dict[str, dict[Language, str]] = {
    "get_weather": {
        "de": "Wie ist das Wetter in {city} / Wie wird das Wetter in {city} / Wetter in {city}",
        "fr": "Quel temps fait-il à {city} / Quelle est la météo à {city} / météo {city}",
        "es": "¿Qué tiempo hace en {city} / Dime el tiempo en {city} / ¿Cómo está el clima en {city}",
        "it": "Che tempo fa a {city} / Dimmi il meteo di {city}",
    },
    "get_current_weather": {
        "de": "Wie ist gerade das Wetter in {location} / Wie warm ist es in {location}",
        "fr": "Quel temps fait-il en ce moment à {location} / Fait-il chaud à {location}",
        "es": "¿Qué tiempo hace ahora en {location} / ¿Hace frío en {location}",
        "it": "Che tempo fa adesso a {location}",
    },
    "get_time": {
        "de": "Wie spät ist es in {city} / Wie viel Uhr ist es in {city}",
        "fr": "Quelle heure est-il à {city} / Donne-moi l'heure à {city}",
        "es": "¿Qué hora es en {city} / Dime la hora en {city}",
        "it": "Che ore sono a {city}",
    },
    "book_flight": {
        "de": "Buche einen Flug von {origin} nach {destination} am {date}",
        "fr": "Réserve un vol de {origin} à {destination} le {date}",
        "es": "Reserva un vuelo de {origin} a {destination} el {date}",
        "it": "Prenota un volo da {origin} a {destination} il {date}",
    },
    "set_timer": {
        "de": "Stelle einen Timer auf {minutes} Minuten / Timer für {minutes} Minuten",
        "fr": "Mets un minuteur de {minutes} minutes / minuteur {minutes} minutes",
        "es": "Pon un temporizador de {minutes} minutos",
        "it": "Imposta un timer di {minutes} minuti",
    },
    "set_alarm": {
        "de": "Stelle den Wecker auf {time} / Wecke mich um {time}",
        "fr": "Mets le réveil à {time} / Réveille-moi à {time}",
        "es": "Pon la alarma a las {time} / Despiértame a las {time}",
        "it": "Metti la sveglia alle {time}",
    },
    "create_event": {
        "de": "Trage {title} am {date} in den Kalender ein",
        "fr": "Ajoute {title} à mon agenda le {date}",
        "es": "Añade {title} a mi calendario el {date}",
        "it": "Aggiungi {title} al calendario il {date}",
    },
    "convert_currency": {
        "de": "Rechne {amount} {from} in {to} um / Wie viel sind {amount} {from} in {to}",
        "fr": "Convertis {amount} {from} en {to} / Combien font {amount} {from} en {to}",
        "es": "Convierte {amount} {from} a {to} / ¿Cuánto son {amount} {from} en {to}",
        "it": "Converti {amount} {from} in {to}",
    },
    "web_search": {
        "de": "Suche im Internet nach {query} / Suche nach {query}",
        "fr": "Cherche {query} sur internet / Recherche {query}",
        "es": "Busca {query} en internet / Busca información sobre {query}",
        "it": "Cerca {query} su internet",
    },
    "get_stock_price": {
        "de": "Wie steht die Aktie {symbol} / Was kostet die Aktie {symbol}",
        "fr": "Quel est le cours de {symbol} / Donne-moi le cours de l'action {symbol}",
        "es": "¿A cuánto está la acción {symbol} / Dime el precio de {symbol}",
        "it": "Quanto vale l'azione {symbol}",
    },
    "book_table": {
        "de": "Reserviere einen Tisch für {people} Personen bei {restaurant} um {time}",
        "fr": "Réserve une table pour {people} personnes chez {restaurant} à {time}",
        "es": "Reserva una mesa para {people} personas en {restaurant} a las {time}",
        "it": "Prenota un tavolo per {people} persone da {restaurant} alle {time}",
    },
    "get_directions": {
        "de": "Wie komme ich von {start} nach {end}",
        "fr": "Comment aller de {start} à {end}",
        "es": "¿Cómo llego de {start} a {end}",
        "it": "Come arrivo da {start} a {end}",
    },
    "turn_on_light": {
        "de": "Mach das Licht in {room} an / Schalte das Licht in {room} ein / Licht an in {room}",
        "fr": "Allume la lumière dans {room} / Allume {room}",
        "es": "Enciende la luz en {room} / Enciende {room}",
        "it": "Accendi la luce in {room}",
    },
    "turn_off_light": {
        "de": "Mach das Licht in {room} aus / Schalte das Licht in {room} aus",
        "fr": "Éteins la lumière dans {room}",
        "es": "Apaga la luz en {room}",
        "it": "Spegni la luce in {room}",
    },
    "add_to_list": {
        "de": "Setze {items} auf die Liste {list}",
        "fr": "Ajoute {items} à la liste {list}",
        "es": "Añade {items} a la lista {list}",
        "it": "Aggiungi {items} alla lista {list}",
    },
}

OPENINGS: dict[Language, tuple[str, ...]] = {
    "de": ("", "", "Hallo, ", "Bitte: "),
    "fr": ("", "", "Bonjour, ", "Salut ! "),
    "es": ("", "", "Hola, ", "Por favor: "),
    "it": ("", "Ciao, "),
}

REFUSALS: dict[Language, str] = {
    "de": "Dafür habe ich kein Werkzeug.",
    "fr": "Je n'ai pas d'outil pour cela.",
    "es": "No tengo ninguna herramienta para eso.",
    "it": "Non ho uno strumento per questo.",
}
