"""Where subschemas stand in a schema, dialect by dialect; what stands elsewhere is data, whatever it looks like."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any


class Place(Enum):
    """What a value inside a schema is."""

    SCHEMA = 0
    LIST = 1  # an array of schemas
    TABLE = 2  # an object of schemas
    DATA = 3


# Keyword: what its value is, and the first dialect with it.
_PLACES: dict[str, tuple[Place, int]] = {
    "additionalProperties": (Place.SCHEMA, 4),
    "not": (Place.SCHEMA, 4),
    "contains": (Place.SCHEMA, 6),
    "propertyNames": (Place.SCHEMA, 6),
    "if": (Place.SCHEMA, 7),
    "then": (Place.SCHEMA, 7),
    "else": (Place.SCHEMA, 7),
    "unevaluatedItems": (Place.SCHEMA, 2019),
    "unevaluatedProperties": (Place.SCHEMA, 2019),
    "contentSchema": (Place.SCHEMA, 2019),
    "allOf": (Place.LIST, 4),
    "anyOf": (Place.LIST, 4),
    "oneOf": (Place.LIST, 4),
    "prefixItems": (Place.LIST, 2020),
    "properties": (Place.TABLE, 4),
    "patternProperties": (Place.TABLE, 4),
    "definitions": (Place.TABLE, 4),
    "dependencies": (Place.TABLE, 4),
    "$defs": (Place.TABLE, 2019),
    "dependentSchemas": (Place.TABLE, 2019),
}


def place_of(keyword: str, value: Any, dialect: int) -> Place:
    """What the value of a keyword is in the dialect."""
    if keyword == "items":
        if isinstance(value, list):
            return Place.LIST if dialect < 2020 else Place.DATA
        return Place.SCHEMA
    if keyword == "additionalItems":
        return Place.SCHEMA if dialect < 2020 else Place.DATA
    place, since = _PLACES.get(keyword, (Place.DATA, 0))
    return place if since <= dialect else Place.DATA


def below(place: Place, token: str, value: Any, dialect: int) -> Place:
    """What the value at `token` is, inside something that is a `place`."""
    if place is Place.SCHEMA:
        return place_of(token, value, dialect)
    return Place.DATA if place is Place.DATA else Place.SCHEMA


def subschemas(schema: dict[str, Any], dialect: int) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The subschemas that are objects, each with the tokens that lead to it."""
    for keyword, value in schema.items():
        if not isinstance(value, (dict, list)):
            continue
        place = place_of(keyword, value, dialect)
        if place is Place.SCHEMA and isinstance(value, dict):
            yield (keyword,), value
        elif place is Place.LIST and isinstance(value, list):
            yield from (((keyword, str(i)), item) for i, item in enumerate(value) if isinstance(item, dict))
        elif place is Place.TABLE and isinstance(value, dict):
            yield from (((keyword, name), item) for name, item in value.items() if isinstance(item, dict))
