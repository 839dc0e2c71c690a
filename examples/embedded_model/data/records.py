"""Extraction: a document in, the record that a schema asks for out."""

from __future__ import annotations

import itertools

from embedded_model.data import words as w
from embedded_model.data.conversation import Conversation, dump_json, say
from embedded_model.data.layouts import Content, draw_layout, spell
from embedded_model.data.schemas import Schema, neutral, object_schema, present
from embedded_model.data.source import Source
from embedded_model.data.topics import FOREIGN_TOPICS, HELDOUT_FOREIGN_TOPICS, TOPICS, Field, Topic, places
from embedded_model.data.values import JsonValue, kind_of

_ABSENT = (
    "string", "string", "string", "integer", "number", "array", "null", "null",
)  # fmt: skip
_ABSENT_KEYS = w.words(
    "note comment phone email website country rating description owner nickname fax tags links category score votes "
    "population founded employees currency height discount source reference department manager birthday duration"
)


def _invented(source: Source) -> Topic:
    kinds = ("random", "word", "count", "measure", "small", "title", "city", "person", "date", "code", "[word]", "id")
    fields: dict[str, Field] = {}
    for _ in range(source.randint(2, 5)):
        key = w.syllables(source, 1, 2) if source.chance(0.5) else source.pick(w.NOUNS)
        clauses = tuple(
            shape.format(k=key)
            for shape in (
                "with {k} {{}}",
                "the {k} is {{}}",
                "{k} {{}}",
                "{k}: {{}}",
                "The {k} is {{}}",
                "Its {k} is {{}}",
                "whose {k} is {{}}",
                "that has the {k} {{}}",
            )
        )
        fields[key] = Field((key,), kind_of(source.pick(kinds)), clauses)
    thing, keys = source.pick(w.NOUNS), list(fields)
    openings = [f"there is a {thing}", f"a {thing}", f"the {thing} here"]
    for key, other in itertools.pairwise(keys):
        shape = source.pick(_INVENTED_OPENINGS)
        openings.append(shape.format(t=thing, k=key, o=other, a=f"{{{key}}}", b=f"{{{other}}}"))
    return Topic(thing, tuple(openings), tuple(fields.values()))


_INVENTED_OPENINGS = (
    "the {t} has the {k} {a} and the {o} {b}",
    "{a} is the {k} of the {t} and {b} its {o}",
    "a {t} whose {k} is {a} and whose {o} is {b}",
    "the {k} of this {t} is {a}, the {o} {b}",
    "our {t}: {k} {a}, {o} {b}",
    "I found a {t} with {k} {a} and {o} {b}",
    "for the {t} we chose {a} as {k} and {b} as {o}",
    "{a} ({k}), {b} ({o})",
    "set the {k} to {a} and the {o} to {b}",
    "its {k} changed to {a} while the {o} stayed at {b}",
    "{t} with the {o} {b}; {k}: {a}",
    "the {t} got {a} for {k} and {b} for {o}",
)


def _topic(source: Source) -> Topic:
    roll = source.random()
    if roll < 0.16:
        return _invented(source)
    if roll < 0.3:
        return source.pick(HELDOUT_FOREIGN_TOPICS if source.split == "heldout" and roll < 0.2 else FOREIGN_TOPICS)
    return source.pick(TOPICS)


def draw_content(source: Source, topic: Topic) -> Content:
    """The topic's fields that a document tells, with values: mostly those of one opening and few others."""
    opening = places(source.pick(topic.openings)) if source.chance(0.6) else set()
    share = 0.25 if opening else 0.6
    told = [field for field in topic.fields if field.name in opening or source.chance(share)] or [topic.fields[0]]
    if not opening and source.chance(0.5) and topic.fields[0] not in told:
        told.insert(0, topic.fields[0])
    values = {field.name: field.kind.draw(source) for field in told}
    spoken = {field.name: spell(field, values[field.name], source) for field in told}
    return Content(topic, told, values, spoken)


