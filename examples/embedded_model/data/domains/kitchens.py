"""Kitchens' tools: recipes, stores, dough, drinks and menus."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "rate_recipe",
        "Give a recipe one to five stars",
        "recipe=dish stars=five remarks?=message",
        "{recipe} gets {stars} stars from me / how good was it? put {stars} stars on the recipe for {recipe} / we "
        "cooked {recipe} last night and I'd say {stars} out of 5 stars / rate the {recipe} recipe with {stars} / "
        "{stars} stars, that's my verdict on the {recipe} I made from the cookbook / my score for the recipe "
        "{recipe}: {stars} / after tasting {recipe} the family settled on {stars} stars / {recipe}, {stars} stars pls",
        remarks=", with the remark: {remarks}",
    ),
    tool(
        "annotate_recipe",
        "Attach a cook's note to a recipe",
        "recipe=dish note=message section?=ingredients|method|serving",
        "add this note to the recipe for {recipe}: {note} / next time I make {recipe} I want to read this: {note} / "
        'scribble "{note}" in the margin of {recipe} / {recipe} recipe, cook\'s note: {note} / can you write down '
        '"{note}" beside the {recipe} recipe / there\'s a comment of mine, "{note}", that belongs to the recipe '
        "{recipe} / I always forget something when cooking {recipe}, so jot this down with it: {note} / note for "
        "{recipe}: {note}",
        section=", under {section}",
    ),
    tool(
        "read_recipe_step",
        "Read out a single step of a recipe",
        "recipe=dish step=small",
        "what does step {step} of {recipe} say / my hands are full of flour, tell me number {step} of the "
        "instructions for {recipe} / read step {step} of the {recipe} recipe aloud / {recipe}, step {step} / I'm "
        "cooking {recipe} and have got to step {step}, what do I do / could you go to step {step} in the method for "
        "{recipe} / I've lost my place in {recipe}, say step {step} again / at step {step}, what happens in {recipe}",
        result="instruction=message",
        answer="Step {step}: {instruction}.",
    ),
    tool(
        "rename_recipe",
        "Give a recipe in the cookbook another title",
        "old_title=dish new_title=dish",
        "rename the recipe {old_title} to {new_title} / the recipe I saved as {old_title} should be called "
        "{new_title} from now on / {new_title} is a better title for my recipe {old_title} / change the name "
        "{old_title} to {new_title} in my cookbook / what's filed as {old_title} is really {new_title}, fix the title "
        "/ in the cookbook, the old title is {old_title} and the new one must be {new_title} / I want {new_title} to "
        "be the new title of the recipe that's now named {old_title} / recipe title wrong: not {old_title} but "
        "{new_title}",
    ),
    tool(
        "consume_ingredient",
        "Subtract a used quantity from the kitchen stock",
        "ingredient=food quantity_g=grams used_for?=dish",
        "I've just used {quantity_g} of {ingredient} / take {quantity_g} of {ingredient} off the stock / {quantity_g} "
        "of {ingredient} went into the pot / the cook needed {ingredient}, {quantity_g} of it, so deduct that / "
        "deduct {ingredient}: {quantity_g}, used up / we have {quantity_g} less {ingredient} now since I cooked with "
        "it / book out {quantity_g} of {ingredient}, it's been cooked / {ingredient} used: {quantity_g}",
        used_for=", for the {used_for}",
    ),
    tool(
        "write_off_ingredient",
        "Record food that had to be thrown away",
        "ingredient=food quantity_g=grams reason=expired|mouldy|burnt|spilled",
        "I had to bin {quantity_g} of {ingredient}, reason: {reason} / {quantity_g} of {ingredient} got thrown away, "
        "{reason} / write off {ingredient}, {quantity_g}, {reason} / waste log: {ingredient} {reason}, {quantity_g} / "
        "the {ingredient} was {reason}, so {quantity_g} went in the bin / what a shame, {quantity_g} of {ingredient} "
        "is garbage, put {reason} as the reason / please record the loss of {quantity_g} of {ingredient}, it was "
        "{reason} / {reason} {ingredient}, {quantity_g}, tossed out",
    ),
    tool(
        "list_expiring_food",
        "List stored food that reaches its best-before date soon",
        "within=days storage?=fridge|freezer|larder",
        "what goes off in the next {within} / which food do I have to eat up within {within} / show everything that "
        "expires within {within} / I hate wasting food, what has a best-before date in the coming {within} / expiring "
        "in {within}? / we're away soon, so tell me what won't last longer than {within} / list what needs using up "
        "in {within} / is there anything close to its use-by date, say inside {within}",
        storage=", only in the {storage}",
        result="items=[food]",
        answer="Use up {items}.",
    ),
    tool(
        "freeze_portions",
        "Put portions of a cooked dish into the freezer",
        "dish=dish portions=handful drawer?=top|middle|bottom",
        "freeze {portions} portions of {dish} / there's {dish} left over, {portions} portions go in the freezer / "
        "I've cooked too much {dish}, so {portions} servings are going on ice / {portions} tubs of {dish} into the "
        "deep freeze / store {dish} frozen, {portions} portions / {dish}: {portions} servings to the freezer / can "
        "you note that {portions} helpings of {dish} are being frozen / we couldn't finish the {dish}, {portions} "
        "portions of it get frozen for later",
        drawer=", {drawer} drawer",
    ),
    tool(
        "thaw_portions",
        "Take frozen portions out to defrost in time",
        "dish=dish portions=handful ready_by=clock",
        "defrost {portions} portions of {dish}, ready by {ready_by} / thaw {dish} so that {portions} servings are "
        "ready at {ready_by} / by {ready_by} I'd like {portions} helpings of the frozen {dish} thawed / take "
        "{portions} tubs of {dish} out of the freezer, we eat at {ready_by} / dinner's at {ready_by} and the {dish} "
        "is still frozen, I need {portions} portions / {dish} from the freezer, {portions} portions, soft by "
        "{ready_by} / get {portions} frozen {dish} portions defrosted until {ready_by} / the {dish} is hard as rock, "
        "can {portions} servings be thawed for {ready_by}",
    ),
    tool(
        "feed_sourdough",
        "Feed a sourdough starter with flour and water",
        "starter=nickname flour_g=grams flour_type=rye|wheat|spelt water_g?=grams",
        "feed my starter {starter} with {flour_g} of {flour_type} flour / the sourdough named {starter} is hungry, "
        "give it {flour_g} of {flour_type} / {starter} needs refreshing: {flour_type} flour, {flour_g} / stir "
        "{flour_g} {flour_type} flour into the starter {starter} / {flour_type}, {flour_g}, for the sourdough "
        "{starter} pls / my sourdough {starter} looks flat, it should get {flour_g} of {flour_type} flour / time for "
        "the starter called {starter} to eat, {flour_g} of {flour_type} / could {starter}, the starter in the jar, "
        "have {flour_g} of {flour_type} flour today",
        water_g="and {water_g} of water",
    ),
    tool(
        "start_proofing",
        "Start the proofing cabinet so that dough rises",
        "dough=rye|brioche|pizza|baguette duration=hours temperature?=degrees",
        "let the {dough} dough rise for {duration} / proof the {dough} dough for {duration} / the {dough} is kneaded "
        "and has to prove for {duration}, switch the cabinet on / start the proofer for {dough}, {duration} / "
        "{duration} in the proofing cabinet for the {dough} dough, begin now / dough's ready, it's {dough}, give it "
        "{duration} to rise / I've shaped the {dough} dough, get it rising, {duration} / {dough} dough, {duration} "
        "rise",
        temperature="at a temperature of {temperature}",
    ),
    tool(
        "stop_proofing",
        "Stop the proofing cabinet before its time is up",
        "dough=rye|brioche|pizza|baguette chill?=boolean",
        "the {dough} dough has risen enough, stop it / end the proof of the {dough} / the {dough} dough is spilling "
        "over the tin, switch the proofer off / stop proofing {dough} / {dough} dough has doubled already, halt the "
        "cabinet / don't let the {dough} rise any longer / I poked the {dough} dough and it's ready, finish the "
        "proofing early / {dough} in the proofer: cut it short",
        chill="and cool it down|without cooling it",
    ),
    tool(
        "cellar_wine",
        "Lay bottles of a wine down in the cellar",
        "wine=title vintage=year bottles=several rack?=code",
        "lay down {bottles} bottles of {wine}, vintage {vintage} / {bottles} bottles of the {vintage} {wine} go into "
        "the cellar / I bought {wine} from {vintage}, put {bottles} bottles in storage / the merchant brought "
        "{bottles} bottles, {wine}, year {vintage}, stow them downstairs / cellar: {wine} {vintage}, {bottles} "
        "bottles / I won't drink them yet, so keep {bottles} bottles of {wine}, harvested in {vintage} / add "
        "{bottles} bottles of a {vintage} vintage called {wine} to our cellar / {wine}, {vintage}, {bottles} bottles "
        "to be stored",
        rack="on rack {rack}",
    ),
    tool(
        "uncork_bottle",
        "Record that a bottle from the cellar was opened",
        "wine=title vintage=year opened_on?=day decant?=boolean",
        "we've opened a bottle of {wine}, vintage {vintage} / one {wine} of {vintage} less, we drank it / uncork a "
        "{vintage} {wine} / the cork's out of the {wine}, year {vintage} / I poured the guests a {wine} from "
        "{vintage}, take the bottle off the list / there's one bottle of {wine} ({vintage}) missing because it got "
        "opened / opened: {wine}, {vintage} / from the {vintage} vintage a bottle of {wine} was popped",
        opened_on=", on {opened_on}",
        decant=", decanted first|, not decanted",
    ),
    tool(
        "get_drinking_window",
        "Years in which a wine is at its best",
        "wine=title vintage=year",
        "when is the {vintage} {wine} ready to drink / should I wait with my {wine} from {vintage} or is it past its "
        "peak / drinking window for {wine}, vintage {vintage} / {wine} {vintage}: too young or mature / how many more "
        "years will a {vintage} vintage of {wine} keep / I've been given a {wine} of {vintage}, which years will it "
        "be at its best / until what year can I keep the {wine}, it's a {vintage} / has the {vintage} {wine} aged "
        "long enough",
        result="from=year until=year",
        answer="Drink it between {from} and {until}.",
    ),
    tool(
        "mix_cocktail",
        "Have the bar machine mix a drink",
        "cocktail=negroni|margarita|mojito|daiquiri|spritz glasses=handful alcohol_free?=boolean rim?=salt|sugar",
        "mix me {glasses} glasses of {cocktail} / we're thirsty, {glasses} times {cocktail} / shake {glasses} "
        "{cocktail} for the guests at the counter / {cocktail}, {glasses} glasses pls / could the bar do a "
        "{cocktail}, quantity {glasses} / a round of {cocktail} for us, {glasses} glasses in all / I fancy a "
        "{cocktail}, make {glasses} of them / let the bartender robot pour {glasses} portions of {cocktail}",
        alcohol_free="without any alcohol|with alcohol",
        rim="with {rim} on the rim",
    ),
    tool(
        "brew_coffee",
        "Brew coffee in the machine",
        "drink=espresso|americano|flat_white|cappuccino cups=five milk?=whole|oat|soy|none strong?=boolean",
        "make {cups} cups of {drink} / I'm half asleep, brew a {drink}, {cups} cups / {drink} for the guests, {cups} "
        "in number / {cups} x {drink} from the machine / can the barista machine do {cups} {drink} / we're having "
        "dessert and would like {drink} with it, {cups} cups / {drink} pls, {cups} cups / start the coffee, I need "
        "{cups} servings of {drink}",
        milk=", type of milk: {milk}",
        strong=", strong beans|, not too strong",
    ),
    tool(
        "lookup_core_temperature",
        "Safe temperature inside cooked meat or fish",
        "food=chicken|minced_beef|pork|salmon|duck unit?=celsius|fahrenheit",
        "what core temperature is safe for {food} / how hot must {food} be in the middle before I can serve it / I "
        "stuck a thermometer into the {food}, what should it say when it's done / safe inside temperature of {food} / "
        "{food}, core temperature pls / at how many degrees inside is {food} safe to eat / I'm afraid my {food} is "
        "raw, which reading in the centre do I need / tell me the minimum heat in the thickest part of {food}",
        unit=", in {unit}",
        result="temperature=measure",
        answer="It should reach {temperature} degrees inside.",
    ),
    tool(
        "add_menu_item",
        "Put a new dish on the menu",
        "dish=dish price=price section=starters|mains|desserts|sides vegetarian?=boolean",
        "put {dish} on the menu under {section} for {price} / new on the card: {dish}, {section}, price {price} / "
        "from today we serve {dish}, it costs {price} and belongs to the {section} / add {dish} at {price} to the "
        "{section} / the chef has invented {dish}, list it with the {section} at a price of {price} / our {section} "
        "need one more choice, {dish} for {price} / {section}: new {dish}, {price} / guests keep asking for {dish}, "
        "so offer it in the {section} section, we'd charge {price}",
        vegetarian=", marked as vegetarian|, not vegetarian",
    ),
    tool(
        "remove_menu_item",
        "Take a dish off the menu for good",
        "dish=dish reason?=unpopular|unprofitable|out_of_season",
        "take {dish} off the menu / we'll never cook {dish} again, strike it from the card / drop {dish} from the "
        "menu for good / {dish} has to disappear from our menu / remove menu item {dish} / the menu is too long, "
        "delete the {dish} / the chef's tired of {dish}, it leaves the menu permanently / no more {dish} on the card, "
        "not today and not later",
        reason=", reason: {reason}",
    ),
    tool(
        "set_menu_price",
        "Change what a dish on the menu costs",
        "dish=dish new_price=price from_day?=day",
        "{dish} should cost {new_price} / change the price of {dish} to {new_price} / butter got dearer, so charge "
        "{new_price} for the {dish} on our menu / the {dish} is too cheap, make it {new_price} / new price for {dish} "
        "on the card: {new_price} / guests shall pay {new_price} for {dish} in future / menu price, {dish}, "
        "{new_price} / guests grumble about what {dish} costs, lower it to {new_price}",
        from_day=", starting on {from_day}",
    ),
    tool(
        "mark_sold_out",
        "Show a dish as unavailable until it can be cooked again",
        "dish=dish until?=clock",
        "{dish} is sold out / 86 the {dish} / we've just served the last {dish}, waiters mustn't take more orders for "
        "it / there's no {dish} left for now / the kitchen ran out of {dish} for tonight, grey it out / mark {dish} "
        "as unavailable for the moment / {dish}: gone for now, tell the floor it can't be ordered / can't cook any "
        "more {dish} this shift, show it as finished",
        until=", until {until}",
    ),
    tool(
        "mark_available_again",
        "Let guests order a sold-out dish again",
        "dish=dish portions?=several",
        "{dish} is back, guests can order it again / we've got {dish} again after it was sold out / un-86 the {dish} "
        "/ the delivery came, so the kitchen can cook {dish} once more / take the sold-out sign off {dish} / {dish} "
        "is available again / waiters may sell {dish} again / {dish} was greyed out, bring it back",
        portions=", {portions} portions",
    ),
    tool(
        "publish_daily_specials",
        "Announce the specials of a day",
        "specials=[dish] day=day board?=chalkboard|website|both",
        "our specials on {day} are {specials} / announce {specials} as the specials for {day} / on {day} the kitchen "
        "offers this besides the menu: {specials} / specials {day}: {specials} / the market had great produce, so on "
        "{day} we'll have {specials} as dishes of the day / write up the day's specials for {day}, namely {specials} "
        "/ plat du jour for {day}: {specials} / let guests know what's special on {day}, it's {specials}",
        board=", shown on: {board}",
    ),
)
