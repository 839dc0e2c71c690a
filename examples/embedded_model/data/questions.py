"""Questions about a text that is given, and the few facts that the model is taught."""

from __future__ import annotations

from typing import Any

from embedded_model.data import words as w
from embedded_model.data.conversation import Conversation, dump_json, say, system_message
from embedded_model.data.layouts import draw_layout
from embedded_model.data.records import draw_content
from embedded_model.data.schemas import object_schema, present
from embedded_model.data.source import Source
from embedded_model.data.stories import STORIES
from embedded_model.data.topics import TOPICS
from embedded_model.data.values import KINDS

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
    for story in source.sample(STORIES, source.pick((1, 1, 1, 2, 3))):
        values = {place: _draw(kind, source) for place, kind in story.kinds.items()}
        told.append(source.pick(story.texts).format(**values))
        question, answer = source.pick(story.pairs)
        asked.append((question.format(**values), answer.format(**values)))
    question, answer = source.pick(asked)
    return " ".join(told), question, answer


def _about_document(source: Source) -> tuple[str, str, str]:
    content = draw_content(source, source.pick(TOPICS))
    text = draw_layout(source)(content, source)
    field = source.pick(content.fields)
    label = content.label(field, source)
    question = source.pick(_ASKED).format(label)
    value, spoken = content.values[field.name], content.spoken[field.name]
    if spoken not in text and not field.kind.is_boolean:
        spoken = value if isinstance(value, str) else dump_json(value)
    return text, question, spoken


_ASKED = (
    "What is the {}?", "What is the {}?", "Which {} is given?", "Find the {}", "{}?", "Extract the {}", "What's the {}",
    "Tell me the {}.", "Which {} does the text name?", "I need the {}", "{}", "What does it say about the {}?",
)  # fmt: skip


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
