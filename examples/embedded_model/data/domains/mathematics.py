"""Tools for sums, figures, dates, places, words, puzzles and clocks."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "simulate_throw",
        "How far and how high a thrown body flies",
        "speed=measure angle=percent drag?=boolean",
        "how far does a ball fly that's thrown with {speed} m/s at an angle of {angle} degrees / simulate a throw, "
        "speed {speed}, angle {angle} / I launch a rocket at {angle} degrees with {speed} meters per second, where "
        "does it land / angle {angle}, speed {speed} m/s, show me the path / if a stone leaves the hand at a speed of "
        "{speed} m/s and an angle of {angle}, how high does it get / work out the trajectory for {speed} m/s and "
        "{angle} degrees / a javelin with {speed} m/s under {angle} degrees, what distance is that / physics "
        "homework: launch angle {angle} degrees, initial speed {speed} m/s, find the range",
        drag=", count in the air resistance|, ignore the air resistance",
    ),
    tool(
        "compute_fall_time",
        "How long a body falls from a height",
        "height=meters planet?=earth|moon|mars",
        "how long does a stone fall from {height} / compute the fall time from a height of {height} / I drop a coin "
        "from {height}, when does it hit the ground / something falls {height} deep, how many seconds does it take / "
        "fall, height {height}, time pls / after what time does an apple reach the floor from {height} up / the tower "
        "is {height} high and we let a ball go at the top, how long till it lands / from {height} down to the ground, "
        "how much time is that in free fall",
        planet=", with the gravity of {planet}",
    ),
    tool(
        "convert_pressure",
        "Convert a pressure from one unit to another",
        "value=measure from_unit=bar|psi|pascal|atmosphere to_unit=bar|psi|pascal|atmosphere",
        "convert a pressure of {value} from {from_unit} to {to_unit} / the gauge shows {value} {from_unit}, what's "
        "that in {to_unit} / {value} {from_unit} expressed in {to_unit} / in {to_unit}, how much is {value} "
        "{from_unit} / I'm pumping up a tyre to {value} {from_unit} and need that as {to_unit} / how many {to_unit} "
        "make {value} {from_unit} / {value}, from {from_unit} into {to_unit} / the diver's tank is at {value} "
        "{from_unit}, tell me the {to_unit} value",
    ),
    tool(
        "convert_energy",
        "Convert an amount of energy from one unit to another",
        "value=measure from_unit=joule|calorie|watt_hour to_unit=joule|calorie|watt_hour",
        "convert {value} from {from_unit} to {to_unit}, it's an amount of energy / the snack has {value} {from_unit}, "
        "how much energy is that in {to_unit} / {value} {from_unit} of energy expressed as {to_unit} / in {to_unit}, "
        "what do {value} {from_unit} come to / how many {to_unit} are {value} {from_unit} / the battery holds {value} "
        "{from_unit}, and I need it in {to_unit} / energy: {value}, from {from_unit} into {to_unit} / my meter says "
        "{value} {from_unit} but the form wants {to_unit}, recalculate it",
    ),
    tool(
        "roll_dice",
        "Throw dice at random",
        "dice=several sides=six|ten|twenty keep_highest?=five sum_up?=boolean",
        "roll {dice} dice with {sides} sides / throw {dice} dice, {sides} sides each / it's my turn in the game, "
        "{dice} of the {sides}-sided dice pls / let {dice} dice with {sides} faces tumble / my hero attacks, that's "
        "{dice} dice, sides: {sides} / we've lost our dice, give me {dice} of them having {sides} sides / {dice} "
        "dice, {sides} sides / what do I get with {dice} dice of {sides} sides",
        keep_highest=", keep the {keep_highest} highest",
        sum_up=", add them all up|, list them one by one",
    ),
    tool(
        "pick_random_number",
        "Draw a random number between two limits",
        "minimum=small maximum=big unique_draws?=several",
        "pick a random number between {minimum} and {maximum} / think of a number, at least {minimum} and at most "
        "{maximum} / from {minimum} up to {maximum}, any number, chosen by chance / we're raffling a bike, the "
        "tickets go from {minimum} to {maximum}, which one wins / random, min {minimum}, max {maximum} / draw a "
        "winning number, the lowest is {minimum} and the highest {maximum} / surprise me with a number that's no "
        "smaller than {minimum} and no bigger than {maximum} / maximum {maximum}, minimum {minimum}, let luck decide "
        "on a number",
        unique_draws=", {unique_draws} different ones",
    ),
    tool(
        "find_median",
        "The value in the middle of a series",
        "values=[measure]",
        "what's the median of {values} / find the middle value of {values} / half of them lie above it and half "
        "below, the values are {values} / I don't want the mean but the median: {values} / sort {values} and give me "
        "the one in the middle / median pls, values {values} / we measured {values}, which one sits halfway / the "
        "salaries are {values}, what is the middle one",
    ),
    tool(
        "compute_deviation",
        "Standard deviation or variance of a series",
        "values=[measure] measure?=standard_deviation|variance sample?=boolean",
        "how far do {values} scatter around their mean / compute the deviation of {values} / what's the spread of the "
        "values {values} / I measured {values} and must state how much they vary / how strongly do the readings "
        "{values} differ from their average / deviation, values {values} / are {values} close together or scattered, "
        "give me the statistical figure / my report needs the dispersion of {values}",
        measure=", expressed as {measure}",
        sample=", they are just a sample|, they are the whole population",
    ),
    tool(
        "get_hypotenuse",
        "Longest side of a right triangle from the two short ones",
        "leg_a=measure leg_b=measure",
        "the legs of a right triangle are {leg_a} and {leg_b}, how long is the hypotenuse / use Pythagoras: leg a is "
        "{leg_a}, leg b is {leg_b} / leg b {leg_b}, leg a {leg_a}, right angle between them, longest side pls / a "
        "right triangle has leg a = {leg_a} and leg b = {leg_b}, what's the third side / how long must the slanted "
        "beam be if leg a measures {leg_a} and leg b {leg_b} / with {leg_a} as leg a and {leg_b} as leg b, find the "
        "side opposite the right angle / get the hypotenuse for a = {leg_a}, b = {leg_b} / I walk {leg_a} north (leg "
        "a) and then {leg_b} east (leg b), how far am I from the start",
    ),
    tool(
        "get_sphere_volume",
        "Volume of a ball from its diameter",
        "diameter=measure unit=cm|m|inch",
        "what's the volume of a sphere with a diameter of {diameter} {unit} / how much air fits into a balloon "
        "{diameter} {unit} across / a ball has a diameter of {diameter} {unit}, compute its volume / ball, diameter "
        "{diameter}, unit {unit}, volume pls / I'm filling a round tank that's {diameter} {unit} wide, how much does "
        "it hold / the globe measures {diameter} {unit} from side to side, what is its content / volume for a "
        "diameter of {diameter} in {unit}, it's perfectly round / how big is the inside of a marble of {diameter} "
        "{unit} in diameter",
    ),
    tool(
        "get_circle_circumference",
        "Way around a circle from its radius",
        "radius=measure unit=cm|m|inch",
        "what's the circumference of a circle with a radius of {radius} {unit} / how long is the way around a pond "
        "with a radius of {radius} {unit} / a wheel has the radius {radius} {unit}, how far does it roll in one turn "
        "/ circle, radius {radius}, unit {unit}, circumference pls / I'm putting lace round a tablecloth, its radius "
        "is {radius} {unit}, how long must the lace be / from the middle to the edge it's {radius} {unit}, now I need "
        "the length of the rim / how much fence goes around a circular bed, radius {radius} {unit} / compute the "
        "perimeter of the disc, the radius measures {radius} {unit}",
    ),
    tool(
        "shift_date",
        "The date some days before or after a date",
        "start_date=day number_of_days=days direction=before|after workdays_only?=boolean",
        "which date is {number_of_days} {direction} {start_date} / {number_of_days} {direction} {start_date} pls / "
        "start at {start_date} and tell me the date {number_of_days} {direction} it / the invoice is from "
        "{start_date}, what day is it {number_of_days} {direction} that / count {number_of_days} from {start_date}, "
        "direction: {direction} / what does the calendar say {number_of_days} {direction} {start_date} / {start_date} "
        "is the start date, I need the one that comes {number_of_days} {direction} it / the deadline lies "
        "{number_of_days} {direction} {start_date}, when's that",
        workdays_only=", counting only workdays|, weekends count too",
    ),
    tool(
        "get_elevation",
        "Height of a point on the map above the sea",
        "latitude=latitude longitude=latitude unit?=meters|feet",
        "how high above the sea is the point at latitude {latitude}, longitude {longitude} / elevation at lat "
        "{latitude}, lon {longitude} / I'm standing at longitude {longitude} and latitude {latitude}, what's the "
        "altitude / our hut has the longitude {longitude} and the latitude {latitude}, how high up are we / what "
        "height does the map give for latitude {latitude} and longitude {longitude} / lat {latitude}, lon "
        "{longitude}: height above sea level pls / is there a mountain at latitude {latitude}, longitude {longitude}, "
        "tell me its altitude / look up the elevation, longitude {longitude}, latitude {latitude}",
        unit=", in {unit}",
    ),
    tool(
        "get_country_fact",
        "One fact from the atlas about a country",
        "country=country fact=capital|area|neighbours|highest_peak|anthem",
        "what's the {fact} of {country} / atlas: {country}, {fact} / I have a quiz about {country} and don't know the "
        "{fact} / tell me the {fact} of the country {country} / look {country} up in the atlas, I want the {fact} / "
        "{fact} of {country} pls / my kid is drawing a map of {country} and asks about the {fact} / for {country}, "
        "find the {fact}",
    ),
    tool(
        "list_events_on_day",
        "Historical events of a day of the year",
        "month=month day_of_month=small century?=18th|19th|20th",
        "what happened in history on {month} {day_of_month} / which famous things took place on the day "
        "{day_of_month} of {month} / {month} {day_of_month}, historical events / I was born on {month} "
        "{day_of_month}, what else happened on that day of the year / for our calendar of anniversaries we need "
        "events of {month} {day_of_month} / on {month} {day_of_month} in the past, were there battles, treaties or "
        "discoveries / tell me what the history books say about {day_of_month} {month} / today in history, day "
        "{day_of_month}, month {month}",
        century=", just from the {century} century",
    ),
    tool(
        "find_quotation",
        "A saying of a famous person",
        "author=person theme?=love|courage|time|work|freedom",
        "give me a quotation by {author} / what did {author} say that's worth quoting / I need wise words of {author} "
        "for a speech / find something clever that {author} once said / quote {author} pls / do you know a saying "
        "that comes from {author} / which famous sentence was spoken by {author} / the author is {author}, now show "
        "me a line for my greeting card",
        theme=", it should be about {theme}",
    ),
    tool(
        "solve_crossword_clue",
        "Words that fit a clue of a crossword",
        "clue=topic letters=several first_letter?=A|E|R|S|T",
        'crossword: {letters} letters, the clue is "{clue}" / I\'m stuck in the crossword, "{clue}" with {letters} '
        'letters / which word of {letters} letters fits the clue "{clue}" / "{clue}", {letters} boxes, what could it '
        'be / what has {letters} letters and goes with the clue "{clue}" / the newspaper puzzle asks for "{clue}", '
        'there are {letters} squares / {letters} letters across: "{clue}" / help me with 7 down, it\'s "{clue}" '
        "and the word has {letters} letters",
        first_letter=", it starts with {first_letter}",
    ),
    tool(
        "convert_zone_time",
        "What time it is in one city when it is a given time in another",
        "time=clock from_city=city to_city=city date?=day",
        "when it's {time} in {from_city}, what time is it in {to_city} / convert {time} from {from_city} time to "
        "{to_city} time / my call is at {time} in {from_city}, how late is that for the people in {to_city} / {time} "
        "from {from_city} to {to_city}, what does the clock say there / what will the clocks in {to_city} show at "
        "{time} by the clocks in {from_city} / a webinar in {from_city} starts at {time} local time, when do I log in "
        "from {to_city} / in {to_city} hours, when is {time} of {from_city} / it's {time} here in {from_city}, can I "
        "ring my sister in {to_city} or is she asleep",
        date=", the date is {date}",
    ),
    tool(
        "pin_world_clock",
        "Add a city to the world clock",
        "city=city label?=nickname",
        "add {city} to the world clock / I'd like to always see the time of {city}, pin it / a clock for {city} on "
        "the world clock pls / show the local time of {city} next to the others from now on / our new office is in "
        "{city}, put its time on the screen for good / pin {city} / let the world clock include {city} / keep an eye "
        "on the hour in {city} by giving it a clock",
        label="with the label {label}",
    ),
    tool(
        "unpin_world_clock",
        "Remove a city from the world clock",
        "city=city",
        "remove {city} from the world clock / I don't need the time of {city} on the screen any more / take the clock "
        "of {city} away / unpin {city} / we've closed the office in {city}, its clock can go / the world clock "
        "shouldn't list {city} any longer / drop {city} from my clocks / get rid of the local time of {city} next to "
        "the others",
    ),
    tool(
        "show_world_clocks",
        "Current time in all cities of the world clock",
        "",
        "show the world clock / what time is it in all my cities / let me see every pinned clock at once / how late "
        "is it right now for my colleagues around the globe / world clocks pls / list the local times of the cities "
        "that I've pinned / which of my cities are asleep at the moment / open the screen with the clocks of the "
        "different time zones",
    ),
    tool(
        "tell_riddle",
        "A riddle to puzzle over",
        "",
        "tell me a riddle / I'm bored, give me something to puzzle over / do you know a good brainteaser / the kids "
        "in the back seat want to guess something / riddle pls / test my wits with a tricky question / ask me one of "
        "those what-am-I questions / let's rack our brains, start with a riddle",
    ),
    tool(
        "summarize_encyclopedia_entry",
        "Summary of what the encyclopedia says about a subject",
        "entry=topic sentences?=several reading_level?=child|student|expert",
        'what does the encyclopedia say about {entry} / summarize the encyclopedia entry "{entry}" / my daughter '
        "gives a talk on {entry}, look it up and sum it up / I know nothing about {entry}, give me the basics from "
        "the encyclopedia / encyclopedia, entry {entry}, the gist of it pls / explain {entry} briefly as a reference "
        "work would / boil down the article on {entry} / who can tell me in a nutshell what {entry} is about, the "
        "encyclopedia surely can",
        sentences=", in {sentences} sentences",
        reading_level=", written for a {reading_level}",
    ),
)
