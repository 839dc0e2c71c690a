"""Schemas in the sense of OpenAI's `strict`: every object closed, every property required.

OpenAI refuses a schema that does not say so itself; its SDK therefore writes it into schemas before it sends them.
Other clients send them as they are. Conversion adds what they left out, and changes nothing else:

- An object schema (its `type` names "object", or it has `properties`) that says neither `additionalProperties` nor
  `unevaluatedProperties` gets ``"additionalProperties": false``, and its `properties` all become `required`.
- Where several schemas describe one object (`allOf`, `$ref` beside other keywords, branches beside `properties`), each
  by itself would forbid the others' properties. So the outermost is closed, and allows what any of them declares;
  references among them lead to open copies of their targets.
- `not`, `if`, `then`, `else`, `contains`, `propertyNames`, `dependent*` and `unevaluated*` stay as they are written,
  and their references lead to the schema as it was written.

Keywords outside of OpenAI's subset are kept, hence enforced. Other documents (`resources`) are not converted.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.document.options import Place, below, dialect_number, escape, step
from grammars.limits import DEFAULT_LIMITS, Limits

_IN_PLACE = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("then", "else")
_CONDITIONS = frozenset(("not", "if", "then", "else", "contains", "propertyNames"))
_DEPENDENT = frozenset(("dependentSchemas", "dependencies"))
_AS_WRITTEN = _CONDITIONS | _DEPENDENT | {"unevaluatedProperties", "unevaluatedItems", "contentSchema"}
_TABLES = ("properties", "patternProperties", "$defs", "definitions")
_SCHEMAS = ("additionalProperties", "items", "additionalItems", "prefixItems")
# What a member is taken to add to the text.
_BYTES_EACH = 16
# Stands for the whole schema among the references that were copied; no reference leads there.
_WRITTEN = "%"

Names = dict[str, None]


class Number(str):
    """A number as it is spelled, so that no digit is lost between reading and writing."""

    __slots__ = ()


def converted_text(text: str, limits: Limits | None = None) -> str:
    """The JSON text of the converted schema; a text that is no JSON object is returned as it is.

    A schema that names no dialect is of draft 2020-12.

    Raises:
        UnsupportedError: the owner of a property is ambiguous, with the place.
        TooComplexError: nested too deeply, or too large with its open copies.
    """
    try:
        schema = json.loads(text, parse_float=Number)
    except (ValueError, RecursionError):
        return text
    if not isinstance(schema, dict):
        return text
    limits = limits or DEFAULT_LIMITS
    named = schema.get("$schema")
    dialect = (dialect_number(named) if isinstance(named, str) else None) or 2020
    try:
        return written(Converter(schema, dialect, limits).run())
    except RecursionError:
        raise TooComplexError("max_depth", limits.max_depth + 1, limits.max_depth) from None


def written(value: Any) -> str:
    """JSON text, with each `Number` as it was spelled."""
    match value:
        case Number():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{json.dumps(name)}: {written(item)}" for name, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
        case _:
            return json.dumps(value)


def is_object_schema(schema: Any) -> bool:
    """True if the schema itself, without its branches, describes an object."""
    if not isinstance(schema, dict):
        return False
    kinds = schema.get("type")
    names_object = kinds == "object" or (isinstance(kinds, list) and "object" in kinds)
    return names_object or isinstance(schema.get("properties"), dict)


class Converter:
    """One conversion; see the module.

    Args:
        schema: its root.
        dialect: 4, 6, 7, 2019 or 2020; up to 7, keywords beside `$ref` mean nothing.
    """

    def __init__(self, schema: dict[str, Any], dialect: int, limits: Limits) -> None:
        self._root = schema
        self._dialect = dialect
        self._limits = limits
        self._size = 0
        self._names: dict[int, Names | None] = {}
        self._id_keyword = "id" if dialect == 4 else "$id"
        own = schema.get(self._id_keyword)
        self._base = own.rstrip("#") if isinstance(own, str) else ""
        self._definitions = "$defs" if dialect >= 2019 else "definitions"
        self._copies: dict[str, str] = {}
        self._pending: list[tuple[str, Any]] = []
        self._made: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        """The converted schema; the given one is not changed."""
        found: dict[str, Any] = self._schema(self._root, "", is_open=False)
        while self._pending:
            name, target = self._pending.pop()
            self._made[name] = self._schema(target, f"/{self._definitions}/{name}", is_open=True)
        if _WRITTEN in self._copies:
            original = {name: value for name, value in self._root.items() if name not in (self._id_keyword, "$schema")}
            self._made[self._copies[_WRITTEN]] = self._as_written(original, "", Place.SCHEMA)
        if self._made:
            found[self._definitions] = {**found.get(self._definitions, {}), **self._made}
        return found

    def _schema(self, schema: Any, pointer: str, *, is_open: bool) -> Any:
        """The schema converted; an open one leaves its closing to the schema around it."""
        if not isinstance(schema, dict):
            return schema
        self._count(schema, pointer)
        if pointer and self._id_keyword in schema and isinstance(schema[self._id_keyword], str):
            raise UnsupportedError(f"{self._id_keyword} below the root of a schema that is converted", pointer)
        is_alone = "$ref" in schema and self._dialect <= 7
        is_shared = not is_open and not is_alone and self._num_describing(schema) > 1
        found = {key: self._keyword(key, value, pointer, is_open or is_shared) for key, value in schema.items()}
        if "$ref" in schema and (is_open or is_shared):
            found["$ref"] = self._open_copy(schema["$ref"], pointer)
        if is_alone:
            return found
        properties = schema.get("properties")
        if isinstance(properties, dict) and properties:
            asked = schema.get("required")
            others = [name for name in asked if name not in properties] if isinstance(asked, list) else []
            found["required"] = [*properties, *others]
        if is_open or "additionalProperties" in schema or "unevaluatedProperties" in schema:
            return found
        if is_shared:
            own = found.get("properties")
            names = dict.fromkeys(self._declared(schema) or (), True)
            self._count(names, pointer)
            found["properties"] = {**names, **(own if isinstance(own, dict) else {})}
        if is_shared or is_object_schema(schema):
            found["additionalProperties"] = False
        return found

    def _keyword(self, keyword: str, value: Any, pointer: str, is_open: bool) -> Any:
        place = f"{pointer}/{keyword}"
        if keyword in _TABLES and isinstance(value, dict):
            return {name: self._schema(each, join(place, name), is_open=False) for name, each in value.items()}
        if keyword in _SCHEMAS or keyword in _IN_PLACE:
            is_open = is_open and keyword in _IN_PLACE
            if isinstance(value, list):
                return [self._schema(each, f"{place}/{i}", is_open=is_open) for i, each in enumerate(value)]
            return self._schema(value, place, is_open=is_open)
        if keyword in _AS_WRITTEN:
            return self._as_written(value, place, below(Place.SCHEMA, keyword, value, self._dialect))
        return value

    def _open_copy(self, reference: Any, pointer: str) -> Any:
        """Return a reference to an open copy of the target, for targets that must not be closed on their own."""
        target = self._target(reference)
        if target is None:
            raise UnsupportedError(f"closing an object that {reference!r} and others describe", pointer)
        if self._declared(target) is None:
            return reference
        if reference not in self._copies:
            self._pending.append((self._copy_of(reference, "open"), target))
        return f"#/{self._definitions}/{self._copies[reference]}"

    def _copy_of(self, reference: str, kind: str) -> str:
        """The name of a new definition."""
        name, taken = f"{kind}-{len(self._copies)}", self._root.get(self._definitions)
        while isinstance(taken, dict) and name in taken:
            name += "_"
        self._copies[reference] = name
        return name

    def _num_describing(self, schema: dict[str, Any]) -> int:
        """Return the number of parts of the schema that describe the same object, each with its own properties."""
        parts = [is_object_schema(schema)]
        parts += [self._describes(branch) for branch in _branches(schema, "allOf")]
        parts += [any(map(self._describes, _branches(schema, keyword))) for keyword in ("anyOf", "oneOf")]
        parts += [any(map(self._describes, _conditional(schema)))]
        parts += ["$ref" in schema and self._declared_behind(schema["$ref"]) is not None]
        return sum(parts)

    def _describes(self, schema: Any) -> bool:
        return self._declared(schema) is not None

    def _declared(self, schema: Any) -> Names | None:
        """The properties that the schema or its branches declare; None where it does not describe an object."""
        if not isinstance(schema, dict):
            return None
        key = id(schema)
        if key not in self._names:
            # What a schema adds to itself.
            self._names[key] = None
            self._names[key] = self._declared_anew(schema)
        return self._names[key]

    def _declared_anew(self, schema: dict[str, Any]) -> Names | None:
        found: list[Names | None] = []
        if is_object_schema(schema):
            properties = schema.get("properties")
            found.append(dict.fromkeys(properties) if isinstance(properties, dict) else {})
        if "$ref" in schema:
            found.append(self._declared_behind(schema["$ref"]))
        if "$ref" not in schema or self._dialect > 7:
            for keyword in _IN_PLACE:
                found += map(self._declared, _branches(schema, keyword))
            found += map(self._declared, _conditional(schema))
        known = [names for names in found if names is not None]
        return {name: None for names in known for name in names} if known else None

    def _declared_behind(self, reference: Any) -> Names | None:
        """The same of a reference; of one into another document nothing is known but that it may describe an object."""
        target = self._target(reference)
        return {} if target is None else self._declared(target)

    def _target(self, reference: Any) -> Any:
        """The subschema that a reference into the same document leads to; None for any other."""
        if not isinstance(reference, str):
            return None
        base, _, fragment = reference.partition("#")
        if base not in ("", self._base) or (fragment and not fragment.startswith("/")):
            return None
        found: Any = self._root
        for part in fragment.split("/")[1:]:
            try:
                found = step(found, unquote(part))
            except KeyError:
                return None
        return found

    def _as_written(self, value: Any, pointer: str, place: Place) -> Any:
        """Return the schema with references to the copy of the original."""
        if place is Place.DATA or not isinstance(value, (dict, list)):
            return value
        self._count(value, pointer)
        if isinstance(value, list):
            kind = [below(place, str(i), item, self._dialect) for i, item in enumerate(value)]
            return [self._as_written(item, f"{pointer}/{i}", kind[i]) for i, item in enumerate(value)]
        found = {}
        for name, item in value.items():
            if place is Place.SCHEMA and name in ("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$id"):
                raise UnsupportedError(f"{name} in a part of a converted schema that stays as written", pointer)
            if place is Place.SCHEMA and name == "$ref" and isinstance(item, str):
                found[name] = self._to_copy(item, pointer)
            else:
                found[name] = self._as_written(item, join(pointer, name), below(place, name, item, self._dialect))
        return found

    def _to_copy(self, reference: str, pointer: str) -> str:
        base, _, fragment = reference.partition("#")
        if base not in ("", self._base):
            return reference
        if fragment and not fragment.startswith("/"):
            raise UnsupportedError(
                "an anchor referred to by a part of a converted schema that stays as written", pointer
            )
        name = self._copies.get(_WRITTEN) or self._copy_of(_WRITTEN, "as-written")
        return f"#/{self._definitions}/{name}{fragment}"

    def _count(self, schema: Any, pointer: str) -> None:
        self._size += _BYTES_EACH * (1 + len(schema))
        if self._size > self._limits.max_schema_bytes:
            limit = self._limits.max_schema_bytes
            raise TooComplexError("max_schema_bytes", limit + 1, limit, pointer)


def join(pointer: str, name: str) -> str:
    """The pointer to a member of what the pointer leads to."""
    return f"{pointer}/{escape(name)}"


def _branches(schema: dict[str, Any], keyword: str) -> list[Any]:
    branches = schema.get(keyword)
    return branches if isinstance(branches, list) else []


def _conditional(schema: dict[str, Any]) -> list[Any]:
    found = [schema[keyword] for keyword in _CONDITIONAL if "if" in schema and keyword in schema]
    for keyword in ("dependentSchemas", "dependencies"):
        named = schema.get(keyword)
        found += named.values() if isinstance(named, dict) else ()
    return found
