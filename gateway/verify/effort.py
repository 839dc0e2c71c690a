"""Estimate of the work to validate a value recursively, without memoisation.

References that lead to a schema in several ways multiply the looks, along the way and with each level of the value.
Explaining why a value is not valid is more work than deciding it: there is an error for each failing branch, with a
copy of the value.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

LIMIT = 100_000
"""Values copied, each counted with all it contains; about two microseconds each."""
_AGAIN = 100
"""Looks beyond `LIMIT` that are one look, and more."""
_ENDLESS = 10**100

_LIGHT_SCHEMA, _LIGHT_SCHEMA_WITH_PATTERNS = 32_000, 4_000
_LIGHT, _LIGHT_REFERRING = 32_000_000, 4_000_000
"""Characters of a schema times those of a value; with references the looks are counted first, in Python."""
_MAY_BE_HEAVY = re.compile(r"unevaluated|\(\?|\\\\[1-9kpP]|\{\d*,?\d{3}")
"""Keywords that depend on other evaluations; patterns that backtrack or need large automata."""

_BRANCHES = ("anyOf", "oneOf")
_SAME_VALUE = ("not", "if", "then", "else")
_SAME_VALUE_NAMED = ("dependentSchemas", "dependencies")
_ALL_MEMBERS = (
    *("additionalProperties", "unevaluatedProperties", "propertyNames"),
    *("items", "additionalItems", "unevaluatedItems", "contains", "prefixItems"),
)
_UNKNOWN_TARGET = ("$dynamicRef", "$recursiveRef")


def is_light(schema_text: str, num_characters: int) -> bool:
    """Return whether a value of this many characters is certainly verified within milliseconds, the schema's parsing
    included.

    Without references each subschema is looked at once for each value at most.

    Args:
        schema_text: the schema as JSON.
    """
    most = _LIGHT_SCHEMA_WITH_PATTERNS if "attern" in schema_text else _LIGHT_SCHEMA
    if len(schema_text) > most or _MAY_BE_HEAVY.search(schema_text):
        return False
    limit = _LIGHT_REFERRING if 'ef":' in schema_text else _LIGHT
    return len(schema_text) * (num_characters + 1) <= limit


def is_explainable(schema: Any, value: Any, limit: int = LIMIT) -> bool:
    """Return whether building all errors stays within the limit, estimated from above."""
    try:
        return _Estimate(schema, is_copying=True).visits(schema, value) < limit
    except RecursionError:
        return False


def multiplies(schema: Any, value: Any) -> bool:
    """Return whether recursive validation evaluates many more schemas than memoised, or cannot be estimated."""
    estimate = _Estimate(schema, is_copying=False)
    try:
        return estimate.visits(schema, value) > LIMIT + _AGAIN * estimate.num_looks
    except RecursionError:
        return True


class _Estimate:
    """Counts the evaluations of schemas at values, repetitions included.

    The counts themselves are remembered, so estimating takes schemas times values at most.

    Args:
        root: the whole schema.
        is_copying: values are copied with all they contain, those that fail in a branch twice.
    """

    def __init__(self, root: Any, *, is_copying: bool) -> None:
        self._root = root
        self._is_copying = is_copying
        self._known: dict[tuple[int, int], int] = {}
        self._sizes: dict[int, int] = {}

    @property
    def num_looks(self) -> int:
        """Return the number of schema evaluations."""
        return len(self._known)

    def visits(self, schema: Any, value: Any) -> int:
        """Return how often is looked at most; where it cannot be said, more than anything."""
        if not isinstance(schema, dict):
            return 1
        key = (id(schema), id(value))
        if key not in self._known:
            self._known[key] = _ENDLESS  # what a reference to itself would cost
            self._known[key] = min(self._count(schema, value), _ENDLESS)
        return self._known[key]

    def _count(self, schema: dict[str, Any], value: Any) -> int:
        if schema is not self._root and ("$id" in schema or "id" in schema):
            return _ENDLESS  # references inside are relative to another document
        total = self._size(value) if self._is_copying else 1
        return total + sum(self._count_keyword(keyword, argument, value) for keyword, argument in schema.items())

    def _count_keyword(self, keyword: str, argument: Any, value: Any) -> int:
        if keyword == "$ref":
            return self.visits(self._resolve(argument), value)
        if keyword in _UNKNOWN_TARGET:
            return _ENDLESS
        if keyword in _BRANCHES:
            # Errors inside a branch are copied once more, into the error of the keyword around them.
            return (1 + self._is_copying) * sum(self.visits(branch, value) for branch in argument)
        if keyword == "allOf":
            return sum(self.visits(branch, value) for branch in argument)
        if keyword in _SAME_VALUE:
            return self.visits(argument, value)
        if keyword in _SAME_VALUE_NAMED:
            return sum(self.visits(branch, value) for branch in argument.values())
        if keyword in _ALL_MEMBERS:
            schemas = argument if isinstance(argument, list) else [argument]
            return sum(self.visits(each, member) for each in schemas for member in _members(value))
        if keyword == "patternProperties":
            return sum(self.visits(each, member) for each in argument.values() for member in _members(value))
        if keyword == "properties" and isinstance(value, dict):
            return sum(self.visits(each, value[name]) for name, each in argument.items() if name in value)
        return 0

    def _resolve(self, reference: str) -> Any:
        """Return the schema that a pointer into the same document names; itself a costly one if it is elsewhere."""
        found = self._root
        if reference not in ("#", "") and not reference.startswith("#/"):
            return _ELSEWHERE
        for part in reference.split("/")[1:]:
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and name.isdecimal() and int(name) < len(found):
                found = found[int(name)]
            elif isinstance(found, dict) and name in found:
                found = found[name]
            else:
                return _ELSEWHERE
        return found

    def _size(self, value: Any) -> int:
        members = _members(value)
        if not members:
            return 1
        if id(value) not in self._sizes:
            self._sizes[id(value)] = 1 + sum(self._size(member) for member in members)
        return self._sizes[id(value)]


_ELSEWHERE: dict[str, Any] = {"$dynamicRef": ""}


def _members(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
