"""Portuguese, Catalan and Romanian."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

PORTUGUESE = Language(
    openings=("", "", "Olá, ", "Bom dia, ", "Oi, ", "Uma pergunta: ", "Por favor: "),
    endings=("", "", ".", "!", ". Obrigado!", ". Obrigada"),
    refusals=("Não tenho nenhuma ferramenta para isso.", "Nenhuma das minhas ferramentas faz isso."),
    conjunction="e",
    nouns=read_nouns(
        "leite, pão, queijo, maçãs, ovos, azeite, sumo de laranja, bicicleta, dentista, reunião de pais, história "
        "de Roma, carros elétricos, aula de piano, casamento da Inês, guarda-chuva, auscultadores, almoço com o "
        "chefe, calças pretas, energia solar, férias na praia"
    ),
    phrases=read_phrases("""
get_weather: como está o tempo em {city}? / qual é a previsão do tempo para {city}? / {city}: está a chover lá?
  diga-me o tempo em {city} / preciso de saber se faz sol em {city}
get_current_weather: que tempo faz agora em {location}? / está frio em {location}?
  quero saber a temperatura atual em {location}
get_time: que horas são em {city}? / diga-me as horas em {city} / pode dizer-me que horas são em {city}?
book_flight: reserve um voo de {origin} para {destination} no dia {date}
  no dia {date} quero voar de {origin} para {destination}
  pode marcar um voo para {destination} com saída de {origin} em {date}?
set_timer: ponha um temporizador de {minutes} minutos / avise-me daqui a {minutes} minutos
  {minutes} minutos no temporizador, por favor
set_alarm: ponha o despertador para as {time} / acorde-me às {time} / tenho de me levantar às {time}
create_event: adicione {title} ao meu calendário no dia {date} / novo evento em {date}: {title}
  pode pôr {title} na agenda para {date}?
convert_currency: converta {amount} {from} em {to} / quanto são {amount} {from} em {to}?
  quero trocar {amount} {from} por {to}
web_search: procure {query} na internet / pesquise informações sobre {query} / o que há na web sobre {query}?
get_stock_price: quanto vale a ação {symbol}? / diga-me a cotação de {symbol} / {symbol}, a quanto está?
book_table: reserve uma mesa para {people} pessoas no {restaurant} às {time}
  às {time}, mesa para {people} no restaurante {restaurant}
get_directions: como vou de {start} para {end}? / estou em {start} e tenho de ir para {end}
  caminho de {start} até {end}
turn_on_light: acenda a luz em {room} / pode acender a lâmpada em {room}? / {room}: acenda a luz
turn_off_light: apague a luz em {room} / pode apagar a lâmpada em {room}?
add_to_list: adicione {items} à lista {list} / ponha {items} na lista {list} / na lista {list} falta {items}
cancel_order: cancele a encomenda {order_id} / quero cancelar o pedido {order_id}
transfer_money: transfira {amount} para {to} / preciso de pagar {amount} a {to}
get_population: quantos habitantes tem o país {country}? / população do país {country}
define_word: o que significa {word}? / defina a palavra {word}
delete_file: apague {path} / o ficheiro {path} pode ser apagado
"""),
)

CATALAN = Language(
    openings=("", "", "Hola, ", "Bon dia, ", "Si us plau: ", "Una pregunta: ", "Ei, "),
    endings=("", "", ".", "!", ". Gràcies!", ". Moltes gràcies"),
    refusals=("No tinc cap eina per a això.", "Cap de les meves eines no ho pot fer."),
    conjunction="i",
    nouns=read_nouns(
        "llet, pa, formatge, pomes, ous, oli d'oliva, suc de taronja, bicicleta, dentista, reunió de pares, "
        "història de Roma, cotxes elèctrics, classe de piano, casament de la Núria, paraigua, auriculars, dinar "
        "amb el cap, pantalons negres, energia solar"
    ),
    phrases=read_phrases("""
get_weather: quin temps fa a {city}? / digues-me el temps a {city} / {city}: plou allà? / vull saber si fa sol a {city}
get_current_weather: quin temps fa ara a {location}? / fa fred a {location}? / em cal saber la temperatura a {location}
get_time: quina hora és a {city}? / digues-me l'hora a {city} / em pots dir quina hora és a {city}?
book_flight: reserva un vol {origin} – {destination} el {date}
  el {date} vull volar a {destination} des de l'aeroport de {origin}
