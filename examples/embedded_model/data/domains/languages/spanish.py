"""Spanish."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

SPANISH = Language(
    openings=(
        "",
        "",
        "",
        "Hola, ",
        "Por favor: ",
        "¡Buenos días! ",
        "Oye, ",
        "Una pregunta: ",
        "Buenas tardes, ",
        "¿Me ayudas? ",
    ),
    endings=("", "", ".", ". ¡Gracias!", ". Gracias", ". Muchas gracias."),
    refusals=(
        "No tengo ninguna herramienta para eso.",
        "Ninguna de mis herramientas puede hacer eso.",
        "Lo siento, no puedo hacer eso con mis herramientas.",
    ),
    conjunction="y",
    nouns=read_nouns(
        "leche, pan, queso, manzanas, huevos, aceite de oliva, zumo de naranja, judías verdes, bicicleta, botas de "
        "montaña, dentista, reunión de padres, historia de Roma, coches eléctricos, jardinería, clase de piano, "
        "boda de Lucía, impuestos, sacar la basura, paraguas, auriculares, vacaciones en la playa, comida con el "
        "jefe, pantalón negro, café con leche, energía solar"
    ),
    phrases=read_phrases("""
get_weather: ¿qué tiempo hace en {city}? / dime el tiempo en {city} / ¿cómo está el clima en {city}?
  el tiempo en {city}
  {city}: ¿va a llover allí? / quiero saber si hace sol en {city} / ¿me puedes decir qué tiempo hará hoy en {city}?
get_current_weather: ¿qué tiempo hace ahora en {location}? / ¿hace frío en {location}?
  {location}, ¿qué temperatura hay?
  necesito saber si está lloviendo en {location} / ¿podrías mirar el tiempo actual de {location}?
get_time: ¿qué hora es en {city}? / dime la hora en {city} / {city}: ¿qué hora es allí?
  la hora local de {city}, por favor
  quiero saber qué hora es en {city} / ¿me dices la hora en {city}?
book_flight: reserva un vuelo de {origin} a {destination} el {date}
  necesito volar de {origin} a {destination} el {date}
  el {date} quiero ir en avión de {origin} a {destination} / vuelo {origin} – {destination} para el {date}
  ¿puedes reservarme un vuelo a {destination} que salga de {origin} el {date}?
set_timer: pon un temporizador de {minutes} minutos / temporizador, {minutes} minutos
  avísame dentro de {minutes} minutos
  {minutes} minutos en el temporizador, por favor / ¿puedes contar {minutes} minutos? / la pasta tarda {minutes} minutos
set_alarm: pon la alarma a las {time} / despiértame a las {time} / a las {time} tengo que levantarme / alarma {time}
  ¿me puedes despertar a las {time}? / {time}, pon el despertador
create_event: añade {title} a mi calendario el {date} / el {date} tengo {title}, apúntalo en la agenda
  {date}: {title} en el calendario
  ¿puedes poner {title} en la agenda para el {date}? / nuevo evento el {date}: {title}
convert_currency: convierte {amount} {from} a {to} / ¿cuánto son {amount} {from} en {to}? / {amount} {from} a {to}
  quiero cambiar {amount} {from} por {to} / ¿cuántos {to} me dan por {amount} {from}?
web_search: busca {query} en internet / busca información sobre {query} / ¿qué hay en la web sobre {query}?
  necesito encontrar algo sobre {query} / {query}: búscalo en internet
get_stock_price: ¿a cuánto está la acción {symbol}? / dime el precio de {symbol} / {symbol}, ¿a cuánto cotiza?
  quiero saber la cotización de {symbol} / ¿cuánto vale una acción de {symbol}?
book_table: reserva una mesa para {people} personas en {restaurant} a las {time}
  somos {people} y queremos cenar en {restaurant} a las {time}
  a las {time} en {restaurant}, mesa para {people} / ¿nos reservas mesa en {restaurant}? Seremos {people}, a las {time}
get_directions: ¿cómo llego de {start} a {end}? / enséñame el camino de {start} a {end} / ruta de {start} a {end}
  estoy en {start} y tengo que ir a {end} / ¿por dónde se va desde {start} hasta {end}?
turn_on_light: enciende la luz en {room} / enciende {room} / luz en {room}, por favor / está oscuro en {room}
  ¿puedes encender la lámpara en {room}? / {room}: enciende la luz
turn_off_light: apaga la luz en {room} / apaga {room} / {room}: luz apagada, por favor / hay que apagar la luz en {room}
  ¿me apagas la luz en {room}?
add_to_list: añade {items} a la lista {list} / pon {items} en la lista {list} / {items} a la lista {list}, por favor
  en la lista {list} faltan {items} / ¿puedes apuntar {items} en la lista {list}?
