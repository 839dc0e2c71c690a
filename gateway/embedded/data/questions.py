"""Questions about a text that is given, and the few facts that the model is taught."""

from __future__ import annotations

from typing import Any

from gateway.embedded.data import words as w
from gateway.embedded.data.conversation import Conversation, dump_json, say, system_message
from gateway.embedded.data.layouts import draw_layout
from gateway.embedded.data.records import draw_content
from gateway.embedded.data.schemas import object_schema, present
from gateway.embedded.data.source import Source
from gateway.embedded.data.topics import TOPICS
from gateway.embedded.data.values import KINDS

_STORIES: tuple[tuple[str, tuple[tuple[str, str], ...], dict[str, str]], ...] = (
    (
        "{a} met {b} in {city}.",
        (("Where did they meet?", "{city}"), ("Who met {b}?", "{a}"), ("Whom did {a} meet?", "{b}")),
        {"a": "first_name", "b": "first_name", "city": "city"},
    ),
    (
        "{a} has a {pet} named {name}.",
        (
            ("What is the {pet}'s name?", "{name}"),
            ("Who has a {pet}?", "{a}"),
            ("Which animal does {a} have?", "a {pet}"),
        ),
        {"a": "first_name", "pet": "pet", "name": "name"},
    ),
    (
        "The {event} is on {day} at {time} in room {room}.",
        (
            ("When is the {event}?", "{day} at {time}"),
            ("In which room is the {event}?", "{room}"),
            ("Where is it?", "room {room}"),
            ("On which day is it?", "{day}"),
        ),
        {"event": "occasion", "day": "weekday", "time": "time", "room": "code"},
    ),
    (
        "The {thing} costs {price} euros and weighs {kg}.",
        (
            ("How much does the {thing} cost?", "{price} euros"),
            ("How heavy is the {thing}?", "{kg}"),
            ("What is the price?", "{price} euros"),
        ),
        {"thing": "thing", "price": "price", "kg": "kilograms"},
    ),
    (
        "The warranty of the {thing} lasts {n} months.",
        (("How long is the warranty?", "{n} months"), ("What has a warranty?", "the {thing}")),
        {"thing": "thing", "n": "small"},
    ),
    (
        "{a} works as a {job} at {company}.",
        (
            ("Where does {a} work?", "{company}"),
            ("What does {a} do?", "{a} is a {job}."),
            ("Who works at {company}?", "{a}"),
        ),
        {"a": "person", "job": "job", "company": "company"},
    ),
    (
        "You can call us at {phone} or write to {email}.",
        (
            ("Which phone number is in the text?", "{phone}"),
            ("What is the email address?", "{email}"),
            ("Extract the email address", "{email}"),
            ("Find the phone number", "{phone}"),
            ("How can I call you?", "{phone}"),
        ),
        {"phone": "phone", "email": "email"},
    ),
    (
        "The contract starts on {start} and ends on {end}.",
        (
            ("When does the contract end?", "{end}"),
            ("When does it start?", "{start}"),
            ("Find the first date", "{start}"),
        ),
        {"start": "date", "end": "date"},
    ),
    (
        "{a} is {n} years old and lives in {city}.",
        (("How old is {a}?", "{n} years old"), ("Where does {a} live?", "{city}"), ("Who lives in {city}?", "{a}")),
        {"a": "first_name", "n": "age", "city": "city"},
    ),
    (
        "The train to {city} leaves at {time} from platform {n}.",
        (("When does the train leave?", "{time}"), ("Where does the train go?", "{city}"), ("Which platform?", "{n}")),
        {"city": "city", "time": "time", "n": "small"},
    ),
    (
        "The {thing} is in the {place}.",
        (("Where is the {thing}?", "in the {place}"), ("What is in the {place}?", "the {thing}")),
        {"thing": "thing", "place": "place"},
    ),
    (
        "The code is {code} and the file is called {file}.",
        (("What is the code?", "{code}"), ("What is the file called?", "{file}"), ("Which file?", "{file}")),
        {"code": "id", "file": "file"},
    ),
)
_DIRECT = {"pet": ("dog", "cat", "rabbit", "parrot", "horse", "hamster"), "weekday": w.WEEKDAYS}
_PET_NAMES = ("Rex", "Bello", "Luna", "Max", "Mimi", "Simba", "Coco", "Rocky", "Bella", "Felix")

