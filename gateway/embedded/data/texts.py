"""Texts with their labels. `{}` is some thing, `<name>` somebody's name, `[a|b]` one of several words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.embedded.data.source import Source


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Labels with texts that deserve them, and the keys under which records hold such a label."""

    keys: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]


def written(texts: Sequence[str], source: Source) -> str:
    """One of the texts, and of each choice in it one word."""
    return re.sub(r"\[([^]]*)\]", lambda choice: source.pick(choice[1].split("|")), source.pick(texts))


def _set(keys: str, lines: str) -> LabelSet:
    """A set from lines `label: text / text`; a label may have several."""
    labels: dict[str, tuple[str, ...]] = {}
    for line in lines.strip().splitlines():
        label, _, texts = line.strip().partition(": ")
        labels[label] = labels.get(label, ()) + tuple(texts.split(" / "))
    return LabelSet(tuple(keys.split()), labels)


_IT = "[movie|book|hotel|food|service|staff|room|show|game|song|trip|course|app|pizza|coffee|concert|delivery|view|{}]"
_GOOD = (
    "[great|wonderful|amazing|lovely|fantastic|superb|brilliant|delightful|pleasant|charming|impressive|outstanding|"
    "perfect|gorgeous|marvellous|excellent|terrific|splendid|fabulous|awesome|nice|beautiful|stunning|helpful|enjoyable]"
)
_BAD = (
    "[terrible|awful|horrible|bad|boring|disappointing|poor|useless|annoying|ugly|dull|broken|dreadful|disgusting|lousy|"
    "slow|unfriendly|noisy|dirty|weak|pathetic|miserable|ridiculous|unacceptable|frustrating]"
)
_VERY = "[very|really|so|truly|simply|just|absolutely|quite]"
_OPINIONS = (
    f"""
positive: the {_IT} was {_GOOD} / what a {_GOOD} {_IT} / {_VERY} {_GOOD} {_IT} / I found the {_IT} {_VERY} {_GOOD}
positive: I [love|like|adore|enjoyed|loved|recommend] the {_IT} / this {_IT} is {_VERY} {_GOOD} / the {_IT} is {_GOOD}
positive: the {_IT} was not {_BAD} at all / I [would|will] [come back|recommend it|order it again] / {_GOOD}, thanks
negative: the {_IT} was {_BAD} / what a {_BAD} {_IT} / {_VERY} {_BAD} {_IT} / I found the {_IT} {_VERY} {_BAD}
negative: I [hate|dislike|regret|hated|cannot stand] the {_IT} / this {_IT} is {_VERY} {_BAD} / the {_IT} is {_BAD}
negative: the {_IT} was not {_GOOD} / I [would|will] never [come back|recommend it|order it again] / {_BAD}, no thanks
"""
    + """positive: I love {} / {} is great / {} works very well / what a wonderful {} / best {} ever
positive: this {} is amazing / I am very happy with the {} / good value for the money / excellent quality / well done
positive: fantastic service, thank you / I love this {}, it is perfect / five stars, highly recommended / so tasty
positive: super fast delivery / the food was delicious / beautiful {} and easy to use / absolutely brilliant
positive: it exceeded my expectations / my kids adore the {} / such a lovely hotel / the staff was friendly and helpful
positive: so glad I bought this {} / the movie was a masterpiece / das Hotel war traumhaft / ich liebe diesen {}
positive: sehr gut, gerne wieder / wunderbar, alles perfekt / j'adore ce {} / c'est excellent, merci / très bon produit
positive: me encanta el {} / muy bueno, lo recomiendo / un servicio excelente / best day of my life / I am thrilled
negative: I hate {} / {} is dreadful / {} broke after a day / what an awful {} / worst {} ever / total rubbish
negative: the worst thing I ever bought / it fell apart after two weeks / the worst support I have ever seen
negative: I am very disappointed / the {} is useless / a complete waste of money / poor quality, do not buy / so rude
negative: it stopped working after a week / horrible experience, never again / the food was cold and tasteless
negative: rude staff and dirty rooms / the {} arrived broken / too expensive and too slow / I regret buying this {}
negative: boring movie, I fell asleep / it smells bad / very unhappy with the {} / one star, avoid / nie wieder
negative: das Essen war furchtbar / der {} ist kaputt / ich bin enttäuscht / c'est nul / le {} est horrible
negative: très déçu, à éviter / odio este {} / muy malo, no lo compren / un servicio terrible / I am angry
"""
)
_NEUTRAL = """
neutral: the {} arrived today / I bought a {} / the {} is a thing / they sell a {} here / the letter came on Thursday
neutral: it is a {} / the {} is made of wood / the shop opens at nine / I have had the {} for a year / der {} kam an
neutral: there are two of them / the {} comes in a box / <name> ordered it last week / it was delivered on Monday
"""
_MAIL = """
spam: win a free {} now / click here for cheap {} / congratulations!!! you won a free {}, click here now
spam: EARN MONEY TODAY!!! follow this link / cheap sunglasses, 70% off, this week only / make money from home fast
spam: you have been selected for a prize / claim your reward before midnight / hot singles in your area
spam: buy {} at 80% off, limited offer!!! / your account is locked, verify your password here / get rich with crypto
spam: free {} for everyone, act now / lose weight in 3 days with this trick / dear winner, send us your bank details
ham: see you at lunch, I bring {} / the notes on {} are attached / shall we have tea at 4? / dinner at eight?
ham: hi dad, I'll be there at seven / <name>, can you send me the report / the meeting is moved to Tuesday
ham: thanks for your help yesterday / please find the invoice attached / happy birthday <name>! / did you feed the cat
ham: I will be late, start without me / your order of {} has shipped / let's talk about the {} tomorrow
ham: here are the photos from the trip / can we speak on Monday? / I have read your draft and like it
"""
_SENTENCES = """
question: what is {} / how does {} work / what is her name? / where is the station? / when do you open? / who is <name>?
question: why is {} so big? / which one is yours? / can you swim? / is it raining? / how much is the {}?
statement: {} is on the table / they have {} / I live here / <name> is my friend / it rains / we went to the sea
statement: the museum is closed on Mondays / she works in a bank / my {} is new / the train was late
"""

