"""Keywords of JSON Schema that one may mean, and not write."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gateway.verify.verdict import pointer

_ENFORCED = (
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "enum",
    "const",
    "pattern",
    "format",
    "oneOf",
    "anyOf",
    "allOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "multipleOf",
    "uniqueItems",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
)
"""Those that hold something; too short ones left out."""

_SIMILARITY = 0.8
_LONGEST = 40
_OTHERS = frozenset(("definitions", "description", "title", "default"))
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_SINGLE = ("items", "additionalItems", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")


@dataclass(frozen=True, slots=True)
class Misspelled:
    """A word that stands where keywords do, and is none."""

    pointer: str
    word: str
    meant: str


def misspelled(schema: Any) -> Iterator[Misspelled]:
    """The words in a schema that are keywords by all appearances, but for their spelling."""
    waiting: list[tuple[Any, list[str | int]]] = [(schema, [])]
    while waiting:
        found, path = waiting.pop()
        if not isinstance(found, dict):
            continue
        for word in found:
            meant = _meant_by(word)
            if meant is not None:
                yield Misspelled(pointer(path), word, meant)
        waiting += [(found[name], [*path, name]) for name in _SINGLE if name in found]
        for name in _MAPS:
            members = found.get(name)
            if isinstance(members, dict):
                waiting += [(member, [*path, name, key]) for key, member in members.items()]
        for name in _LISTS:
            items = found.get(name)
            if isinstance(items, list):
                waiting += [(item, [*path, name, index]) for index, item in enumerate(items)]


@lru_cache(maxsize=1024)
def _meant_by(word: str) -> str | None:
    if word in _OTHERS or word in _ENFORCED or word.startswith(("$", "x-")) or len(word) > _LONGEST:
        return None
    close = difflib.get_close_matches(word, _ENFORCED, n=1, cutoff=_SIMILARITY)
    return close[0] if close else None
