"""Texts by what they are about: news, requests, urgency, intents."""

from __future__ import annotations

from embedded_model.data.texts.labelset import label_set, only

_NEWS = label_set(
    "topic category section",
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
    sports: [the striker|our captain|a young player] [scored|missed|was injured] [twice|in the match|before the break]
    sports: <name> [swam|ran|jumped] a new record
    sports: [fans|spectators] [cheered|booed] in the stadium / the referee [showed a red card|stopped the game]
    sports: [basketball|hockey|rugby] [final|derby] tonight
    politics: [the prime minister|a senator|the king|the chancellor] [resigned|gave a speech|met voters|signed a treaty]
    politics: the [vote|poll|campaign] ended
    politics: [new|strict] laws on [taxes|borders|pensions] [were passed|are debated]
    politics: <name> was elected [mayor|president] / protests against the government
    technology: [a new|the latest] [phone|tablet|camera|chip|operating system] [was released|was presented|is faster]
    technology: [artificial intelligence|a robot] writes [code|texts]
    technology: [users|programmers] can [download|install] the [app|update|software]
    technology: a [password|data] leak at a [cloud|web] provider / battery life of the laptop
    business: the [company|startup|airline|bank] [was sold|went bankrupt|opened a new factory|hired 200 people]
    business: [oil|gold|stock] prices [fell|rose]
    business: [investors|shareholders|managers] [sold their shares|expect more profit]
    business: [inflation|unemployment] [fell|rose] / <name> is the new chief executive
    science: [scientists|researchers] [found|measured|discovered] [a new particle|water on Mars|an old fossil|a gene]
    science: physicists [found|measured|discovered] [a new particle|water on Mars|an old fossil|a gene]
    science: the study was published in a journal
    science: the [experiment|theory|telescope] [showed|confirmed|explains] [gravity|how cells grow|a black hole]
    science: [the climate|the ice] is [warming|melting]
    health: [doctors|nurses] [treat|warn of] [the flu|fever|a virus] / [eat|sleep|exercise] more, says a doctor
    health: the hospital [opened a new ward|is full]
    health: [smoking|sugar|stress] is bad for the [heart|lungs|teeth] / a [healthy|balanced] diet
    health: how to [cure|avoid] a [cold|headache]
    entertainment: the [singer|band|actor] [released an album|won an award|is on tour]
    entertainment: the [movie|series|show] [premieres|ends] on Friday / <name> plays the hero
    entertainment: [a concert|a festival|the new film] [was sold out|drew big crowds]
    entertainment: [critics|viewers] [love|hate] the [comedy|drama|musical]
    """,
)
_REQUESTS = label_set(
    "department team category",
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
    billing: [you|your company] [charged|billed] me [twice|too much|for something I did not buy]
    billing: [why|how] was I charged [again|twice]?
    billing: I need a [copy|correction] of [my|the] [invoice|bill|receipt]
    billing: my credit card was [charged|debited] twice / the [tax|amount|discount] on the invoice is wrong
    shipping: [where|when] [is|will I get] my [order|parcel|{}]?
    shipping: [the courier|the driver] [left it outside|did not ring] / can you change the delivery address?
    shipping: [my|the] {} [has not come|is still on the way|was sent to the wrong address]
    shipping: how long does [delivery|shipping] take?
    technical: [the app|the website] [crashes|is very slow|won't start|keeps freezing|shows a blank page]
    technical: [my {}|the software] [crashes|is very slow|won't start|keeps freezing|shows a blank page]
    technical: error [404|500] when I [log in|pay]
    technical: [I can't|I cannot] [log in|connect|install the update|reset my password|open the file]
    technical: the [button|link|camera] does nothing
    refund: [I'd like|can I have] my money [back|returned]
    refund: [how|where] do I [return|send back] the {} for a refund? / [cancel|return] the order and refund me
    sales: [how much|what] does the {} cost [for ten people|per year]?
    sales: do you [sell|have|offer] [a bigger {}|discounts|a free trial]? / I want to [buy|order] [a {}|a licence]
    sales: which [plan|model] is [best|cheapest] [for us|for a school]? / can I get a [quote|price list|demo]?
    sales: we are interested in your {}
    """,
)

