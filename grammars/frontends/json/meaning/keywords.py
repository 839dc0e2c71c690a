"""What each keyword says of a bundle, and the forms that their values must have."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn, cast
from urllib.parse import unquote

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document.decoding import canonical
from grammars.frontends.json.document.document import Document, Site
from grammars.frontends.json.document.options import DIALECTS, is_known
from grammars.frontends.json.meaning.formats import NAMES, PARTLY
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    OBJECT,
    STRING,
    TYPES,
    ArrayPart,
    Bundle,
    Contained,
    ObjectPart,
)

_NAMES = {str}


def how_held(keyword: str, value: Any) -> str:
    """How a mask enforces the keyword: formats of which it leaves texts out are held partly."""
    return "partly" if keyword == "format" and isinstance(value, str) and value in PARTLY else "mask"


def bad(site: Site, keyword: str, expected: str) -> NoReturn:
    """Refuses a keyword whose value has the wrong form."""
    raise InvalidGrammarError(f"{keyword} is {expected}", f"{site.pointer}/{keyword}")


def count(site: Site, keyword: str, value: Any) -> int:
    """A keyword's value that must be a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value != int(value) or value < 0:
        bad(site, keyword, "a whole number of at least 0")
    return int(value)


def number(site: Site, keyword: str, value: Any) -> int | Decimal:
    """A keyword's value that must be a number."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        bad(site, keyword, "a number")
    return value


def divisor(site: Site, keyword: str, value: Any) -> int | Decimal:
    """A keyword's value that must be a number greater than 0."""
    if number(site, keyword, value) <= 0:
        bad(site, keyword, "a number greater than 0")
    return value  # type: ignore[no-any-return]


def flag(site: Site, keyword: str, value: Any) -> bool:
    """A keyword's value that must be a boolean."""
    if not isinstance(value, bool):
        bad(site, keyword, "a boolean")
    return value


def text(site: Site, keyword: str, value: Any) -> str:
    """A keyword's value that must be text."""
    if not isinstance(value, str):
        bad(site, keyword, "text")
    return value


def names(site: Site, keyword: str, value: Any) -> list[str]:
    """A keyword's value that must be an array of names."""
    if not isinstance(value, list) or not set(map(type, value)) <= _NAMES:
        bad(site, keyword, "an array of names")
    return value


def table(site: Site, keyword: str, value: Any) -> dict[str, Any]:
    """A keyword's value that must be an object."""
    if not isinstance(value, dict):
        bad(site, keyword, "an object")
    return value


def schemas(document: Document, site: Site, keyword: str) -> list[Site]:
    """The sites of a keyword whose value must be an array of schemas."""
    value = site.schema[keyword]
    if not isinstance(value, list) or not value:
        bad(site, keyword, "a non-empty array of schemas")
    return [document.child(site, schema, keyword, str(index)) for index, schema in enumerate(value)]


def dependents(document: Document, site: Site, keyword: str) -> dict[str, list[str] | Site]:
    """What members bring with them: others, or a schema; of `dependencies`, which later drafts split in two, either."""
    found: dict[str, list[str] | Site] = {}
    for name, entry in table(site, keyword, site.schema[keyword]).items():
        if keyword == "dependencies" and isinstance(entry, str):
            found[name] = [entry]
        elif keyword == "dependentRequired" or (keyword == "dependencies" and isinstance(entry, list)):
            found[name] = names(site, keyword, entry)
        else:
            found[name] = document.child(site, entry, keyword, name)
    return found


def reference(document: Document, site: Site, keyword: str) -> tuple[Site, str | None]:
    """Where a reference leads, and its anchor if the way to the site decides which one of that name it means."""
    value = site.schema[keyword]
    if keyword == "$recursiveRef" and value != "#":
        bad(site, keyword, '"#"')
    first = document.resolve(site, value)
    name = unquote(value.partition("#")[2]) if keyword == "$dynamicRef" else ""
    is_dynamic = keyword != "$ref" and document.dynamic(first.resource, name) is first
    return first, name if is_dynamic and bool(name) == (keyword == "$dynamicRef") else None


# Narrows the bundle by the value that the keyword has at the site.
Narrow = Callable[[Document, Site, Any, Bundle], None]
# Characters, items and members that no text which anyone waits for has; larger bounds mean none.
MOST = 1 << 28
# Of what an object schema does not say.
_NONE: dict[str, Any] = {}
# Others are annotations, whatever the options say.
_FORMATS = frozenset(NAMES)