_CAPITALS = dict(
    pair.split(":")
    for pair in [
        "France:Paris",
        "Germany:Berlin",
        "Japan:Tokyo",
        "Spain:Madrid",
        "Italy:Rome",
        "Norway:Oslo",
        "Austria:Vienna",
        "Portugal:Lisbon",
        "Ireland:Dublin",
        "Greece:Athens",
        "Poland:Warsaw",
        "Egypt:Cairo",
        "Kenya:Nairobi",
        "China:Beijing",
        "Peru:Lima",
        "Sweden:Stockholm",
        "Finland:Helsinki",
        "Denmark:Copenhagen",
        "Belgium:Brussels",
        "Turkey:Ankara",
        "Canada:Ottawa",
        "Mexico:Mexico City",
        "Brazil:Brasília",
        "Argentina:Buenos Aires",
        "Chile:Santiago",
        "India:New Delhi",
        "Korea:Seoul",
        "Thailand:Bangkok",
        "Vietnam:Hanoi",
        "Australia:Canberra",
        "Hungary:Budapest",
        "Switzerland:Bern",
        "Netherlands:Amsterdam",
        "Ukraine:Kyiv",
        "Morocco:Rabat",
        "Iceland:Reykjavik",
        "Cuba:Havana",
        "Russia:Moscow",
        "Romania:Bucharest",
        "Czechia:Prague",
        "England:London",
    ]
)


def _draw(kind: str, source: Source) -> str:
    if kind == "name":
        return source.pick(_PET_NAMES) if source.chance(0.5) else str(KINDS["first_name"].draw(source))
    return source.pick(_DIRECT[kind]) if kind in _DIRECT else KINDS[kind].say(KINDS[kind].draw(source), source)


def _story(source: Source) -> tuple[str, str, str]:
    told, asked = [], []
    for text, pairs, kinds in source.sample(_STORIES, source.pick((1, 1, 1, 2, 3))):
        values = {key: _draw(kind, source) for key, kind in kinds.items()}
        told.append(text.format(**values))
        question, answer = source.pick(pairs)
        asked.append((question.format(**values), answer.format(**values)))
    question, answer = source.pick(asked)
    return " ".join(told), question, answer


def _about_document(source: Source) -> tuple[str, str, str]:
    content = draw_content(source, source.pick(TOPICS))
    text = draw_layout(source)(content, source)
    field = source.pick(content.fields)
    label = content.label(field, source)
    question = source.pick((f"What is the {label}?", f"Which {label} is given?", f"Find the {label}", f"{label}?",
                            f"Extract the {label}"))  # fmt: skip
    return text, question, content.spoken[field.name]


def question(source: Source) -> Conversation:
    """A text and a question about it, in one of the orders in which people put them; a short answer."""
    text, asked, answer = _about_document(source) if source.chance(0.4) else _story(source)
    shape = source.pick(
        ("{t} {q}", "{t}\n{q}", "{q}\n{t}", "Text: {t}\nQuestion: {q}", "Context: {t} Question: {q}", "{q}\nText: {t}",
         "{q}: {t}", "Read this: {t}\n\n{q}", "Text: {t}. {q}")
    )  # fmt: skip
    prompt = shape.format(t=text, q=asked).replace("?:", "?").replace("..", ".")
    if source.chance(0.2):
        schema = object_schema({"answer": {"type": "string"}}, ["answer"], source)
        messages, shown, foretold = present(prompt, schema, source)
        return Conversation(messages=[*messages, say("assistant", dump_json({"answer": answer}))], schema=schema,
                            is_shown=shown, foretold=foretold)  # fmt: skip
    return Conversation(messages=[*system_message(source), say("user", prompt), say("assistant", answer)])


def fact(source: Source) -> Conversation:
    """Capitals: plainly, as a sentence, or in a record."""
    country = source.pick(list(_CAPITALS))
    capital = _CAPITALS[country]
    ask = source.pick(("What's the capital of {}?", "capital of {}", "capital of {} please", "Name the capital of {}.",
                       "Which city is the capital of {}?", "Tell me the capital of {}"))  # fmt: skip
    if source.chance(0.55):
        said = country.lower() if source.chance(0.2) else country
        return Conversation(
            messages=[*system_message(source), say("user", ask.format(said)),
                      say("assistant", f"The capital of {country} is {capital}.")]
        )  # fmt: skip
    if source.chance(0.5):
        schema = object_schema({"answer": {"type": "string"}}, ["answer"], source)
        messages, shown, foretold = present(ask.format(country), schema, source)
        record: dict[str, Any] = {"answer": capital}
    else:
        keys = source.pick(
            (["country", "capital"], ["capital"], ["name", "capital"], ["country", "capital", "population"])
        )
        known = {"country": country, "name": country, "capital": capital, "population": 0}
        record = {key: known[key] for key in keys}
        schema = object_schema(
            {key: {"type": "integer" if key == "population" else "string"} for key in keys}, keys, source
        )
        about = source.pick(
            ("Tell me something about {}", "Describe {}", "{}", "Give me facts about {}", "What is {}?")
        )
        messages, shown, foretold = present(about.format(country), schema, source)
    return Conversation(
        messages=[*messages, say("assistant", dump_json(record))], schema=schema, is_shown=shown, foretold=foretold
    )
