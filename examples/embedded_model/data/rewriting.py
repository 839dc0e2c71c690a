"""Rewriting what is given: case, lists and tables to JSON, sorting, counting, joining."""

from __future__ import annotations

from collections.abc import Callable

from embedded_model.data import words as w
from embedded_model.data.conversation import Conversation, dump_json, say, system_message
from embedded_model.data.source import Source
from embedded_model.data.values import KINDS, JsonValue

Task = tuple[str, str]
"""What is asked, and the answer."""

_ITEMS = ("thing", "word", "first_name", "food", "city", "hashtag", "color", "random", "skill")
_SHORT = (*w.THINGS_OF_LIFE, *w.QUALITIES, *w.NOUNS, *w.ADJECTIVES, *w.COLORS, *w.words(
    "cat dog bird fish horse tree house car sun moon star sea rain snow wind fire ice day night morning evening hello "
    "world good new old big long short happy sad red apple pear plum fig lemon bread milk tea book pen door road town"
))  # fmt: skip


def _items(source: Source, low: int = 2, high: int = 6) -> list[str]:
    kind = KINDS[source.pick(_ITEMS)]
    items: list[str] = []
    wanted = source.randint(low, high)
    while len(items) < wanted:
        item = source.pick(_SHORT) if source.chance(0.4) else str(kind.draw(source))
        if item not in items and "," not in item:
            items.append(item)
    return items


def _phrase(source: Source) -> str:
    words = (w.syllables(source) if source.chance(0.15) else source.pick(_SHORT) for _ in range(source.randint(1, 6)))
    return " ".join(words)


def _asked(source: Source, verbs: tuple[str, ...], text: str) -> str:
    return source.pick(verbs) + source.pick((": ", ": ", ":\n", " - ", " ")) + text


def upper(source: Source) -> Task:
    """Lower case to upper case."""
    text = _phrase(source)
    verbs = ("Write this in upper case", "make this uppercase", "uppercase", "in capital letters", "To upper case",
             "Convert to uppercase", "capitalize all letters", "UPPER")  # fmt: skip
    return _asked(source, verbs, text), text.upper()


def lower(source: Source) -> Task:
    """Upper case to lower case."""
    text = _phrase(source)
    verbs = ("Write this in lower case", "make this lowercase", "lowercase", "in small letters", "To lower case")
    return _asked(source, verbs, text.upper()), text


def spelling(source: Source) -> Task:
    """A word letter by letter."""
    word = w.syllables(source) if source.chance(0.15) else source.pick(_SHORT)
    name, mark = source.pick((("", "-"), ("", "-"), (" with spaces", " "), (" with commas", ", ")))
    verbs = (f"Spell this{name}", f"spell out{name}", f"Write it letter by letter{name}")
    spelled = (word.upper() if source.chance(0.5) else word).replace(" ", "")
    return _asked(source, verbs, spelled), mark.join(spelled)


def list_to_json(source: Source) -> Task:
    """A list in any spelling to a JSON array."""
    numbers = source.chance(0.25)
    values: list[JsonValue] = (
        [KINDS[source.pick(("small", "count", "measure"))].draw(source) for _ in range(source.randint(2, 6))]
        if numbers
        else list(_items(source))
    )
    said = [str(value) for value in values]
    joined = source.pick(
        (
            ", ".join(said),
            "\n".join(f"- {s}" for s in said),
            "\n".join(said),
            "; ".join(said),
            "\n".join(f"{i}. {s}" for i, s in enumerate(said, 1)),
            f"{', '.join(said[:-1])} and {said[-1]}",
        )
    )
    verbs = ("Turn this list into JSON", "as a json array", "As a JSON list", "to json", "make a JSON array of these",
             "Convert to a JSON array", "JSON array", "list to json")  # fmt: skip
    return _asked(source, verbs, joined), dump_json(values)


def pairs_to_json(source: Source) -> Task:
    """Names with values to a JSON object."""
    record: dict[str, JsonValue] = {}
    for _ in range(source.randint(1, 5)):
        key, kind = source.pick(_COLUMNS)
        record.setdefault(key, KINDS[kind].draw(source))
    mark, joint = source.pick(((": ", ", "), (": ", "\n"), ("=", ", "), (" ", ", "), (" is ", " and "), ("=", "\n")))
    text = joint.join(f"{key}{mark}{value}" for key, value in record.items())
    if source.chance(0.3):
        return text + source.pick((" -> json", " as json", "\nas JSON please", " => JSON", " to json")), dump_json(
            record
        )
    return _asked(source, ("As JSON", "to json", "Convert this to JSON", "Make JSON of this", "JSON"), text), dump_json(
        record
    )


