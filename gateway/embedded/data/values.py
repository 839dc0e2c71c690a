"""Kinds of argument values: a JSON schema, a draw, and the way prose says the value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gateway.embedded.data import words as w
from gateway.embedded.data.source import Source

JsonValue = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What values an argument takes.

    `say` spells a value in prose; a string's spelling is the string itself, so that the model can copy it.
    """

    schema: dict[str, Any]
    draw: Callable[[Source], JsonValue]
    say: Callable[[JsonValue], str] = field(default=str)
    is_boolean: bool = False


def _text(draw: Callable[[Source], str], **schema: Any) -> Kind:
    return Kind(schema={"type": "string", **schema}, draw=lambda s: s.fresh(lambda: draw(s)))


def _integer(low: int, high: int) -> Kind:
    def draw(source: Source) -> int:
        if high < 200:
            return source.randint(low, high)
        width = source.randint(len(str(max(low, 1))), len(str(high)))
        top = min(high, 10**width - 1)
        return int(source.fresh(lambda: str(source.randint(max(low, 10 ** (width - 1)), top))))

    return Kind(schema={"type": "integer"}, draw=draw)


def _number(low: float, high: float, places: int) -> Kind:
    def draw(source: Source) -> float:
        return float(source.fresh(lambda: repr(round(source.uniform(low, high), source.randint(1, places)))))

    return Kind(schema={"type": "number"}, draw=draw, say=repr)


def _city(s: Source) -> str:
    return s.pick(w.CITIES) if s.chance(0.4) else w.syllables(s).capitalize()


def _first(s: Source) -> str:
    return s.pick(w.FIRST_NAMES) if s.chance(0.4) else w.syllables(s, 2, 2).capitalize()


def _last(s: Source) -> str:
    return s.pick(w.LAST_NAMES) if s.chance(0.4) else w.syllables(s, 2, 3).capitalize()


def _email(s: Source) -> str:
    host = f"{s.pick([w.syllables(s), w.letters(s, 3, 6), s.pick(w.NOUNS)])}.{s.pick(w.DOMAINS)}"
    user = s.pick([_first(s).lower(), w.syllables(s), w.letters(s, 3, 7)])
    tail = s.pick(["", "", f".{_last(s).lower()}", f"_{w.letters(s, 2, 4)}", w.digits(s, 1, 3)])
    return f"{user}{tail}@{host}"


def _title(s: Source) -> str:
    words = [s.pick(w.ADJECTIVES), s.pick(w.NOUNS)] if s.chance(0.6) else [s.pick(w.NOUNS), w.syllables(s)]
    if s.chance(0.3):
        words.insert(0, w.syllables(s, 2, 2))
    return " ".join(words) if s.chance(0.5) else " ".join(word.capitalize() for word in words)


def _code(s: Source) -> str:
    head = w.letters(s, 1, 3).upper()
    return s.pick(
        [f"{head}-{w.digits(s, 2, 5)}", f"{head}{w.digits(s, 2, 5)}", f"{w.letters(s, 2, 4)}-{w.digits(s, 2, 4)}"]
    )


def _date(s: Source) -> str:
    return f"{s.randint(1980, 2035)}-{s.randint(1, 12):02d}-{s.randint(1, 28):02d}"


def _message(s: Source) -> str:
    opening = s.pick(["meet me at", "report on", "call", "bring the", "remember", "see you at", "ask about"])
    return f"{opening} {_title(s).lower()}" if s.chance(0.7) else f"{opening} {_first(s)}"


def _street(s: Source) -> str:
    name = s.pick(w.STREETS) if s.chance(0.5) else w.syllables(s).capitalize()
    return f"{s.randint(1, 240)} {name} {s.pick(w.STREET_KINDS)}"


def _company(s: Source) -> str:
    return f"{w.syllables(s).capitalize()} {s.pick(w.COMPANY_TAILS)}" if s.chance(0.7) else w.syllables(s).capitalize()


def _random(s: Source) -> str:
    return s.pick(
        [w.letters(s), w.letters(s, 2, 5).upper(), w.syllables(s), f"{w.letters(s, 2, 5)} {w.letters(s, 2, 5)}"]
    )


def _from(options: tuple[str, ...], invented: float = 0.25) -> Callable[[Source], str]:
    return lambda s: s.pick(options) if not s.chance(invented) else w.syllables(s)


def choice_kind(labels: tuple[str, ...]) -> Kind:
    """An enumeration; its members are named in the prompt's schema, so they are on both sides of the split."""
    return Kind(schema={"type": "string", "enum": list(labels)}, draw=lambda s: s.pick(labels))


