"""Invented tools, so that the model reads the schemas instead of knowing the tools by heart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from embedded_model.data import words as w
from embedded_model.data.corpus import read_blocks, read_lists
from embedded_model.data.declared import HELDOUT_TOOLS, TRAIN_TOOLS
from embedded_model.data.source import Source
from embedded_model.data.toolspec import Parameter, ToolSpec
from embedded_model.data.values import Kind, choice_kind, kind_of, list_kind, object_kind

_SAID, _DONE, _NOUNS = map(read_lists, read_blocks("verbs"))
VERBS = dict(_SAID)
DONE = {verb: done for verb, (done,) in _DONE}
NOUN_OF = {verb: noun for verb, (noun,) in _NOUNS}
THINGS = w.words(
    "project report sensor robot vehicle room course student lesson patient recipe garden pump valve camera "
    "record account policy claim permit sample survey campaign banner badge parcel pallet device contract "
    "license song photo album game match player league booth stall route stop alarm filter order invoice user "
    "customer ticket message email event meeting reminder note task file folder document page comment image video "
    "movie book article product item price stock payment refund subscription coupon shipment package address hotel "
    "flight train taxi restaurant table menu reservation weather forecast temperature light door window thermostat "
    "playlist channel team employee department salary candidate job issue branch commit build server container "
    "database query backup domain certificate password key token session log metric alert dashboard chart map "
    "location distance trip itinerary appointment prescription workout meal budget expense loan currency tax "
    "holiday language word quote poll vote profile contact group"
)
_, _, _KEYED, _SIDES, _PHRASED = map(read_lists, read_blocks("keys"))
_KEYS = [(key, kind) for key, (kind,) in _KEYED]
_FREE = ("random", "random", "word", "title", "count", "measure", "small", "code", "[word]", "city", "person", "id")
_DECLARED = frozenset(tool.name for tool in TRAIN_TOOLS + HELDOUT_TOOLS)
_BOOLEANS = {key: sides for key, (sides,) in _SIDES}
_UNNAMED = dict(_PHRASED)


"""How requests say values of a kind without the name of the argument."""


def _parameter(source: Source, taken: set[str]) -> Parameter:
    """Draw an argument; if its kind is not in `taken`, a request may give its value without its name."""
    required = source.chance(0.65)
    roll = source.random()
    if roll < 0.12:
        key = source.pick(list(_BOOLEANS))
        spoken = key.replace("_", " ")
        clause = source.pick([_BOOLEANS[key], _BOOLEANS[key], f"with {spoken} on|with {spoken} off",
                              f"{spoken} true|{spoken} false"])  # fmt: skip
        return Parameter(key=key, kind=kind_of("boolean"), required=required, clause=clause)
    name = ""
    if roll < 0.75:
        key, name = _named(source)
        kind = kind_of(name)
    else:
        key, kind = _free(source)
    spoken = key.replace("_", " ")
    clause = source.pick(_JOINTS).format(spoken) + "{}"
    if name in _UNNAMED and name not in taken and source.chance(0.5):
        clause = source.pick(_UNNAMED[name])
    taken.add(name)
    description = f"the {spoken}" if source.chance(0.1) else ""
    return Parameter(
        key=key, kind=_varied(kind, source, required), required=required, clause=clause.replace("{}", f"{{{key}}}"),
        description=description,
    )  # fmt: skip


_JOINTS = (
    "with {} ", "{} ", "with the {} ", ", {} ", "using {} ", "and {} ", ", {}: ", "where the {} is ", "with {} set to ",
    ", the {} is ", "{}=",
)  # fmt: skip


def _varied(kind: Kind, source: Source, required: bool) -> Kind:
    """The kind with what schemas say beside the type: defaults, bounds, null, examples. Values stay valid."""
    schema = dict(kind.schema)
    if not required and source.chance(0.15) and "enum" not in schema and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    elif not required and source.chance(0.2):
        schema["default"] = kind.draw(source)
    elif source.chance(0.05) and schema.get("type") == "string" and "enum" not in schema:
        schema["minLength"] = 1
    elif source.chance(0.1) and schema.get("type") in ("integer", "number"):
        schema["minimum"] = -100 if kind is kind_of("degrees") else 0
    return replace(kind, schema=schema)


def _named(source: Source) -> tuple[str, str]:
    """A key, and the name of its kind."""
    key, kind = source.pick(_KEYS)
    if source.chance(0.15):
        key = f"{source.pick(THINGS)}_{key}"
    return key, kind


def _free(source: Source) -> tuple[str, Kind]:
    key = w.syllables(source, 1, 2) if source.chance(0.6) else f"{source.pick(w.ADJECTIVES)}_{source.pick(w.NOUNS)}"
    roll = source.random()
    if roll < 0.15:
        return key, choice_kind(tuple(dict.fromkeys(w.syllables(source) for _ in range(source.randint(2, 4)))))
    if roll < 0.25:
        return key, list_kind(kind_of("random"))
    if roll < 0.35:
        members = {source.pick(_KEYS)[0]: kind_of(source.pick(_FREE[:8])) for _ in range(2)}
        saying = source.pick((", ", " and ")).join(f"{member} {{{member}}}" for member in members)
        return key, object_kind(members, saying)
    return key, kind_of(source.pick(_FREE))


def _name(source: Source) -> str:
    verb = source.pick(list(VERBS)) if source.chance(0.85) else w.syllables(source, 2, 2)
    thing = source.pick(THINGS) if source.chance(0.75) else w.syllables(source)
    return (
        f"{verb}_{thing}"
        if source.chance(0.75)
        else f"{verb}_{source.pick(source.pick((w.ADJECTIVES, w.NOUNS, THINGS)))}_{thing}"
    )


def undeclared(draw: Callable[[], str], source: Source) -> str:
    """A name of `draw` on the source's side of the split that is no declared tool's."""
    name = source.fresh(draw)
    while name in _DECLARED:
        name = source.fresh(draw)
    return name


def invent_tool(source: Source) -> ToolSpec:
    """A tool whose name, arguments and phrasing are put together at random.

    The name respects the split, and is no declared tool's: a held-out one must not come up by chance.
    """
    name = undeclared(lambda: _name(source), source)
    parameters: dict[str, Parameter] = {}
    taken: set[str] = set()
    for _ in range(source.pick((0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5))):
        parameter = _parameter(source, taken)
        parameters.setdefault(parameter.key, parameter)
    if len(parameters) == 1 and source.chance(0.3):
        (only,) = parameters.values()
        if only.required and not only.kind.is_boolean:
            parameters[only.key] = replace(only, clause=f"{{{only.key}}}")
    return _tool(name, tuple(parameters.values()), source)


def sibling(spec: ToolSpec, source: Source) -> ToolSpec:
    """An invented tool that does something else with the same thing: no word for it is a word for what `spec` does."""
    verb, _, thing = spec.name.partition("_")
    said = {verb, *VERBS.get(verb, ())}
    verbs = [other for other, words in VERBS.items() if not said & {other, *words}]
    name = spec.name
    while name == spec.name or name in _DECLARED:
        name = source.fresh(
            lambda: f"{source.pick(verbs) if source.chance(0.8) else w.syllables(source, 2, 2)}_{thing}"
        )
    return _tool(name, tuple(p for p in spec.parameters if p.clause and source.chance(0.7)), source)


def _tool(name: str, parameters: tuple[Parameter, ...], source: Source) -> ToolSpec:
    verb, _, thing = name.partition("_")
    thing = thing.replace("_", " ")
    spoken = name.replace("_", " ")
    words = VERBS.get(verb, (verb,))
    other = source.pick((verb, source.pick(words)))
    description = source.pick(
        [f"{other.capitalize()} a {thing}", spoken.capitalize(), f"Tool to {spoken}",
         f"{verb.capitalize()}s a {thing}.", f"Lets you {other} a {thing}", f"{thing.capitalize()}: {other}"]
    )  # fmt: skip
    phrases = [spoken]
    for said in words:
        phrases += [f"{said} the {thing}", f"{said} a {thing}", f"{said} {thing}", f"{said} my {thing}"]
    if verb in DONE:
        phrases += [f"I want to {verb} a {thing}", f"I need to {verb} the {thing}", f"we have to {verb} the {thing}"]
        phrases += [f"I would like to {source.pick(words)} a {thing}", f"it is time to {verb} the {thing}"]
        phrases += [f"the {thing} is to be {DONE[verb]}", f"I want the {thing} {DONE[verb]}"]
    if verb in ("get", "find", "search", "fetch", "lookup", "list"):
        phrases += [f"is there a {thing}", f"do you have a {thing}", f"I need the {thing}", f"any {thing}"]
    return ToolSpec(name=name, description=description, parameters=parameters, phrases=tuple(phrases))
