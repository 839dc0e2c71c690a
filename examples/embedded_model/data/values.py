"""Kinds of argument values: a JSON schema, a draw, and the way prose says the value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from embedded_model.data import draws
from embedded_model.data import words as w
from embedded_model.data.daily import DAILY
from embedded_model.data.source import Source

JsonValue = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Kind of an argument's values.

    `spell` lists the ways in which prose says a value; most strings have one, themselves, so that they are copied.
    """

    schema: dict[str, Any]
    draw: Callable[[Source], JsonValue]
    spell: Callable[[JsonValue], Sequence[str]] = field(default=lambda value: (str(value),))
    is_boolean: bool = False

    def say(self, value: JsonValue, source: Source) -> str:
        """Return a spelling of the value."""
        return source.pick(self.spell(value))


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
        return plain(float(source.fresh(lambda: repr(round(source.uniform(low, high), source.randint(0, places))))))

    return Kind(schema={"type": "number"}, draw=draw)


def plain(number: float) -> float:
    """The number as JSON spells it shortest: whole numbers have no point."""
    return int(number) if number == int(number) else number


def choice_kind(labels: tuple[str, ...]) -> Kind:
    """An enumeration; its members are named in the prompt's schema, so they are on both sides of the split."""
    schema = {"type": "string", "enum": list(labels)}
    return Kind(schema=schema, draw=lambda s: s.pick(labels), spell=lambda v: (v.replace("_", " "), v))


