"""Short descriptions of schemas, for models that cannot read JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_VALUES = 100
"""Most values in a description, over all levels; a schema with more has none."""

MAX_DEPTH = 3
"""Most levels of objects and arrays in a description; deeper values are `anything`."""

MAX_DESCRIPTION = 100
_SCALARS = ("string", "integer", "number", "boolean", "null")


def fields_in_words(schema: Any) -> str:
    """Return the members of an object, as in `city (string), days (integer)`; empty if it has none, or too many.

    Cost: linear in `MAX_VALUES`, also with recursive references.
    """
    words = _Words(schema)
    fields = words.fields(schema, 0)
    return fields if words.num_left >= 0 else ""


def _type_of(members: Any) -> str | None:
    """Return the type of an enumeration whose members are all strings, else None."""
    return "string" if isinstance(members, list) and all(isinstance(each, str) for each in members) else None


class _Words:
    """Describes parts of a schema, and counts the values that are left."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self.num_left = MAX_VALUES

    def fields(self, schema: Any, depth: int) -> str:
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
        if not isinstance(properties, Mapping) or not self._has_room(len(properties)):
            return ""
        return ", ".join(f"{name} ({self._described(each, depth)})" for name, each in properties.items())

    def _has_room(self, num_values: int) -> bool:
        self.num_left -= num_values
        return self.num_left >= 0

    def _described(self, schema: Any, depth: int) -> str:
        said = schema.get("description") if isinstance(schema, Mapping) else None
        return self._kind(schema, depth) + (f", {said[:MAX_DESCRIPTION]}" if isinstance(said, str) else "")

    def _kind(self, schema: Any, depth: int) -> str:
        schema = self._target(schema)
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return "anything"
        listed = next((schema[key] for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list)), None)
        if listed is not None:
            if not self._has_room(len(listed)):
                return "anything"
            return " or ".join(dict.fromkeys(self._kind(each, depth + 1) for each in listed))
        # Members of an enumeration are left to the mask: a small model would choose the first one in the prompt.
        match schema.get("type", _type_of(schema.get("enum"))):
            case "array":
                return f"array of {self._kind(schema.get('items'), depth + 1)}"
            case "object" if fields := self.fields(schema, depth + 1):
                return f"object of {fields}"
            case str(kind):
                return kind
            case [*kinds]:
                return " or ".join(kind for kind in kinds if kind in _SCALARS) or "anything"
        return "anything"

    def _target(self, schema: Any) -> Any:
        """Return the target of a reference within the document; only one step, so that cycles end."""
        reference = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        found = self._root
        for key in reference[2:].split("/"):
            found = found.get(key) if isinstance(found, Mapping) else None
        return found
