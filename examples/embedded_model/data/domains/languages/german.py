"""German."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

GERMAN = Language(
    openings=(
        "",
        "",
        "",
        "Hallo, ",
        "Bitte: ",
        "Guten Morgen! ",
        "Hi, ",
        "Eine Frage: ",
        "Kannst du mir helfen? ",
        "Sag mal, ",
        "Guten Tag, ",
    ),
    endings=("", "", ".", "!", ". Danke!", ". Vielen Dank"),
    refusals=(
        "Dafür habe ich kein Werkzeug.",
        "Keines meiner Werkzeuge kann das.",
        "Das kann ich mit meinen Werkzeugen leider nicht.",
    ),
    conjunction="und",
    nouns=read_nouns(
        "Milch, Brot, Käse, Äpfel, Nudeln, Olivenöl, Eier, grüne Bohnen, Orangensaft, Fahrrad, Wanderschuhe, "
        "Zahnarzt, Elternabend, Geschichte der Römer, Elektroautos, Gartenarbeit, Klavier lernen, Hochzeit von "
        "Anna, Steuererklärung, Müll rausbringen, Regenschirm, Kopfhörer, Urlaub am Meer, Besprechung mit dem "
        "Chef, schwarze Hose, Brot ohne Hefe"
    ),
    phrases=read_phrases("""
get_weather: wie ist das Wetter in {city}? / wie wird das Wetter heute in {city}? / Wetter in {city}
  {city}: wie ist dort das Wetter? / ich möchte wissen, ob es in {city} regnet / zeig mir bitte das Wetter für {city}
  brauche ich heute in {city} einen Schirm?
get_current_weather: wie ist gerade das Wetter in {location}? / wie warm ist es im Moment in {location}?
  ist es in {location} kalt? / könntest du nachsehen, wie das Wetter in {location} ist? / Wetter jetzt: {location}
get_time: wie spät ist es in {city}? / wie viel Uhr ist es gerade in {city}? / sag mir bitte die Uhrzeit in {city}
  {city}, welche Uhrzeit haben die dort? / ich muss wissen, wie spät es in {city} ist / Uhrzeit {city}
book_flight: buche einen Flug von {origin} nach {destination} am {date} / {origin} nach {destination}, Flug am {date}
  ich brauche am {date} einen Flug von {origin} nach {destination}
  am {date} will ich von {origin} nach {destination} fliegen
  kannst du mir für den {date} einen Flug nach {destination} buchen? Ich starte in {origin}
set_timer: stelle einen Timer auf {minutes} Minuten / Timer für {minutes} Minuten
  sag mir in {minutes} Minuten Bescheid
  {minutes} Minuten Timer bitte / kannst du die Zeit auf {minutes} Minuten stellen?
  der Kuchen braucht {minutes} Minuten
set_alarm: stelle den Wecker auf {time} / weck mich um {time} Uhr / {time} Uhr, Wecker bitte
  ich muss um {time} aufstehen / könntest du mich bitte um {time} wecken? / Wecker auf {time}
create_event: trage {title} am {date} in den Kalender ein / Termin am {date}: {title} / {date}: {title}, bitte eintragen
  kannst du für den {date} den Termin {title} anlegen? / setze {title} für den {date} auf meinen Kalender
convert_currency: rechne {amount} {from} in {to} um / wie viel sind {amount} {from} in {to}? / {amount} {from} in {to}
  was bekomme ich für {amount} {from} in {to}? / ich möchte {amount} {from} in {to} tauschen
web_search: suche im Internet nach {query} / such mal nach {query} / was findet man im Netz über {query}?
  finde heraus, was es über {query} gibt / ich suche Informationen zu {query} / Websuche: {query}
get_stock_price: wie steht die Aktie {symbol}? / was kostet die Aktie {symbol}? / Kurs von {symbol} bitte
  {symbol}: wie ist der Kurs? / zeig mir den aktuellen Kurs von {symbol} / wo steht {symbol} gerade?
book_table: reserviere einen Tisch für {people} Personen bei {restaurant} um {time}
  wir sind {people} und möchten um {time} zu {restaurant}
  um {time} Uhr bei {restaurant}, Tisch für {people}
  kann ich für {time} einen Tisch für {people} Leute bei {restaurant} haben?
get_directions: wie komme ich von {start} nach {end}? / zeig mir den Weg von {start} nach {end}
  Route {start} nach {end}
  ich bin in {start} und muss nach {end} / welche Strecke führt von {start} nach {end}?
turn_on_light: mach das Licht in {room} an / schalte das Licht in {room} ein / Licht an in {room}
  in {room} ist es zu dunkel
  kannst du bitte in {room} das Licht einschalten? / {room}: Licht an
turn_off_light: mach das Licht in {room} aus / schalte das Licht in {room} aus / in {room} bitte das Licht ausmachen
  {room}: Licht aus / könntest du das Licht in {room} ausschalten?
add_to_list: setze {items} auf die Liste {list} / schreib {items} auf die Liste {list}
  {items} auf die Liste {list} bitte
  auf der Liste {list} fehlt noch: {items} / kannst du {items} zur Liste {list} hinzufügen?