get_forecast: ¿qué tiempo hará en {city} los próximos {days} días? / pronóstico para {city}, {days} días
  necesito la previsión de {days} días para {city} / {city}, el tiempo de los próximos {days} días
search_flights: ¿qué vuelos hay de {from} a {to}? / busca vuelos {from} – {to} / quiero un vuelo a {to} desde {from}
book_hotel: reserva un hotel en {city} por {nights} noches desde el {check_in}
  hotel en {city}, llegada el {check_in}, {nights} noches
  quiero una habitación en {city} el {check_in} por {nights} noches
  desde el {check_in}, {nights} noches de hotel en {city}
call_taxi: pide un taxi a {address} para las {time} / necesito un taxi a las {time} en {address}
  taxi a las {time}, dirección {address}
list_events: ¿qué tengo el {date}? / ¿qué citas tengo el {date}? / enséñame la agenda del {date}
  {date}: ¿qué hay en el calendario?
set_reminder: recuérdame el {date}: {text} / recordatorio para el {date}: {text} / el {date} recuérdame esto: {text}
find_recipe: ¿qué puedo cocinar con {ingredients}? / busca una receta con {ingredients}
  tengo {ingredients}, ¿qué plato hago?
search_products: busco {query} en la tienda / enséñame productos como {query} / ¿tenéis {query}?
  quiero comprar {query}
track_order: ¿dónde está mi pedido {order_id}? / seguimiento del pedido {order_id} / {order_id}: ¿dónde está el paquete?
  espero el pedido {order_id}, ¿por dónde va?
cancel_order: cancela el pedido {order_id} / quiero cancelar {order_id} / el pedido {order_id} hay que anularlo
create_invoice: haz una factura de {amount} {currency} para {customer} / factura a {customer}: {amount} {currency}
  {customer} nos debe {amount} {currency}, prepara la factura
transfer_money: transfiere {amount} a {to} / envía {amount} a {to} / tengo que pagar {amount} a {to}
  {amount} para {to}, haz la transferencia
get_balance: ¿cuánto dinero hay en la cuenta {account}? / saldo de la cuenta {account} / dime el saldo de {account}
buy_ticket: compra {count} entradas para {event} / quiero {count} entradas para {event}
  {count} entradas de {event}, por favor
rate_product: dale {stars} estrellas a {product} / valora {product} con {stars} estrellas
  {product} merece {stars} estrellas
send_email: envía un correo a {to} con asunto {subject} y texto {body} / correo a {to}, asunto {subject}: {body}
  escribe a {to}, asunto "{subject}", mensaje "{body}"
send_sms: envía un SMS al {phone}: {text} / SMS al {phone} con el texto {text} / escribe al {phone}: {text}
search_contacts: busca el contacto {name} / ¿quién es {name}? / necesito los datos de {name}
create_contact: guarda a {name} con el correo {email} / nuevo contacto: {name}, {email} / {name}, {email}, guárdalo
get_ticket: enséñame el tique {ticket_id} / ¿cómo va el tique {ticket_id}? / abre {ticket_id}
create_document: crea un documento llamado {name} / nuevo documento: {name} / necesito un documento con el nombre {name}
delete_file: borra {path} / elimina el archivo {path} / {path} se puede borrar / ¿puedes eliminar {path}?
read_file: lee {path} / ¿qué hay en {path}? / muéstrame el contenido de {path} / abre el archivo {path}
create_task: crea la tarea {title} / nueva tarea: {title} / añade {title} a mis tareas
get_news: ¿qué hay de nuevo sobre {topic}? / noticias sobre {topic} / quiero las noticias de {topic}
define_word: ¿qué significa {word}? / define {word} / {word}, ¿qué es? / busca el significado de la palabra {word}
get_population: ¿cuántos habitantes tiene {country}? / ¿cuánta gente vive en {country}? / población de {country}
play_music: pon {song} / toca {song} / quiero escuchar {song} / ¿puedes poner {song}?
restart_server: reinicia el servidor {host} / reinicia {host} / {host} no responde, hay que reiniciarlo
fetch_url: descarga {url} / trae la página {url} / ¿qué hay en {url}?
book_appointment: pide cita con el doctor {doctor} el {date} a las {time}
  tengo que ver al doctor {doctor} el {date} a las {time}
  el {date} a las {time}, cita con el doctor {doctor}
add: ¿cuánto es {a} más {b}? / suma {a} y {b} / la suma de {a} y {b} / {a} más {b}, ¿cuánto da?
multiply: ¿cuánto es {a} por {b}? / multiplica {a} por {b} / {a} por {b} / el producto de {a} y {b}
get_user: ¿quién es el usuario {user_id}? / muestra el usuario {user_id} / busca al usuario número {user_id}
"""),
)
