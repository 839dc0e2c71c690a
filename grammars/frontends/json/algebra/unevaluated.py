"""`unevaluated*` and dynamic references in other keywords, where what they mean can be said beforehand.

What a schema evaluates depends on which of its choices hold. Each way in which they can hold becomes a branch: the
choices of the way, and a schema for the members or items that these do not evaluate. The more is evaluated, the less is
asked for, so a branch need not say that the other choices fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra.evaluate import says_nothing
from grammars.frontends.json.document.document import Document, Subschema
from grammars.frontends.json.document.options import is_known, published
from grammars.frontends.json.meaning.keywords import DYNAMIC, array_part, dependents, reference, schemas, table

_PROPERTIES = "unevaluatedProperties"
_MAX_WAYS = 64
_ALL = "all"


class _Way(NamedTuple):
    """Schemas that hold, and what they evaluate: names, patterns, positions, schemas of items, or all."""

    holding: tuple[Any, ...]
    evaluated: dict[tuple[str, Any], None]


def static_meaning(document: Document, subschema: Subschema, keyword: str) -> Subschema:
    """Return a schema that, with the subschema's other keywords, has the meaning of this one of `CHECKED`.

    Raises:
        UnsupportedError: that depends on the way that leads to the subschema, or on too many choices.
    """
    if keyword in DYNAMIC:
        return _target(document, subschema, keyword)
    value = subschema.schema[keyword]
    if says_nothing(document.child(subschema, value, keyword)):
        return document.everything
    ways = _Ways(document, subschema, keyword).of(subschema)
    branches: list[Any] = []
    for holding, evaluated in ways:
        if (_ALL, None) in evaluated:
            rest: Any = True
        elif keyword == _PROPERTIES:
            rest = _members(evaluated, value)
        else:
            rest = _items(document, subschema, evaluated, value)
        branches.append({"allOf": [*holding, rest]} if holding else rest)
    return document.made(
        subschema, branches[0] if len(branches) == 1 and branches[0] is not True else {"anyOf": branches}
    )


def _members(evaluated: Iterable[tuple[str, Any]], value: Any) -> dict[str, Any]:
    return {
        "properties": {name: True for kind, name in evaluated if kind == "name"},
        "patternProperties": {pattern: True for kind, pattern in evaluated if kind == "pattern"},
        "additionalProperties": value,
    }


def _items(
    document: Document, subschema: Subschema, evaluated: Iterable[tuple[str, Any]], value: Any
) -> dict[str, Any]:
    num_first = sum(kind == "position" for kind, _ in evaluated)
    contained = [child.schema for kind, child in evaluated if kind == "contained"]
    rest = document.made(subschema, {"anyOf": [*contained, value]}).schema if contained else value
    return {"prefixItems": [True] * num_first, "items": rest}


def _target(document: Document, subschema: Subschema, keyword: str) -> Subschema:
    """Return the target of a reference, if it does not depend on the way to the subschema.

    Whatever the way, it begins at the document's root: an anchor there comes before all others of its name.
    """
    first, name = reference(document, subschema, keyword)
    if name is None:
        return first
    outermost = document.dynamic(document.root.resource, name)
    if outermost is not None:
        return outermost
    document.index_given()
    # Meta-schemas are met one by one, each with an anchor of the same name.
    is_meta_schema = published(first.resource.pointer.partition("#")[0]) is not None
    if is_meta_schema or len(document.dynamic_subschemas(name)) > 1:
        raise UnsupportedError("a dynamic reference that may lead to several places", f"{subschema.pointer}/{keyword}")
    return first


class _Ways:
    """The ways in which schemas evaluate what one of the two keywords looks at."""

    def __init__(self, document: Document, subschema: Subschema, keyword: str) -> None:
        self._document = document
        self._where = f"{subschema.pointer}/{keyword}"
        self._keyword = keyword
        self._known: dict[Subschema, list[_Way] | None] = {}

    def of(self, subschema: Subschema) -> list[_Way]:
        """Return the ways of the subschema's keywords, except the unevaluated one."""
        return self._of(subschema, is_asking=True)

    def _of(self, subschema: Subschema, is_asking: bool = False) -> list[_Way]:
        if not isinstance(subschema.schema, dict):
            return [_Way((), {})]
        known = self._known.get(subschema, ())
        if known is None:
            raise UnsupportedError("what is evaluated by a schema that leads to itself", self._where)
        if not known:
            self._known[subschema] = None
            known = self._known[subschema] = self._found(subschema, is_asking)
        return list(known)

    def _found(self, subschema: Subschema, is_asking: bool) -> list[_Way]:
        schema, dialect = subschema.schema, subschema.resource.dialect
        is_reference = "$ref" in schema and dialect <= 7
        ways = [_Way((), {} if is_reference else dict.fromkeys(self._own(subschema, is_asking)))]
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword in schema and is_known(keyword, dialect):
                ways = self._times(ways, self._of(_target(self._document, subschema, keyword)))
        if is_reference:
            return ways
        for branch in self._children(subschema, "allOf"):
            ways = self._times(ways, self._of(branch))
        together: list[_Way] = []
        for branch in self._children(subschema, "anyOf"):
            holding = self._holding(branch)
            together = _minimal([*together, *holding, *self._times(together, holding)])
        choices = [together, [way for branch in self._children(subschema, "oneOf") for way in self._holding(branch)]]
        if "if" in schema and is_known("if", dialect):
            choices.append(self._condition(subschema))
        for keyword in ("dependentSchemas", "dependencies"):
            if keyword in schema and is_known(keyword, dialect):
                for name, needed in dependents(self._document, subschema, keyword).items():
                    if isinstance(needed, Subschema):
                        there, absent = {"required": [name]}, {"properties": {name: False}}
                        holding = self._holding(needed)
                        choices.append([_Way((absent,), {}), *self._times([_Way((there,), {})], holding)])
        for choice in choices:
            if any(way.evaluated for way in choice):
                ways = self._times(ways, choice)
        return ways

    def _own(self, subschema: Subschema, is_asking: bool) -> list[tuple[str, Any]]:
        """Return the parts that keywords with children evaluate."""
        schema, dialect = subschema.schema, subschema.resource.dialect
        if not is_asking and self._keyword in schema and is_known(self._keyword, dialect):
            return [(_ALL, None)]
        if self._keyword == _PROPERTIES:
            if "additionalProperties" in schema:
                return [(_ALL, None)]
            kinds = (("name", "properties"), ("pattern", "patternProperties"))
            return [(kind, name) for kind, where in kinds for name in table(subschema, where, schema.get(where, {}))]
        part = array_part(self._document, subschema)
        if part.rest is not None:
            return [(_ALL, None)]
        found: list[tuple[str, Any]] = [("position", index) for index in range(len(part.prefix))]
        if "contains" in schema and dialect >= 2020:
            found.append(("contained", self._document.child(subschema, schema["contains"], "contains")))
        return found

    def _children(self, subschema: Subschema, keyword: str) -> list[Subschema]:
        return schemas(self._document, subschema, keyword) if keyword in subschema.schema else []

    def _holding(self, branch: Subschema) -> list[_Way]:
        return [_Way((branch.schema, *holding), evaluated) for holding, evaluated in self._of(branch)]

    def _condition(self, subschema: Subschema) -> list[_Way]:
        child = self._document.child
        condition = child(subschema, subschema.schema["if"], "if")
        holding = self._holding(condition)
        if "then" not in subschema.schema and "else" not in subschema.schema:
            return [_Way((), {}), *holding]
        then, otherwise = (
            self._holding(child(subschema, subschema.schema.get(name, True), name)) for name in ("then", "else")
        )
        fails = self._document.made(subschema, {"not": condition.schema}).schema
        return [*self._times(holding, then), *self._times([_Way((fails,), {})], otherwise)]

    def _times(self, ways: list[_Way], others: list[_Way]) -> list[_Way]:
        """Return the product of two lists of ways."""
        if len(ways) * len(others) > _MAX_WAYS**2:
            raise UnsupportedError(f"what is evaluated in more than {_MAX_WAYS} ways", self._where)
        found = [
            _Way((*way.holding, *other.holding), way.evaluated | other.evaluated) for way in ways for other in others
        ]
        found = _minimal(found)
        if len(found) > _MAX_WAYS:
            raise UnsupportedError(f"what is evaluated in more than {_MAX_WAYS} ways", self._where)
        return found


def _minimal(ways: list[_Way]) -> list[_Way]:
    """The ways without those that ask for more than another one and evaluate no more."""
    kept: list[tuple[frozenset[int], _Way]] = []
    for way in ways:
        holding = frozenset(map(id, way.holding))
        if not any(less <= holding and _covers(other, way) for less, other in kept):
            kept = [row for row in kept if not (holding <= row[0] and _covers(way, row[1]))]
            kept.append((holding, way))
    return [way for _, way in kept]


def _covers(one: _Way, other: _Way) -> bool:
    return (_ALL, None) in one.evaluated or other.evaluated.keys() <= one.evaluated.keys()