_COLUMNS = (
    ("name", "first_name"), ("age", "age"), ("city", "city"), ("price", "price"), ("id", "code"), ("email", "email"),
    ("color", "color"), ("year", "year"), ("count", "count"), ("date", "date"), ("product", "thing"), ("key", "random"),
    ("code", "id"), ("weight", "measure"), ("country", "country"), ("job", "job"), ("size", "small"), ("tag", "word"),
)  # fmt: skip


def csv_to_json(source: Source) -> Task:
    """A table to a list of objects."""
    columns: dict[str, str] = {}
    for _ in range(source.randint(2, 4)):
        key, kind = source.pick(_COLUMNS)
        columns.setdefault(key, kind)
    rows = [{key: KINDS[kind].draw(source) for key, kind in columns.items()} for _ in range(source.randint(1, 4))]
    mark = source.pick((",", ",", ";", "\t"))
    text = "\n".join([mark.join(columns), *(mark.join(str(v) for v in row.values()) for row in rows)])
    verbs = (
        "Convert this CSV to JSON",
        "csv to json",
        "Turn the table into JSON",
        "Table to JSON",
        "As a list of objects",
    )
    return source.pick(verbs) + ":\n" + text, dump_json(rows)


def sorting(source: Source) -> Task:
    """Words by their letters, numbers by their size."""
    backwards = source.chance(0.2)
    order = source.pick(("descending", "from high to low")) if backwards else source.pick(("", "ascending", "in order"))
    verbs = tuple(
        " ".join(filter(None, (verb, order))) for verb in ("Sort", "sort these", "Put in order", "Sort the list")
    )
    if source.chance(0.5):
        numbers = [source.randint(0, source.pick((9, 20, 100, 999))) for _ in range(source.randint(2, 5))]
        return _asked(source, verbs, ", ".join(map(str, numbers))), ", ".join(
            map(str, sorted(numbers, reverse=backwards))
        )
    items = [source.pick(_SHORT) for _ in range(source.randint(2, 5))]
    items = list(dict.fromkeys(items))
    words: tuple[str, ...] = ("Sort these words", "Sort alphabetically", "sort by letter", "Alphabetical order")
    words = words if not backwards else ("Sort these words descending", "Sort from z to a")
    return _asked(source, words, ", ".join(items)), ", ".join(sorted(items, reverse=backwards))


def counting(source: Source) -> Task:
    """Draw a list or sentence, and the number of its items or words."""
    if source.chance(0.5):
        items = _items(source, 1, 9)
        verbs = ("Count the items", "How many items are in this list", "how many are there", "Number of items")
        return _asked(source, verbs, ", ".join(items)), str(len(items))
    words = [source.pick(_SHORT) for _ in range(source.randint(2, 9))]
    verbs = ("How many words are in", "Count the words", "word count", "How many words has this")
    return _asked(source, verbs, " ".join(words)), str(len(words))


def picking(source: Source) -> Task:
    """The first, the last, the longest."""
    items = _items(source, 2, 6)
    which, answer = source.pick((("first", items[0]), ("last", items[-1]), ("second", items[1])))
    if source.chance(0.4) and all(" " not in item for item in items):
        return _asked(source, (f"What is the {which} word of", f"{which} word"), " ".join(items)), answer
    return _asked(
        source, (f"What is the {which} item of", f"The {which} of these", f"{which} item"), ", ".join(items)
    ), answer


def reordering(source: Source) -> Task:
    """Backwards, without repetitions, with another mark between."""
    items = _items(source, 2, 5)
    if source.chance(0.35):
        return _asked(
            source, ("Reverse the list", "In reverse order", "reverse", "backwards"), ", ".join(items)
        ), ", ".join(reversed(items))
    if source.chance(0.5):
        repeated = [*items, source.pick(items)]
        verbs = ("Remove duplicates", "without repetitions", "unique items", "Drop the duplicates")
        return _asked(source, verbs, ", ".join(repeated)), ", ".join(items)
    name, mark = source.pick((("semicolons", "; "), ("dashes", " - "), ("slashes", " / "), ("spaces", " ")))
    return _asked(source, (f"Join with {name}", f"Put {name} between"), ", ".join(items)), mark.join(items)


TASKS: tuple[Callable[[Source], Task], ...] = (
    upper, upper, upper, lower, lower, lower, spelling, sorting, sorting, sorting, counting, counting, picking,
    reordering, reordering,
    list_to_json, list_to_json, pairs_to_json, pairs_to_json, csv_to_json, csv_to_json,
)  # fmt: skip


def rewriting(source: Source) -> Conversation:
    """Draw one or two rewriting tasks."""
    messages = system_message(source)
    for _ in range(2 if source.chance(0.2) else 1):
        asked, answer = source.pick(TASKS)(source)
        messages += [say("user", asked), say("assistant", answer)]
    return Conversation(messages=messages)
