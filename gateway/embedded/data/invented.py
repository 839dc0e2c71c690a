"""Invented tools, so that the model reads the schemas instead of knowing the tools by heart."""

from __future__ import annotations

from dataclasses import replace

from gateway.embedded.data import words as w
from gateway.embedded.data.domains import HELDOUT_TOOLS, TRAIN_TOOLS
from gateway.embedded.data.source import Source
from gateway.embedded.data.toolspec import Parameter, ToolSpec
from gateway.embedded.data.values import Kind, choice_kind, kind_of, list_kind, object_kind

VERBS: dict[str, tuple[str, ...]] = {
    "create": ("create", "make", "add", "set up", "new"),
    "update": ("update", "change", "edit"),
    "find": ("find", "look for", "search for", "show me"),
    "search": ("search for", "find", "look for"),
    "get": ("get", "show me", "give me", "fetch", "what is"),
    "fetch": ("fetch", "get", "load"),
    "list": ("list", "show me", "which are"),
    "lookup": ("look up", "find", "check"),
    "delete": ("delete", "remove", "get rid of", "drop"),
    "remove": ("remove", "delete", "take away"),
    "check": ("check", "verify", "look at", "is"),
    "start": ("start", "begin", "launch", "run"),
    "stop": ("stop", "end", "halt"),
    "open": ("open",),
    "close": ("close", "shut"),
    "register": ("register", "sign up", "enter"),
    "export": ("export", "download", "save"),
    "import": ("import", "upload", "load"),
    "print": ("print",),
    "scan": ("scan",),
    "move": ("move", "put"),
    "copy": ("copy", "duplicate"),
    "archive": ("archive",),
    "approve": ("approve", "accept", "confirm"),
    "reject": ("reject", "decline", "refuse"),
    "assign": ("assign", "give"),
    "publish": ("publish", "release", "post"),
    "verify": ("verify", "check", "make sure of"),
    "measure": ("measure",),
    "compare": ("compare",),
    "merge": ("merge", "combine"),
    "count": ("count", "how many are there of"),
    "set": ("set", "change", "put"),
    "add": ("add", "put in", "append"),
    "book": ("book", "reserve", "get me"),
    "order": ("order", "buy", "get me"),
    "send": ("send", "post", "dispatch"),
    "cancel": ("cancel", "call off", "drop"),
    "pay": ("pay", "settle"),
    "rate": ("rate", "review"),
    "schedule": ("schedule", "plan", "set up"),
    "calculate": ("calculate", "compute", "work out", "what is"),
    "convert": ("convert", "turn", "change"),
    "track": ("track", "follow", "where is"),
    "rename": ("rename",),
    "lock": ("lock",),
    "reset": ("reset", "restart"),
    "notify": ("notify", "tell", "inform"),
    "translate": ("translate",),
    "summarize": ("summarize", "sum up"),
}
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
_KEYS: tuple[tuple[str, str], ...] = (
    ("name", "title"), ("id", "code"), ("id", "id"), ("owner", "person"), ("city", "city"), ("location", "city"),
    ("date", "date"), ("date", "day"), ("due_date", "day"), ("count", "count"), ("quantity", "handful"),
    ("price", "price"), ("amount", "amount"), ("weight", "measure"), ("weight_kg", "kilograms"), ("email", "email"),
    ("tag", "hashtag"), ("tags", "[hashtag]"), ("note", "message"), ("message", "message"), ("text", "message"),
    ("color", "color"), ("level", "small"), ("limit", "small"), ("max_results", "small"), ("user", "user"),
    ("username", "user"), ("user_id", "big"), ("file", "file"), ("path", "path"), ("start_date", "date"),
    ("end_date", "day"), ("time", "time"), ("time", "clock"), ("key", "random"), ("label", "random"),
    ("country", "country"), ("language", "language"), ("company", "company"), ("size", "small|medium|large"),
    ("mode", "fast|safe|auto"), ("format", "json|csv|xml"), ("status", "open|closed|pending"),
    ("priority", "low|medium|high"), ("unit", "metric|imperial"), ("order", "asc|desc"), ("length", "measure"),
    ("height_m", "meters"), ("distance_km", "kilometers"), ("duration_minutes", "minutes"), ("code", "random"),
    ("group", "word"), ("names", "[first_name]"), ("ids", "[code]"), ("emails", "[email]"), ("items", "[thing]"),
    ("address", "address"), ("phone", "phone"), ("url", "url"), ("year", "year"), ("number", "big"),
    ("ratio", "measure"), ("percent", "percentage"), ("target", "random"), ("source", "random"), ("query", "topic"),
    ("title", "work"), ("title", "occasion"), ("room", "place"), ("product", "thing"), ("category", "topic"),
    ("customer", "person"), ("recipient", "email"), ("job", "job"), ("skills", "[skill]"), ("ip", "ip"),
    ("range", "range"), ("position", "point"), ("lines", "[line]"), ("guests", "[guest]"), ("serial", "id"),
    ("nickname", "script"), ("temperature", "degrees"), ("population", "people"), ("age", "age"),
)  # fmt: skip
_FREE = ("random", "random", "word", "title", "count", "measure", "small", "code", "[word]", "city", "person", "id")
_DECLARED = frozenset(tool.name for tool in TRAIN_TOOLS + HELDOUT_TOOLS)
_BOOLEANS: dict[str, str] = {
    "urgent": "urgently|without hurry",
    "public": "publicly|privately",
    "active": "as active|as inactive",
    "hidden": "hidden|visible",
    "dry_run": "as a dry run|for real",
    "verbose": "with all details|briefly",
    "shared": "shared with others|not shared",
    "locked": "locked|unlocked",
    "recursive": "with all subfolders|without subfolders",
    "notify": "and notify everybody|and notify nobody",
    "overwrite": "and overwrite what is there|and keep what is there",
    "include_archived": "including archived ones|without archived ones",
    "enabled": "enabled|disabled",
    "is_gift": "as a gift|not as a gift",
    "force": "by force|gently",
    "express": "by express|by normal mail",
}


