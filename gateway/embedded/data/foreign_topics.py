"""Topics of records in German, French and Spanish; in Italian for the evaluation alone."""

from __future__ import annotations

from gateway.embedded.data.topics.topic import topic

TOPICS = (
    topic(
        "Person",
        "Ich heiße {name} und wohne in {city} / Mein Name ist {name} / {name} ist {age} Jahre alt / {name}, {age} / "
        "Das ist {name} / Ich bin {name} und {age} Jahre alt / {name} aus {city}",
        "name person kunde full_name = person",
        "alter age jahre = age : , {} Jahre alt ; im Alter von {}",
        "stadt city wohnort ort = city : aus {} ; wohnhaft in {}",
        "email mail e_mail = email : mit der Adresse {} ; E-Mail {}",
        "firma company unternehmen = company : bei {} ; von der Firma {}",
        "telefon phone telefonnummer = phone : Telefon {} ; unter {}",
    ),
    topic(
        "Rechnung",
        "Rechnung {nummer} / die Rechnung {nummer} über {betrag} / Anbei die Rechnung {nummer} / Rechnung von {kunde}",
        "nummer rechnungsnummer number invoice_number = code : mit der Nummer {}",
        "kunde customer firma lieferant = company : für {} ; von {}",
        "betrag total summe amount gesamt = amount : über {} ; Betrag {} ; insgesamt {}",
        "datum date rechnungsdatum = day : vom {} ; Datum {}",
        "iban konto = id : , IBAN {} ; auf das Konto {}",
    ),
    topic(
        "Termin",
        "{titel} findet am {datum} statt / {titel} in {ort} / Termin: {titel} / Einladung: {titel}",
        "titel title name veranstaltung = occasion",
        "datum date tag = day : am {}",
        "ort location stadt = city : in {}",
        "uhrzeit time zeit = time : um {} Uhr ; um {}",
    ),
    topic(
        "Bestellung",
        "Ich möchte {menge} {artikel} bestellen / Bestellung: {menge} {artikel} / Wir brauchen {artikel} / {artikel}",
        "artikel product produkt item = thing",
        "menge quantity anzahl = count : , {} Stück ; Menge {}",
        "preis price kosten = amount : für {} ; zu {} Euro",
        "bestellnummer order_id nummer = code : mit der Nummer {}",
    ),
    topic(
        "personne",
        "Je m'appelle {name} et j'ai {age} ans / Je m'appelle {name} / {name} habite à {city} / {name}, {age} ans / "
        "Voici {name} / Je suis {name} de {city}",
        "name nom personne client = person",
        "age âge ans = age : , {} ans ; âgé de {} ans",
        "city ville lieu = city : de {} ; qui habite à {}",
        "email courriel mail = email : avec l'adresse {} ; courriel {}",
        "entreprise company société = company : de la société {} ; chez {}",
        "téléphone phone tel = phone : téléphone {} ; au {}",
    ),
    topic(
        "facture",
        "la facture {numéro} / Facture {numéro} de {client} / Veuillez trouver la facture {numéro} / facture de "
        "{total}",
        "numéro number numero = code : avec le numéro {}",
        "client customer société = company : pour {} ; de {}",
        "total montant amount = amount : d'un montant de {} ; total {}",
        "date jour = day : du {} ; en date du {}",
    ),
    topic(
        "événement",
        "{titre} aura lieu le {date} / {titre} à {lieu} / Rendez-vous : {titre} / invitation : {titre}",
        "titre title nom = occasion",
        "date jour = day : le {}",
        "lieu location ville = city : à {}",
        "heure time = time : à {}",
    ),
    topic(
        "persona",
        "Me llamo {name} y vivo en {city} / Me llamo {name} / {name} tiene {age} años / Soy {name} de {city} / "
        "{name}, {age} años / Me llamo {name} y tengo {age} años",
        "name nombre persona cliente = person",
        "age edad años = age : de {} años ; con {} años",
        "city ciudad lugar = city : de {} ; que vive en {}",
        "email correo mail = email : con el correo {} ; correo {}",
        "empresa company compañía = company : de la empresa {} ; que trabaja en {}",
        "teléfono phone tel = phone : teléfono {} ; al {}",
    ),
    topic(
        "factura",
        "la factura {número} / Factura {número} de {cliente} / Adjunto la factura {número} / factura por {total}",
        "número number numero = code : con el número {}",
        "cliente customer empresa = company : para {} ; de {}",
        "total importe amount = amount : por {} ; total {}",
        "fecha date = day : del {} ; con fecha {}",
    ),
    topic(
        "evento",
        "{título} es el {fecha} / {título} en {lugar} / Invitación: {título} / cita: {título}",
        "título title nombre = occasion",
        "fecha date día = day : el {}",
        "lugar location ciudad = city : en {}",
        "hora time = time : a las {}",
    ),
)

HELDOUT = (
    topic(
        "cliente",
        "Mi chiamo {name} e abito a {city} / {name} ha {age} anni / Sono {name}",
        "name nome persona = person",
        "age età anni = age : di {} anni",
        "city città = city : di {} ; che vive a {}",
        "email posta = email : con la mail {}",
    ),
    topic(
        "fattura",
        "la fattura {numero} / Fattura {numero} di {cliente}",
        "numero number = code : con il numero {}",
        "cliente customer = company : per {}",
        "totale total = amount : di {} ; totale {}",
        "data date = day : del {}",
    ),
)
