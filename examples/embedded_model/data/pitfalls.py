"""Mistakes of earlier weights: negation, numbers beside the one that is asked for, employers that are not named,
politeness beside tools that would take its words, and statements that ask for nothing."""

from __future__ import annotations

from embedded_model.data import words as w
from embedded_model.data.calling import declare, draw_tools
from embedded_model.data.chat import CAN
from embedded_model.data.conversation import Conversation, dump_json, say, system_message
from embedded_model.data.layouts import draw_layout
from embedded_model.data.records import draw_content
from embedded_model.data.schemas import Schema, object_schema, present
from embedded_model.data.source import Source
from embedded_model.data.topics import TOPICS
from embedded_model.data.values import KINDS, JsonValue, say_list

_SUBJECTS = (
    ("order", ("paid", "shipped", "delivered", "packed", "insured", "gift-wrapped", "returned")),
    ("invoice", ("paid", "sent", "signed", "approved", "disputed", "booked")),
    ("door", ("locked", "closed", "alarmed", "painted", "repaired")),
    ("ticket", ("open", "assigned", "urgent", "answered", "billable", "confirmed")),
    ("room", ("booked", "cleaned", "heated", "furnished", "locked")),
    ("user", ("active", "verified", "blocked", "subscribed", "invited")),
    ("server", ("online", "encrypted", "patched", "monitored", "backed-up")),
)
"""Things, and what each of them may be or not be."""

_TWO: dict[tuple[bool, bool], tuple[str, ...]] = {
    (True, True): ("is {a} and {b}", "is both {a} and {b}", "is {a} and already {b}", "is not only {a} but {b}"),
    (True, False): ("is {a} and not {b} yet", "is {a} but not {b}", "is {a}, not {b}", "is {a} and still not {b}"),
    (False, True): ("is not {a} but {b}", "is not {a} yet and already {b}", "is not {a}, though {b}"),
    (False, False): ("is neither {a} nor {b}", "is not {a} and not {b}", "is not {a} yet, nor {b}"),
}
"""How one says which of two properties a thing has."""

_ONE = {True: ("is {a}", "is already {a}", "is {a} now"), False: ("is not {a}", "is not {a} yet", "is still not {a}")}


def states(source: Source) -> Conversation:
    """Draw properties of a thing as truth values: each negation belongs to the word after it alone."""
    thing, properties = source.pick(_SUBJECTS)
    number = source.fresh(lambda: w.digits(source, 3, 5))
    chosen = source.sample(properties, source.pick((1, 2, 2, 2)))
    values = [source.chance(0.5) for _ in chosen]
    said = source.pick(_TWO[values[0], values[1]] if len(chosen) == 2 else _ONE[values[0]])
    text = f"{source.pick(('', 'the ', 'our '))}{thing} {number} {said.format(a=chosen[0], b=chosen[-1])}"
    record: dict[str, JsonValue] = {
        source.pick(("", "is_")) + name.replace("-", "_"): value for name, value in zip(chosen, values, strict=True)
    }
    members = list(record.items())
    if source.chance(0.4):
        source.shuffle(members)
    if source.chance(0.6):
        members.insert(0, (thing, number))
    return _told(f"{text[0].upper()}{text[1:]}{source.pick(('.', '', '!'))}", dict(members), source)


def quantities(source: Source) -> Conversation:
    """Several numbers, of which some are asked for, each by its name."""
    names = source.sample(w.NOUNS, source.randint(2, 4))
    kinds = [KINDS[source.pick(("small", "count", "measure", "amount"))] for _ in names]
    values = [kind.draw(source) for kind in kinds]
    pairs = [(name, kind.say(value, source)) for name, kind, value in zip(names, kinds, values, strict=True)]
    shape = source.pick(("{n}: {v}", "{v} for the {n}", "the {n} has {v}", "{n} = {v}", "the {n} is {v}"))
    text = source.pick(("; ", " | ", "\n")).join(shape.format(n=name, v=said) for name, said in pairs)
    asked = source.sample(range(len(names)), source.randint(1, min(2, len(names) - 1)))
    return _told(text, {names[index]: values[index] for index in asked}, source)


