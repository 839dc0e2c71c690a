"""Echo tasks: the shortest lesson in copying there is, for every kind of value."""

from __future__ import annotations

from embedded_model.data import words as w
from embedded_model.data.conversation import Conversation, dump_json, say
from embedded_model.data.schemas import object_schema, present
from embedded_model.data.source import Source
from embedded_model.data.values import KINDS

_KINDS = tuple(name for name, kind in KINDS.items() if not kind.is_boolean and kind.schema["type"] != "object")
_EXACT = (
    "random", "person", "title", "code", "email", "date", "city", "big", "measure", "word", "phone", "url", "user",
    "file",
    "id", "id", "script", "script", "ip", "repo", "sql", "path", "thing", "work", "slug", "stamp",
)  # fmt: skip
_SAY = ("Repeat: ", "Say ", "Repeat after me: ", "say: ", "Echo ", "Wiederhole: ", "Répète : ", "Repite: ",
    "Copy this: ",
        "Write ", "Just say ")  # fmt: skip


def _phrase(source: Source) -> str:
    pools = (w.THINGS_OF_LIFE, w.QUALITIES, w.NOUNS, w.ADJECTIVES, w.COLORS, w.FAMILIAR, w.FIRST_NAMES, w.JOBS)
    return " ".join(source.pick(source.pick(pools)) for _ in range(source.randint(1, 4)))


def echo(source: Source, *, turns: int = 2) -> Conversation:
    """Values to repeat, as they are or as JSON."""
    messages = []
    for _ in range(source.randint(1, turns)):
        values = [KINDS[source.pick(_EXACT)].draw(source) for _ in range(source.randint(1, 4))]
        said = [str(value) for value in values]
        roll = source.random()
        if roll < 0.15:
            text = source.fresh(lambda: _phrase(source))
            messages += [say("user", source.pick(_SAY) + text), say("assistant", text)]
            continue
        if roll < 0.45:
            text, answer = source.pick(_SAY) + ", ".join(said), ", ".join(said)
        elif roll < 0.6:
            text, answer = "As a JSON list: " + ", ".join(said), dump_json(values)
        else:
            keys = list(dict.fromkeys(KINDS["word"].draw(source) for _ in values))
            record = dict(zip(keys, values, strict=False))
            joint = source.pick((", ", " and ", ". "))
            text = "As JSON: " + joint.join(f"{key} {value}" for key, value in record.items())
            answer = dump_json(record)
        messages += [say("user", text), say("assistant", answer)]
    return Conversation(messages=messages)


def single(source: Source) -> Conversation:
    """Draw a value in a sentence, and a record of it under any key."""
    name = source.pick(_KINDS)
    kind = KINDS[name]
    value = kind.draw(source)
    key = source.pick((name.split("_")[0], "value", "id", "name", "result", "text", w.syllables(source, 1, 2)))
    spoken = kind.say(value, source)
    text = source.pick(
        ("The {} is {}", "{}: {}", "my {} is {}", "{} {}", "the {} was {}.", "here is the {}: {}")
    ).format(key, spoken)
    if source.chance(0.4):
        text = f"{source.pick(_AROUND)} {text}" if source.chance(0.5) else f"{text}, {source.pick(_AROUND)}"
    schema = object_schema({key: kind.schema}, [key], source)
    messages, shown, foretold = present(text, schema, source)
    return Conversation(messages=[*messages, say("assistant", dump_json({key: value}))], schema=schema, is_shown=shown,
                        foretold=foretold)  # fmt: skip


_AROUND = ("hello", "as I said", "please note", "by the way", "thanks", "for your files", "see below", "Hi there")