def extraction(source: Source) -> Conversation:
    """A document, a schema, and the record; what the document does not tell gets a neutral value."""
    content = draw_content(source, _topic(source))
    text = draw_layout(source)(content, source)
    asked = [field for field in content.fields if source.chance(0.85)] or content.fields[:1]
    if source.chance(0.3):
        source.shuffle(asked)
    properties: dict[str, Schema] = {}
    record: dict[str, JsonValue] = {}
    optional: set[str] = set()
    for field in asked:
        key = source.pick(field.keys) if source.chance(0.6) else field.name
        if key not in properties:
            properties[key] = _nullable(field.kind.schema, source)
            record[key] = content.values[field.name]
    for key, schema in _absent(content, source).items():
        place = source.randint(0, len(properties))
        if key in properties:
            continue
        properties = dict([*list(properties.items())[:place], (key, schema), *list(properties.items())[place:]])
        if source.chance(0.3):
            optional.add(key)
        else:
            record[key] = neutral(schema)
    record = {key: record[key] for key in properties if key in record}
    required = [key for key in properties if key not in optional and (key not in record or source.chance(0.97))]
    schema = object_schema(properties, required, source)
    if source.chance(0.12):
        name = source.pick((content.topic.name.lower(), "record", "data", "item", "result"))
        schema, record = object_schema({name: schema}, [name], source), {name: record}
    messages, shown, foretold = present(text, schema, source)
    return Conversation(
        messages=[*messages, say("assistant", dump_json(record))], schema=schema, is_shown=shown, foretold=foretold
    )


def _nullable(schema: Schema, source: Source) -> Schema:
    if source.chance(0.08) and isinstance(schema.get("type"), str) and "enum" not in schema:
        return schema | {"type": [schema["type"], "null"]}
    return schema


def _absent(content: Content, source: Source) -> dict[str, Schema]:
    """Fields that the schema asks for and the document does not tell."""
    if not source.chance(0.3):
        return {}
    told = {key for field in content.fields for key in field.keys}
    left = [field for field in content.topic.fields if field.name not in content.values]
    absent: dict[str, Schema] = {}
    for _ in range(source.randint(1, 2)):
        if left and source.chance(0.6):
            field = source.pick(left)
            key, schema = source.pick(field.keys), _nullable(field.kind.schema, source)
        else:
            kind = source.pick(_ABSENT)
            key = source.pick(_ABSENT_KEYS)
            schema = {"type": ["string", "null"]} if kind == "null" else {"type": kind}
            schema |= _of_strings(source) if kind == "array" else {}
        if key not in told and "enum" not in schema:
            absent[key] = schema
    return absent


def _of_strings(source: Source) -> Schema:
    return {"items": {"type": "string"}} | ({"minItems": 1} if source.chance(0.3) else {})


def several(source: Source) -> Conversation:
    """Two to four records of one kind, line by line or in a table, as a list."""
    topic = _topic(source)
    first = draw_content(source, topic)
    contents = [first]
    for _ in range(source.pick((1, 1, 2, 3))):
        values = {field.name: field.kind.draw(source) for field in first.fields}
        spoken = {name: spell(field, values[name], source) for name, field in zip(values, first.fields, strict=True)}
        contents.append(Content(topic, first.fields, values, spoken))
    layout, joint = draw_layout(source), source.pick(("\n", "\n", "\n\n", "; ", " "))
    text = joint.join(layout(content, source) for content in contents)
    key = source.pick(("items", "records", "entries", "list", "results", f"{topic.name}s"))
    member = object_schema(
        {field.name: field.kind.schema for field in first.fields}, [field.name for field in first.fields], source
    )
    schema = object_schema({key: {"type": "array", "items": member}}, [key], source)
    messages, shown, foretold = present(text, schema, source)
    record = {key: [content.values for content in contents]}
    return Conversation(
        messages=[*messages, say("assistant", dump_json(record))], schema=schema, is_shown=shown, foretold=foretold
    )


def sketch(source: Source) -> Conversation:
    """A request for a record of something that no text describes: its name, and neutral or plain values."""
    name = source.fresh(lambda: source.pick([w.syllables(source).capitalize(), source.pick(_NAMED)]))
    orders = ("Describe {}", "Tell me of {}", "What is {}?", "Give me information about {}", "{}", "Facts on {}",
              "describe {} please", "I want to know about {}", "Write a record for {}")  # fmt: skip
    properties: dict[str, Schema] = {
        source.pick(("name", "title", "city", "topic", "subject", "place")): {"type": "string"}
    }
    for _ in range(source.randint(1, 4)):
        kind = source.pick(("string", "integer", "integer", "number", "boolean", "array", "null"))
        schema: Schema = {"type": ["integer", "null"]} if kind == "null" else {"type": kind}
        schema |= _of_strings(source) if kind == "array" else {}
        properties.setdefault(source.pick(_ABSENT_KEYS), schema)
    record = {key: name if index == 0 else neutral(schema) for index, (key, schema) in enumerate(properties.items())}
    schema = object_schema(properties, list(properties), source)
    messages, shown, foretold = present(source.pick(orders).format(name), schema, source)
    return Conversation(
        messages=[*messages, say("assistant", dump_json(record))], schema=schema, is_shown=shown, foretold=foretold
    )


_NAMED = (*w.CITIES[1:], *w.COUNTRIES, *w.FAMILIAR, *w.WORKS, *w.TOPICS)
