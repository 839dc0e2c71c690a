"""Python types as JSON schemas.

`msgspec.json.schema` makes them too, but drops `Annotated` metadata that it does not know without a word; a bound of a
type must be enforced or refused.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import enum
import json
import sys
import types
import typing
import uuid
from collections.abc import Callable
from typing import Any

from grammars.errors import UnsupportedError

Schema = dict[str, Any]

_SCALARS: dict[Any, Schema] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}
_LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.MutableSequence)
_SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
# Known by name, since `typing_extensions` has some of its own.
_QUALIFIERS = frozenset({"Required", "NotRequired", "ReadOnly", "Final"})
# Attributes of the metadata in ``Annotated``, as annotated_types, pydantic and msgspec name them.
_CONSTRAINTS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}


def schema_of(annotation: Any) -> Schema:
    """The JSON schema of a type's values.

    Classes of fields (dataclasses, typed dictionaries) are objects of just these fields; fields with a default may be
    missing. Named tuples are arrays. Structs of msgspec and models of pydantic give their own schema.

    Raises:
        UnsupportedError: a type, or metadata of one, that says nothing about JSON.
    """
    schemas = _Schemas()
    schema = schemas.of(annotation)
    return {**schema, "$defs": schemas.definitions} if schemas.definitions else schema


class _Schemas:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}

    def of(self, annotation: Any) -> Schema:
        try:
            if annotation in _SCALARS:
                return dict(_SCALARS[annotation])
        except TypeError:
            raise unsupported(annotation) from None
        origin, arguments = typing.get_origin(annotation) or annotation, typing.get_args(annotation)
        if origin is typing.Literal:
            return {"enum": [plain_value(value) for value in arguments]}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(argument) for argument in arguments]}
        if origin is typing.Annotated:
            return self._with_metadata(self.of(arguments[0]), annotation.__metadata__)
        if isinstance(origin, typing.NewType):
            return self.of(origin.__supertype__)
        if type(origin).__name__ == "TypeAliasType":
            return self._named(origin, lambda: self.of(origin.__value__))
        if getattr(origin, "_name", None) in _QUALIFIERS:
            return self.of(arguments[0])
        if origin is tuple and annotation is not tuple and arguments[1:] != (...,):
            return self._array(arguments, len(arguments))
        if origin in _LISTS or origin is tuple:
            return {"type": "array", "items": self.of(arguments[0] if arguments else Any)}
        if origin in _SETS:
            return {"type": "array", "items": self.of(arguments[0] if arguments else Any), "uniqueItems": True}
        if origin in _MAPPINGS:
            return self._of_mapping(annotation, *(arguments or (str, Any)))
        return self._of_class(annotation)

    def _of_mapping(self, annotation: Any, name: Any, value: Any) -> Schema:
        names = self.of(name)
        if names.get("type") != "string" and not all(isinstance(each, str) for each in names.get("enum", [0])):
            raise unsupported(annotation)
        schema: Schema = {"type": "object", "additionalProperties": self.of(value)}
        return schema if names == {"type": "string"} else {**schema, "propertyNames": names}

    def _of_class(self, annotation: Any) -> Schema:
        if not isinstance(annotation, type):
            raise unsupported(annotation)
        if issubclass(annotation, enum.Enum):
            return {"enum": [plain_value(member) for member in annotation]}
        if "pydantic" in sys.modules and hasattr(annotation, "__pydantic_core_schema__"):
            return self._of_library(annotation, is_pydantic=True)
        if "msgspec" in sys.modules and issubclass(annotation, sys.modules["msgspec"].Struct):
            return self._of_library(annotation, is_pydantic=False)
        if issubclass(annotation, dict) and hasattr(annotation, "__required_keys__"):
            return self._named(annotation, lambda: self._of_typed_dict(annotation))
        if dataclasses.is_dataclass(annotation):
            return self._named(annotation, lambda: self._of_dataclass(annotation))
        if issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
            return self._named(annotation, lambda: self._of_named_tuple(annotation))
        raise unsupported(annotation)

    def _named(self, annotation: Any, make: Callable[[], Schema]) -> Schema:
        """A reference to the definition of a type, which may contain itself."""
        if annotation not in self._names:
            name = self._names[annotation] = f"{len(self._names)}.{annotation.__name__}"
            self.definitions[name] = make()
        return {"$ref": f"#/$defs/{self._names[annotation]}"}

    def _of_library(self, kind: Any, *, is_pydantic: bool) -> Schema:
        """Return the schema that pydantic or msgspec gives for one of its classes."""
        prefix = f"{len(self._names)}."
        self._names[prefix] = prefix
        template = f"#/$defs/{prefix}{'{model}' if is_pydantic else '{name}'}"
        if is_pydantic:
            schema = dict(sys.modules["pydantic"].TypeAdapter(kind).json_schema(ref_template=template))
            definitions = schema.pop("$defs", {})
        else:
            (schema,), definitions = sys.modules["msgspec"].json.schema_components([kind], ref_template=template)
        self.definitions |= {prefix + name: definition for name, definition in definitions.items()}
        return dict(schema)

    def _object(self, fields: dict[str, Any], required: list[str]) -> Schema:
        return {
            "type": "object",
            "properties": {name: self.of(annotation) for name, annotation in fields.items()},
            "required": required,
            "additionalProperties": False,
        }

    def _array(self, items: tuple[Any, ...], least: int) -> Schema:
        if not items:
            return {"type": "array", "maxItems": 0}
        return {"type": "array", "prefixItems": [self.of(item) for item in items], "items": False, "minItems": least}

    def _of_typed_dict(self, annotation: Any) -> Schema:
        """An object of just the dictionary's keys."""
        hints = _hints(annotation)
        # Annotations that are text hide their qualifiers from the class itself.
        said = {name: getattr(typing.get_origin(hint), "_name", None) for name, hint in hints.items()}
        required = [
            name
            for name in hints
            if said[name] == "Required" or (name in annotation.__required_keys__ and said[name] != "NotRequired")
        ]
        return self._object(hints, required)

    def _of_dataclass(self, annotation: Any) -> Schema:
        """An object of just the fields that the class is made with."""
        hints = _hints(annotation)
        fields = [field for field in dataclasses.fields(annotation) if field.init]
        required = [
            field.name
            for field in fields
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        ]
        return self._object({field.name: hints[field.name] for field in fields}, required)

    def _of_named_tuple(self, annotation: Any) -> Schema:
        """An array of the tuple's fields."""
        hints = _hints(annotation)
        items = tuple(hints.get(name, Any) for name in annotation._fields)
        return self._array(items, len(items) - len(annotation._field_defaults))

    def _with_metadata(self, schema: Schema, metadata: tuple[Any, ...]) -> Schema:
        added: Schema = {}
        for item in metadata:
            # A pydantic field keeps what it was given as metadata of its own.
            parts = getattr(item, "metadata", None)
            for part in parts if isinstance(parts, list) else [item]:
                found = _keywords(part, schema)
                if not found and not isinstance(part, str) and part is item:
                    raise UnsupportedError(f"the annotation {part!r}")
                added.update(found)
        if added and "$ref" in schema:
            return {"allOf": [schema], **added}
        return {**schema, **added}


def _hints(annotation: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(annotation, include_extras=True)
    except (NameError, TypeError) as error:
        raise UnsupportedError(f"{annotation.__name__}, whose annotations cannot be read ({error})") from None


def _keywords(part: Any, schema: Schema) -> Schema:
    size = "Length" if schema.get("type") == "string" else "Items"
    keywords = {**_CONSTRAINTS, "min_length": f"min{size}", "max_length": f"max{size}"}
    found = {keyword: getattr(part, attribute, None) for attribute, keyword in keywords.items()}
    return {keyword: value for keyword, value in found.items() if value is not None}


def plain_value(value: Any) -> Any:
    """A member of an enum or a literal as a JSON value.

    Raises:
        UnsupportedError: it is none.
    """
    if isinstance(value, enum.Enum):
        value = value.value
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise UnsupportedError(f"the value {value!r}") from None
    return value


def unsupported(annotation: Any) -> UnsupportedError:
    """The error for a type that cannot be a constraint."""
    is_type = isinstance(annotation, type)
    return UnsupportedError(
        f"a constraint of type {annotation.__name__}" if is_type else f"the constraint {annotation!r}"
    )
