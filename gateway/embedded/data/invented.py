"""Invented tools, so that the model reads the schemas instead of knowing the tools by heart."""

from __future__ import annotations

from gateway.embedded.data import words as w
from gateway.embedded.data.domains import HELDOUT_TOOLS, TRAIN_TOOLS
from gateway.embedded.data.source import Source
from gateway.embedded.data.toolspec import Parameter, ToolSpec
from gateway.embedded.data.values import Kind, choice_kind, kind_of, list_kind

VERBS = w.words(
    "create update find delete check start stop open close register export import print scan move copy "
    "archive approve reject assign publish verify measure compare merge count list get set add remove"
)
THINGS = w.words(
    "project report sensor robot vehicle room course student lesson patient recipe garden pump valve camera "
    "record account policy claim permit sample survey campaign banner badge parcel pallet device contract "
    "license song photo album game match player league booth stall route stop alarm filter"
)

_KEYS: tuple[tuple[str, str], ...] = (
    ("name", "title"),
    ("id", "code"),
    ("owner", "person"),
    ("city", "city"),
    ("date", "date"),
    ("count", "count"),
    ("price", "price"),
    ("weight", "measure"),
    ("email", "email"),
    ("tag", "hashtag"),
    ("tags", "[hashtag]"),
    ("note", "message"),
    ("color", "color"),
    ("level", "small"),
    ("limit", "small"),
    ("user", "user"),
    ("file", "file"),
    ("start_date", "date"),
    ("end_date", "date"),
    ("time", "time"),
    ("key", "random"),
    ("label", "random"),
    ("country", "country"),
    ("language", "language"),
    ("company", "company"),
    ("size", "small|medium|large"),
    ("mode", "fast|safe|auto"),
    ("format", "json|csv|xml"),
    ("length", "measure"),
    ("height", "measure"),
    ("code", "random"),
    ("group", "word"),
    ("names", "[first_name]"),
    ("address", "address"),
    ("phone", "phone"),
    ("url", "url"),
    ("year", "year"),
    ("number", "big"),
    ("ratio", "measure"),
    ("target", "random"),
    ("source", "random"),
)
_FREE = ("random", "random", "word", "title", "count", "measure", "small", "code", "[word]", "city", "person")
_DECLARED = frozenset(tool.name for tool in TRAIN_TOOLS + HELDOUT_TOOLS)
_BOOLEANS = ("urgent", "public", "active", "hidden", "dry_run", "verbose", "shared", "locked")


def _parameter(source: Source) -> Parameter:
    required = source.chance(0.7)
    roll = source.random()
    if roll < 0.1:
        key = source.pick(_BOOLEANS)
        spoken = key.replace("_", " ")
        clause = source.pick([f"with {spoken} on|with {spoken} off", f"{spoken} true|{spoken} false"])
        return Parameter(key=key, kind=kind_of("boolean"), required=required, clause=clause)
    key, kind = _named(source) if roll < 0.6 else _free(source)
    spoken = key.replace("_", " ")
    joint = source.pick(["with {} ", "{} ", "with the {} ", ", {} ", "using {} ", "and {} "]).format(spoken)
    description = f"the {spoken}" if source.chance(0.1) else ""
    return Parameter(key=key, kind=kind, required=required, clause=joint + "{" + key + "}", description=description)


def _named(source: Source) -> tuple[str, Kind]:
    key, kind = source.pick(_KEYS)
    return key, kind_of(kind)


def _free(source: Source) -> tuple[str, Kind]:
    key = w.syllables(source, 1, 2) if source.chance(0.7) else f"{source.pick(w.ADJECTIVES)}_{source.pick(w.NOUNS)}"
    roll = source.random()
    if roll < 0.15:
        return key, choice_kind(tuple(dict.fromkeys(w.syllables(source) for _ in range(source.randint(2, 4)))))
    if roll < 0.25:
        return key, list_kind(kind_of("random"))
    return key, kind_of(source.pick(_FREE))


def _name(source: Source) -> str:
    verb = source.pick(VERBS) if source.chance(0.8) else w.syllables(source, 2, 2)
    thing = source.pick(THINGS) if source.chance(0.7) else w.syllables(source)
    return f"{verb}_{thing}" if source.chance(0.8) else f"{verb}_{thing}_{source.pick(w.NOUNS)}"


def invent_tool(source: Source) -> ToolSpec:
    """A tool whose name, arguments and phrasing are put together at random.

    The name respects the split, and is no declared tool's: a held-out one must not come up by chance.
    """
    name = source.fresh(lambda: _name(source))
    while name in _DECLARED:
        name = source.fresh(lambda: _name(source))
    verb, thing = name.split("_")[:2]
    spoken = name.replace("_", " ")
    parameters: dict[str, Parameter] = {}
    for _ in range(source.pick((1, 1, 2, 2, 2, 3, 3, 4))):
        parameter = _parameter(source)
        parameters.setdefault(parameter.key, parameter)
    description = source.pick([f"{verb.capitalize()} a {thing}", spoken.capitalize(), f"Tool to {spoken}"])
    phrases = (spoken, f"{verb} the {thing}", f"{verb} a {thing}") if name.count("_") == 1 else (spoken,)
    return ToolSpec(name=name, description=description, parameters=tuple(parameters.values()), phrases=phrases)
