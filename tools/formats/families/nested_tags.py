"""Objects and arrays as tags within tags, where a schema is plain enough: allowed, and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from grammars import (
    ANY_TYPES,
    Arguments,
    ArgumentSpelling,
    GrammarError,
    JsonOptions,
    JsonSchema,
    RawString,
    StructuralTag,
    Tag,
    argument_types,
)
from grammars.frontends.base import Constraint
from grammars.frontends.combined import Concat, Either
from tools.errors import UnwritableCallError
from tools.formats.constraint import EMPTY
from tools.formats.reading.literals import whole
from tools.formats.reading.respelling import items_of, json_type, members_of, text_of
from tools.tool import ORDERED

_MAX_LEVELS = 8
_MAX_PLACES = 500
"""Most members and items that are listed one by one: a schema may lead to itself in several places, at each level."""
_DEFINITIONS = ("$schema", "$defs", "definitions")
_SAID = frozenset({*_DEFINITIONS, "type", "title", "description", "default", "examples", "$comment"})
_KEYWORDS = {
    "object": _SAID | {"properties", "required", "additionalProperties"},
    "array": _SAID | {"items", "minItems"},
}
_ITEM = "item"
_STRING = "string"

Schema = dict[str, Any]
Write = Callable[[str, str, frozenset[str]], str]


def value_types(root: Schema, schema: Schema) -> frozenset[str]:
    """Return the types of the values that a schema within `root` allows; any if it is too complex."""
    inner = {"type": "object", "properties": {"value": schema}}
    try:
        return argument_types(JsonSchema(within(root, inner), ORDERED)).of("value") or ANY_TYPES
    except GrammarError:
        return ANY_TYPES


def within(root: Schema, schema: Schema) -> Schema:
    """Return a schema by itself, with what it may refer to."""
    return {**{key: root[key] for key in _DEFINITIONS if key in root}, **schema}


def resolved(root: Schema, schema: Any) -> Schema:
    """Return what a schema refers to, if that is all that it does; nothing for what is no object."""
    for _ in range(_MAX_LEVELS):
        place = schema.get("$ref") if isinstance(schema, dict) else None
        if not isinstance(place, str) or not place.startswith("#/"):
            break
        schema = root
        for step in place[2:].split("/"):
            schema = schema.get(step) if isinstance(schema, dict) else None
    return schema if isinstance(schema, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedTags:
    """The arguments of one tool; whatever is not plain in them is JSON.

    Attributes:
        root: The schema of all of them.
        spelling: Spelling of arguments.
        tags: Before a member, and at its end, up to its name.
        write: An argument, as it is written without further tags.
    """

    root: Schema
    spelling: ArgumentSpelling
    tags: tuple[str, str]
    write: Write
    _sizes: dict[tuple[int, int], int] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def is_plain(self) -> bool:
        """True if any value is written as nested tags."""
        places = map(str, _references(self.root))
        is_clear = all(place.startswith(("#/$defs/", "#/definitions/")) for place in places)
        return is_clear and 0 < sum(self._size(each, 1) for each in self._members(self.root).values()) <= _MAX_PLACES

    def _size(self, schema: Schema, level: int) -> int:
        """Return the number of plain objects and arrays in a schema, itself included; 0 if it is not plain."""
        schema = resolved(self.root, schema)
        if level > _MAX_LEVELS:
            return 0
        key = id(schema), level
        if key not in self._sizes:
            self._sizes[key] = self._new_size(schema, level)
        return self._sizes[key]

    def _new_size(self, schema: Schema, level: int) -> int:
        if members := self._members(schema):
            return 1 + sum(max(1, self._size(each, level + 1)) for each in members.values())
        items = self._items(schema)
        if items is None:
            return 0
        inner = self._size(items, level + 1)
        types = value_types(self.root, items)
        return 1 + inner if inner else int(types == {_STRING} or _STRING not in types)

    def constraint(self, options: JsonOptions, label: str) -> Constraint:
        """Return the constraint on the arguments: tags within tags, or JSON in their place."""
        required = self.root.get("required", ())
        parts: list[Constraint] = []
        for name, schema in self._members(self.root).items():
            member: Constraint = self._alone(name, schema, options, label)
            if (inner := self._inner(schema, options, 1)) is not None:
                member = Either((self._tagged(name, inner), member))
            parts.append(member if name in required else Either((EMPTY, member)))
        return Concat(parts)

    def written(self, arguments: str) -> str:
        """Return the arguments between their tags."""
        members = self._members(self.root)
        return "".join(self._member(name, value, members.get(name), 1) for name, value in members_of(arguments))

    def _members(self, schema: Schema) -> dict[str, Any]:
        """Return the members of a plain object; empty for others."""
        properties, required = schema.get("properties"), schema.get("required", [])
        is_plain = schema.get("type") == "object" and schema.keys() <= _KEYWORDS["object"]
        if not is_plain or not isinstance(properties, dict) or not isinstance(required, list):
            return {}
        can_be = all(
            isinstance(each, dict) and re.fullmatch(self.spelling.names, name, re.ASCII)
            for name, each in properties.items()
        )
        has_all = can_be and isinstance(schema.get("additionalProperties", True), bool)
        return properties if has_all and all(name in properties for name in required) else {}

    def _inner(self, schema: Schema, options: JsonOptions, level: int) -> Constraint | None:
        """Return the constraint on a plain object or array, as tags."""
        if not self._size(schema, level):
            return None
        schema = resolved(self.root, schema)
        if members := self._members(schema):
            parts: list[Constraint] = []
            for name, each in members.items():
                inner = self._inner(each, options, level + 1)
                member = self._alone(name, each, options, "") if inner is None else self._tagged(name, inner)
                parts.append(member if name in schema.get("required", ()) else Either((EMPTY, member)))
            return Concat(parts)
        items = self._items(schema)
        assert items is not None
        content = self._inner(items, options, level + 1) or self._item(items, options)
        tag = Tag(f"{self.tags[0]}{_ITEM}>", content, f"{self.tags[1]}{_ITEM}>")
        return StructuralTag((tag,), at_least_one=schema.get("minItems") == 1, free_text=False)

    def _items(self, schema: Schema) -> Schema | None:
        """The schema of the items of plain arrays."""
        is_plain = schema.get("type") == "array" and schema.keys() <= _KEYWORDS["array"]
        items = schema.get("items")
        return items if is_plain and isinstance(items, dict) and schema.get("minItems", 0) in (0, 1) else None

    def _item(self, schema: Schema, options: JsonOptions) -> Constraint:
        alone = JsonSchema(within(self.root, schema), options)
        is_text = _STRING in value_types(self.root, schema)
        return RawString(alone, (self.spelling.marker,)) if is_text else alone

    def _alone(self, name: str, schema: Schema, options: JsonOptions, label: str) -> Constraint:
        members = {"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": False}
        return Arguments(JsonSchema(within(self.root, members), options), self.spelling, label)

    def _tagged(self, name: str, inner: Constraint) -> Constraint:
        return Concat((f"{self.tags[0]}{name}>", inner, f"{self.tags[1]}{name}>"))

    def _member(self, name: str, value: str, schema: Schema | None, level: int) -> str:
        if schema is None:
            return self.write(name, value, ANY_TYPES)
        try:
            inner = self._text(schema, value, level)
        except UnwritableCallError:  # some string ends itself, which it does not in JSON
            inner = None
        if inner is None:
            return self.write(name, value, value_types(self.root, schema))
        return f"{self.tags[0]}{name}>{inner}{self.tags[1]}{name}>"

    def _text(self, schema: Schema, value: str, level: int) -> str | None:
        """Return an object or array as tags; None if it is written as JSON."""
        if not self._size(schema, level):
            return None
        schema = resolved(self.root, schema)
        if members := self._members(schema):
            if json_type(value) != "object" or any(name not in members for name, _ in members_of(value)):
                return None
            return "".join(self._member(name, each, members[name], level + 1) for name, each in members_of(value))
        items = self._items(schema)
        if json_type(value) != "array" or items is None:
            return None
        texts = [self._item_text(items, each, level + 1) for each in items_of(value)]
        found = [text for text in texts if text is not None]
        is_whole = len(found) == len(texts)
        return "".join(f"{self.tags[0]}{_ITEM}>{text}{self.tags[1]}{_ITEM}>" for text in found) if is_whole else None

    def _item_text(self, schema: Schema, value: str, level: int) -> str | None:
        if self._size(schema, level):
            return self._text(schema, value, level)
        text = text_of(value)
        if (text is None) == (value_types(self.root, schema) == {_STRING}):
            return None
        if text is None:
            return value
        return None if self.spelling.marker in text else whole(text)


def _references(schema: Any) -> Iterator[Any]:
    """Return all references in a schema."""
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield from (each[key] for key in ("$ref", "$recursiveRef", "$dynamicRef") if key in each)
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
