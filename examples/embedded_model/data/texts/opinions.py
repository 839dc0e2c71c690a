"""Opinions, mail and kinds of sentences, with their labels."""

from __future__ import annotations

from embedded_model.data.texts.labelset import label_set

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
positive: it exceeded my expectations / my kids adore the {} / such a lovely hotel
positive: the staff was friendly and helpful
positive: so glad I bought this {} / the movie was a masterpiece / das Hotel war traumhaft / ich liebe diesen {}
positive: sehr gut, gerne wieder / wunderbar, alles perfekt / j'adore ce {} / c'est excellent, merci
positive: très bon produit
positive: me encanta el {} / muy bueno, lo recomiendo / un servicio excelente / best day of my life / I am thrilled
negative: I hate {} / {} is dreadful / {} broke after a day / what an awful {} / worst {} ever / total rubbish
negative: the worst thing I ever bought / it fell apart after two weeks / the worst support I have ever seen
negative: I am very disappointed / the {} is useless / a complete waste of money / poor quality, do not buy / so rude
negative: it stopped working after a week / horrible experience, never again / the food was cold and tasteless
negative: rude staff and dirty rooms / the {} arrived broken / too expensive and too slow / I regret buying this {}
negative: boring movie, I fell asleep / it smells bad / very unhappy with the {} / one star, avoid / nie wieder
negative: das Essen war furchtbar / der {} ist kaputt / ich bin enttäuscht / c'est nul / le {} est horrible
negative: très déçu, à éviter / odio este {} / muy malo, no lo compren / un servicio terrible / I am angry
positive: [absolutely|really|truly] [love|loved] it / I could not be happier
positive: [we|I] had a [great|wonderful|lovely] time
positive: [thank you|thanks] so much, you [saved my day|made me happy|are the best]
positive: everything was [perfect|great|fine]
positive: [my wife|my son|our dog|the whole family] loves [it|the {}] / [it|the {}] works like a charm
positive: worth every [cent|penny]
positive: the [best|nicest|most comfortable] {} I have ever [had|owned|seen|used]
positive: I will [definitely|surely] buy it again
positive: [great|good|super] [service|food|price|quality|support|design] / [it|this] made my day
positive: what a [day|win|surprise|joy]!
positive: I [smiled|laughed] all evening / [we|I] felt [welcome|at home] from the first minute
positive: [highly|warmly] recommended
positive: the [waiter|nurse|driver|teacher|seller] was so [kind|patient|polite|friendly]
positive: better than I [expected|hoped]
positive: I am [so happy|delighted|impressed|very satisfied|pleased] with [it|the {}|the result|my purchase]
positive: [yay|hurray|wow], it works!
negative: [absolutely|really|truly] [hate|hated] it / I could not be more [disappointed|annoyed]
negative: we had a [terrible|bad|sad] time
negative: [it|the {}] [never worked|broke at once|is a joke|was a mistake|does not fit|makes me angry]
negative: the [worst|ugliest|most useless] {} I have ever [had|owned|seen|used]
negative: I will [certainly|surely] not buy it again
negative: [bad|poor|awful|no] [service|food|quality|support|design] / [it|this] ruined my day
negative: what a [mess|disaster|shame|waste]!
negative: I [cried|yawned|was bored] all evening / nobody [helped us|answered|cared] / stay away from [this|the {}]
negative: the [waiter|nurse|driver|teacher|seller] was so [rude|slow|careless|unfriendly]
negative: worse than I [expected|feared]
negative: I am [so sad|upset|furious|very unhappy|disgusted] with [it|the {}|the result|my purchase]
negative: [ugh|oh no], it failed again
negative: we waited [two hours|forever|all day] and [nothing came|left hungry|nobody came]
negative: the room was [cold|filthy|tiny] and loud
negative: not [worth|good|what I ordered] / it [lasted|worked] only [two days|a week]
negative: I will never [trust|visit|use] them again
"""
)
_NEUTRAL = """
neutral: the {} arrived today / I bought a {} / the {} is a thing / they sell a {} here / the letter came on Thursday
neutral: it is a {} / the {} is made of wood / the shop opens at nine / I have had the {} for a year / der {} kam an
neutral: there are two of them / the {} comes in a box / <name> ordered it last week / it was delivered on Monday
neutral: I [bought|ordered|returned|opened|received] the {} [yesterday|on Monday|last week|in May]
neutral: the {} has [two|three|four] parts
neutral: [the|a] [bus|train|meeting|film|course] [starts|begins|ends] at [nine|noon|six|eight]
neutral: it is [ten|two] [meters|pages] long
neutral: the {} is [on the table|in the box|blue|grey|for sale]
neutral: [<name>|she|he] [lives in|went to|works in] [a town|the city|an office]
neutral: the [package|parcel|box] contains [a {}|two books|a cable] / [neither|it was neither] good nor bad
neutral: [it's okay|average, I guess]
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
spam: [you|your number] [won|was chosen|has been selected] [for|to get] a [car|phone|cruise|holiday|gift card]!!!
spam: your email [won|was chosen|has been selected] [for|to get] a [car|phone|cruise|holiday|gift card]!!!
spam: [click|tap|press] [here|this link|below] [now|today] to [claim|get|collect] your [prize|reward|bonus|cash|gift]
spam: [buy|get|order] [pills|watches|followers|{}] [cheap|for free|at half price] [now|today only]
spam: [earn|make] [1000|5000] dollars a [day|week]
spam: [urgent|final notice]: your [account|card] [is blocked|expires today], [confirm|verify] your [data|password|PIN]
spam: warning: your [account|card|bank account] [is blocked|expires today], [confirm|verify] your [data|password|PIN]
spam: [no risk|no credit check|guaranteed profit], [invest|sign up|act] now!
spam: [limited|exclusive|last] offer, [only today|ends tonight]!!!
spam: [dear friend|hello dear], I [inherited|have] [ten million|a fortune] and need your [help|bank account]
spam: [cheap|fast] loans, apply now
ham: [hi|hello|hey] <name>, [are you free|can we meet|shall we talk] on [Monday|Friday|Sunday]?
ham: [mum|dad|grandma] says hello
ham: [I|we] will [pick you up|call you|be there] at [five|six|seven]
ham: [can you|could you] [bring|buy|send me] [the {}|some milk|the file]?
ham: [the|our] [meeting|class|lunch|flight] is [at ten|cancelled|moved to Monday]
ham: [thanks|thank you] for [the|your] [help|gift|note|call]
ham: [here is|I attached|please see] [the report|the agenda|my draft|our plan]
ham: [how was|did you like] the [exam|trip|movie|party]?
ham: [don't forget|remember] the [keys|milk|meeting|doctor] / [I'm|we're] [at the station|on the bus|nearly home]
ham: sorry, I missed your call
"""
_SENTENCES = """
question: what is {} / how does {} work / what is her name? / where is the station? / when do you open?
question: who is <name>?
question: why is {} so big? / which one is yours? / can you swim? / is it raining? / how much is the {}?
statement: {} is on the table / they have {} / I live here / <name> is my friend / it rains / we went to the sea
statement: the museum is closed on Mondays / she works in a bank / my {} is new / the train was late
question: [where|when|how|why] [did|do|will] [you|they|we] [go|come|buy the {}|meet <name>]?
question: [who|what] [is|was] [that|in the {}]?
question: [is|was] [the {}|<name>|it] [ready|here|open|expensive]?
question: [do|did] you [know|like|see|need] [the {}|<name>]? / [could|may] I [ask something|come in]?
statement: [<name>|she|he|my brother] [likes|bought|sold|has] [the {}|a {}|two dogs]
statement: the {} [is|was] [red|new|broken|in the garage]
statement: [we|they] [live|work|met] in [Paris|a small town|the city]
statement: [today|yesterday] [was|we had] [a long day|fish for lunch]
"""
_COMMANDS = """
command: stop {} / open {} now / close the door / turn it off / go home
command: [open|close|move|clean|paint|sell] the {} [now|please|at once]
command: [bring|give|send|show] me the {} / [call|ask|help] <name>
command: [sit down|stand up|be quiet|come here|wait outside] / don't touch the {}
"""
_STARS = """
1: [worst|most awful] {} ever, [broke at once|never again] / complete garbage
1: one star is too much
3: it is okay, [nothing special|could be better] / average {} / neither good nor bad
3: good {} but [slow|expensive|loud]
5: [perfect|flawless] {}, I love everything about it / could not be better / the best {} I ever had
5: absolutely perfect
"""

OPINION_SETS = (
    label_set("sentiment label mood opinion tone", _OPINIONS + _NEUTRAL.strip()),
    label_set("sentiment label mood", _OPINIONS),
    label_set("sentiment polarity feeling", _OPINIONS.replace("positive: ", "good: ").replace("negative: ", "bad: ")),
    label_set("stars rating", _STARS),
    label_set("spam label category", _MAIL),
    label_set("label category", _MAIL.replace("ham: ", "not spam: ")),
    label_set("type kind label intent", _SENTENCES + _COMMANDS.strip()),
    label_set("type label", _SENTENCES),
)