set_timer: posa un temporitzador de {minutes} minuts / avisa'm d'aquí a {minutes} minuts
  {minutes} minuts al temporitzador, si us plau
set_alarm: posa l'alarma a les {time} / desperta'm a les {time} / m'he de llevar a les {time}
create_event: afegeix {title} al meu calendari el {date} / nou esdeveniment el {date}: {title}
  pots posar {title} a l'agenda el {date}?
convert_currency: converteix {amount} {from} a {to} / quant són {amount} {from} en {to}?
  vull canviar {amount} {from} per {to}
web_search: cerca {query} a internet / busca informació sobre {query} / què hi ha al web sobre {query}?
get_stock_price: quant val l'acció {symbol}? / digues-me la cotització del valor {symbol} / {symbol}, a quant està?
book_table: reserva una taula per a {people} persones a {restaurant} a les {time}
  a les {time}, taula per a {people} al restaurant {restaurant}
get_directions: com arribo a {end} des de la ciutat de {start}? / soc a {start} i he d'anar a {end}
  ruta {start} – {end}
turn_on_light: encén el llum a {room} / pots encendre el llum a {room}? / {room}: encén el llum
turn_off_light: apaga el llum a {room} / pots apagar el llum a {room}?
add_to_list: afegeix {items} a la llista {list} / posa {items} a la llista {list} / a la llista {list} hi falta {items}
track_order: on és la meva comanda {order_id}? / la comanda {order_id}, on és?
delete_file: esborra {path} / pots eliminar el fitxer {path}?
"""),
)

ROMANIAN = Language(
    openings=("", "", "Bună, ", "Bună ziua, ", "Salut! ", "Te rog: ", "O întrebare: "),
    endings=("", "", ".", "!", ". Mulțumesc!", ". Mersi"),
    refusals=("Nu am nicio unealtă pentru asta.", "Niciuna dintre uneltele mele nu poate face asta."),
    conjunction="și",
    nouns=read_nouns(
        "lapte, pâine, brânză, mere, ouă, ulei de măsline, suc de portocale, bicicletă, dentist, ședință cu "
        "părinții, istoria Romei, mașini electrice, lecție de pian, nunta Anei, umbrelă, căști, prânz cu șeful, "
        "pantaloni negri, energie solară"
    ),
    phrases=read_phrases("""
get_weather: cum e vremea în {city}? / spune-mi cum e vremea în {city} / {city}: plouă acolo?
  vreau să știu dacă e soare în {city}
get_current_weather: ce temperatură e acum în {location}? / e frig în {location}?
  am nevoie de vremea actuală din {location}
get_time: cât e ceasul în {city}? / spune-mi ora din {city} / poți să-mi spui cât e ceasul în {city}?
book_flight: rezervă un zbor din {origin} spre {destination} pe {date}
  pe {date} vreau să zbor din {origin} în {destination}
set_timer: pune un cronometru de {minutes} minute / anunță-mă peste {minutes} minute
set_alarm: pune alarma la {time} / trezește-mă la {time} / trebuie să mă trezesc la ora {time}
create_event: adaugă {title} în calendar pe {date} / eveniment nou pe {date}: {title}
  poți să treci {title} în agendă pe {date}?
convert_currency: convertește {amount} {from} în {to} / cât fac {amount} {from} în {to}?
  vreau să schimb {amount} {from} în {to}
web_search: caută {query} pe internet / caută informații despre {query} / ce se găsește pe net despre {query}?
get_stock_price: cât costă acțiunea {symbol}? / spune-mi prețul acțiunii {symbol} / {symbol}, cât valorează?
book_table: rezervă o masă pentru {people} persoane la {restaurant} la ora {time}
  la {time}, masă pentru {people} la {restaurant}
get_directions: cum ajung din {start} în {end}? / sunt în {start} și trebuie să ajung în {end}
  arată-mi drumul din {start} până în {end}
turn_on_light: aprinde lumina în {room} / poți să aprinzi lumina în {room}? / {room}: aprinde lumina
turn_off_light: stinge lumina în {room} / poți să stingi lumina în {room}?
add_to_list: adaugă {items} pe lista {list} / pune {items} pe lista {list} / pe lista {list} lipsește {items}
cancel_order: anulează comanda {order_id} / vreau să anulez comanda {order_id}
define_word: ce înseamnă {word}? / care e sensul cuvântului {word}?
"""),
)
