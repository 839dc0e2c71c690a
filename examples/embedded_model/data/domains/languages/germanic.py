"""Dutch, Swedish and Danish."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

DUTCH = Language(
    openings=("", "", "Hallo, ", "Goedemorgen, ", "Hoi, ", "Een vraagje: "),
    endings=("", "", ".", "!", ". Bedankt!", ". Dank je wel"),
    refusals=("Daar heb ik geen hulpmiddel voor.", "Geen van mijn hulpmiddelen kan dat."),
    conjunction="en",
    nouns=read_nouns(
        "melk, brood, kaas, appels, eieren, olijfolie, fiets, tandarts, ouderavond, geschiedenis van Rome, "
        "elektrische auto's, pianoles, bruiloft van Eva, paraplu, koptelefoon, lunch met de baas, zwarte broek, "
        "zonne-energie"
    ),
    phrases=read_phrases("""
get_weather: wat voor weer is het in {city}? / hoe is het weer in {city}? / {city}: regent het daar?
  het weer in {city} graag
get_current_weather: hoe warm is het nu in {location}? / ik wil weten hoe het weer nu is in {location}
get_time: hoe laat is het in {city}? / zeg me hoe laat het is in {city} / de tijd in {city} alsjeblieft
book_flight: boek een vlucht van {origin} naar {destination} op {date}
  op {date} wil ik van {origin} naar {destination} vliegen
  kun je een vlucht naar {destination} boeken vanuit {origin}, op {date}?
set_timer: zet een timer op {minutes} minuten / waarschuw me over {minutes} minuten
  {minutes} minuten op de timer graag
set_alarm: zet de wekker op {time} / maak me om {time} wakker / ik moet om {time} opstaan
  kun je de wekker op {time} zetten?
create_event: zet {title} op {date} in mijn agenda / nieuwe afspraak op {date}: {title}
  kun je {title} voor {date} in de agenda zetten?
convert_currency: reken {amount} {from} om naar {to} / hoeveel is {amount} {from} in {to}?
  ik wil {amount} {from} wisselen voor {to}
web_search: zoek {query} op internet / zoek informatie over {query} / wat is er op het web te vinden over {query}?
get_stock_price: wat is de koers van {symbol}? / hoe staat het aandeel {symbol}? / {symbol}, wat kost dat aandeel?
book_table: reserveer een tafel voor {people} personen bij {restaurant} om {time}
  om {time} een tafel voor {people} bij {restaurant}
get_directions: hoe kom ik van {start} naar {end}? / ik ben in {start} en moet naar {end} / route van {start} naar {end}
turn_on_light: doe het licht aan in {room} / licht aan in {room} / kun je het licht in {room} aandoen?
turn_off_light: doe het licht uit in {room} / kun je in {room} het licht uitdoen? / {room}: licht uit
add_to_list: zet {items} op de lijst {list} / {items} moet nog op de lijst {list} / voeg {items} toe aan de lijst {list}
track_order: waar is mijn bestelling {order_id}? / status van bestelling {order_id}
transfer_money: maak {amount} over naar {to} / ik moet {amount} aan {to} betalen
delete_file: verwijder {path} / het bestand {path} mag weg
play_music: speel {song} / ik wil {song} horen
"""),
)

SWEDISH = Language(
    openings=("", "", "Hej, ", "God morgon, ", "Hejsan! ", "En fråga: "),
    endings=("", "", ".", "!", ". Tack!", ". Tack så mycket"),
    refusals=("Jag har inget verktyg för det.", "Inget av mina verktyg kan göra det."),
    conjunction="och",
    nouns=read_nouns(
        "mjölk, bröd, ost, äpplen, ägg, olivolja, cykel, tandläkare, föräldramöte, Roms historia, elbilar, "
        "pianolektion, bröllop i Lund, paraply, hörlurar, lunch med chefen, svarta byxor, solenergi"
    ),
    phrases=read_phrases("""
get_weather: hur är vädret i {city}? / vad är det för väder i {city}? / {city}: regnar det där? / vädret i {city}, tack
get_current_weather: hur varmt är det i {location} just nu? / jag vill veta hur vädret är i {location} nu
get_time: vad är klockan i {city}? / säg mig vad klockan är i {city} / kan du säga hur mycket klockan är i {city}?
book_flight: boka ett flyg från {origin} till {destination} den {date}
  den {date} vill jag flyga från {origin} till {destination}
  kan du boka en flygresa till {destination} från {origin} den {date}?
