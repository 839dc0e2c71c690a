"""Meaning of each keyword for the bounds of a value, and the valid forms of keywords."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NoReturn, TypeVar, cast
from urllib.parse import unquote

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.document.decoding import canonical
from grammars.frontends.json.document.document import Document, Subschema
from grammars.frontends.json.document.options import DIALECTS, is_known
from grammars.frontends.json.meaning.formats import NAMES
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    OBJECT,
    STRING,
    TYPES,
    ArrayPart,
    Contained,
    ObjectPart,
    TypeBounds,
)

Part = TypeVar("Part")

_NAMES = {str}


def bad(subschema: Subschema, keyword: str, expected: str) -> NoReturn:
    """Refuse a keyword whose value has the wrong form."""
    raise InvalidGrammarError(f"{keyword} is {expected}", f"{subschema.pointer}/{keyword}")


def count(subschema: Subschema, keyword: str, value: Any) -> int:
    """Return a keyword's value, which must be a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value != int(value) or value < 0:
        bad(subschema, keyword, "a whole number of at least 0")
    return int(value)


def number(subschema: Subschema, keyword: str, value: Any) -> int | Decimal:
    """Return a keyword's value, which must be a number."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        bad(subschema, keyword, "a number")
    return value


def divisor(subschema: Subschema, keyword: str, value: Any) -> int | Decimal:
    """Return a keyword's value, which must be a number greater than 0."""
    if number(subschema, keyword, value) <= 0:
        bad(subschema, keyword, "a number greater than 0")
    return value  # type: ignore[no-any-return]


def flag(subschema: Subschema, keyword: str, value: Any) -> bool:
    """Return a keyword's value, which must be a boolean."""
    if not isinstance(value, bool):
        bad(subschema, keyword, "a boolean")
    return value


def text(subschema: Subschema, keyword: str, value: Any) -> str:
    """Return a keyword's value, which must be text."""
    if not isinstance(value, str):
        bad(subschema, keyword, "text")
    return value


def names(subschema: Subschema, keyword: str, value: Any) -> list[str]:
    """Return a keyword's value, which must be an array of names."""
    if not isinstance(value, list) or not set(map(type, value)) <= _NAMES:
        bad(subschema, keyword, "an array of names")
    return value


def table(subschema: Subschema, keyword: str, value: Any) -> dict[str, Any]:
    """Return a keyword's value, which must be an object."""
    if not isinstance(value, dict):
        bad(subschema, keyword, "an object")
    return value


def schemas(document: Document, subschema: Subschema, keyword: str) -> list[Subschema]:
    """Return the subschemas of a keyword whose value must be an array of schemas."""
    value = subschema.schema[keyword]
    if not isinstance(value, list) or not value:
        bad(subschema, keyword, "a non-empty array of schemas")
    return [document.child(subschema, schema, keyword, str(index)) for index, schema in enumerate(value)]


def dependents(document: Document, subschema: Subschema, keyword: str) -> dict[str, list[str] | Subschema]:
    """Return the names or the schema that each member requires; either for `dependencies`, which later drafts split."""
    found: dict[str, list[str] | Subschema] = {}
    for name, entry in table(subschema, keyword, subschema.schema[keyword]).items():
        if keyword == "dependencies" and isinstance(entry, str):
            found[name] = [entry]
        elif keyword == "dependentRequired" or (keyword == "dependencies" and isinstance(entry, list)):
            found[name] = names(subschema, keyword, entry)
        else:
            found[name] = document.child(subschema, entry, keyword, name)
    return found


def reference(document: Document, subschema: Subschema, keyword: str) -> tuple[Subschema, str | None]:
    """Return a reference's target, and its anchor if that is dynamic."""
    value = subschema.schema[keyword]
    if keyword == "$recursiveRef" and value != "#":
        bad(subschema, keyword, '"#"')
    first = document.resolve(subschema, value)
    name = unquote(value.partition("#")[2]) if keyword == "$dynamicRef" else ""
    is_dynamic = keyword != "$ref" and document.dynamic(first.resource, name) is first
    return first, name if is_dynamic and bool(name) == (keyword == "$dynamicRef") else None