def untold(source: Source) -> Conversation:
    """Draw persons with skills and, for some, an employer: no item of the list is an employer."""
    name = KINDS["person"].draw(source)
    drawn = [KINDS["skill"].draw(source) for _ in range(source.randint(2, 4))]
    skills = list(dict.fromkeys(drawn))
    employer = KINDS["company"].draw(source) if source.chance(0.4) else None
    listed = source.pick((", ".join(skills), say_list(skills)))
    text = source.pick(("{n}. {s}.", "{n}, skills: {s}.", "{n} knows {s}.", "I am {n} and I write {s}.", "{s} - {n}."))
    text = text.format(n=name, s=listed)
    if employer is not None:
        works = source.pick(("{n} works at {e}.", "Employer: {e}.", "Now at {e}.")).format(n=name, e=employer)
        text = f"{works} {text}" if source.chance(0.5) else f"{text} {works}"
    record: dict[str, JsonValue] = {"name": name, source.pick(("employer", "company")): employer or "unknown"}
    return _told(text, record | {"skills": skills}, source)


def _told(text: str, record: dict[str, JsonValue], source: Source) -> Conversation:
    """The text, and the record as its answer."""
    schema = object_schema({key: _schema(value) for key, value in record.items()}, list(record), source)
    messages, shown, foretold = present(text, schema, source)
    return Conversation(
        messages=[*messages, say("assistant", dump_json(record))], schema=schema, is_shown=shown, foretold=foretold
    )


def _schema(value: JsonValue) -> Schema:
    if isinstance(value, list):
        return {"type": "array", "items": {"type": "string"}}
    kinds = {bool: "boolean", int: "number", float: "number", str: "string"}
    return {"type": kinds[type(value)]}


_PRAISE = (
    "Cheers", "Great work", "Well done", "Nice one", "Thanks a lot", "Many thanks", "Perfect", "Brilliant", "Awesome",
    "Thank you so much", "Good job", "Much appreciated", "Lovely", "Wonderful",
)  # fmt: skip
_BECAUSE = (
    "that was very kind of you", "you saved my {day}", "that was quick", "I could not have done it without you",
    "that is all I needed", "you are a star", "that helped me with the {noun}", "the {noun} works again",
    "I will tell {name} about you", "{name} will be happy", "exactly what I wanted", "you made my {day}",
    "that worked for the {noun} in {city}",
)  # fmt: skip
_LEAVING = (
    "See you on {day}", "Until {day}", "Bye", "Talk to you on {day}", "Have a nice {noun}", "Good night, {name}",
    "I am off to {city} now", "That is it for {day}", "Bye bye from {city}", "Take care, {name}",
)  # fmt: skip


def polite(source: Source) -> Conversation:
    """Thanks, or a goodbye, with words in it that some tool would take: an answer in kind, and no call."""
    is_thanks = source.chance(0.6)
    if is_thanks:
        text = f"{source.pick(_PRAISE)}{source.pick((', ', '! ', ' - '))}{source.pick(_BECAUSE)}"
    else:
        text = source.pick(_LEAVING) + source.pick(("", ", bye", ", thanks for today"))
    text = text.format(
        day=source.pick(w.WEEKDAYS),
        noun=source.pick(w.NOUNS),
        name=KINDS["first_name"].draw(source),
        city=KINDS["city"].draw(source),
    )
    specs = draw_tools(source, source.pick((1, 1, 2, 2, 3, 4, 6)), 0.4)
    answer = "You are welcome!" if is_thanks else "Goodbye!"
    messages = [*system_message(source), say("user", text + source.pick((".", "!", ""))), say("assistant", answer)]
    return Conversation(messages=messages, tools=declare(specs, source))


def statement(source: Source) -> Conversation:
    """A text alone, of which nothing is asked: what could be done with it."""
    content = draw_content(source, source.pick(TOPICS))
    text = draw_layout(source)(content, source)
    return Conversation(messages=[*system_message(source), say("user", text), say("assistant", CAN)])