CATEGORY_SETS = (
    only(_NEWS, "sports politics technology business"),
    only(_NEWS, "sports politics technology business science"),
    _NEWS,
    only(_REQUESTS, "billing shipping technical refund"),
    _REQUESTS,
    label_set(
        "priority urgency level",
        """
        high: {} is down, help now / fix {} immediately / the shop is offline, nobody can order / this is an emergency
        high: production is down!! / we lose money every minute / the building is on fire / nothing works, hurry
        medium: please look at {} this week / a question about {} / the report has a small mistake
        medium: {} is slow since yesterday / the printer needs paper
        low: no hurry, but {} could be nicer / some day improve {} / if you find the time, please tidy up the wiki
        low: a small wish / a typo on page four
        high: [everything|the server|the whole system|payment] is [down|broken|offline]!
        high: [we|customers] cannot [work|pay|log in] [at all|since an hour] / [asap|right now], please
        high: [urgent|critical|emergency]: the [site|database|door|heating] [does not work|failed]
        high: [smoke|water|gas] in the [kitchen|office]! / data loss in progress
        medium: [please|could you] [check|repair|answer] this [this week|by Friday]
        medium: the [printer|lamp|search] [sometimes|often] fails / [one user|somebody] cannot [print|log in]
        low: [when|if] you have time, [change the color|fix the typo|update the text]
        low: [it would be nice|some day we could] [to have a darker {}|add a picture]
        low: [just|only] a [suggestion|small idea|cosmetic issue] / not urgent, [the {} looks odd|the logo is old]
        low: nice to have: {}
        """,
    ),
    label_set(
        "priority urgency label",
        """
        urgent: {} is down, help now / fix {} immediately / the main server has crashed, please help!
        urgent: we need this right now / emergency, call me at once / the deadline is in one hour
        urgent: customers cannot log in / data is being lost, act now
        normal: please look at {} this week / a question about {} / if you find the time, please tidy up the wiki
        normal: no hurry / next month is fine / just a small thing about {} / could you check {} some day
        urgent: [call|help] [me|us] [now|immediately|at once], [the {} is on fire|it cannot wait|we lose customers]
        urgent: answer [me|us] [now|immediately|at once], [the {} is on fire|it cannot wait|we lose customers]
        urgent: [asap|right now]: fix the {}
        urgent: the [patient|client|boss] needs [it|an answer] [within the hour|right away]
        urgent: [power|water] is out in the whole building
        normal: [whenever you like|no rush|take your time]
        normal: [could|can] you [send me the {}|update the page] [next week|when you are back]? / a general question
        """,
    ),
    label_set(
        "intent action label",
        """
        greeting: hello you / hi there / a good morning to you / hey, how are you / good evening
        order: I would like to buy a {} / please send me two {} / I want to order a {} / can I get a {}
        complaint: my {} is broken / this is unacceptable / I am angry about the {} / the {} does not work
        goodbye: bye now / see you later / goodbye / have a nice day / good night
        greeting: [hi|hello|hey] [there|everybody|<name>|friend]
        greeting: good [morning|evening|afternoon] [to all|<name>|everyone] / nice to meet you / what's up?
        order: [I'll|we'll|I would like to] [take|have|order|buy] [a|two|the] {}
        order: [can|could|may] I [order|buy|have] [a|the] {} please? / one {}, please
        complaint: [my|the] {} [came broken|is damaged|stopped working|is not what I ordered]
        complaint: [I am|we are] [not happy|angry|disappointed] with [the {}|your service]
        complaint: [nobody|no one] [answers|helped me] / this is [the third time|a scandal]
        complaint: why does the {} [never work|keep breaking]?
        goodbye: [bye|goodbye|farewell|see you] [then|now|<name>|everyone] / [talk|see you] [later|soon|tomorrow]
        goodbye: have a [nice|good] [day|evening|weekend] / take care
        """,
    ),
    label_set(
        "intent action",
        """
        book: [book|reserve] a [table|room|flight|seat] for [two|me|tomorrow]
        book: I need a [hotel|taxi|ticket] for [Friday|tonight] / can I reserve [a table|a seat]?
        cancel: [cancel|delete|call off] my [booking|order|meeting|flight] / I can't come, please cancel
        cancel: I no longer want the {} / remove my reservation
        change: [move|change|reschedule] my [booking|meeting|appointment] to [Monday|noon]
        change: can we meet [later|earlier] instead? / please change the address of my order
        info: what are your opening hours? / how do I get to [the hotel|your shop]?
        info: [is|do you have] breakfast [included|free]? / tell me [more|something] about the {}
        """,
    ),
    label_set(
        "intent",
        """
        play_music: play [some|my] [jazz|rock|music|favourite song] / [start|put on] the [playlist|album|radio]
        play_music: I want to hear a song
        set_alarm: wake me up at [six|seven] / set an alarm for [eight|noon] / alarm at [five|nine] tomorrow
        set_alarm: remind me to get up
        weather: will it [rain|snow] [today|tomorrow]? / how [warm|cold] is it outside? / do I need an umbrella?
        weather: what's the weather like
        send_message: [text|message|write to] <name> that I'm [late|home] / send <name> a message
        send_message: tell <name> I [love her|am on my way]
        """,
    ),
)
