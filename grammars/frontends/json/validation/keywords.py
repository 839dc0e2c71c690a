"""The keywords: what each is given to its check as, and the check.

A check is called with what the keyword says, the value, the evaluation under way, and where to put what it evaluates
of the value. That counts only where a schema holds: a branch that may fail collects for itself and is taken over after.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from grammars.frontends.json.document.decoding import canonical, is_multiple
from grammars.frontends.json.document.document import Resource, Subschema
from grammars.frontends.json.meaning.keywords import (
    array_part,
    bad,
    contained,
    count,
    dependents,
    divisor,
    flag,
    names,
    number,
    object_part,
    schemas,
    text,
)
from grammars.frontends.json.validation.compilation import (
    Compilation,
    CompiledSubschema,
    Evaluated,
    Evaluation,
    Pattern,
    Reference,
    Seen,
    read_reference,
)
from grammars.frontends.json.validation.formats import NAMES, format_holds

# What a keyword says, from the value that it has at the subschema; None where it asks for nothing.
Reader = Callable[[Compilation, Subschema, str, Any], Any]


def _form(read: Callable[[Subschema, str, Any], Any]) -> Reader:
    return lambda c, subschema, keyword, value: read(subschema, keyword, value)


def _open_bound(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> int | Decimal | None:
    if subschema.resource.dialect == 4 and isinstance(value, bool):  # it is about the inclusive keyword
        inclusive = keyword.removeprefix("exclusive").lower()
        return (
            number(subschema, inclusive, subschema.schema[inclusive])
            if value and inclusive in subschema.schema
            else None
        )
    return number(subschema, keyword, value)


def _pattern(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Pattern:
    return c.pattern(value, subschema.pointer + "/pattern")


def _format(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> tuple[str, int] | None:
    is_asserted = text(subschema, keyword, value) in NAMES and (c.asserts_format or subschema.resource.asserts_format)
    return (value, subschema.resource.dialect) if is_asserted else None


def _is_of_format(said: tuple[str, int], value: str, run: Evaluation, seen: Seen) -> bool:
    run.spend(1 + len(value))
    return format_holds(said[0], value, said[1])


def _values(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> tuple[set[type], frozenset[Any]]:
    values = (value,) if keyword == "const" else value
    if not isinstance(values, (list, tuple)):
        bad(subschema, keyword, "an array")
    kinds = {Decimal if type(each) is int else type(each) for each in values}
    return kinds, frozenset(map(canonical, values))


def _is_among(said: tuple[set[type], frozenset[Any]], value: Any, run: Evaluation, seen: Seen = None) -> bool:
    kinds, listed = said
    kind = type(value)
    return (Decimal if kind is int else kind) in kinds and canonical(value, run.spend) in listed


def _has_all(needed: list[str], value: dict[str, Any], run: Evaluation, seen: Seen = None) -> bool:
    run.spend(len(needed))
    for name in needed:
        if name not in value:
            return False
    return True


def _dependents(
    c: Compilation, subschema: Subschema, keyword: str, value: Any
) -> dict[str, list[str] | CompiledSubschema]:
    found = dependents(c.document, subschema, keyword)
    return {name: c.reached(subschema.resource, it) if isinstance(it, Subschema) else it for name, it in found.items()}


def _has_dependents(said: dict[str, list[str] | CompiledSubschema], value: Any, run: Evaluation, seen: Seen) -> bool:
    run.spend(len(said))
    for name, needed in said.items():
        if name in value:
            holds = _has_all(needed, value, run) if isinstance(needed, list) else needed.check(value, run, seen)
            if not holds:
                return False
    return True


Members = tuple[dict[str, CompiledSubschema], list[tuple[Pattern, CompiledSubschema]], CompiledSubschema | None]


def _members(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Members:
    """`properties`, `patternProperties` and `additionalProperties` together."""
    part, resource = object_part(c.document, subschema), subschema.resource
    return (
        {name: c.reached(resource, schema) for name, schema in part.properties.items()},
        [(c.pattern(pattern, where), c.reached(resource, schema)) for pattern, schema, where in part.patterns],
        None if part.additional is None else c.reached(resource, part.additional),
    )


def _are_members(said: Members, value: dict[str, Any], run: Evaluation, seen: Seen) -> bool:
    named, searched, additional = said
    run.spend(1 + len(value) * (1 + len(searched)))
    for name, item in value.items():
        schema = named.get(name)
        is_named = schema is not None
        if schema is not None and not schema.check(item, run, None):
            return False
        for pattern, other in searched:
            if pattern.is_in(name, run):
                is_named = True
                if not other.check(item, run, None):
                    return False
        if not is_named:
            if additional is None:
                continue
            if not additional.check(item, run, None):
                return False
        if seen is not None:
            seen.add(name)
    return True


def _are_names(schema: CompiledSubschema, value: dict[str, Any], run: Evaluation, seen: Seen) -> bool:
    run.spend(1 + len(value))
    for name in value:
        if not schema.check(name, run, None):
            return False
    return True


def _has_member(said: list[CompiledSubschema], value: dict[str, Any], run: Evaluation, seen: Seen) -> bool:
    named, schema = said
    run.spend(1 + len(value))
    for name, item in value.items():
        if named.check(name, run, None) and schema.check(item, run, None):
            return True
    return False


Items = tuple[list[CompiledSubschema], CompiledSubschema | None]


def _items(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Items | None:
    """`prefixItems`, `items` and `additionalItems` together."""
    if subschema.resource.dialect >= 2020 and isinstance(subschema.schema.get("items"), list):
        bad(subschema, "items", "a schema")
    part, resource = array_part(c.document, subschema), subschema.resource
    rest = None if part.rest is None else c.reached(resource, part.rest)
    return ([c.reached(resource, schema) for schema in part.prefix], rest) if part.prefix or rest else None


def _are_items(said: Items, value: list[Any], run: Evaluation, seen: Seen) -> bool:
    prefix, rest = said
    start = len(prefix)
    number = min(start, len(value)) if rest is None else len(value)
    run.spend(1 + number)
    for schema, item in zip(prefix, value, strict=False):
        if not schema.check(item, run, None):
            return False
    if rest is not None:
        check = rest.check
        for item in value[start:] if start else value:
            if not check(item, run, None):
                return False
    if seen is not None:
        seen.update(range(number))
    return True


Contained = tuple[CompiledSubschema, int, int | None, bool]


def _contained(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Contained:
    """`contains` with `minContains` and `maxContains`; from 2020-12 on it evaluates the items that it finds."""
    least, most = contained(subschema) if is_listed("validation", subschema.resource) else (1, None)
    return c.child(subschema, value, keyword), least, most, subschema.resource.dialect >= 2020


def _contains(said: Contained, value: list[Any], run: Evaluation, seen: Seen) -> bool:
    wanted, least, most, evaluates = said
    run.spend(1 + len(value))
    found = []
    for index, item in enumerate(value):
        if wanted.check(item, run, None):
            found.append(index)
            if most is not None and len(found) > most:
                return False
    if seen is not None and evaluates:
        seen.update(found)
    return len(found) >= least


def _are_unique(said: bool, value: list[Any], run: Evaluation, seen: Seen) -> bool:
    run.spend(1 + len(value))
    return not said or len(value) < 2 or len(set(map(run.identity, value))) == len(value)


def _schema(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> CompiledSubschema:
    return c.child(subschema, value, keyword)


def _schemas(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> list[CompiledSubschema]:
    return [c.reached(subschema.resource, schema) for schema in schemas(c.document, subschema, keyword)]


Branches = tuple[list[CompiledSubschema], int, int]


def _branches(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Branches:
    """The schemas, and how many of them must and may hold."""
    branches = _schemas(c, subschema, keyword, value)
    return branches, len(branches) if keyword == "allOf" else 1, 1 if keyword == "oneOf" else len(branches)


def _so_many_hold(said: Branches, value: Any, run: Evaluation, seen: Seen) -> bool:
    branches, least, most = said
    left, num_held = len(branches), 0
    run.spend(left)
    found = None if seen is None else Evaluated()
    for schema in branches:
        own = None if seen is None else Evaluated()
        left -= 1
        if schema.check(value, run, own):
            num_held += 1
            if found is not None and own is not None:
                found |= own
        if num_held > most or num_held + left < least:
            return False
        if found is None and num_held >= least and num_held + left <= most:
            return True
    if seen is not None and found is not None:
        seen |= found
    return num_held >= least


def _condition(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> list[CompiledSubschema]:
    return [c.child(subschema, subschema.schema.get(name, True), name) for name in ("if", "then", "else")]


def _is_as_chosen(said: list[CompiledSubschema], value: Any, run: Evaluation, seen: Seen) -> bool:
    condition, then, otherwise = said
    run.spend(2)
    own = None if seen is None else Evaluated()
    if not condition.check(value, run, own):
        return otherwise.check(value, run, seen)
    if seen is not None and own is not None:
        seen.update(own)
    return then.check(value, run, seen)


def _allows_rest(schema: CompiledSubschema, value: Any, run: Evaluation, seen: Seen) -> bool:
    """True if the schema allows what no other keyword has evaluated of an array or object."""
    assert seen is not None
    run.spend(1 + len(value))
    for key, item in value.items() if type(value) is dict else enumerate(value):
        if key not in seen and not schema.check(item, run, None):
            return False
    seen.update(value if type(value) is dict else range(len(value)))
    return True


class Keyword(NamedTuple):
    """Keyword of a schema, with its check.

    Attributes:
        types: of values that it looks at.
        vocabulary: that has it.
    """

    read: Reader
    check: Callable[[Any, Any, Evaluation, Seen], bool]
    types: tuple[type, ...]
    vocabulary: str


def is_listed(vocabulary: str, resource: Resource) -> bool:
    """True if the resource's meta-schema has the vocabulary."""
    return resource.vocabularies is None or vocabulary in resource.vocabularies


