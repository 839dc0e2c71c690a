"""Sentences in seven languages."""

from __future__ import annotations

from embedded_model.data.texts.labelset import label_set, renamed

_NAMED = label_set(
    "language lang",
    """
    english: good morning, how are you? / where is the station? / I would like a coffee / thank you / I am hungry
    english: the weather is nice today / can you help me? / tomorrow I go home / what time is it? / my name is <name>
    english: the [dog|cat|child|book|house] is [big|small|new|old] / I [live|work] in the city
    english: we [have|need] [bread|water|time]
    english: how much does this cost? / [see you|until] tomorrow / I don't understand / the shop is closed
    english: happy birthday
    english: [yesterday|today] [I|we] [went to the market|read a book|saw a film] / she has two brothers
    english: have a good trip
    german: Guten Abend, wie geht es Ihnen? / Wo ist der Bahnhof? / Ich möchte einen Kaffee / danke schön
    german: ich heiße <name>
    german: das Wetter ist schön / Ich habe Hunger / Können Sie mir helfen? / Morgen fahre ich nach Hause
    german: wie spät ist es?
    german: [der Hund|das Kind|das Buch|das Haus] ist [groß|klein|neu|alt] / ich [wohne|arbeite] in der Stadt
    german: wir brauchen [Brot|Wasser|Zeit]
    german: was kostet das? / bis morgen / ich verstehe nicht / der Laden ist geschlossen / alles Gute zum Geburtstag
    german: [gestern|heute] [gingen wir|war ich] [auf dem Markt|im Kino|zu Hause] / sie hat zwei Brüder / gute Reise
    french: Bonjour, comment ça va ? / Où est l'hôtel ? / Je voudrais un café / merci beaucoup / J'ai faim
    french: je m'appelle <name>
    french: il fait beau aujourd'hui / Pouvez-vous m'aider ? / Demain je rentre chez moi / quelle heure est-il ?
    french: [le chien|l'enfant|le livre|la maison] est [grand|petit|vieux] / j'habite dans la ville
    french: nous avons besoin [de pain|d'eau|de temps]
    french: combien ça coûte ? / à demain / je ne comprends pas / le magasin est fermé / bon anniversaire / bon voyage
    french: [hier|aujourd'hui] [nous sommes allés|je suis allé] [au marché|au cinéma] / elle a deux frères
    french: c'est très joli
    spanish: Buenos días, ¿cómo estás? / ¿Dónde está la estación? / Quisiera un café / muchas gracias
    spanish: me llamo <name>
    spanish: hoy hace buen tiempo / Tengo hambre / ¿Puede ayudarme? / Mañana vuelvo a casa / ¿qué hora es?
    spanish: [el perro|el niño|el libro] es [grande|pequeño|nuevo|viejo] / vivo en la ciudad
    spanish: necesitamos [pan|agua|tiempo]
    spanish: ¿cuánto cuesta? / hasta mañana / no entiendo / la tienda está cerrada / feliz cumpleaños / buen viaje
    spanish: [ayer|hoy] [fuimos|fui] [al mercado|al cine] / ella tiene dos hermanos / es muy bonito
    italian: Buongiorno, come stai? / Dov'è la stazione? / Vorrei un caffè / grazie mille / Ho fame / mi chiamo <name>
    italian: oggi fa bel tempo / Può aiutarmi? / Domani torno a casa / che ore sono? / quanto costa? / a domani
    italian: [il cane|il bambino|il libro] è [grande|piccolo|nuovo|vecchio] / abito in città
    italian: abbiamo bisogno di [pane|acqua|tempo]
    italian: non capisco / il negozio è chiuso / buon compleanno / buon viaggio
    italian: [ieri|oggi] siamo andati al [mercato|cinema]
    portuguese: Bom dia, como vai? / Onde fica a estação? / Queria um café / muito obrigado / Tenho fome
    portuguese: o meu nome é <name>
    portuguese: hoje o tempo está bom / Pode ajudar-me? / Amanhã volto para casa / que horas são? / quanto custa?
    portuguese: até amanhã
    portuguese: [o cão|o menino|o livro] é [grande|pequeno|novo|velho] / moro na cidade
    portuguese: precisamos de [pão|água|tempo]
    portuguese: não entendo / a loja está fechada / feliz aniversário / boa viagem
    portuguese: [ontem|hoje] fomos ao [mercado|cinema]
    dutch: Goedemorgen, hoe gaat het? / Waar is het station? / Ik wil graag een koffie / dank je wel / Ik heb honger
    dutch: ik heet <name>
    dutch: het weer is mooi vandaag / Kunt u mij helpen? / Morgen ga ik naar huis / hoe laat is het? / wat kost dit?
    dutch: tot morgen
    dutch: [de hond|het kind|het boek|het huis] is [groot|klein|nieuw|oud] / ik woon in de stad
    dutch: we hebben [brood|water|tijd] nodig
    dutch: ik begrijp het niet / de winkel is gesloten / gefeliciteerd / goede reis
    dutch: [gisteren|vandaag] gingen we naar de [markt|bioscoop]
    """,
)

LANGUAGE_SETS = (
    _NAMED,
    renamed(_NAMED, "en de fr es it pt nl"),
    renamed(_NAMED, "English German French Spanish Italian Portuguese Dutch"),
)