def _parameter(source: Source) -> Parameter:
    required = source.chance(0.65)
    roll = source.random()
    if roll < 0.12:
        key = source.pick(list(_BOOLEANS))
        spoken = key.replace("_", " ")
        clause = source.pick([_BOOLEANS[key], _BOOLEANS[key], f"with {spoken} on|with {spoken} off",
                              f"{spoken} true|{spoken} false"])  # fmt: skip
        return Parameter(key=key, kind=kind_of("boolean"), required=required, clause=clause)
    key, kind = _named(source) if roll < 0.65 else _free(source)
    spoken = key.replace("_", " ")
    joint = source.pick(_JOINTS).format(spoken)
    description = f"the {spoken}" if source.chance(0.1) else ""
    return Parameter(
        key=key, kind=_varied(kind, source, required), required=required, clause=joint + "{" + key + "}",
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


def _named(source: Source) -> tuple[str, Kind]:
    key, kind = source.pick(_KEYS)
    if source.chance(0.15):
        key = f"{source.pick(THINGS)}_{key}"
    return key, kind_of(kind)


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


def invent_tool(source: Source) -> ToolSpec:
    """A tool whose name, arguments and phrasing are put together at random.

    The name respects the split, and is no declared tool's: a held-out one must not come up by chance.
    """
    name = source.fresh(lambda: _name(source))
    while name in _DECLARED:
        name = source.fresh(lambda: _name(source))
    parameters: dict[str, Parameter] = {}
    for _ in range(source.pick((0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5))):
        parameter = _parameter(source)
        parameters.setdefault(parameter.key, parameter)
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
    description = source.pick(
        [f"{verb.capitalize()} a {thing}", spoken.capitalize(), f"Tool to {spoken}", f"{verb.capitalize()}s a {thing}."]
    )
    phrases = [spoken]
    for said in VERBS.get(verb, (verb,)):
        phrases += [f"{said} the {thing}", f"{said} a {thing}", f"{said} {thing}"]
    if verb in ("create", "update", "delete", "start", "stop", "set", "add", "book", "order", "send", "cancel"):
        phrases += [f"I want to {verb} a {thing}", f"I need to {verb} the {thing}"]
    return ToolSpec(name=name, description=description, parameters=parameters, phrases=tuple(phrases))
