"""French."""

from __future__ import annotations

from embedded_model.data.domains.languages.language import Language, read_nouns, read_phrases

FRENCH = Language(
    openings=(
        "",
        "",
        "",
        "Bonjour, ",
        "Salut ! ",
        "Bonsoir, ",
        "Dis-moi, ",
        "J'ai une question : ",
        "Coucou, ",
        "Tu peux m'aider ? ",
    ),
    endings=("", "", ".", " !", ". Merci !", ". Merci beaucoup"),
    refusals=(
        "Je n'ai pas d'outil pour cela.",
        "Aucun de mes outils ne sait faire cela.",
        "Désolé, je ne peux pas faire cela avec mes outils.",
    ),
    conjunction="et",
    nouns=read_nouns(
        "lait, pain, fromage, pommes, œufs, huile d'olive, jus d'orange, haricots verts, vélo, chaussures de "
        "marche, dentiste, réunion de parents, histoire de Rome, voitures électriques, jardinage, cours de piano, "
        "mariage de Julie, impôts, sortir les poubelles, parapluie, casque audio, vacances à la mer, déjeuner avec "
        "le chef, pantalon noir, café au lait, énergie solaire"
    ),
    phrases=read_phrases("""
get_weather: quel temps fait-il à {city} ? / quelle est la météo à {city} ? / météo {city}
  {city} : il fait beau là-bas ?
  je voudrais savoir s'il pleut à {city} / peux-tu me donner la météo de la ville {city} ?
  il me faut la météo pour {city}
get_current_weather: quel temps fait-il en ce moment à {location} ? / fait-il chaud à {location} ?
  {location}, quelle température ?
  dis-moi s'il fait froid à {location} / pourrais-tu regarder le temps qu'il fait à {location} ?
get_time: quelle heure est-il à {city} ? / donne-moi l'heure à {city} / {city} : quelle heure là-bas ?
  heure locale à {city}
  j'ai besoin de savoir l'heure qu'il est à {city} / pourrais-tu me dire l'heure à {city} ?
book_flight: réserve un vol de {origin} à {destination} le {date}
  il me faut un vol {origin} – {destination} pour le {date}
  le {date}, je veux aller de {origin} à {destination} en avion / vol pour {destination} le {date}, départ de {origin}
  peux-tu réserver un billet d'avion pour {destination} au départ de {origin}, le {date} ?
set_timer: mets un minuteur de {minutes} minutes / minuteur {minutes} minutes / préviens-moi dans {minutes} minutes
  {minutes} minutes au minuteur, s'il te plaît / tu peux compter {minutes} minutes ?
  le gâteau cuit pendant {minutes} minutes
set_alarm: mets le réveil à {time} / réveille-moi à {time} / réveil à {time} s'il te plaît / {time}, mets le réveil
  je dois me lever à {time} / peux-tu régler l'alarme sur {time} ?
create_event: ajoute {title} à mon agenda le {date} / le {date} j'ai {title}, note-le dans l'agenda
  {date} : {title} dans l'agenda
  peux-tu inscrire {title} au calendrier pour le {date} ? / nouvel événement le {date} : {title}
convert_currency: convertis {amount} {from} en {to} / combien font {amount} {from} en {to} ? / {amount} {from} en {to}
  je veux changer {amount} {from} en {to} / ça fait combien, {amount} {from}, en {to} ?
web_search: cherche {query} sur internet / recherche {query} / trouve-moi des informations sur {query}
  qu'est-ce qu'on trouve sur le web à propos de {query} ? / j'ai besoin d'en savoir plus sur {query}
get_stock_price: quel est le cours de {symbol} ? / donne-moi le cours de l'action {symbol} / {symbol}, ça cote combien ?
  à combien est le titre {symbol} ? / je voudrais connaître le prix de l'action {symbol}
book_table: réserve une table pour {people} personnes chez {restaurant} à {time}
  nous serons {people} chez {restaurant} à {time}
  à {time}, table pour {people} au restaurant {restaurant}
  peux-tu nous réserver une table chez {restaurant} ? {people} personnes, {time}
get_directions: comment aller de {start} à {end} ? / montre-moi la route de {start} à {end} / itinéraire {start} – {end}
  je suis à {start} et je dois aller à {end} / quel est le chemin de {start} jusqu'à {end} ?
turn_on_light: allume la lumière dans {room} / allume {room} / lumière dans {room} s'il te plaît
  il fait noir dans {room}
  peux-tu allumer la lampe dans {room} ? / {room} : allume la lumière
turn_off_light: éteins la lumière dans {room} / éteins {room} / {room} : lumière éteinte, merci
  tu peux éteindre la lampe dans {room} ? / il faut éteindre la lumière dans {room}
add_to_list: ajoute {items} à la liste {list} / mets {items} sur la liste {list}
  {items} sur la liste {list} s'il te plaît
  il manque {items} sur la liste {list} / peux-tu noter {items} dans la liste {list} ?
get_forecast: quel temps fera-t-il à {city} ces {days} prochains jours ? / prévisions pour {city} sur {days} jours
  il me faut la météo des {days} prochains jours à {city} / {city}, prévisions à {days} jours
search_flights: quels vols y a-t-il de {from} à {to} ? / trouve des vols {from} – {to}
  je cherche un vol pour {to} depuis {from}
book_hotel: réserve un hôtel à {city} pour {nights} nuits à partir du {check_in}
  hôtel à {city}, arrivée le {check_in}, {nights} nuits
  je voudrais une chambre à {city} le {check_in} pour {nights} nuits
  il nous faut {nights} nuits d'hôtel à {city} dès le {check_in}
call_taxi: appelle un taxi au {address} pour {time} / il me faut un taxi à {time}, adresse : {address}
  taxi à {time} au {address}
list_events: qu'est-ce que j'ai le {date} ? / quels rendez-vous ai-je le {date} ? / montre mon agenda du {date}
  {date} : qu'y a-t-il au calendrier ?
set_reminder: rappelle-moi le {date} : {text} / rappel pour le {date} : {text} / le {date}, rappelle-moi ceci : {text}
find_recipe: que puis-je cuisiner avec {ingredients} ? / trouve une recette avec {ingredients}
  j'ai {ingredients}, une idée de plat ?
search_products: je cherche {query} dans la boutique / montre-moi des produits comme {query} / avez-vous {query} ?
track_order: où est ma commande {order_id} ? / suivi de la commande {order_id} / {order_id} : où est le colis ?
  j'attends la commande {order_id}, où en est-elle ?
cancel_order: annule la commande {order_id} / je veux annuler {order_id} / la commande {order_id} est à annuler
create_invoice: fais une facture de {amount} {currency} pour {customer} / facture à {customer} : {amount} {currency}
  {customer} nous doit {amount} {currency}, prépare la facture
transfer_money: envoie {amount} à {to} / vire {amount} à {to} / je dois payer {amount} à {to}
  {amount} pour {to}, fais le virement
get_balance: combien y a-t-il sur le compte {account} ? / solde du compte {account} / donne-moi le solde du {account}
buy_ticket: achète {count} billets pour {event} / je voudrais {count} places pour {event}
  {count} billets pour {event} s'il te plaît
rate_product: donne {stars} étoiles à {product} / note {product} avec {stars} étoiles / {product} mérite {stars} étoiles
send_email: envoie un e-mail à {to} avec l'objet {subject} et le texte {body} / mail à {to}, objet {subject} : {body}
  écris à {to}, sujet « {subject} », message « {body} »
send_sms: envoie un SMS au {phone} : {text} / SMS au {phone} avec le texte {text} / écris au {phone} : {text}
search_contacts: cherche le contact {name} / qui est {name} ? / il me faut les coordonnées de {name}
create_contact: enregistre {name} avec l'adresse {email} / nouveau contact : {name}, {email}
  {name}, {email}, à enregistrer
get_ticket: montre-moi le ticket {ticket_id} / où en est le ticket {ticket_id} ? / ouvre {ticket_id}
create_document: crée un document nommé {name} / nouveau document : {name} / j'ai besoin d'un document intitulé {name}
delete_file: supprime {path} / efface le fichier {path} / {path} peut être supprimé / peux-tu effacer {path} ?
read_file: lis {path} / que contient {path} ? / montre-moi le contenu de {path} / ouvre le fichier {path}
create_task: crée la tâche {title} / nouvelle tâche : {title} / ajoute {title} à mes tâches
get_news: quoi de neuf sur {topic} ? / les actualités sur {topic} / je veux les nouvelles concernant {topic}
define_word: que veut dire {word} ? / définis {word} / {word}, qu'est-ce que c'est ? / cherche le sens du mot {word}
get_population: combien d'habitants compte le pays {country} ? / {country} : quelle population ?
play_music: joue {song} / mets {song} / je veux écouter {song} / tu peux passer {song} ?
restart_server: redémarre le serveur {host} / relance {host} / {host} est bloqué, il faut le redémarrer
fetch_url: télécharge {url} / va chercher la page {url} / récupère {url} s'il te plaît
book_appointment: prends rendez-vous avec le docteur {doctor} le {date} à {time}
  je dois voir le docteur {doctor} le {date} à {time}
  le {date} à {time}, rendez-vous chez le docteur {doctor}
add: combien font {a} plus {b} ? / additionne {a} et {b} / la somme de {a} et {b} / {a} plus {b}, ça fait combien ?
multiply: combien font {a} fois {b} ? / multiplie {a} par {b} / {a} fois {b} / le produit de {a} et {b}
get_user: qui est l'utilisateur {user_id} ? / montre l'utilisateur {user_id} / cherche l'utilisateur numéro {user_id}
"""),
)
