"""Arithmetic, units, and words in a dictionary."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "divide",
        "Divide one number by another",
        "dividend=count divisor=small",
        "what is {dividend} divided by {divisor} / divide {dividend} by {divisor} / {dividend} over {divisor} / "
        "{dividend}/{divisor} / how often does {divisor} go into {dividend} / "
        "if {divisor} people share {dividend}, what does each get / split {dividend} into {divisor} equal parts / "
        "{dividend} : {divisor}",
        result="result=measure",
        answer="The quotient is {result}.",
    ),
    tool(
        "get_difference",
        "Take a number away from another",
        "from_number=measure take_away=measure",
        "subtract {take_away} from {from_number} / {from_number} minus {take_away} / {from_number}-{take_away} / "
        "take {take_away} away from {from_number} / what is left of {from_number} without {take_away} / "
        "I had {from_number} and gave away {take_away}, what remains / how much is {from_number} less {take_away} / "
        "what do I get when I deduct {take_away} from {from_number}",
        result="result=measure",
        answer="It leaves {result}.",
    ),
    tool(
        "power",
        "Raise a number to a power",
        "base=small exponent=points",
        "what is {base} to the power of {exponent} / {base}^{exponent} / {base} ** {exponent} / "
        "raise {base} to the power {exponent} / {base} multiplied by itself {exponent} times / "
        "compute {base} with exponent {exponent} please / how much is {base} to the {exponent}",
        result="result=count",
        answer="The power is {result}.",
    ),
    tool(
        "square_root",
        "Take the square root of a number",
        "number=count",
        "what is the square root of {number} / sqrt {number} / sqrt({number}) / root of {number} please / "
        "which number times itself makes {number} / how long is the side of a square with area {number} / "
        "take the square root of {number} / {number}, square root?",
        result="root=measure",
        answer="The square root is {root}.",
    ),
    tool(
        "percent_of",
        "Take a percentage of a number",
        "percent=percentage number=count",
        "what is {percent} of {number} / {percent} of {number} / how much is {percent} of {number} / "
        "calculate {percent} from {number} / I get {percent} of {number}, how much is that / "
        "{number}, of that {percent} / please work out {percent} of {number}",
        result="result=measure",
        answer="That is {result}.",
    ),
    tool(
        "percent_change",
        "By how many percent a number changed",
        "old=count new=count",
        "by how many percent did it change from {old} to {new} / percent change {old} to {new} / "
        "it was {old} and now it is {new}, what is that in percent / "
        "my rent went from {old} to {new}, how big a jump is that / how much growth is it from {old} to {new} / "
        "please give the relative change between {old} and {new} / {old} before, {new} after, percentage?",
        result="change=measure",
        answer="The change is {change} percent.",
    ),
    tool(
        "round_number",
        "Round a number",
        "number=measure places=points",
        "round {number} to {places} decimal places / {number} to {places} decimals / "
        "{number}, rounded to {places} places / I only need {number} with {places} digits after the point / "
        "shorten {number} to {places} decimals / please round off {number}, {places} decimal places / "
        "what is {number} with {places} decimals",
        result="result=measure",
        answer="Rounded it is {result}.",
    ),
    tool(
        "compare_numbers",
        "Tell which of two numbers is larger",
        "first=measure second=measure",
        "which is larger, {first} or {second} / is {first} more than {second} / "
        "{first} or {second}, what is bigger? / compare {first} with {second} / {first} versus {second} / "
        "does {first} exceed {second} / please tell me if {first} is below {second} / "
        "which one is the higher price, {first} or {second}",
        result="larger=measure",
        answer="{larger} is larger.",
    ),
    tool(
        "average",
        "The mean of numbers",
        "numbers=[count]",
        "what is the average of {numbers} / average {numbers} / mean of {numbers} / "
        "I measured {numbers}, what is that on average / work out the mean of {numbers} please / "
        "my scores are {numbers}, where do I stand in the middle / take the average of {numbers}",
        result="mean=measure",
        answer="The average is {mean}.",
    ),
    tool(
        "convert_length",
        "Convert a length to another unit",
        "value=measure from_unit=meters|feet|inches|miles|kilometers to_unit=centimeters|yards|millimeters|furlongs",
        "convert {value} {from_unit} to {to_unit} / {value} {from_unit} in {to_unit} / "
        "how many {to_unit} are {value} {from_unit} / how long is {value} {from_unit} in {to_unit} / "
        "{value} {from_unit} = ? {to_unit} / my ruler only shows {to_unit}, but it says {value} {from_unit} / "
        "please give me {value} {from_unit} as {to_unit}",
        result="result=measure",
        answer="That is {result} {to_unit}.",
    ),
    tool(
        "convert_weight",
        "Convert a weight to another unit",
        "value=measure from_unit=kilograms|pounds|ounces|stone to_unit=grams|tons|milligrams|carats",
        "convert {value} {from_unit} to {to_unit} / {value} {from_unit} in {to_unit} / "
        "how many {to_unit} are {value} {from_unit} / how heavy is {value} {from_unit} in {to_unit} / "
        "{value} {from_unit} = ? {to_unit} / my scales only show {to_unit}, but I need {value} {from_unit} / "
        "please give me {value} {from_unit} as {to_unit}",
        result="result=measure",
        answer="That is {result} {to_unit}.",
    ),
    tool(
        "convert_to_celsius",
        "Convert a temperature to Celsius",
        "value=measure from_scale=fahrenheit|kelvin|rankine",
        "convert {value} {from_scale} to celsius / {value} {from_scale} in celsius / "
        "what is {value} degrees {from_scale} in celsius / "
        "how hot is {value} {from_scale} for someone who only knows celsius / {value} {from_scale} = ? C / "
        "my oven knows only celsius, the recipe says {value} {from_scale} / "
        "please give me {value} {from_scale} as celsius / they said {value} {from_scale}, I think in celsius",
        result="result=measure",
        answer="That is {result} degrees Celsius.",
    ),
    tool(
        "convert_to_fahrenheit",
        "Convert a temperature to Fahrenheit",
        "value=measure from_scale=celsius|kelvin|reaumur",
        "convert {value} {from_scale} to fahrenheit / {value} {from_scale} in fahrenheit / "
        "what is {value} degrees {from_scale} in fahrenheit / "
        "how warm is {value} {from_scale} to an American, in fahrenheit / {value} {from_scale} = ? F / "
        "my stove shows only fahrenheit, the book says {value} {from_scale} / "
        "please give me {value} {from_scale} as fahrenheit / they said {value} {from_scale}, I think in fahrenheit",
        result="result=measure",
        answer="That is {result} degrees Fahrenheit.",
    ),
    tool(
        "find_synonyms",
        "Find words that mean the same",
        "word=word",
        "what is another word for {word} / synonyms of {word} / synonym {word} / how else can I say {word} / "
        "I have written {word} three times already, what could I use instead / please find words like {word} / "
        "which words mean the same as {word} / give me an alternative to {word}",
        result="synonyms=[word]",
        answer="You could say {synonyms}.",
    ),
    tool(
        "find_antonyms",
        "Find words that mean the opposite",
        "word=word",
        "what is the opposite of {word} / antonyms of {word} / antonym {word} / "
        "what do you call something that is not {word} at all / please find words that contradict {word} / "
        "which word is the reverse of {word} / {word}, opposite?",
        result="antonyms=[word]",
        answer="The opposite is {antonyms}.",
    ),
    tool(
        "find_rhymes",
        "Find words that rhyme",
        "word=word",
        "what rhymes with {word} / rhymes for {word} / {word}, rhyme? / "
        "my poem has a line that ends in {word}, how do I end the next / "
        "please find words that sound like {word} at the end / I need a rhyme on {word} / "
        "which words rhyme with {word}",
        result="rhymes=[word]",
        answer="It rhymes with {rhymes}.",
    ),
    tool(
        "check_spelling",
        "Check whether a word is spelled right",
        "word=word language?=language",
        "is {word} spelled right / check the spelling of {word} / {word}, right or wrong? / "
        "did I write {word} correctly / how do you spell {word} / I am not sure how {word} is written / "
        "please look whether {word} has a typo / does one write {word} like that",
        language="in {language}",
        result="correct=word",
        answer="It is written {correct}.",
    ),
    tool(
        "translate_word",
        "Translate a single word",
        "word=word to_language=language",
        "what is {word} in {to_language} / {word} in {to_language} / how do I say {word} in {to_language} / "
        "the {to_language} word for {word} / what do they call {word} in {to_language} / "
        "please put {word} into {to_language} / I speak no {to_language} but need the word {word} / "
        "what does {word} mean in {to_language}",
        result="translation=word",
        answer="In {to_language} it is {translation}.",
    ),
    tool(
        "pronounce_word",
        "Read a word aloud",
        "word=word accent?=british|american|australian|scottish",
        "how do you pronounce {word} / pronounce {word} / say {word} out loud / what does {word} sound like / "
        "I never know where to stress {word} / let me hear {word} please / {word}, pronunciation? / "
        "read the word {word} to me",
        accent="with a {accent} accent",
        result="audio=url",
        answer="Listen: {audio}",
    ),
    tool(
        "get_word_origin",
        "Where a word comes from",
        "word=word",
        "where does the word {word} come from / origin of {word} / etymology {word} / why do we say {word} / "
        "what is the history of the word {word} / please explain how {word} came into the language / "
        "from which language was {word} borrowed",
        result="origin=language",
        answer="It comes from {origin}.",
    ),
)
