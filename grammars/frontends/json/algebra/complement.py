"""The complement of a schema, written as a schema: a value fails one keyword or another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra.unevaluated import static_meaning
from grammars.frontends.json.document.document import Document, Not, SchemaTerm, Subschema
from grammars.frontends.json.document.options import is_known
from grammars.frontends.json.meaning.keywords import CHECKED, DEPENDENCIES, array_part, contained, dependents, schemas
from grammars.frontends.json.meaning.type_bounds import INTEGER, TYPES

Schema = dict[str, Any]


def term(document: Document, subschema: Subschema) -> SchemaTerm:
    """The complement as a term; the same one each time."""
    if subschema is document.everything or subschema is document.nothing:
        return document.nothing if subschema is document.everything else document.everything
    if subschema not in document.negations:
        document.negations[subschema] = Not(subschema)
    return document.negations[subschema]


def of(document: Document, subschema: Subschema) -> Subschema:
    """A subschema whose schema is the complement of this subschema's.

    Raises:
        UnsupportedError: a keyword has no complement here.
    """
    if subschema not in document.complements:
        document.complements[subschema] = document.made(subschema, {"anyOf": _failures(document, subschema)})
    return document.complements[subschema]


def _failures(document: Document, subschema: Subschema) -> list[Any]:
    schema = subschema.schema
    failures: list[Any] = []
    if "$ref" in schema:
        failures.append(_negated(document, document.resolve(subschema, schema["$ref"])))
        if subschema.resource.dialect <= 7:
            return failures
    for keyword, value in schema.items():
        if not is_known(keyword, subschema.resource.dialect):
            continue
        if keyword in CHECKED:
            failures.append(_negated(document, static_meaning(document, subschema, keyword)))
        elif keyword in _FAILURES:
            failures.extend(_FAILURES[keyword](document, subschema, value))
    return failures or [False]


def _negated(document: Document, subschema: Subschema) -> Any:
    """A schema that the subschema's values fail; registered, so that it leads back to the same subschemas."""
    if subschema is document.everything or subschema is document.nothing:
        return subschema is document.nothing
    if subschema not in document.negated:
        document.negated[subschema] = document.made(subschema, {"not": subschema.schema}).schema
    return document.negated[subschema]


def _child(document: Document, subschema: Subschema, schema: Any, *tokens: str) -> Any:
    return _negated(document, document.child(subschema, schema, *tokens))


