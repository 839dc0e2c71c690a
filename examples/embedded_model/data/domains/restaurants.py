"""Restaurants' tools: allergens, tables, courses, bars, suppliers and machines."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "flag_dish_allergen",
        "Declare that a dish contains allergens",
        "dish=dish allergens=[allergen] traces_only?=boolean",
        "{dish} contains {allergens}, flag it / declare these allergens for {dish}: {allergens} / warn guests about "
        "{allergens} in the {dish} / the new recipe of {dish} has {allergens} in it, label the dish / allergen "
        "warning, {dish}: {allergens} / anyone allergic to {allergens} mustn't eat our {dish}, mark that on the card "
        "/ put {allergens} down as allergens in {dish} / the {dish} on our menu should carry a warning for {allergens}",
        traces_only=", only traces|, a full ingredient",
    ),
    tool(
        "unflag_dish_allergen",
        "Withdraw an allergen warning from a dish",
        "dish=dish allergen=allergen",
        "{dish} no longer contains {allergen}, drop the warning / remove the {allergen} warning from the {dish} / we "
        "cook {dish} without {allergen} now, so people with that allergy can have it / {allergen} isn't in our {dish} "
        "any more, take the flag away / clear allergen {allergen} from {dish} / the warning about {allergen} on "
        "{dish} is out of date, delete it / the chef left {allergen} out of the {dish}, please unmark it / {dish}: "
        "allergen {allergen} off",
    ),
    tool(
        "filter_menu_by_allergens",
        "List the dishes a guest with allergies can eat",
        "allergens=[allergen] course?=starter|main|dessert",
        "which of our dishes are safe for someone allergic to {allergens} / a guest can't have {allergens}, what may "
        "she order / show the menu without {allergens} / what on the menu is free from {allergens} / list every dish "
        "that has none of these: {allergens} / the lady in the corner told me about an intolerance to {allergens}, "
        "what can the kitchen send / I can't eat {allergens}, is there anything here for me / safe dishes, allergy: "
        "{allergens}",
        course=", as a {course}",
        result="dishes=[dish]",
        answer="{dishes} would be safe.",
    ),
    tool(
        "seat_party",
        "Seat guests who have just arrived at a table",
        "party_name=last_name guests=handful table_number=small high_chairs?=five",
        "seat the {party_name} party of {guests} at table {table_number} / {guests} guests named {party_name} are at "
        "the door, take them to table {table_number} / table {table_number} is for {party_name}, {guests} people, "
        "they're here / walk-in: {party_name}, {guests} heads, table {table_number} / the {party_name} family has "
        "just arrived, {guests} of them, show them to table {table_number} / put {party_name} with {guests} guests on "
        "table {table_number} / {party_name} is here, party of {guests}, they sit at table {table_number} / at table "
        "{table_number} now sit {guests} guests, under the name {party_name}",
        high_chairs=", high chairs: {high_chairs}",
    ),
    tool(
        "free_table",
        "Release a table whose guests have left",
        "table_number=small wipe_down?=boolean",
        "table {table_number} is free again / the guests of table {table_number} have gone / table {table_number} has "
        "paid and left, open it up / release table {table_number} for the next guests / nobody's sitting at table "
        "{table_number} any more / we can have table {table_number} back, they've gone home / clear table "
        "{table_number} / they got their coats and left table {table_number}, make the table available",
        wipe_down="and have it wiped down|, wiping isn't needed",
    ),
    tool(
        "merge_tables",
        "Push two tables together for a large party",
        "first_table=small second_table=small seats?=several",
        "push tables {first_table} and {second_table} together / join the first table, {first_table}, with the second "
        "table, {second_table} / a big group is coming, make one table out of {first_table} and {second_table} / "
        "{first_table} + {second_table} as one table / combine table {first_table} with table {second_table} / they "
        "don't fit at table {first_table}, so add table {second_table} to it / can we connect {first_table} to "
        "{second_table}, the two tables by the window / merge tables {first_table}, {second_table}",
        seats="so that {seats} can sit there",
    ),
    tool(
        "separate_tables",
        "Pull joined tables apart again",
        "table_number=small",
        "pull the joined table {table_number} apart / the big group at {table_number} has left, split the tables "
        "again / table {table_number} should go back to single tables / undo the joining of table {table_number} / we "
        "don't need the long table {table_number} any more, make two of it / separate the joined tables at "
        "{table_number} / put the tables that were pushed together as {table_number} back where they belong / break "
        "up the combined table {table_number}",
    ),
    tool(
        "assign_waiter_station",
        "Give a waiter the tables of one station",
        "waiter=first_name station=terrace|bar|main_hall|window shift?=lunch|dinner",
        "{waiter} serves the {station} / put {waiter} on the {station} / the {station} tables are {waiter}'s / "
        "{waiter} will wait on guests in the area {station} / I want {waiter} to look after the station {station} / "
        "nobody's waiting tables at the {station}, send {waiter} / {station}: {waiter} / who covers the {station}? "
        "let it be {waiter}",
        shift=", {shift} shift",
    ),
    tool(
        "fire_course",
        "Tell the kitchen to start cooking a table's course",
        "table_number=small course=starter|main|dessert",
        "fire the {course} for table {table_number} / table {table_number} is ready for its {course}, kitchen please "
        "go / start cooking the {course}, table {table_number} / they've finished eating at {table_number}, the "
        "{course} may come now / go on {course}, table {table_number} / the kitchen can begin with the {course} of "
        "table {table_number} / plates are empty at table {table_number}, send the {course} / table {table_number}: "
        "away with {course}",
    ),
    tool(
        "hold_course",
        "Tell the kitchen to wait with a table's course",
        "table_number=small course=starter|main|dessert wait?=minutes",
        "hold the {course} for table {table_number} / table {table_number} is still chatting, don't cook the {course} "
        "yet / wait with the {course} of table {table_number} / not yet with the {course}, table {table_number} isn't "
        "ready / kitchen, pause the {course} on table {table_number} / somebody from table {table_number} is outside "
        "on the phone, keep the {course} back / delay table {table_number}, {course} / the guests at {table_number} "
        "want a break before the {course}, slow down",
        wait=", for {wait}",
    ),
    tool(
        "comp_item",
        "Give a guest something on the house",
        "table_number=small item=dish reason=late|complaint|birthday|regular",
        "the {item} at table {table_number} is on the house, reason: {reason} / don't charge table {table_number} for "
        "the {item}, reason {reason} / comp {item}, table {table_number}, {reason} / our treat: {item} for table "
        "{table_number}, category {reason} / give table {table_number} the {item} for free, put down {reason} / take "
        "the {item} off the bill of table {table_number}, it's a gift ({reason}) / {reason} at table {table_number}, "
        "so we won't bill the {item} / as a goodwill gesture table {table_number} doesn't pay for its {item}, note "
        "{reason} as the reason",
    ),
    tool(
        "open_bar_tab",
        "Start a tab on which a guest's drinks are written",
        "guest=person limit?=price card_kept?=boolean",
        "open a tab for {guest} / {guest} would like to pay for the drinks later, start a tab / put {guest}'s rounds "
        "on a slate from now on / new bar tab: {guest} / {guest} is at the bar and doesn't want to pay for each beer "
        "separately / begin writing down what {guest} drinks / let {guest} run up a bill at the bar / can {guest} get "
        "a tab tonight",
        limit="with a limit of {limit}",
        card_kept=", we hold the card as security|, no card held",
    ),
    tool(
        "settle_bar_tab",
        "Close a guest's tab and take the payment",
        "guest=person method=cash|card|voucher tip?=price",
        "{guest} wants to settle the tab by {method} / close {guest}'s bar tab, paid by {method} / last orders are "
        "over, {guest} is paying the slate, {method} / settle up for {guest}, {method} / {guest} is leaving and pays "
        "for all the drinks on the tab, method {method} / {method} payment for the tab of {guest} / the tab under the "
        "name {guest} is being paid, it's {method} / ring up everything {guest} drank, the guest pays with {method}",
        tip="plus a tip of {tip}",
    ),
    tool(
        "pool_tips",
        "Share out the tips of a shift among the staff",
        "total=price staff=[first_name] split=equal|by_hours kitchen_share?=percentage",
        "share the tips of {total} among {staff}, the split is {split} / {total} in the tip jar tonight, divide it "
        "between {staff}, {split} / {staff} get the tips, {total} altogether, {split} / pool tips: {total}, {split}, "
        "for {staff} / the guests were generous, {total} of gratuities go to {staff}, split {split} / end of shift, "
        "hand out {total} of tip money to {staff} using the split {split} / distribute gratuities {split}: {staff} "
        "worked, the total is {total} / what waiters got on top is {total}, {staff} should each have a part of it, "
        "{split}",
        kitchen_share=", {kitchen_share} of it for the kitchen",
    ),
    tool(
        "request_catering_quote",
        "Ask a caterer for the price of feeding an event",
        "caterer=company guests=several event_day=day style=buffet|plated|canapes budget_per_head?=price "
        "vegan_guests?=handful",
        "ask {caterer} what a {style} meal for {guests} guests would cost on {event_day} / we're having {guests} "
        "people over on {event_day}, get an offer from {caterer}, style {style} / catering quote from {caterer}: "
        "{style}, {event_day}, {guests} guests / how much would {caterer} charge to feed {guests} of us on "
        "{event_day}, {style} style / {event_day}, {guests} guests, {style}: request a price from {caterer} / on "
        "{event_day} we celebrate and {caterer} could do the food, {style} for {guests}, what's their quote / I'd "
        "like an estimate by the caterer {caterer} for {guests} heads, {style}, on {event_day} / for the event on "
        "{event_day} let {caterer} calculate a {style} service, {guests} guests",
        budget_per_head=", at most {budget_per_head} per head",
        vegan_guests=", vegan guests: {vegan_guests}",
    ),
    tool(
        "rent_tableware",
        "Hire plates, glasses and linen for an event",
        "item=plates|wine_glasses|cutlery|tablecloths|napkins quantity=small pickup_day=day return_day=day",
        "rent {quantity} {item}, pickup on {pickup_day}, return on {return_day} / we don't own enough {item}, hire "
        "{quantity} from {pickup_day} until {return_day} / from {pickup_day} to {return_day} I need {quantity} {item} "
        "for our party / {item} hire: {quantity}, collected {pickup_day}, brought back {return_day} / I'd return them "
        "on {return_day} and fetch them on {pickup_day}: {quantity} {item}, please hire / can we borrow {quantity} "
        "{item} for money, picking them up {pickup_day} and giving them back {return_day} / the wedding table lacks "
        "{quantity} {item}, get them on hire starting {pickup_day}, back by {return_day} / {quantity} {item} on loan, "
        "pickup day {pickup_day}, return day {return_day}",
    ),
    tool(
        "reorder_from_supplier",
        "Order more of an ingredient from a supplier",
        "supplier=company ingredient=food weight=kilograms deliver_on?=day",
        "order {weight} of {ingredient} from {supplier} / we're low on {ingredient}, {supplier} should send {weight} "
        "/ {supplier}: {weight} of {ingredient}, same as always / the kitchen needs another {weight} of {ingredient}, "
        "buy it from {supplier} / ring {supplier} and get {weight} of {ingredient} for the restaurant / reorder "
        "{ingredient}, {weight}, supplier {supplier} / have the wholesaler {supplier} restock us with {weight} of "
        "{ingredient} / {ingredient} is nearly gone, request {weight} more, {supplier} supplies it",
        deliver_on=", to be delivered on {deliver_on}",
    ),
    tool(
        "reject_goods",
        "Refuse goods that a supplier has delivered",
        "supplier=company ingredient=food fault=rotten|too_warm|wrong_item|torn_packaging refund?=boolean",
        "send the {ingredient} back to {supplier}, fault: {fault} / {supplier} brought {ingredient} that we can't "
        "accept, {fault} / refuse the {ingredient} from {supplier}, it's a case of {fault} / the driver of {supplier} "
        "can take the {ingredient} away again, put down {fault} / delivery check at the back door: {ingredient} by "
        "{supplier}, {fault}, rejected / we don't take {supplier}'s {ingredient}, defect {fault} / reject "
        "{ingredient}, {supplier}, {fault} / I've looked into the crates from {supplier} and won't sign for the "
        "{ingredient}, the fault is {fault}",
        refund=", we want the money back|, no refund needed",
    ),
    tool(
        "switch_supplier",
        "Buy an ingredient from another supplier in future",
        "ingredient=food from_supplier=company to_supplier=company",
        "switch our {ingredient} from {from_supplier} to {to_supplier} / from now on {to_supplier} supplies the "
        "{ingredient} instead of {from_supplier} / {from_supplier} got too expensive, buy {ingredient} from "
        "{to_supplier} in future / we're leaving {from_supplier} for {to_supplier} as far as {ingredient} is "
        "concerned / replace the supplier {from_supplier} by {to_supplier} for {ingredient} / {ingredient}: old "
        "supplier {from_supplier}, new supplier {to_supplier} / I'd rather get {ingredient} from {to_supplier} than "
        "from {from_supplier}, change that / let {to_supplier} take over the {ingredient} that {from_supplier} used "
        "to bring",
    ),
    tool(
        "log_fridge_temperature",
        "Write a measured fridge temperature into the hygiene log",
        "unit=code reading=degrees checked_by?=first_name",
        "I measured {reading} in fridge {unit}, write it in the log / fridge {unit} reads {reading} / hygiene log: "
        "fridge {unit}, measured {reading} / the thermometer in cold store {unit} shows {reading}, please record / "
        "record a reading of {reading} for the fridge {unit} / temperature check done, fridge {unit} was at {reading} "
        "/ note for the inspector that refrigerator {unit} had {reading} / my check of fridge {unit} this morning "
        "came to {reading}, enter it",
        checked_by=", checked by {checked_by}",
    ),
    tool(
        "set_fridge_target",
        "Change how cold a fridge or freezer shall be",
        "unit=code target=degrees",
        "cool fridge {unit} to {target} / the fridge {unit} should be kept at {target} from now on / set the target "
        "of {unit} to {target} / the milk turns sour, make fridge {unit} colder, target {target} / adjust freezer "
        "{unit}, new target {target} / I want {target} inside the cold store {unit}, regulate it / lettuce is "
        "freezing in {unit}, raise the fridge's setting to {target} / fridge {unit}: change thermostat to {target}",
    ),
    tool(
        "descale_machine",
        "Run the descaling program of a kitchen machine",
        "machine=espresso_machine|steam_oven|kettle|ice_maker strength?=mild|strong",
        "descale the {machine} / there's limescale in the {machine}, get rid of it / our water is so hard that the "
        "{machine} is furred up, run the cleaning with citric acid / the {machine} needs decalcifying / start the "
        "program against lime on the {machine} / {machine}: descaling, pls / white crust all over the inside of the "
        "{machine}, dissolve it / when the {machine} hums like that it's the chalk, flush it with descaler",
        strength=", {strength} solution",
    ),
    tool(
        "label_container",
        "Print a label for a tub of prepared food",
        "contents=dish prepared_on=day use_by=day storage?=chilled|frozen|dry",
        "print a label: {contents}, prepared on {prepared_on}, use by {use_by} / the tub holds {contents} made on "
        "{prepared_on} and must be eaten by {use_by}, it needs a sticker / label the box of {contents}, use-by date "
        "{use_by}, cooked {prepared_on} / sticker for {contents}, prepped {prepared_on}, good until {use_by} / I "
        "prepared {contents} on {prepared_on}, it's fine up to {use_by}, tag the container / what's in the container "
        "is {contents}, it expires on {use_by} and was made on {prepared_on}, print that / date tag, made "
        "{prepared_on}, discard after {use_by}, {contents} / every tub gets a tag, this one says {contents}, from "
        "{prepared_on}, use by {use_by}",
        storage=", storage: {storage}",
    ),
    tool(
        "get_hygiene_rating",
        "Result of a restaurant's last hygiene inspection",
        "restaurant=restaurant",
        "how clean is the kitchen at {restaurant} / what hygiene rating does {restaurant} have / did {restaurant} "
        "pass the last food inspection / before we eat at {restaurant}, did the inspectors find anything / hygiene "
        "score {restaurant} / somebody saw mice in {restaurant}, look up what the health inspector said / is "
        "{restaurant} a dirty place according to the food authority / show the sanitary grade of {restaurant}",
        result="rating=five",
        answer="{restaurant} has {rating} out of 5.",
    ),
)
