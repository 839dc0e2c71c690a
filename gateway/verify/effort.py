"""How much work it is to explain why a value is not valid.

Deciding is cheap, because the deciding library remembers what it has seen. Explaining is not: it builds an error for
each failing branch, with a copy of the value, and branches multiply along recursive references.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

LIMIT = 100_000
"""Values copied, each counted with all it contains; about two microseconds each."""

_BRANCHES = ("anyOf", "oneOf")
_SAME_VALUE = ("not", "if", "then", "else")
_SAME_VALUE_NAMED = ("dependentSchemas", "dependencies")
_ALL_MEMBERS = (
    *("additionalProperties", "unevaluatedProperties", "propertyNames"),
    *("items", "additionalItems", "unevaluatedItems", "contains", "prefixItems"),
)
_UNKNOWN_TARGET = ("$dynamicRef", "$recursiveRef")


def is_explainable(schema: Any, value: Any) -> bool:
    """Return whether building all errors stays within `LIMIT`, estimated from above."""
    try:
        return _Estimate(schema).visits(schema, value) < LIMIT
    except RecursionError:
        return False


class _Estimate:
    """Counts what an evaluation without memory does: each schema for each value it is applied to, again and again.

    The counts themselves are remembered, so estimating takes schemas times values at most.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._known: dict[tuple[int, int], int] = {}
        self._sizes: dict[int, int] = {}

    def visits(self, schema: Any, value: Any) -> int:
        """Return how much is copied at most, or `LIMIT` if it is that much or cannot be said."""
        if not isinstance(schema, dict):
            return 1
        key = (id(schema), id(value))
        if key not in self._known:
            self._known[key] = LIMIT  # what a reference to itself would cost
            self._known[key] = min(self._count(schema, value), LIMIT)
        return self._known[key]

    def _count(self, schema: dict[str, Any], value: Any) -> int:
        if schema is not self._root and ("$id" in schema or "id" in schema):
            return LIMIT  # references inside are relative to another document
        total = self._size(value)
        for keyword, argument in schema.items():
            total += self._count_keyword(keyword, argument, value)
            if total >= LIMIT:
                break
        return total

    def _count_keyword(self, keyword: str, argument: Any, value: Any) -> int:
        if keyword == "$ref":
            return self.visits(self._resolve(argument), value)
        if keyword in _UNKNOWN_TARGET:
            return LIMIT
        if keyword in _BRANCHES:
            # Errors inside a branch are copied once more, into the error of the keyword around them.
            return 2 * sum(self.visits(branch, value) for branch in argument)
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