def say_list(parts: list[str]) -> str:
    """The parts as prose: "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _listings(parts: list[str]) -> list[str]:
    return [say_list(parts)] if len(parts) < 2 else [say_list(parts), ", ".join(parts), " and ".join(parts)]


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
        spell=lambda values: tuple(_listings([str(item.spell(value)[0]) for value in values])),
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
        spell=lambda value: (saying.format(**{key: kind.spell(value[key])[0] for key, kind in members.items()}),),
    )


def _spell_day(value: str) -> Sequence[str]:
    year, month, day = (int(part) for part in value.split("-"))
    name, short = w.MONTHS[month - 1], w.MONTHS[month - 1][:3]
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    english = (
        f"{name} {day}, {year}",
        f"{day} {name} {year}",
        f"{name} {day}{ending}, {year}",
        f"{short} {day}, {year}",
    )
    foreign = [f"{day}{dot} {names[month - 1]} {year}" for dot, names in w.FOREIGN_MONTHS]
    return (
        value,
        value,
        *english,
        *english,
        *foreign,
        f"the {day}{ending} of {name} {year}",
        f"{day:02}.{month:02}.{year}",
    )


def _spell_clock(value: str) -> Sequence[str]:
    hour, minute = (int(part) for part in value.split(":"))
    half, minutes = ("am" if hour < 12 else "pm"), f":{minute:02}" if minute else ""
    return (value, value, f"{hour % 12 or 12}{minutes} {half}", f"{hour % 12 or 12}{minutes}{half}")


def _spell_amount(value: float) -> Sequence[str]:
    exact = f"{value:.2f}"
    return (str(value), exact, f"{value:,}" if value >= 1000 else str(value), *_with_comma(value))


def _spell_money(value: float) -> Sequence[str]:
    exact = f"{value:,.2f}" if value != int(value) else f"{value:,}"
    english = (
        shape.format(exact) for shape in ("${}", "${}", "€{}", "{} €", "{} EUR", "{} euros", "{} dollars", "£{}")
    )
    return (*english, *(f"{said}{unit}" for said in _with_comma(value) for unit in (" €", " EUR", " euros")))


def _with_comma(value: float) -> Sequence[str]:
    """Return the spellings of a number in most of Europe, `1.299,50`: always two places after the comma."""
    english = f"{value:,.2f}"
    return (english.translate(_SWAPPED), english.replace(",", "").replace(".", ","))


_SWAPPED = str.maketrans(",.", ".,")


def _spell_count(value: int) -> Sequence[str]:
    word = w.NUMBERS[value] if value < len(w.NUMBERS) else str(value)
    return (str(value), word)


def _spell_big(value: int) -> Sequence[str]:
    grouped = f"{value:,}"
    return (f"{plain(value / 1e6)} million", grouped) if value % 10_000 == 0 and value >= 1e6 else (str(value), grouped)


def _octet(s: Source) -> int:
    return s.pick((0, 0, 1, 10, 192, 168, 255, s.randint(0, 9))) if s.chance(0.5) else s.randint(1, 254)


def _unit(low: float, high: float, places: int, *units: str) -> Kind:
    base = _number(low, high, places) if places else _integer(int(low), int(high))
    return Kind(schema=base.schema, draw=base.draw, spell=lambda value: tuple(f"{value}{unit}" for unit in units))


def _name_of_any_script(s: Source) -> str:
    low, high = s.pick(_SCRIPTS)
    return "".join(chr(s.randint(low, high)) for _ in range(s.randint(2, 6)))


_SCRIPTS = (
    (0xC0, 0xD6), (0xDF, 0xF6), (0x100, 0x17E), (0x391, 0x3A1), (0x3B1, 0x3C9), (0x410, 0x44F), (0x5D0, 0x5EA),
    (0x627, 0x63A), (0x905, 0x939), (0xE01, 0xE2E), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3), (0x1F300, 0x1F64F), (0x10400, 0x1044F), (0x20000, 0x2A6D0), (0x80, 0x10FFFF),
)  # fmt: skip
"""Ranges of letters of many scripts; the last one is everything, for bytes that nothing else has."""


def _any_script(s: Source) -> str:
    while True:
        text = _name_of_any_script(s)
        if text.isprintable() and not any(0xD800 <= ord(c) <= 0xDFFF for c in text):
            return text
        if s.chance(0.5):
            return "".join(c for c in text if not 0xD800 <= ord(c) <= 0xDFFF and ord(c) >= 0xA0) or "é"


KINDS: dict[str, Kind] = {
    "city": _text(draws.city),
    "first_name": _text(draws.first_name),
    "last_name": _text(draws.last_name),
    "person": _text(draws.person),
    "nickname": _text(draws.nickname),
    "dish": _text(draws.dish),
    "team": _text(draws.team),
    "car": _text(draws.car),
    "when": _text(draws.when),
    "hotel": _text(draws.hotel),
    "flight": _text(draws.flight),
    "ailment": _text(draws.ailment),
    "version": _text(draws.version),
    "timestamp": _text(lambda s: f"{s.pick(w.MONTHS)[:3]} {s.randint(1, 28):2d} {draws.clock_time(s)}"),
    "email": _text(draws.email),
    "title": _text(draws.title),
    "code": _text(draws.code),
    "date": _text(draws.date),
    "time": _text(lambda s: f"{s.randint(0, 23):02d}:{s.randint(0, 59):02d}"),
    "message": _text(draws.message),
    "street": _text(draws.street),
    "company": _text(draws.company),
    "random": _text(draws.random_text),
    "word": _text(w.syllables),
    "phone": _text(lambda s: f"+{s.randint(1, 99)} {w.digits(s, 2, 3)} {w.digits(s, 5, 7)}"),
    "url": _text(
        lambda s: f"https://{s.pick([w.syllables(s), w.letters(s)])}.{s.pick(w.DOMAINS)}/{w.letters(s, 2, 6)}"
    ),
    "file": _text(lambda s: f"{s.pick([w.syllables(s), s.pick(w.NOUNS), w.letters(s)])}.{s.pick(w.EXTENSIONS)}"),
    "path": _text(
        lambda s: s.pick(("/{0}/{1}.{2}", "{0}/{1}.{2}", "/etc/{1}", "{1}.{2}", "~/{0}/{1}", "src/{1}.{2}")).format(
            s.pick(w.NOUNS), s.pick([w.syllables(s), s.pick(w.NOUNS)]), s.pick(w.EXTENSIONS)
        )
    ),
    "user": _text(
        lambda s: s.pick(
            [w.syllables(s) + w.digits(s, 1, 3), w.letters(s, 4, 8), f"{w.letters(s, 2, 4)}_{w.syllables(s)}"]
        )
    ),
    "zip": _text(lambda s: w.digits(s, 5, 5)),
    "ticker": _text(lambda s: w.letters(s, 3, 4).upper()),
    "airport": _text(lambda s: w.letters(s, 3, 3).upper()),
    "country": _text(draws.one_of(w.COUNTRIES, 0.3)),
    "language": _text(draws.one_of(w.LANGUAGES, 0.2)),
    "topic": _text(lambda s: w.phrase(s) if s.chance(0.35) else draws.one_of(w.TOPICS)(s)),
    "product": _text(lambda s: f"{s.pick(w.ADJECTIVES)} {s.pick(w.NOUNS)}" if s.chance(0.6) else w.syllables(s)),
    "food": _text(draws.one_of(w.FOODS)),
    "color": _text(draws.one_of(w.COLORS)),
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
    "day": Kind(
        schema={"type": "string", "format": "date"}, draw=lambda s: s.fresh(lambda: draws.date(s)), spell=_spell_day
    ),
    "clock": Kind(
        schema={"type": "string", "description": "HH:MM"},
        draw=lambda s: s.fresh(
            lambda: f"{s.randint(0, 23):02d}:{s.pick((0, 0, 15, 30, 30, 45, s.randint(0, 59))):02d}"
        ),
        spell=_spell_clock,
    ),
    "amount": Kind(schema={"type": "number"}, draw=_number(0.5, 9000.0, 2).draw, spell=_spell_amount),
    "money": Kind(schema={"type": "number"}, draw=_number(0.5, 9000.0, 2).draw, spell=_spell_money),
    "points": Kind(schema={"type": "integer"}, draw=lambda s: s.randint(0, 12)),
    "handful": Kind(schema={"type": "integer"}, draw=lambda s: s.randint(1, 12), spell=_spell_count),
    "people": Kind(
        schema={"type": "integer"},
        draw=lambda s: s.randint(1, 900) * 10_000 if s.chance(0.3) else _integer(100, 99_999_999).draw(s),
        spell=_spell_big,
    ),
    "kilograms": _unit(0.5, 200.0, 1, " kg", " kilograms", "kg", " kilos"),
    "kilometers": _unit(0.5, 900.0, 1, " km", " kilometers", "km"),
    "meters": _unit(0.5, 90.0, 2, " m", " meters", " metres", "m"),
    "minutes": _unit(1, 180, 0, " minutes", " min", "min", " minute(s)"),
    "percentage": _unit(0, 100, 0, "%", " percent", " %"),
    "degrees": Kind(
        schema={"type": "number"},
        draw=lambda s: plain(round(s.uniform(-30, 45), s.pick((0, 0, 1)))),
        spell=lambda v: (f"{v} degrees", f"{v}°C", f"{v}°", f"{v} C", f"{v}"),
    ),
    "age": Kind(schema={"type": "integer"}, draw=lambda s: s.randint(1, 99)),
    "five": Kind(schema={"type": "integer"}, draw=lambda s: s.randint(1, 5)),
    "status": Kind(schema={"type": "integer"}, draw=lambda s: s.pick((200, 201, 301, 400, 401, 403, 404, 500, 503))),
    "port": _integer(20, 65535),
    "slug": _text(
        lambda s: f"{s.pick([w.syllables(s, 1, 2), s.pick(w.NOUNS)])}-{s.pick(('api', 'db', 'web', '1', '2'))}"
    ),
    "stamp": _text(lambda s: f"{draws.date(s)}{s.pick('T ')}{draws.clock_time(s)}"),
    "trouble": _text(lambda s: s.pick(draws.TROUBLES).format(s.pick([w.syllables(s), s.pick(w.NOUNS)]))),
    "repo": _text(
        lambda s: f"{s.pick([w.syllables(s), w.letters(s, 3, 6)])}/{s.pick([w.syllables(s), s.pick(w.NOUNS)])}"
    ),
    "script": _text(_any_script),
    "id": _text(lambda s: w.identifier(s)),
    "ip": _text(lambda s: ".".join(str(_octet(s)) for _ in range(4))),
    "thing": _text(lambda s: s.pick(w.FAMILIAR) if s.chance(0.8) else w.syllables(s)),
    "place": _text(lambda s: s.pick(w.PLACES) if s.chance(0.8) else w.syllables(s)),
    "job": _text(draws.one_of(w.JOBS, 0.15)),
    "skill": _text(lambda s: s.pick(w.SKILLS) if s.chance(0.8) else w.syllables(s).capitalize()),
    "work": _text(lambda s: s.pick(w.WORKS) if s.chance(0.5) else draws.title(s).title()),
    "occasion": _text(lambda s: s.pick(w.EVENTS) if s.chance(0.5) else draws.title(s)),
    "boolean": Kind(schema={"type": "boolean"}, draw=lambda s: s.chance(0.5), is_boolean=True),
}
KINDS |= {name: _text(draws.named_like(options)) for name, options in DAILY.items()}
KINDS["several"] = Kind(schema={"type": "integer"}, draw=lambda s: s.randint(2, 12), spell=_spell_count)
KINDS["hours"] = _unit(2, 24, 0, " hours", " h", "h")
KINDS["grams"] = _unit(10, 900, 0, " g", " grams", "g")
KINDS["traveller"] = object_kind({"name": KINDS["person"], "age": KINDS["age"]}, "{name}, aged {age}")
KINDS["ingredient"] = object_kind({"name": KINDS["food"], "grams": KINDS["grams"]}, "{grams} of {name}")
KINDS["address"] = object_kind({"street": KINDS["street"], "city": KINDS["city"]}, "{street} in {city}")
KINDS["line"] = object_kind({"product": KINDS["product"], "quantity": KINDS["small"]}, "{quantity} {product}")
KINDS["user_id"] = object_kind({"name": KINDS["first_name"], "id": KINDS["big"]}, "{name} (id {id})")
KINDS["contact"] = object_kind({"name": KINDS["person"], "phone": KINDS["phone"]}, "{name}, {phone}")
KINDS["guest"] = object_kind({"name": KINDS["person"], "email": KINDS["email"]}, "{name} ({email})")
KINDS["range"] = object_kind({"start": KINDS["date"], "end": KINDS["date"]}, "{start} to {end}")
KINDS["point"] = object_kind({"x": KINDS["measure"], "y": KINDS["measure"]}, "x {x} and y {y}")
KINDS |= {
    "hours": _unit(2, 48, 0, " hours", "h", " hrs"), "days": _unit(2, 90, 0, " days"),
    "seconds": _unit(2, 600, 0, " seconds", "s", " sec"), "gigabytes": _unit(1, 512, 0, " GB", "GB", " gigabytes"),
    "weekday": choice_kind(w.WEEKDAYS), "month": choice_kind(w.MONTHS),
    "version": _text(lambda s: f"{s.pick(('v', ''))}{s.randint(0, 20)}.{s.randint(0, 40)}.{s.randint(0, 30)}"),
    "branch": _text(lambda s: f"{s.pick(('feature', 'fix', 'release', 'hotfix'))}/{w.syllables(s)}"),
    "cells": _text(lambda s: f"{s.pick('ABCDEF')}{s.randint(1, 40)}:{s.pick('GHJKLM')}{s.randint(41, 900)}"),
    "snippet": _text(
        lambda s: s.pick(
            ("print({0} * {1})", "sum(range({0}))", "len('{2}')", "sorted([{0}, {1}])", "print('{2}'.upper())",
             "import math; print(math.sqrt({0}))", "max({0}, {1}) // 3")
        ).format(s.randint(2, 9999), s.randint(2, 999), w.syllables(s))
    ),
    "sql": _text(
        lambda s: s.pick(
            ("SELECT * FROM {0}", "SELECT {1} FROM {0} WHERE id = {2}", "DELETE FROM {0} WHERE {1} = {2}",
             "SELECT count(*) FROM {0}", "UPDATE {0} SET {1} = {2}")
        ).format(s.pick(["users", "orders", w.syllables(s)]), s.pick(["name", "price", w.syllables(s)]),
                 s.randint(1, 999))
    ),
    "money": object_kind({"amount": KINDS["price"], "currency": KINDS["currency"]}, "{amount} {currency}"),
    "slot": object_kind({"start": KINDS["clock"], "end": KINDS["clock"]}, "{start} to {end}"),
    "size": object_kind({"width": KINDS["measure"], "height": KINDS["measure"]}, "{width} by {height}"),
}  # fmt: skip


def kind_of(name: str) -> Kind:
    """The kind written as `name`: a registered one, `a|b|c` for an enumeration, `[kind]` for an array."""
    if name.startswith("["):
        return list_kind(kind_of(name[1:-1]))
    if "|" in name:
        return choice_kind(tuple(name.split("|")))
    return KINDS[name]