def types_named(site: Site, value: Any) -> int:
    """The types that `type` allows."""
    if type(value) is str and value in TYPES:
        return TYPES[value]
    allowed = 0
    for name in value if isinstance(value, list) else (value,):
        if not isinstance(name, str) or name not in TYPES:
            bad(site, "type", "one of " + ", ".join(TYPES))
        allowed |= TYPES[name]
    return allowed


def _enum(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    if not isinstance(value, list):
        bad(site, "enum", "an array")
    if bundle.enum is None:
        bundle.enum = tuple(value)
    else:
        listed = frozenset(map(canonical, value))
        bundle.enum = tuple(kept for kept in bundle.enum if canonical(kept) in listed)


def _const(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    _enum(document, site, [value], bundle)


def _excluded(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.excluded = (*bundle.excluded, *value)


def _bound(is_low: bool, is_open: bool) -> Narrow:
    keyword = ("exclusiveM" if is_open else "m") + ("inimum" if is_low else "aximum")

    def narrow(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
        if isinstance(value, bool) and is_open:
            return  # draft 4: a companion of the inclusive keyword, which reads it
        is_strict = is_open or site.schema.get("exclusiveM" + keyword[1:]) is True
        bound = Decimal(number(site, keyword, value))
        if is_low and (bundle.low is None or (bound, is_strict) > (bundle.low, bundle.low_open)):
            bundle.low, bundle.low_open = bound, is_strict
        if not is_low and (bundle.high is None or (bound, not is_strict) < (bundle.high, not bundle.high_open)):
            bundle.high, bundle.high_open = bound, is_strict

    return narrow


def _multiple_of(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.multiples = (*bundle.multiples, Decimal(divisor(site, "multipleOf", value)))


def _not_multiple_of(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.not_multiples = (*bundle.not_multiples, Decimal(value))


def _minimum_count(keyword: str, field: str, kind: int) -> Narrow:
    def narrow(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
        bound = count(site, keyword, value)
        if bound > MOST:
            bundle.types &= ~kind
        else:
            setattr(bundle, field, max(getattr(bundle, field), bound))

    return narrow


def _maximum_count(keyword: str, field: str) -> Narrow:
    def narrow(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
        bound, old = count(site, keyword, value), getattr(bundle, field)
        if bound <= MOST:
            setattr(bundle, field, bound if old is None else min(old, bound))

    return narrow


def _pattern(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.patterns = (*bundle.patterns, (text(site, "pattern", value), True, site.pointer + "/pattern"))


def _not_pattern(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.patterns = (*bundle.patterns, (value, False, site.pointer + "/pattern"))


def _format(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    if text(site, "format", value) in _FORMATS:
        bundle.formats = (*bundle.formats, (value, True, site.pointer + "/format"))


def _not_format(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.formats = (*bundle.formats, (value, False, site.pointer + "/format"))


def annotated_format(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    """Stands for the complement of a format where formats are not asserted: no value fails one."""
    bundle.types = 0


def _required(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    if isinstance(value, bool) and site.resource.dialect == 4:
        bad(site, "required", "an array of names (a boolean is of draft 3)")
    bundle.required = tuple(dict.fromkeys((*bundle.required, *names(site, "required", value))))


def _members(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    """`properties`, `patternProperties` and `additionalProperties`: read together, by whichever comes first."""
    part = object_part(document, site)
    if part not in bundle.objects:
        bundle.objects = (*bundle.objects, part)


def object_part(document: Document, site: Site) -> ObjectPart:
    """What the site says about members; the same part each time."""
    if site.object_part is None:
        schema = site.schema
        properties, patterns = schema.get("properties", _NONE), schema.get("patternProperties", _NONE)
        additional = schema.get("additionalProperties")
        if not isinstance(properties, dict) or not isinstance(patterns, dict):
            bad(site, "properties" if not isinstance(properties, dict) else "patternProperties", "an object of schemas")
        where = f"{site.pointer}/patternProperties"
        rows = [(name, document.child(site, each, "patternProperties", name), where) for name, each in patterns.items()]
        site.object_part = ObjectPart(
            document.children(site, "properties", properties) if properties else _NONE,
            tuple(rows),
            None if additional is None else document.child(site, additional, "additionalProperties"),
        )
    return cast(ObjectPart, site.object_part)


def _items(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    """`prefixItems`, `items` and `additionalItems`: read together, by whichever comes first."""
    part = array_part(document, site)
    if part not in bundle.arrays:
        bundle.arrays = (*bundle.arrays, part)


def array_part(document: Document, site: Site) -> ArrayPart:
    """What the site says about items; the same part each time."""
    if site.array_part is None:
        schema, items = site.schema, site.schema.get("items")
        if isinstance(items, list):
            prefix, rest, keyword, after = items, schema.get("additionalItems"), "items", "additionalItems"
        elif site.resource.dialect < 2020:
            prefix, rest, keyword, after = [], items, "items", "items"
        else:
            prefix, rest, keyword, after = schema.get("prefixItems", []), items, "prefixItems", "items"
        if not isinstance(prefix, list):
            bad(site, keyword, "an array of schemas")
        site.array_part = ArrayPart(
            tuple([document.child(site, value, keyword, str(index)) for index, value in enumerate(prefix)]),
            None if rest is None else document.child(site, rest, after),
        )
    return cast(ArrayPart, site.array_part)


def _unique_items(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.unique |= flag(site, "uniqueItems", value)


def _repeats(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.repeats, bundle.min_items = True, max(bundle.min_items, 2)


def _contains(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    least, most = contained(site)
    if least > MOST:
        bundle.types &= ~ARRAY
    if most is not None and most > MOST:
        most = None
    bundle.contains = (*bundle.contains, Contained(document.child(site, value, "contains"), least, most, 0))


def contained(site: Site) -> tuple[int, int | None]:
    """How many items must at least, and may at most, meet the site's `contains`."""
    if site.resource.dialect < 2019:
        return 1, None
    least = count(site, "minContains", site.schema.get("minContains", 1))
    most = count(site, "maxContains", site.schema["maxContains"]) if "maxContains" in site.schema else None
    return least, most


def _contains_after(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    start, schema = value
    bundle.contains = (*bundle.contains, Contained(document.child(site, schema, "contains"), 1, None, start))


def _property_names(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    bundle.names = (*bundle.names, document.child(site, value, "propertyNames"))


def _exists(document: Document, site: Site, value: Any, bundle: Bundle) -> None:
    name, member = (document.child(site, schema, "propertyNames") for schema in value)
    bundle.exists = (*bundle.exists, (name, member))


NARROW: dict[str, Narrow] = {
    "enum": _enum,
    "const": _const,
    "minimum": _bound(is_low=True, is_open=False),
    "maximum": _bound(is_low=False, is_open=False),
    "exclusiveMinimum": _bound(is_low=True, is_open=True),
    "exclusiveMaximum": _bound(is_low=False, is_open=True),
    "multipleOf": _multiple_of,
    "minLength": _minimum_count("minLength", "min_length", STRING),
    "maxLength": _maximum_count("maxLength", "max_length"),
    "pattern": _pattern,
    "format": _format,
    "minItems": _minimum_count("minItems", "min_items", ARRAY),
    "maxItems": _maximum_count("maxItems", "max_items"),
    "uniqueItems": _unique_items,
    "items": _items,
    "prefixItems": _items,
    "contains": _contains,
    "minProperties": _minimum_count("minProperties", "min_properties", OBJECT),
    "maxProperties": _maximum_count("maxProperties", "max_properties"),
    "required": _required,
    "properties": _members,
    "patternProperties": _members,
    "additionalProperties": _members,
    "propertyNames": _property_names,
}

# What complements are written with; no schema can name these.
NARROW_COMPLEMENT: dict[str, Narrow] = {
    "\0notEnum": _excluded,
    "\0notPattern": _not_pattern,
    "\0notFormat": _not_format,
    "\0notMultipleOf": _not_multiple_of,
    "\0repeats": _repeats,
    "\0exists": _exists,
    "\0containsAfter": _contains_after,
}

APPLIED = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "dependencies", "dependentRequired", "dependentSchemas"))
DYNAMIC = frozenset(("$dynamicRef", "$recursiveRef"))
GUARDED = DYNAMIC | {"unevaluatedProperties", "unevaluatedItems"}
ACTIVE = frozenset(NARROW) | GUARDED | {"$ref"} | APPLIED
"""Every keyword that is not an annotation, but for `type`."""
SAID = ACTIVE | {"type"}

DEPENDENCIES = ("dependencies", "dependentRequired", "dependentSchemas")


@lru_cache(maxsize=2 * len(DIALECTS))
def narrowing(dialect: int, asserts_formats: bool) -> dict[str, Narrow]:
    """What narrows in the dialect, complements included."""
    known = {keyword: narrow for keyword, narrow in NARROW.items() if is_known(keyword, dialect)}
    if asserts_formats:
        return known | NARROW_COMPLEMENT
    del known["format"]
    return known | NARROW_COMPLEMENT | {"\0notFormat": annotated_format}