def _type(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    allowed = 0
    for name in value if isinstance(value, list) else (value,):
        allowed |= TYPES[name]
    rest = [name for name, bits in TYPES.items() if not bits & allowed]
    failures: list[Any] = [{"type": rest}] if rest else []
    if allowed & INTEGER and not allowed & TYPES["number"] & ~INTEGER:
        failures.append({"type": "number", "\0notMultipleOf": 1})
    return failures


def _of(kind: str, **keywords: Any) -> Schema:
    return {"type": kind, **keywords}


def _properties(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    required = subschema.schema.get("required", ())
    return [
        _of("object", required=[name], properties={name: _child(document, subschema, schema, "properties", name)})
        for name, schema in value.items()
        if schema is not True and name not in required
    ]


def _required(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    """A required member is missing or, in the same breath, has a value that fails."""
    declared = subschema.schema.get("properties", {})
    return [
        _of("object", properties={name: _child(document, subschema, declared.get(name, True), "properties", name)})
        for name in value
    ]


def _items(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    """Some item fails, at a position of its own or after those."""
    if (
        "prefixItems" in subschema.schema
        and "items" in subschema.schema
        and value is not subschema.schema["prefixItems"]
    ):
        return []
    part = array_part(document, subschema)
    failures: list[Any] = []
    for index, child in enumerate(part.prefix):
        if child is not document.everything:
            items = [*([True] * index), _negated(document, _as_subschema(child))]
            failures.append(_of("array", minItems=index + 1, prefixItems=items))
    done = len(part.prefix)
    if part.rest is document.nothing:
        failures.append(_of("array", minItems=done + 1))
    elif part.rest is not None and part.rest is not document.everything:
        failures.append(_of("array", **{"\0containsAfter": [done, _negated(document, _as_subschema(part.rest))]}))
    return failures


def _as_subschema(term: SchemaTerm) -> Subschema:
    assert isinstance(term, Subschema)
    return term


def _exists(names: Any, value: Any) -> Schema:
    return _of("object", **{"\0exists": [names, value]})


def _additional(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    """Some member that is neither declared nor matched has a value that fails."""
    if value is True:
        return []
    schema = subschema.schema
    others: list[Any] = [{"\0notPattern": pattern} for pattern in schema.get("patternProperties", ())]
    names = {"type": "string", "\0notEnum": list(schema.get("properties", ())), "allOf": others or [True]}
    return [_exists(names, _child(document, subschema, value, "additionalProperties"))]


def _pattern_properties(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [
        _exists(
            {"type": "string", "pattern": pattern}, _child(document, subschema, schema, "patternProperties", pattern)
        )
        for pattern, schema in value.items()
        if schema is not True
    ]


def _property_names(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [_exists(_child(document, subschema, value, "propertyNames"), True)]


def _bound(keyword: str, opposite: str) -> Callable[[Document, Subschema, Any], list[Any]]:
    def failures(document: Document, subschema: Subschema, value: Any) -> list[Any]:
        if isinstance(value, bool):
            return []
        opened = subschema.schema.get(_exclusive(keyword)) is True
        strict = not (keyword.startswith("exclusive") or opened)
        return [_of("number", **{_exclusive(opposite) if strict else opposite: value})]

    return failures


def _exclusive(keyword: str) -> str:
    return "exclusive" + keyword[0].upper() + keyword[1:]


def _least(kind: str, opposite: str) -> Callable[[Document, Subschema, Any], list[Any]]:
    return lambda document, subschema, value: [_of(kind, **{opposite: int(value) - 1})] if value > 0 else []


def _most(kind: str, opposite: str) -> Callable[[Document, Subschema, Any], list[Any]]:
    return lambda document, subschema, value: [_of(kind, **{opposite: int(value) + 1})]


def _contains(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    """Too few items meet the schema, or too many."""
    child = document.child(subschema, value, "contains")
    least, most = contained(subschema)
    failures: list[Any] = []
    if least == 1:
        failures.append(_of("array", items=_negated(document, child)))
    elif least > 1:
        failures.append(_of("array", contains=child.schema, minContains=0, maxContains=least - 1))
    if most is not None:
        failures.append(_of("array", contains=child.schema, minContains=most + 1))
    return failures


def _dependent(keyword: str) -> Callable[[Document, Subschema, Any], list[Any]]:
    def failures(document: Document, subschema: Subschema, value: Any) -> list[Any]:
        found: list[Any] = []
        for name, needed in dependents(document, subschema, keyword).items():
            if not isinstance(needed, Subschema):
                found += [_of("object", required=[name], properties={other: False}) for other in needed]
            elif needed is not document.everything:
                found.append(_of("object", required=[name], allOf=[_negated(document, needed)]))
        return found

    return failures


def _unique_items(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [_of("array", **{"\0repeats": True})] if value else []


def _not_exists(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    names, member = value
    if member is not True:
        raise UnsupportedError("the complement of members that must exist", subschema.pointer)
    return [_of("object", propertyNames=_child(document, subschema, names, "propertyNames"))]


def _unlike(values: list[Any]) -> Schema:
    """A schema for every value but these."""
    scalars = [value for value in values if not isinstance(value, (list, dict))]
    containers = [value for value in values if isinstance(value, (list, dict))]
    unlike: list[Any] = [{"\0notEnum": scalars}] if scalars else []
    return {"allOf": [*unlike, *({"anyOf": _differences(value)} for value in containers)] or [True]}


def _differences(value: list[Any] | dict[str, Any]) -> list[Any]:
    """The ways in which a value can differ from an array or object."""
    kind = "array" if isinstance(value, list) else "object"
    others: list[Any] = [{"type": [name for name in TYPES if name not in (kind, "integer")]}]
    if isinstance(value, dict):
        names = {"type": "string", "\0notEnum": list(value)}
        return [
            *others,
            _exists(names, True),
            *(_of("object", properties={name: _unlike([member])}) for name, member in value.items()),
        ]
    if value:
        others.append(_of("array", maxItems=len(value) - 1))
    return [
        *others,
        _of("array", minItems=len(value) + 1),
        *(
            _of("array", minItems=index + 1, prefixItems=[*([True] * index), _unlike([item])])
            for index, item in enumerate(value)
        ),
    ]


def _any_of(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [{"allOf": [_negated(document, branch) for branch in schemas(document, subschema, "anyOf")]}]


def _all_of(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [_negated(document, branch) for branch in schemas(document, subschema, "allOf")]


def _one_of(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    branches = schemas(document, subschema, "oneOf")
    pairs = [{"allOf": [a.schema, b.schema]} for i, a in enumerate(branches) for b in branches[i + 1 :]]
    return [{"allOf": [_negated(document, branch) for branch in branches]}, *pairs]


def _not(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    return [document.child(subschema, value, "not").schema]


def _if(document: Document, subschema: Subschema, value: Any) -> list[Any]:
    condition = document.child(subschema, value, "if")
    failures: list[Any] = []
    if "then" in subschema.schema:
        failures.append({"allOf": [condition.schema, _child(document, subschema, subschema.schema["then"], "then")]})
    if "else" in subschema.schema:
        failures.append(
            {"allOf": [_negated(document, condition), _child(document, subschema, subschema.schema["else"], "else")]}
        )
    return failures


_FAILURES: dict[str, Callable[[Document, Subschema, Any], list[Any]]] = {
    "type": _type,
    "enum": lambda document, subschema, value: [_unlike(value)],
    "const": lambda document, subschema, value: [_unlike([value])],
    "minimum": _bound("minimum", "maximum"),
    "maximum": _bound("maximum", "minimum"),
    "exclusiveMinimum": _bound("exclusiveMinimum", "maximum"),
    "exclusiveMaximum": _bound("exclusiveMaximum", "minimum"),
    "multipleOf": lambda document, subschema, value: [_of("number", **{"\0notMultipleOf": value})],
    "minLength": _least("string", "maxLength"),
    "maxLength": _most("string", "minLength"),
    "pattern": lambda document, subschema, value: [_of("string", **{"\0notPattern": value})],
    "format": lambda document, subschema, value: [_of("string", **{"\0notFormat": value})],
    "minItems": _least("array", "maxItems"),
    "maxItems": _most("array", "minItems"),
    "items": _items,
    "prefixItems": _items,
    "uniqueItems": _unique_items,
    "contains": _contains,
    "minProperties": _least("object", "maxProperties"),
    "maxProperties": _most("object", "minProperties"),
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "anyOf": _any_of,
    "allOf": _all_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    **{keyword: _dependent(keyword) for keyword in DEPENDENCIES},
    "\0notEnum": lambda document, subschema, value: [{"enum": value}],
    "\0containsAfter": lambda document, subschema, value: [
        _of("array", prefixItems=[True] * value[0], items=_child(document, subschema, value[1], "contains"))
    ],
    "\0notFormat": lambda document, subschema, value: [_of("string", format=value)],
    "\0notPattern": lambda document, subschema, value: [_of("string", pattern=value)],
    "\0notMultipleOf": lambda document, subschema, value: [_of("number", multipleOf=value)],
    "\0repeats": lambda document, subschema, value: [_of("array", uniqueItems=True)],
    "\0exists": _not_exists,
}