# Narrows the alternative by the value that the keyword has at the subschema.
Narrow = Callable[[Document, Subschema, Any, TypeBounds], None]
# Characters, items and members; larger bounds mean none, as no text is as long.
MOST = 1 << 28
# Of what an object schema does not say.
_NONE: dict[str, Any] = {}
# Others are annotations, whatever the options say.
_FORMATS = frozenset(NAMES)


def types_named(subschema: Subschema, value: Any) -> int:
    """Return the types that `type` allows."""
    allowed = 0
    for name in value if isinstance(value, list) else (value,):
        if not isinstance(name, str) or name not in TYPES:
            bad(subschema, "type", "one of " + ", ".join(TYPES))
        allowed |= TYPES[name]
    return allowed


def _enum(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    if not isinstance(value, list):
        bad(subschema, "enum", "an array")
    if bounds.enum is None:
        bounds.enum = tuple(value)
    else:
        listed = frozenset(map(canonical, value))
        bounds.enum = tuple(kept for kept in bounds.enum if canonical(kept) in listed)


def _const(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    _enum(document, subschema, [value], bounds)


def _excluded(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.excluded = (*bounds.excluded, *value)


def _bound(is_low: bool, is_open: bool) -> Narrow:
    keyword = ("exclusiveM" if is_open else "m") + ("inimum" if is_low else "aximum")

    def narrow(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
        if isinstance(value, bool) and is_open:
            return  # draft 4: a companion of the inclusive keyword, which reads it
        is_strict = is_open or subschema.schema.get("exclusiveM" + keyword[1:]) is True
        bound = Decimal(number(subschema, keyword, value))
        if is_low and (bounds.low is None or (bound, is_strict) > (bounds.low, bounds.low_open)):
            bounds.low, bounds.low_open = bound, is_strict
        if not is_low and (bounds.high is None or (bound, not is_strict) < (bounds.high, not bounds.high_open)):
            bounds.high, bounds.high_open = bound, is_strict

    return narrow


def _multiple_of(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.multiples = (*bounds.multiples, Decimal(divisor(subschema, "multipleOf", value)))


def _not_multiple_of(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.not_multiples = (*bounds.not_multiples, Decimal(value))


def _minimum_count(keyword: str, field: str, kind: int) -> Narrow:
    def narrow(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
        bound = count(subschema, keyword, value)
        if bound > MOST:
            bounds.types &= ~kind
        else:
            setattr(bounds, field, max(getattr(bounds, field), bound))

    return narrow


def _maximum_count(keyword: str, field: str) -> Narrow:
    def narrow(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
        bound, old = count(subschema, keyword, value), getattr(bounds, field)
        if bound <= MOST:
            setattr(bounds, field, bound if old is None else min(old, bound))

    return narrow


def _pattern(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.patterns = (*bounds.patterns, (text(subschema, "pattern", value), True, subschema.pointer + "/pattern"))


def _not_pattern(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.patterns = (*bounds.patterns, (value, False, subschema.pointer + "/pattern"))


def _format(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    if text(subschema, "format", value) in _FORMATS:
        bounds.formats = (*bounds.formats, (value, True, subschema.pointer + "/format"))


def _not_format(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.formats = (*bounds.formats, (value, False, subschema.pointer + "/format"))


def annotated_format(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    """Narrow to nothing: without asserted formats no value fails one."""
    bounds.types = 0


def _required(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    if isinstance(value, bool) and subschema.resource.dialect == 4:
        bad(subschema, "required", "an array of names (a boolean is of draft 3)")
    bounds.required = tuple(dict.fromkeys((*bounds.required, *names(subschema, "required", value))))


def _with(parts: tuple[Part, ...], part: Part) -> tuple[Part, ...]:
    return parts if part in parts else (*parts, part)


def _members(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    """Narrow by `properties`, `patternProperties` and `additionalProperties`, all at the first of them."""
    bounds.objects = _with(bounds.objects, object_part(document, subschema))


def object_part(document: Document, subschema: Subschema) -> ObjectPart:
    """Return the subschema's constraints on members; the same object each time."""
    if subschema.object_part is None:
        schema = subschema.schema
        properties, patterns = schema.get("properties", _NONE), schema.get("patternProperties", _NONE)
        additional = schema.get("additionalProperties")
        if not isinstance(properties, dict) or not isinstance(patterns, dict):
            bad(
                subschema,
                "properties" if not isinstance(properties, dict) else "patternProperties",
                "an object of schemas",
            )
        where = f"{subschema.pointer}/patternProperties"
        rows = [
            (name, document.child(subschema, each, "patternProperties", name), where) for name, each in patterns.items()
        ]
        subschema.object_part = ObjectPart(
            document.children(subschema, "properties", properties) if properties else _NONE,
            tuple(rows),
            None if additional is None else document.child(subschema, additional, "additionalProperties"),
        )
    return cast(ObjectPart, subschema.object_part)


def _items(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    """Narrow by `prefixItems`, `items` and `additionalItems`, all at the first of them."""
    bounds.arrays = _with(bounds.arrays, array_part(document, subschema))


def array_part(document: Document, subschema: Subschema) -> ArrayPart:
    """Return the subschema's constraints on items; the same object each time."""
    if subschema.array_part is None:
        schema, items = subschema.schema, subschema.schema.get("items")
        if isinstance(items, list):
            prefix, rest, keyword, after = items, schema.get("additionalItems"), "items", "additionalItems"
        elif subschema.resource.dialect < 2020:
            prefix, rest, keyword, after = [], items, "items", "items"
        else:
            prefix, rest, keyword, after = schema.get("prefixItems", []), items, "prefixItems", "items"
        if not isinstance(prefix, list):
            bad(subschema, keyword, "an array of schemas")
        subschema.array_part = ArrayPart(
            tuple([document.child(subschema, value, keyword, str(index)) for index, value in enumerate(prefix)]),
            None if rest is None else document.child(subschema, rest, after),
        )
    return cast(ArrayPart, subschema.array_part)


def _unique_items(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.unique |= flag(subschema, "uniqueItems", value)


def _repeats(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.repeats, bounds.min_items = True, max(bounds.min_items, 2)


def _contains(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    least, most = contained(subschema)
    if least > MOST:
        bounds.types &= ~ARRAY
    if most is not None and most > MOST:
        most = None
    bounds.contains = (*bounds.contains, Contained(document.child(subschema, value, "contains"), least, most, 0))


def contained(subschema: Subschema) -> tuple[int, int | None]:
    """Return the fewest and the most items that may meet the subschema's `contains`."""
    if subschema.resource.dialect < 2019:
        return 1, None
    least = count(subschema, "minContains", subschema.schema.get("minContains", 1))
    most = (
        count(subschema, "maxContains", subschema.schema["maxContains"]) if "maxContains" in subschema.schema else None
    )
    return least, most


def _contains_after(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    start, schema = value
    bounds.contains = (*bounds.contains, Contained(document.child(subschema, schema, "contains"), 1, None, start))


def _property_names(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    bounds.names = (*bounds.names, document.child(subschema, value, "propertyNames"))


def _exists(document: Document, subschema: Subschema, value: Any, bounds: TypeBounds) -> None:
    name, member = (document.child(subschema, schema, "propertyNames") for schema in value)
    bounds.exists = (*bounds.exists, (name, member))


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

# Keywords of complements alone: the zero byte keeps schemas from naming them.
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
CHECKED = DYNAMIC | {"unevaluatedProperties", "unevaluatedItems"}
ACTIVE = frozenset(NARROW) | CHECKED | {"$ref"} | APPLIED
"""Every keyword that is not an annotation, but for `type`."""
SAID = ACTIVE | {"type"}

DEPENDENCIES = ("dependencies", "dependentRequired", "dependentSchemas")


@lru_cache(maxsize=2 * len(DIALECTS))
def narrowing(dialect: int, asserts_formats: bool) -> dict[str, Narrow]:
    """Return the narrowing keywords of the dialect, complements included."""
    known = {keyword: narrow for keyword, narrow in NARROW.items() if is_known(keyword, dialect)}
    if asserts_formats:
        return known | NARROW_COMPLEMENT
    del known["format"]
    return known | NARROW_COMPLEMENT | {"\0notFormat": annotated_format}