get_forecast: wie wird das Wetter in {city} in den nächsten {days} Tagen? / Vorhersage für {city}, {days} Tage
  ich brauche die Wettervorhersage für {days} Tage in {city} / {days} Tage Wetter für {city} bitte
search_flights: welche Flüge gibt es von {from} nach {to}? / finde Flüge von {from} nach {to} / Flüge {from} nach {to}
  ich suche einen Flug nach {to}, Start in {from}
book_hotel: buche ein Hotel in {city} für {nights} Nächte ab dem {check_in}
  ich brauche ab {check_in} für {nights} Nächte ein Zimmer in {city}
  Hotel in {city}, Anreise {check_in}, {nights} Nächte
  kannst du mir in {city} ein Zimmer reservieren? Ab {check_in}, {nights} Nächte
call_taxi: ruf mir um {time} ein Taxi zu {address} / Taxi um {time}, Adresse {address}
  ich brauche um {time} ein Taxi, {address}
  kannst du für {time} ein Taxi zu {address} bestellen?
list_events: was steht am {date} in meinem Kalender? / welche Termine habe ich am {date}? / {date}: was habe ich vor?
  zeig mir meine Termine für den {date}
set_reminder: erinnere mich am {date}: {text} / Erinnerung für den {date}: {text} / am {date} erinnern: {text}
  kannst du mich am {date} an "{text}" erinnern?
find_recipe: was kann ich mit {ingredients} kochen? / finde ein Rezept mit {ingredients}
  ich habe {ingredients}, was koche ich?
  Rezept mit {ingredients} bitte
search_products: ich suche {query} im Shop / zeig mir Produkte wie {query} / habt ihr {query}? / finde {query} im Laden
track_order: wo ist meine Bestellung {order_id}? / Status der Bestellung {order_id} / {order_id}: wo bleibt das Paket?
  ich warte auf die Bestellung {order_id}, wo ist sie?
cancel_order: storniere die Bestellung {order_id} / ich möchte {order_id} stornieren
  Bestellung {order_id} bitte abbrechen
create_invoice: schreibe {customer} eine Rechnung über {amount} {currency} / Rechnung an {customer}, {amount} {currency}
  {customer} schuldet uns {amount} {currency}, stell das bitte in Rechnung
transfer_money: überweise {amount} an {to} / schick {to} {amount} / ich möchte {to} {amount} überweisen
  {amount} an {to} überweisen bitte
get_balance: wie viel Geld ist auf dem Konto {account}? / Kontostand {account} / zeig mir den Stand von Konto {account}
buy_ticket: kaufe {count} Karten für {event} / ich hätte gern {count} Karten für {event}
  {count} Tickets für {event} bitte
rate_product: gib {product} {stars} Sterne / bewerte {product} mit {stars} Sternen / {stars} Sterne für {product}
send_email: schreibe eine E-Mail an {to} mit dem Betreff {subject} und dem Text {body}
  Mail an {to}, Betreff {subject}: {body}
  schick {to} eine Mail, Betreff "{subject}", Text "{body}"
send_sms: schick eine SMS an {phone}: {text} / SMS an {phone} mit dem Text {text} / simse an {phone}: {text}
search_contacts: suche den Kontakt {name} / wer ist {name}? / ich brauche die Kontaktdaten von {name}
create_contact: speichere {name} mit der E-Mail {email} / neuer Kontakt: {name}, {email}
  {name}, {email}, bitte speichern
get_ticket: zeig mir das Ticket {ticket_id} / wie ist der Stand von Ticket {ticket_id}? / was steht in {ticket_id}?
create_document: lege ein Dokument namens {name} an / neues Dokument: {name}
  ich brauche ein neues Dokument mit dem Namen {name}
delete_file: lösche {path} / die Datei {path} bitte löschen / {path} kann weg / kannst du {path} löschen?
read_file: lies {path} / was steht in {path}? / zeig mir den Inhalt von {path} / öffne bitte {path}
create_task: lege die Aufgabe {title} an / neue Aufgabe: {title} / kannst du {title} als Aufgabe anlegen?
get_news: was gibt es Neues zu {topic}? / Nachrichten über {topic} / zeig mir Schlagzeilen zu {topic}
define_word: was bedeutet {word}? / was heißt das Wort {word}? / definiere {word} / {word}: was ist das?
get_population: wie viele Menschen leben in {country}? / wie viele Einwohner hat {country}?
  Einwohnerzahl von {country}
play_music: spiel {song} / ich möchte {song} hören / mach bitte {song} an / kannst du {song} spielen?
restart_server: starte den Server {host} neu / Neustart von {host} / {host} hängt, bitte neu starten
fetch_url: lade {url} herunter / hol mir die Seite {url} / was steht auf {url}?
book_appointment: ich brauche am {date} um {time} einen Termin bei Doktor {doctor}
  Termin bei Dr. {doctor} am {date} um {time}
  am {date} um {time} möchte ich zu Doktor {doctor}
add: was ist {a} plus {b}? / addiere {a} und {b} / zähle {a} und {b} zusammen / wie viel ist {a} + {b}?
multiply: was ist {a} mal {b}? / multipliziere {a} mit {b} / wie viel ist {a} mal {b}?
get_user: wer ist der Benutzer {user_id}? / zeig mir den Nutzer mit der Nummer {user_id} / Benutzer {user_id} bitte
"""),
)