def say_list(parts: list[str]) -> str:
    """The parts as prose: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def list_kind(item: Kind, low: int = 1, high: int = 3) -> Kind:
    """An array of distinct items."""

    def draw(source: Source) -> list[JsonValue]:
        items: list[JsonValue] = []
        for _ in range(source.randint(low, high)):
            value = item.draw(source)
            if value not in items:
                items.append(value)
        return items

    return Kind(
        schema={"type": "array", "items": item.schema},
        draw=draw,
        say=lambda values: say_list([item.say(value) for value in values]),
    )


def object_kind(members: dict[str, Kind], saying: str) -> Kind:
    """A nested object whose members are all required; `saying` is a format string over their spellings."""
    schema = {
        "type": "object",
        "properties": {key: kind.schema for key, kind in members.items()},
        "required": list(members),
    }
    return Kind(
        schema=schema,
        draw=lambda s: {key: kind.draw(s) for key, kind in members.items()},
        say=lambda value: saying.format(**{key: kind.say(value[key]) for key, kind in members.items()}),
    )


KINDS: dict[str, Kind] = {
    "city": _text(_city),
    "first_name": _text(_first),
    "last_name": _text(_last),
    "person": _text(lambda s: f"{_first(s)} {_last(s)}"),
    "email": _text(_email),
    "title": _text(_title),
    "code": _text(_code),
    "date": _text(_date),
    "time": _text(lambda s: f"{s.randint(0, 23):02d}:{s.randint(0, 59):02d}"),
    "message": _text(_message),
    "street": _text(_street),
    "company": _text(_company),
    "random": _text(_random),
    "word": _text(w.syllables),
    "phone": _text(lambda s: f"+{s.randint(1, 99)} {w.digits(s, 2, 3)} {w.digits(s, 5, 7)}"),
    "url": _text(
        lambda s: f"https://{s.pick([w.syllables(s), w.letters(s)])}.{s.pick(w.DOMAINS)}/{w.letters(s, 2, 6)}"
    ),
    "file": _text(lambda s: f"{s.pick([w.syllables(s), s.pick(w.NOUNS), w.letters(s)])}.{s.pick(w.EXTENSIONS)}"),
    "path": _text(lambda s: f"/{s.pick(w.NOUNS)}/{w.syllables(s)}.{s.pick(w.EXTENSIONS)}"),
    "user": _text(
        lambda s: s.pick(
            [w.syllables(s) + w.digits(s, 1, 3), w.letters(s, 4, 8), f"{w.letters(s, 2, 4)}_{w.syllables(s)}"]
        )
    ),
    "zip": _text(lambda s: w.digits(s, 5, 5)),
    "ticker": _text(lambda s: w.letters(s, 3, 4).upper()),
    "airport": _text(lambda s: w.letters(s, 3, 3).upper()),
    "country": _text(_from(w.COUNTRIES, 0.3)),
    "language": _text(_from(w.LANGUAGES, 0.2)),
    "topic": _text(_from(w.TOPICS)),
    "product": _text(lambda s: f"{s.pick(w.ADJECTIVES)} {s.pick(w.NOUNS)}" if s.chance(0.6) else w.syllables(s)),
    "food": _text(_from(w.FOODS)),
    "color": _text(_from(w.COLORS)),
    "currency": _text(lambda s: s.pick(w.CURRENCIES) if s.chance(0.6) else w.letters(s, 3, 3).upper()),
    "hashtag": _text(lambda s: s.pick([s.pick(w.NOUNS), w.syllables(s)])),
    "small": _integer(1, 20),
    "percent": _integer(0, 100),
    "count": _integer(1, 99999),
    "year": _integer(1900, 2040),
    "big": _integer(100, 9999999),
    "price": _number(0.5, 2000.0, 2),
    "measure": _number(0.1, 300.0, 2),
    "latitude": _number(-89.0, 89.0, 3),
    "boolean": Kind(schema={"type": "boolean"}, draw=lambda s: s.chance(0.5), is_boolean=True),
}
KINDS["address"] = object_kind({"street": KINDS["street"], "city": KINDS["city"]}, "{street} in {city}")
KINDS["line"] = object_kind({"product": KINDS["product"], "quantity": KINDS["small"]}, "{quantity} {product}")
KINDS["guest"] = object_kind({"name": KINDS["person"], "email": KINDS["email"]}, "{name} ({email})")
KINDS["range"] = object_kind({"start": KINDS["date"], "end": KINDS["date"]}, "{start} to {end}")
KINDS["point"] = object_kind({"x": KINDS["measure"], "y": KINDS["measure"]}, "x {x} and y {y}")


def kind_of(name: str) -> Kind:
    """The kind written as `name`: a registered one, `a|b|c` for an enumeration, `[kind]` for an array."""
    if "|" in name:
        return choice_kind(tuple(name.split("|")))
    if name.startswith("["):
        return list_kind(kind_of(name[1:-1]))
    return KINDS[name]