NUMBERS: tuple[type, ...] = (int, Decimal)
TEXTS, ARRAYS, OBJECTS = (str,), (list,), (dict,)
ANY: tuple[type, ...] = (type(None), bool, *NUMBERS, *TEXTS, *ARRAYS, *OBJECTS)
_CORE, _APPLICATOR, _VALIDATION, _UNEVALUATED = "core", "applicator", "validation", "unevaluated"

# In the order in which they are asked: cheap ones first, those that go deeper after, last those that look at what all
# others have evaluated. Those that begin with "\0" are what complements are written with; no document can say these.
KEYWORDS: dict[str, Keyword] = {
    "enum": Keyword(_values, _is_among, ANY, _VALIDATION),
    "const": Keyword(_values, _is_among, ANY, _VALIDATION),
    "minimum": Keyword(_form(number), lambda least, value, run, seen: value >= least, NUMBERS, _VALIDATION),
    "maximum": Keyword(_form(number), lambda most, value, run, seen: value <= most, NUMBERS, _VALIDATION),
    "exclusiveMinimum": Keyword(_open_bound, lambda low, value, run, seen: value > low, NUMBERS, _VALIDATION),
    "exclusiveMaximum": Keyword(_open_bound, lambda high, value, run, seen: value < high, NUMBERS, _VALIDATION),
    "multipleOf": Keyword(_form(divisor), lambda of, value, run, seen: is_multiple(value, of), NUMBERS, _VALIDATION),
    "minLength": Keyword(_form(count), lambda least, value, run, seen: len(value) >= least, TEXTS, _VALIDATION),
    "maxLength": Keyword(_form(count), lambda most, value, run, seen: len(value) <= most, TEXTS, _VALIDATION),
    "pattern": Keyword(_pattern, Pattern.is_in, TEXTS, _VALIDATION),
    "format": Keyword(_format, _is_of_format, TEXTS, "format"),
    "minItems": Keyword(_form(count), lambda least, value, run, seen: len(value) >= least, ARRAYS, _VALIDATION),
    "maxItems": Keyword(_form(count), lambda most, value, run, seen: len(value) <= most, ARRAYS, _VALIDATION),
    "minProperties": Keyword(_form(count), lambda least, value, run, seen: len(value) >= least, OBJECTS, _VALIDATION),
    "maxProperties": Keyword(_form(count), lambda most, value, run, seen: len(value) <= most, OBJECTS, _VALIDATION),
    "required": Keyword(_form(names), _has_all, OBJECTS, _VALIDATION),
    "dependentRequired": Keyword(_dependents, _has_dependents, OBJECTS, _VALIDATION),
    "$ref": Keyword(read_reference, Reference.check, ANY, _CORE),
    "$dynamicRef": Keyword(read_reference, Reference.check, ANY, _CORE),
    "$recursiveRef": Keyword(read_reference, Reference.check, ANY, _CORE),
    "properties": Keyword(_members, _are_members, OBJECTS, _APPLICATOR),
    "propertyNames": Keyword(_schema, _are_names, OBJECTS, _APPLICATOR),
    "items": Keyword(_items, _are_items, ARRAYS, _APPLICATOR),
    "contains": Keyword(_contained, _contains, ARRAYS, _APPLICATOR),
    "uniqueItems": Keyword(_form(flag), _are_unique, ARRAYS, _VALIDATION),
    "allOf": Keyword(_branches, _so_many_hold, ANY, _APPLICATOR),
    "anyOf": Keyword(_branches, _so_many_hold, ANY, _APPLICATOR),
    "oneOf": Keyword(_branches, _so_many_hold, ANY, _APPLICATOR),
    "not": Keyword(_schema, lambda schema, value, run, seen: not schema.check(value, run, None), ANY, _APPLICATOR),
    "if": Keyword(_condition, _is_as_chosen, ANY, _APPLICATOR),
    "dependentSchemas": Keyword(_dependents, _has_dependents, OBJECTS, _APPLICATOR),
    "dependencies": Keyword(_dependents, _has_dependents, OBJECTS, _APPLICATOR),
    "\0notEnum": Keyword(_values, lambda *said: not _is_among(*said), ANY, _CORE),
    "\0notPattern": Keyword(_pattern, lambda pattern, text, run, seen: not pattern.is_in(text, run), TEXTS, _CORE),
    "\0notMultipleOf": Keyword(_form(divisor), lambda of, value, run, seen: not is_multiple(value, of), NUMBERS, _CORE),
    "\0repeats": Keyword(_form(flag), lambda *said: not _are_unique(*said), ARRAYS, _CORE),
    "\0exists": Keyword(_schemas, _has_member, OBJECTS, _CORE),
    "unevaluatedItems": Keyword(_schema, _allows_rest, ARRAYS, _UNEVALUATED),
    "unevaluatedProperties": Keyword(_schema, _allows_rest, OBJECTS, _UNEVALUATED),
}
READ_WITH = {"patternProperties": "properties", "additionalProperties": "properties", "prefixItems": "items"}
"""Keywords that are read together with another one."""
