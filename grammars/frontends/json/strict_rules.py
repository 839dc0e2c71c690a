"""The rules that OpenAI documents for ``strict: true``, checked as its servers do: the first breach, with its place.

See: OpenAI's guide "Structured Outputs", section "Supported schemas".
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.json.strict_subset import is_object_schema, join
from grammars.limits import Limits

MAX_PROPERTIES = 5_000
MAX_NESTING = 10
MAX_NAMES_CHARACTERS = 120_000
MAX_ENUM_VALUES = 1_000
MAX_LONG_ENUM_CHARACTERS = 15_000
LONG_ENUM = 250

_ANNOTATIONS = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
_CORE = frozenset(("$schema", "$id", "$comment", "$ref", "$defs", "definitions", "type", "enum", "const", "anyOf"))
_OBJECTS_AND_ARRAYS = frozenset(("properties", "required", "additionalProperties", "items", "minItems", "maxItems"))
_NUMBERS = frozenset(("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))
_SUPPORTED = _ANNOTATIONS | _CORE | _OBJECTS_AND_ARRAYS | _NUMBERS | {"pattern", "format"}
_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")


def check_rules(text: str, limits: Limits) -> None:
    """Returns if the schema keeps the rules, or is no JSON, which is said elsewhere.

    Raises:
        InvalidGrammarError: it breaks one; says which and where.
        TooComplexError: nested too deeply to be read.
    """
    try:
        schema = json.loads(text)
    except ValueError:
        return
    except RecursionError:
        raise TooComplexError("max_depth", limits.max_depth + 1, limits.max_depth) from None
    if not isinstance(schema, dict) or "anyOf" in schema or schema.get("type") != "object":
        raise InvalidGrammarError("under strict the root is an object, not a choice of several", "")
    _Rules().check(schema)


class _Rules:
    def __init__(self) -> None:
        self._num_properties = 0
        self._num_characters = 0
        self._num_values = 0

    def check(self, root: dict[str, Any]) -> None:
        stack: list[tuple[Any, str, int]] = [(root, "", 0)]
        while stack:
            schema, pointer, depth = stack.pop()
            if not isinstance(schema, dict):
                _fail("a subschema is an object", pointer)
            for keyword in schema:
                if keyword not in _SUPPORTED:
                    _fail(f"{keyword!r} is not permitted", pointer)
            if "format" in schema and schema["format"] not in _FORMATS:
                _fail(f"the format {schema['format']!r} is not permitted", f"{pointer}/format")
            if is_object_schema(schema):
                depth += 1
                self._check_object(schema, pointer, depth)
            self._check_values(schema, pointer)
            below = [
                (each, join(f"{pointer}/{keyword}", name), depth if keyword in ("properties", "anyOf") else 0)
                for keyword, name, each in _named(schema)
            ]
            if "items" in schema:
                below.append((schema["items"], f"{pointer}/items", depth))
            stack += reversed(below)

    def _check_object(self, schema: dict[str, Any], pointer: str, depth: int) -> None:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if schema.get("additionalProperties") is not False:
            _fail("'additionalProperties' is required to be supplied and to be false", pointer)
        if not isinstance(properties, dict) or not isinstance(required, list) or not _are_same(required, properties):
            _fail("'required' is required to be supplied and to name every property", pointer)
        self._num_properties += len(properties)
        self._num_characters += sum(map(len, properties))
        if self._num_properties > MAX_PROPERTIES:
            _fail(f"more than {MAX_PROPERTIES} properties", pointer)
        if depth > MAX_NESTING:
            _fail(f"more than {MAX_NESTING} objects inside each other", pointer)
        self._check_characters(pointer)

    def _check_values(self, schema: dict[str, Any], pointer: str) -> None:
        listed, definitions = schema.get("enum"), schema.get("$defs")
        values = [*(listed if isinstance(listed, list) else []), *([schema["const"]] if "const" in schema else [])]
        characters = sum(len(value) for value in values if isinstance(value, str))
        self._num_values += len(values)
        self._num_characters += characters + sum(map(len, definitions if isinstance(definitions, dict) else ()))
        if self._num_values > MAX_ENUM_VALUES:
            _fail(f"more than {MAX_ENUM_VALUES} values in enums", f"{pointer}/enum")
        if len(values) > LONG_ENUM and characters > MAX_LONG_ENUM_CHARACTERS:
            _fail(f"an enum of more than {LONG_ENUM} values with over {MAX_LONG_ENUM_CHARACTERS} characters", pointer)
        self._check_characters(pointer)

    def _check_characters(self, pointer: str) -> None:
        if self._num_characters > MAX_NAMES_CHARACTERS:
            _fail(f"names and values of more than {MAX_NAMES_CHARACTERS} characters", pointer)


def _are_same(required: list[Any], properties: dict[str, Any]) -> bool:
    return all(isinstance(name, str) for name in required) and set(required) == set(properties)


def _named(schema: dict[str, Any]) -> list[tuple[str, str, Any]]:
    found = []
    for keyword in ("properties", "$defs", "definitions"):
        table = schema.get(keyword)
        found += [(keyword, name, each) for name, each in table.items()] if isinstance(table, dict) else []
    branches = schema.get("anyOf")
    found += [("anyOf", str(i), each) for i, each in enumerate(branches)] if isinstance(branches, list) else []
    return found


def _fail(message: str, pointer: str) -> NoReturn:
    raise InvalidGrammarError(f"{message} under strict", pointer)