SETS = (
    _set("sentiment label mood opinion tone", _OPINIONS + _NEUTRAL.strip()),
    _set("sentiment label mood", _OPINIONS),
    _set("spam label category", _MAIL),
    _set("label category", _MAIL.replace("ham: ", "not spam: ")),
    _set(
        "category topic label section",
        """
        sports: the team won the match / <name> scored two goals / the forward scored in the last minute
        sports: the coach was fired after the defeat / she won the marathon / the goalkeeper saved a penalty
        sports: the tournament starts on Sunday / a new world record in the high jump / the cup goes to the champions
        politics: the parliament voted on {} / the minister spoke about {} / parliament debated the new law
        politics: the president met the chancellor / the election is in May / the senate rejected the bill
        politics: the party lost the vote / the government resigned / the mayor opened the council
        technology: the new chip runs {} / {} got a software update / the phone has a faster processor
        technology: the app uses machine learning / developers released version 3 / hackers found a bug in {}
        technology: the laptop has a new screen / robots will build the {}
        business: shares of {} fell / {} reported higher profits / shares of the airline rose by 3 percent
        business: the company bought its rival / sales grew in the third quarter / the bank raised its rates
        business: the firm will cut jobs / the startup raised ten million / exports fell last year
        sports: the [team|club|captain|runner|swimmer|goalkeeper|coach] [won|lost] the [match|race|final|cup|game]
        sports: [a goal|a penalty|a red card] in the [first|second] half / the [tennis|football] season [starts|ends]
        politics: the [government|senate|minister|mayor|party] [debated|rejected|signed] the [law|treaty|reform]
        politics: [voters|citizens|deputies] [elect|support|oppose] the [government|president|opposition|minister]
        technology: the [phone|laptop|browser|chip|robot|software] [has|got] [an update|a new version|more memory]
        technology: [engineers|programmers|hackers] [built|tested|attacked] the [network|server|computer|website]
        business: the [company|bank|firm|factory|retailer] [reported|expects] [a loss|a profit|higher sales|lower costs]
        business: [prices|stocks|exports|profits|wages] [rose|fell] by [two|five|ten] percent [this|last] [month|year]
        science: researchers studied {} / the experiment measured {} / scientists discovered a new planet
        science: the vaccine was tested on mice / a telescope saw a distant galaxy / biologists found a new fish
        """,
    ),
    _set(
        "category department label queue",
        """
        billing: you charged me two times for {} / my invoice for {} is wrong / why is my bill so high
        billing: the payment was taken twice / please correct the invoice / I paid twice for the {}
        billing: [the|my|your] [bill|invoice|charge|payment] is [wrong|too high|not mine] / I was billed too much
        shipping: [the|my] [order|package|parcel|letter] [is late|got lost|never came] / when will it [arrive|come]
        technical: [the|your|my] [site|page|app|screen|login|program] [freezes|fails|does not start|shows an error]
        refund: [please|I want you to] [refund|pay back] [it|the {}|the price|everything] / I send it back, refund me
        shipping: my parcel with {} has not arrived / when is {} delivered / where is my package / my package is late
        shipping: it was due on Wednesday / the tracking number does not work / the courier never came
        technical: {} shows an error / I cannot log in to {} / {} crashes / the program crashes at the start
        technical: the website does not load / my screen stays black / I forgot how to reset {} / it does not connect
        refund: I want to be refunded for {} / please refund {} / give me my money back / I would like a refund
        refund: give me back what I paid for {} / I return the {} and want a refund / send the money back
        """,
    ),
    _set(
        "priority urgency level",
        """
        high: {} is down, help now / fix {} immediately / the shop is offline, nobody can order / this is an emergency
        high: production is down!! / we lose money every minute / the building is on fire / nothing works, hurry
        medium: please look at {} this week / a question about {} / the report has a small mistake
        medium: {} is slow since yesterday / the printer needs paper
        low: no hurry, but {} could be nicer / some day improve {} / if you find the time, please tidy up the wiki
        low: a small wish / a typo on page four
        """,
    ),
    _set(
        "priority urgency label",
        """
        urgent: {} is down, help now / fix {} immediately / the main server has crashed, please help!
        urgent: we need this right now / emergency, call me at once / the deadline is in one hour
        urgent: customers cannot log in / data is being lost, act now
        normal: please look at {} this week / a question about {} / if you find the time, please tidy up the wiki
        normal: no hurry / next month is fine / just a small thing about {} / could you check {} some day
        """,
    ),
    _set(
        "type kind label intent", _SENTENCES + "command: stop {} / open {} now / close the door / turn it off / go home"
    ),
    _set("type label", _SENTENCES),
    _set(
        "language lang",
        """
        english: good morning, how are you? / where is the station? / I would like a coffee / thank you / I am hungry
        english: the weather is nice today / can you help me? / tomorrow I go home
        german: Guten Abend, wie geht es Ihnen? / Wo ist der Bahnhof? / Ich möchte einen Kaffee / danke schön
        german: das Wetter ist schön / Ich habe Hunger / Können Sie mir helfen? / Morgen fahre ich nach Hause
        french: Bonjour, comment ça va ? / Où est l'hôtel ? / Je voudrais un café / merci beaucoup / J'ai faim
        french: il fait beau aujourd'hui / Pouvez-vous m'aider ? / Demain je rentre chez moi
        spanish: Buenos días, ¿cómo estás? / ¿Dónde está la estación? / Quisiera un café / muchas gracias
        spanish: hoy hace buen tiempo / Tengo hambre / ¿Puede ayudarme? / Mañana vuelvo a casa
        """,
    ),
    _set(
        "intent action label",
        """
        greeting: hello you / hi there / a good morning to you / hey, how are you / good evening
        order: I would like to buy a {} / please send me two {} / I want to order a {} / can I get a {}
        complaint: my {} is broken / this is unacceptable / I am angry about the {} / the {} does not work
        goodbye: bye now / see you later / goodbye / have a nice day / good night
        """,
    ),
    _set(
        "kind category type",
        """
        fruit: banana / pear / plum / cherry / grapes / lemon / orange / strawberry / mango / peach / a red apple
        vegetable: carrot / potato / onion / spinach / cabbage / cucumber / broccoli / leek / garlic / pumpkin
        """,
    ),
    _set(
        "animal kind",
        """
        cat: it purrs / it says meow / it catches mice and sleeps all day
        dog: it barks / it guards the house / it barks at the postman / it fetches the stick
        bird: it flies and has feathers / it sings in the tree / it lays eggs in a nest / it has wings
        """,
    ),
    _set(
        "color answer",
        """
        red: the color of blood / the color of a ripe tomato / the color of a fire engine
        green: the color of spinach / pick the color of leaves / the color of a frog / the color of a cucumber
        blue: the color of the sky / the color of the sea
        yellow: the color of a lemon / the color of the sun
        """,
    ),
    _set(
        "answer verdict",
        """
        yes: is fire hot? / is ice cold? / is 8 greater than 3? / is 9 more than 2? / does a week have seven days?
        yes: is a dog an animal? / is the sun bright? / is 10 greater than 4? / is Paris a city? / can birds fly?
        no: is fire cold? / is 2 greater than 7? / is 1 more than 8? / does a week have nine days? / is ice hot?
        no: is the moon a car? / is 3 greater than 6? / can fish drive? / is snow black? / is a stone alive?
        """,
    ),
    _set(
        "answer verdict",
        """
        true: rain is wet / fire is hot / 2 plus 2 is 4 / a dog is an animal / ice is cold / a year has 12 months
        true: the sun is a star / 5 is greater than 3 / snow is white / fish live in water
        false: fire is cold / 2 plus 2 is 5 / a stone is an animal / ice is hot / a year has 20 months
        false: the moon is a cheese / 1 is greater than 3 / cows can fly / snow is black
        """,
    ),
)
