"""Restaurants, recipes, money, sport, news."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "get_restaurant_menu",
        "What a restaurant has on its menu",
        "restaurant=restaurant course?=starters|mains|desserts|drinks",
        "what's on the menu at {restaurant} / show me the menu of {restaurant} / {restaurant} menu / what do they "
        "serve at {restaurant} / I wonder what one can eat at {restaurant} / before we go to {restaurant} I'd like "
        "to see what they cook / please look up the dishes they have at {restaurant} / which meals does "
        "{restaurant} offer",
        course=", just the {course}",
        result="dishes=[dish]",
        answer="They have {dishes}.",
    ),
    tool(
        "bookmark_restaurant",
        "Keep a restaurant for a later visit",
        "restaurant=restaurant city?=city",
        "bookmark {restaurant} / {restaurant} sounds good, remember it for later / save the restaurant "
        "{restaurant} / I want to eat at {restaurant} some time, keep it for me / restaurant {restaurant} bookmark "
        "/ please note {restaurant} as a place to try / could you put {restaurant} on the list of places where I "
        "want to eat / a friend raves about {restaurant}, don't let me forget it",
        city="in {city}",
    ),
    tool(
        "rate_restaurant",
        "Give a restaurant one to five stars",
        "restaurant=restaurant stars=five comment?=message",
        "give {restaurant} {stars} stars / rate the restaurant {restaurant} with {stars} / {restaurant}: {stars} "
        "out of 5 / we just ate at {restaurant}, I'd say {stars} of five stars / {stars} stars for {restaurant} / "
        "please review {restaurant} with {stars} stars / our dinner at {restaurant} deserves {stars} stars / could "
        "you leave {stars} stars for {restaurant} in my name",
        comment="with the comment: {comment}",
    ),
    tool(
        "calculate_recipe_nutrition",
        "Add up calories and nutrients of a dish",
        "ingredients=[ingredient] portions?=several",
        "add up the calories of {ingredients} / what's in a dish made of {ingredients}, nutritionally / nutrition: "
        "{ingredients} / I cook with {ingredients}, how much energy is that / how fattening is something made from "
        "{ingredients} / please work out the nutrients for {ingredients} / my pot holds {ingredients}, how many "
        "calories are in it / could you count protein, fat and calories for {ingredients}",
        portions=", divided by {portions} portions",
        result="calories=count protein=small",
        answer="That is {calories} calories and {protein} g of protein.",
    ),
    tool(
        "suggest_wine",
        "Suggest a drink that goes with a dish",
        "dish=dish alcohol?=boolean",
        "which wine goes with {dish} / what should we drink with {dish} / drink for {dish} / I'm serving {dish} "
        "tonight and have nothing to pour / recommend something to drink with {dish} / please pair {dish} with a "
        "wine / we're having {dish}, what would a sommelier open / could you pick a bottle that suits {dish}",
        alcohol=", with alcohol|, without alcohol",
    ),
    tool(
        "adjust_recipe_diet",
        "Change a recipe so that it fits a diet",
        "dish=dish diet=vegan|vegetarian|gluten_free|low_carb",
        "make {dish} {diet} / how can I cook {dish} so that it is {diet} / {dish}, but {diet} / my guests eat "
        "{diet}, can they have {dish} all the same / turn the recipe for {dish} into a {diet} one / please change "
        "{dish} so it's {diet} / I'd love {dish}, only it has to be {diet} / is there a {diet} way to do {dish}",
    ),
    tool(
        "split_bill",
        "Split a bill between people",
        "total=price people=several tip_percent?=percentage",
        "split {total} between {people} people / the bill is {total} and there are {people} of us, what does each "
        "pay / {total} divided among {people} / {total}, {people} people, who owes what / we were {people} at the "
        "table and it cost {total}, what's my share / please share {total} fairly among {people} of us / how much "
        "is it per head when {people} of us pay {total} / could you work out equal parts of {total} for {people} "
        "friends",
        tip_percent="plus {tip_percent} tip",
        result="share=price",
        answer="Each of you pays {share}.",
    ),
    tool(
        "request_money",
        "Ask a person to pay something back",
        "from_name=first_name amount=price purpose?=occasion",
        "request {amount} from {from_name} / {from_name} owes me {amount}, ask for it / ask {from_name} to send me "
        "{amount} / {from_name} {amount} payback request / I lent {from_name} {amount} and want it back / please "
        "send {from_name} a payment request over {amount} / could you get {amount} from {from_name} for me / I "
        "paid for {from_name}, that was {amount}, remind them to settle it",
        purpose="for {purpose}",
    ),
    tool(
        "pay_bill",
        "Pay a bill to a company",
        "company=company amount=price reference?=code",
        "pay {company} {amount} / settle the bill from {company}, it's {amount} / {company} {amount} pay / I got "
        "an invoice from {company} over {amount}, take care of it / transfer what I owe {company}, {amount} / "
        "please pay the {amount} that {company} wants / the {amount} to {company} are due, do it now / could you "
        "get the {company} bill of {amount} out of the way",
        reference=", reference {reference}",
        answer="{company} is paid.",
    ),
    tool(
        "top_up_phone",
        "Load credit onto a prepaid phone",
        "phone=phone amount=10|15|20|30|50",
        "top up {phone} with {amount} / my prepaid number {phone} is out of credit, load {amount} / {phone} credit "
        "+{amount} / put {amount} on the phone {phone} / please recharge {phone} by {amount} / I can't call anyone "
        "from {phone} any more, {amount} should do / could you load {amount} onto the SIM with {phone} / {phone} "
        "needs credit, {amount} please",
    ),
    tool(
        "top_up_transit_card",
        "Load money onto a card for buses and trams",
        "card_number=big amount=price",
        "load {amount} onto my transit card {card_number} / top up the bus card {card_number} by {amount} / "
        "transit card {card_number} +{amount} / I can't ride the tram, card {card_number} is empty, put {amount} "
        "on it / please charge my travel card {card_number} with {amount} / the gate says my card {card_number} "
        "has no money, add {amount} / could you put {amount} on the metro card {card_number}",
    ),
    tool(
        "order_foreign_cash",
        "Order banknotes of another currency",
        "amount=count currency=currency pickup_city?=city",
        "order {amount} {currency} in cash / I need {amount} {currency} as banknotes / cash {amount} {currency} "
        "please / have {amount} {currency} in notes ready for my holiday / could you get me {amount} {currency} to "
        "put in my wallet / they only take notes where I go, so I need {amount} {currency} / please exchange some "
        "of my money into {amount} {currency} in cash / I want to have {amount} {currency} in my hand before I "
        "leave",
        pickup_city=", I pick it up in {pickup_city}",
    ),
    tool(
        "unblock_card",
        "Make a blocked payment card work again",
        "last_digits=port",
        "unblock my card ending in {last_digits} / I found my card {last_digits} again, make it work / card "
        "{last_digits} unblock / the card {last_digits} is blocked, please lift that / could you reactivate the "
        "bank card with {last_digits} at the end / it was in my coat all the time, open up card {last_digits} "
        "again / I want to pay with {last_digits} again, end the block",
    ),
    tool(
        "start_standing_order",
        "Pay a person the same sum every month",
        "to_name=person amount=price day_of_month?=handful",
        "pay {to_name} {amount} every month / set up a standing order of {amount} to {to_name} / {to_name} monthly "
        "{amount} / from now on {to_name} gets {amount} each month / I keep forgetting to pay {to_name}, send "
        "{amount} month by month / please transfer {amount} to {to_name} on a monthly basis / could you arrange "
        "that {to_name} receives {amount} every month / standing order: {to_name}, {amount}",
        day_of_month=", on day {day_of_month} of the month",
    ),
    tool(
        "stop_standing_order",
        "End a monthly payment to a person",
        "to_name=person",
        "stop the standing order to {to_name} / {to_name} gets no more monthly money from me / end monthly payment "
        "{to_name} / I don't have to pay {to_name} each month any longer / please cancel what goes to {to_name} "
        "every month / could you put an end to the regular transfer to {to_name} / my debt with {to_name} is "
        "settled, no further monthly payments",
    ),
    tool(
        "follow_team",
        "Get news and results of a team",
        "team=team only_finals?=boolean",
        "follow {team} / keep me posted on {team} / team {team} follow / I'm a fan of {team} now, send me whatever "
        "happens / please tell me how {team} do from now on / I want to hear about every match of {team} / could "
        "you add {team} to the clubs I follow / never let me miss a result of {team}",
        only_finals=", final scores only|, not just the final scores",
    ),
    tool(
        "unfollow_team",
        "Get no more news and results of a team",
        "team=team",
        "unfollow {team} / no more news about {team} please / team {team} unfollow / I'm not a fan of {team} any "
        "longer, leave me alone with them / stop telling me how {team} play / could you drop {team} from the clubs "
        "I follow / I can't bear more results of {team} / {team} only lose, I don't want to hear of them again",
    ),
    tool(
        "get_live_score",
        "The score of a match that is being played",
        "home=team away=team",
        "what's the score between {home} and {away} / {home} - {away}, how does it stand / live score {home} "
        "{away} / who is leading, {home} or {away} / I can't watch {home} against {away}, how is it going / has "
        "anyone scored yet at {home} against {away} / please check how {home} are doing against {away} right now / "
        "is {home} ahead of {away} at the moment",
        result="home_goals=points away_goals=points",
        answer="It is {home_goals} to {away_goals}.",
    ),
    tool(
        "buy_match_tickets",
        "Buy tickets for a match of a team",
        "team=team date=day tickets=several stand?=north|south|east|west",
        "buy {tickets} tickets for {team} on {date} / we want to see {team} in the stadium on {date}, {tickets} of "
        "us / {team} {date} {tickets} tickets / get {tickets} seats for the match of {team} on {date} / could you "
        "find {tickets} places at the {team} game on {date} / please take {tickets} of us to the {team} match on "
        "{date}, tickets needed / watching {team} on TV is dull, I want {tickets} seats for {date} / {tickets} "
        "tickets please: {team}, {date}",
        stand="in the {stand} stand",
    ),
    tool(
        "get_top_scorers",
        "The best scorers of a season in a sport",
        "sport=sport season=year",
        "who scored most in {sport} in {season} / top scorers {sport} {season} / best scorers of the {season} "
        "{sport} season / which {sport} players were ahead in {season} / I need the list of the best {sport} "
        "scorers for {season} / please show who led the scoring in {sport} in {season} / nobody in {sport} scored "
        "more in {season} than who",
        result="players=[person]",
        answer="They are {players}.",
    ),
    tool(
        "get_local_news",
        "Headlines from a city",
        "city=city limit?=handful",
        "what's new in {city} / headlines from {city} / what happened in {city} today / local news {city} / I hear "
        "sirens all over {city}, what is going on / please read me the news from {city} / is there anything in the "
        "papers about {city} / what are people talking about in {city}",
        limit=", {limit} headlines at most",
        result="headline=title",
        answer="The headline in {city}: {headline}.",
    ),
    tool(
        "follow_news_topic",
        "Get news about a topic regularly",
        "topic=topic frequency?=daily|weekly|hourly",
        "keep me informed about {topic} / follow the topic {topic} in the news / news topic {topic} on / whenever "
        "the papers write about {topic} I want to know / please send me stories on {topic} from now on / I'd like "
        "to read more news about {topic} / could you watch the press for {topic} / anything new on {topic} should "
        "reach me",
        frequency=", {frequency}",
    ),
    tool(
        "mute_news_topic",
        "Hide news about a topic",
        "topic=topic",
        "no more news about {topic} / hide everything on {topic} in my news / news topic {topic} off / I'm tired "
        "of reading about {topic} / please spare me articles on {topic} / could you keep {topic} out of my "
        "headlines / it's {topic} all day long in the news, I can't stand it any more / don't show me stories on "
        "{topic} again",
    ),
    tool(
        "save_article",
        "Keep an article for reading later",
        "url=url folder?=word",
        "save {url} for later / I have no time to read {url} now, keep it / read later: {url} / please store the "
        "article {url} / could you put {url} with the things I still want to read / hold on to {url} until I have "
        "time / {url} looks interesting, I'll read it tonight / don't lose {url}, it's an article I mean to read",
        folder="in the folder {folder}",
    ),
    tool(
        "delete_saved_article",
        "Remove an article that was kept for later",
        "url=url",
        "delete {url} from my saved articles / I've read {url}, it can go / saved articles: {url} out / please "
        "take {url} off my reading list / no need to keep {url} any longer / could you clear {url} from what I "
        "wanted to read / I'll never get round to reading {url}, drop it",
    ),
    tool(
        "read_aloud_article",
        "Read an article out loud",
        "url=url speed?=slow|normal|fast",
        "read {url} out loud / I'm driving, read me {url} / voice: {url} / let me listen to the article {url} / my "
        "eyes are tired, speak {url} to me / please read the text at {url} to me / could you tell me word for word "
        "what {url} says / I'd rather hear {url} than read it",
        speed="at {speed} speed",
    ),
)
