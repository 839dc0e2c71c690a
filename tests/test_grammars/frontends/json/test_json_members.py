"""Members of which names and patterns say the same, or nothing: what is allowed, and what is reported."""

import json

import jsonschema
import pytest

from grammars import Compiler, JsonSchema, Vocabulary

_CHOICE = {"oneOf": [{"type": "integer", "minimum": 3}, {"$ref": "#/$defs/word"}], "title": "x"}
_SCHEMAS = [
    {"properties": {"by": _CHOICE}, "patternProperties": {".*": _CHOICE}},
    {"properties": {"by": _CHOICE}, "patternProperties": {"^b": _CHOICE, "y$": {"type": ["integer", "string"]}}},
    {"properties": {"by": {"enum": [1]}}, "patternProperties": {"^b": {"enum": [True, 1]}, "y$": {"enum": [True]}}},
    {"properties": {"by": {"minimum": 1}}, "patternProperties": {"^b": {"minimum": 1.0}}, "additionalProperties": {}},
    {"patternProperties": {"^b": {"title": "x"}}, "additionalProperties": {"description": "y"}, "required": ["by"]},
    {"patternProperties": {"^b": {}}, "additionalProperties": {"type": "string"}},
    {"patternProperties": {"^b": True, "^x": {"type": "null"}}, "additionalProperties": True},
    {"patternProperties": {"^b": {}}, "additionalProperties": {}, "propertyNames": {"maxLength": 2}},
    {"patternProperties": {"^b": {}}, "additionalProperties": {}, "minProperties": 1, "maxProperties": 1},
    {"patternProperties": {"": {"type": "integer"}, "^b": {"minimum": 2}}, "additionalProperties": False},
    {"patternProperties": {"^[a-z]*": {"type": "integer"}}, "additionalProperties": {"type": "null"}},
    {"patternProperties": {"^by$": {"type": "integer"}, "^other_1$": False}, "additionalProperties": {"type": "null"}},
]
_VALUES = [1, 3, 1.5, True, None, "ab", "zz", [], {}]


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


@pytest.mark.parametrize("schema", _SCHEMAS, ids=json.dumps)
def test_members_are_those_of_jsonschema(compiler, schema):
    schema = {"$defs": {"word": {"enum": ["ab"]}}, "type": "object", **schema}
    compiled, validator = compiler.compile(JsonSchema(schema)), jsonschema.Draft202012Validator(schema)
    objects = [{}, *({name: value} for name in ("by", "b", "x", "other_1", "\n") for value in _VALUES)]
    objects += [{"by": 3, "b": value, "x": value} for value in _VALUES]
    for each in objects:
        assert compiled.matcher().accept_text(json.dumps(each).encode()) == validator.is_valid(each), each


def test_report_has_the_keywords_of_both_places_where_one_stands_for_both(compiler):
    inner = {"items": {"minLength": 1, "type": "string"}, "anyOf": [{"maxItems": 3}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"by": inner}, "patternProperties": {"^b": inner, "y$": inner}}
    places = {(entry.pointer, entry.keyword) for entry in compiler.compile(JsonSchema(schema)).report}
    said = {("", "items"), ("/items", "minLength"), ("/items", "type"), ("", "anyOf"), ("/anyOf/0", "maxItems")}
    for place in ("/properties/by", "/patternProperties/^b", "/patternProperties/y$"):
        assert {(place + pointer, keyword) for pointer, keyword in said} <= places
