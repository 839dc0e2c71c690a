"""Extraction: prose in, a record in a given JSON schema out."""

from __future__ import annotations

from typing import Any

from gateway.embedded.data import words as w
from gateway.embedded.data.conversation import Conversation, dump_json, say
from gateway.embedded.data.source import Source
from gateway.embedded.data.values import JsonValue, Kind, kind_of

_RECORDS: tuple[tuple[str, str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "person",
        "{name} is a person we met",
        (
            ("name", "person", ""),
            ("age", "small", "who is {} years old"),
            ("city", "city", "who lives in {}"),
            ("email", "email", "with the email {}"),
            ("company", "company", "who works at {}"),
        ),
    ),
    (
        "invoice",
        "invoice {number} came in",
        (
            ("number", "code", ""),
            ("customer", "company", "for {}"),
            ("total", "price", "over a total of {}"),
            ("currency", "currency", "in {}"),
            ("due_date", "date", "due on {}"),
        ),
    ),
    (
        "event",
        "{title} will take place",
        (
            ("title", "title", ""),
            ("date", "date", "on {}"),
            ("location", "city", "in {}"),
            ("attendees", "count", "with {} attendees"),
            ("speakers", "[person]", "with talks by {}"),
        ),
    ),
    (
        "product",
        "we sell {name}",
        (
            ("name", "product", ""),
            ("price", "price", "for {}"),
            ("color", "color", "in {}"),
            ("stock", "count", "with {} in stock"),
            ("sku", "code", "under the number {}"),
        ),
    ),
    (
        "flight",
        "flight {number} departs",
        (
            ("number", "code", ""),
            ("origin", "city", "from {}"),
            ("destination", "city", "to {}"),
            ("date", "date", "on {}"),
            ("gate", "code", "at gate {}"),
        ),
    ),
    (
        "book",
        "{title} is a book",
        (
            ("title", "title", ""),
            ("author", "person", "by {}"),
            ("year", "year", "from {}"),
            ("pages", "count", "of {} pages"),
            ("language", "language", "in {}"),
        ),
    ),
    (
        "job",
        "a job as {title} is open",
        (
            ("title", "title", ""),
            ("company", "company", "at {}"),
            ("salary", "big", "paying {}"),
            ("city", "city", "in {}"),
            ("skills", "[word]", "that asks for {}"),
        ),
    ),
    (
        "order",
        "an order came in",
        (
            ("order_id", "code", "with the number {}"),
            ("items", "[line]", "for {}"),
            ("customer", "person", "from {}"),
            ("total", "price", "costing {}"),
        ),
    ),
    (
        "house",
        "a house is for sale",
        (
            ("address", "street", "at {}"),
            ("city", "city", "in {}"),
            ("price", "big", "for {}"),
            ("rooms", "small", "with {} rooms"),
        ),
    ),
    (
        "ticket",
        "{customer} wrote to us",
        (
            ("customer", "person", ""),
            ("product", "product", "about {}"),
            ("date", "date", "on {}"),
            ("priority", "low|medium|high", "with {} priority"),
        ),
    ),
    (
        "patient",
        "patient {name} was seen",
        (
            ("name", "person", ""),
            ("date", "date", "on {}"),
            ("doctor", "last_name", "by doctor {}"),
            ("weight", "measure", "weighing {} kg"),
        ),
    ),
    (
        "recipe",
        "{dish} is easy to make",
        (
            ("dish", "title", ""),
            ("ingredients", "[food]", "from {}"),
            ("minutes", "small", "in {} minutes"),
            ("servings", "small", "for {} people"),
        ),
    ),
    (
        "address",
        "send it to",
        (
            ("street", "street", "{}"),
            ("city", "city", "in {}"),
            ("country", "country", "in the country {}"),
            ("zip", "zip", "with zip code {}"),
        ),
    ),
    ("contact", "reach {name}", (("name", "person", ""), ("phone", "phone", "at {}"), ("email", "email", "or {}"))),
)

_ORDERS = (
    "Extract the data as JSON with this schema: {}",
    "Answer in JSON that follows this schema: {}",
    "Return only JSON for the schema {}",
    "Extract a record. JSON schema: {}",
    "Here is the JSON schema for your answer: {}",
)
_LEADS = ("", "", "Text: ", "Extract the data: ", "Extract from this text: ", "Read this: ")
_FIRST = ("Yesterday", "As you know", "In short", "Note that", "I heard that", "For the record")


def _invented(source: Source) -> tuple[str, str, list[tuple[str, Kind, str]]]:
    kinds = ("random", "word", "count", "measure", "small", "title", "city", "person", "date", "code", "[word]")
    fields: dict[str, tuple[Kind, str]] = {}
    for _ in range(source.randint(2, 4)):
        key = w.syllables(source, 1, 2) if source.chance(0.6) else source.pick(w.NOUNS)
        fields[key] = (
            kind_of(source.pick(kinds)),
            source.pick(["with {k} {{}}", "the {k} is {{}}", "{k} {{}}"]).format(k=key),
        )
    thing = source.pick(w.NOUNS)
    return thing, f"there is a {thing}", [(key, kind, clause) for key, (kind, clause) in fields.items()]


def _declared(source: Source) -> tuple[str, str, list[tuple[str, Kind, str]]]:
    name, opening, fields = source.pick(_RECORDS)
    kept = [f for f in fields if not f[2] or source.chance(0.75)] or list(fields)
    return name, opening, [(key, kind_of(kind), clause) for key, kind, clause in kept]


def extraction(source: Source) -> Conversation:
    """Prose, a schema, and the record; the schema stands in the system prompt or in the user's message."""
    _, opening, fields = _invented(source) if source.chance(0.35) else _declared(source)
    values: dict[str, JsonValue] = {key: kind.draw(source) for key, kind, _ in fields}
    prose = _prose(opening, fields, values, source)
    schema = record_schema(fields, closed=source.chance(0.3))
    order = source.pick(_ORDERS).format(dump_json(schema))
    if source.chance(0.6):
        messages = [say("system", order), say("user", source.pick(_LEADS) + prose)]
    else:
        messages = [say("user", f"{order}\n{prose}" if source.chance(0.5) else f"{prose}\n{order}")]
    return Conversation(messages=[*messages, say("assistant", dump_json(values))])


def record_schema(fields: list[tuple[str, Kind, str]], *, closed: bool) -> dict[str, Any]:
    """The schema of a record with these fields, all required."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: kind.schema for key, kind, _ in fields},
        "required": [key for key, _, _ in fields],
    }
    return schema | {"additionalProperties": False} if closed else schema


def _prose(opening: str, fields: list[tuple[str, Kind, str]], values: dict[str, JsonValue], source: Source) -> str:
    for key, kind, clause in fields:
        if not clause:
            opening = opening.replace("{" + key + "}", kind.say(values[key]))
    clauses = [clause.replace("{}", kind.say(values[key])) for key, kind, clause in fields if clause]
    source.shuffle(clauses)
    joint = source.pick((" ", ", ", ", "))
    text = f"{opening} {joint.join(clauses)}".strip()
    return f"{source.pick(_FIRST)} {text}." if source.chance(0.4) else f"{text}."