set_timer: ställ en timer på {minutes} minuter / påminn mig om {minutes} minuter / {minutes} minuter på timern, tack
set_alarm: ställ väckarklockan på {time} / väck mig klockan {time} / jag måste upp klockan {time}
create_event: lägg in {title} i kalendern den {date} / ny händelse den {date}: {title}
  kan du skriva in {title} den {date} i kalendern?
convert_currency: räkna om {amount} {from} till {to} / hur mycket är {amount} {from} i {to}?
  jag vill växla {amount} {from} till {to}
web_search: sök efter {query} på nätet / leta upp information om {query} / vad finns det på nätet om {query}?
get_stock_price: vad kostar aktien {symbol}? / hur står {symbol} på börsen? / kursen för {symbol}, tack
book_table: boka ett bord för {people} personer på {restaurant} klockan {time}
  klockan {time}, bord för {people} på {restaurant}
get_directions: hur kommer jag från {start} till {end}? / jag är i {start} och ska till {end}
  visa vägen från {start} till {end}
turn_on_light: tänd lampan i {room} / kan du tända ljuset i {room}? / {room}: tänd ljuset
turn_off_light: släck lampan i {room} / kan du släcka ljuset i {room}? / {room}: släck ljuset
add_to_list: lägg till {items} på listan {list} / skriv upp {items} på listan {list} / på listan {list} saknas {items}
cancel_order: avbeställ beställningen {order_id} / jag vill avboka {order_id}
get_population: hur många bor i {country}? / hur många invånare har {country}?
read_file: läs {path} / vad står det i {path}? / visa innehållet i {path}
"""),
)

DANISH = Language(
    openings=("", "", "Hej, ", "Godmorgen, ", "Goddag, ", "Et spørgsmål: "),
    endings=("", "", ".", "!", ". Tak!", ". Mange tak"),
    refusals=("Det har jeg ikke noget værktøj til.", "Ingen af mine værktøjer kan gøre det."),
    conjunction="og",
    nouns=read_nouns(
        "mælk, brød, ost, æbler, æg, olivenolie, cykel, tandlæge, forældremøde, Roms historie, elbiler, "
        "klavertime, bryllup i Aarhus, paraply, høretelefoner, frokost med chefen, sorte bukser, solenergi"
    ),
    phrases=read_phrases("""
get_weather: hvordan er vejret i {city}? / fortæl mig om vejret i {city} / {city}: regner det der?
get_current_weather: hvor varmt er det i {location} lige nu? / jeg vil gerne vide, hvordan vejret er i {location} nu
get_time: hvad er klokken i {city}? / sig mig, hvad klokken er i {city} / kan du sige, hvad klokken er i {city}?
book_flight: bestil et fly fra {origin} til {destination} den {date}
  den {date} vil jeg flyve fra {origin} til {destination}
set_timer: sæt en timer på {minutes} minutter / sig til om {minutes} minutter / {minutes} minutter på timeren, tak
set_alarm: sæt vækkeuret til {time} / væk mig klokken {time} / jeg skal op klokken {time}
create_event: skriv {title} i kalenderen den {date} / ny aftale den {date}: {title}
  kan du sætte {title} i kalenderen den {date}?
convert_currency: omregn {amount} {from} til {to} / hvor meget er {amount} {from} i {to}?
  jeg vil veksle {amount} {from} til {to}
web_search: søg efter {query} på nettet / find oplysninger om {query} / hvad er der på nettet om {query}?
get_stock_price: hvad koster aktien {symbol}? / hvad er kursen på {symbol}? / kursen på {symbol}, tak
book_table: bestil et bord til {people} personer på {restaurant} klokken {time}
  klokken {time}, bord til {people} på {restaurant}
get_directions: hvordan kommer jeg fra {start} til {end}? / jeg er i {start} og skal til {end}
  vis vejen fra {start} til {end}
turn_on_light: tænd lyset i {room} / kan du tænde lampen i {room}? / {room}: tænd lyset
turn_off_light: sluk lyset i {room} / kan du slukke lampen i {room}?
add_to_list: sæt {items} på listen {list} / skriv {items} på listen {list} / på listen {list} mangler {items}
track_order: hvor er min ordre {order_id}? / {order_id}: hvor er pakken?
define_word: hvad betyder {word}? / hvad er betydningen af ordet {word}?
"""),
)
