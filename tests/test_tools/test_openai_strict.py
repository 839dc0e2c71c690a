"""OpenAI's strict subset: what conversion adds, and what it leaves alone."""

from __future__ import annotations

import json

import jsonschema
import pytest

from grammars import Compiler, TooComplexError, UnsupportedError, Vocabulary
from grammars.frontends.json import JsonOptions, JsonSchema
from grammars.limits import Limits
from tests.test_grammars.simulator import Simulator
from tools.openai_strict import converted_text

DRAFT7 = "http://json-schema.org/draft-07/schema#"
A, B = {"properties": {"a": {"const": 1}}}, {"properties": {"b": {"const": 2}}}

TABLE = {
    "closes and requires": (
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "null"}}},
        [{"a": 1, "b": None}],
        [{}, {"a": 1}, {"a": 1, "b": None, "c": 1}],
    ),
    "no properties": ({"type": "object"}, [{}], [{"a": 1}]),
    "an object or another type": (
        {"type": ["object", "null"], "properties": {"a": {"type": "null"}}},
        [None, {"a": None}],
        [{}, {"a": None, "b": 1}],
    ),
    "not an object": ({"type": "array", "items": {"type": "integer"}}, [[], [1]], [["a"]]),
    "nested": (
        {
            "type": "array",
            "items": {"type": "object", "properties": {"o": {"type": "object", "properties": {"x": {}}}}},
        },
        [[{"o": {"x": 1}}]],
        [[{}], [{"o": {}}], [{"o": {"x": 1, "y": 1}}]],
    ),
    "says additionalProperties": (
        {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        [{"a": 1}, {"a": 1, "b": 2}],
        [{"b": 2}, {"a": 1, "b": "x"}],
    ),
    "says required": (
        {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]},
        [{"a": 1, "b": 1}],
        [{"b": 1}],
    ),
    "other keywords stay": (
        {
            "type": "object",
            "properties": {"a": {"type": "integer", "multipleOf": 3}},
            "not": {"properties": {"a": {"const": 6}}},
        },
        [{"a": 3}],
        [{"a": 4}, {"a": 6}],
    ),
    "anyOf": ({"anyOf": [A, B]}, [{"a": 1}, {"b": 2}], [{}, {"a": 2}, {"a": 1, "b": 2}]),
    "oneOf": ({"oneOf": [{"type": "object", **A}, {"type": "object", **B}]}, [{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}]),
    "allOf": ({"allOf": [A, B]}, [{"a": 1, "b": 2}], [{"a": 1}, {"b": 2}, {"a": 1, "b": 2, "c": 1}]),
    "one of allOf": ({"allOf": [{"type": "object", **A}]}, [{"a": 1}], [{}, {"a": 1, "b": 2}]),
    "allOf of references": (
        {"$defs": {"A": {"type": "object", **A}, "B": B}, "allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
        [{"a": 1, "b": 2}],
        [{"a": 1}, {"a": 1, "b": 2, "c": 1}],
    ),
    "branches beside properties": (
        {"type": "object", **A, "anyOf": [{"properties": {"c": {}}}, {"properties": {"d": {}}}]},
        [{"a": 1, "c": 1}, {"a": 1, "d": 1}],
        [{"a": 1}, {"c": 1}, {"a": 1, "c": 1, "e": 1}],
    ),
    "a reference beside properties": (
        {"$defs": {"A": A}, "type": "object", "$ref": "#/$defs/A", **B},
        [{"a": 1, "b": 2}],
        [{"a": 1}, {"b": 2}, {"a": 1, "b": 2, "c": 1}],
    ),
    "nothing beside a reference before 2019": (
        {"$schema": DRAFT7, "definitions": {"A": {"type": "object", **A}}, "$ref": "#/definitions/A", **B},
        [{"a": 1}],
        [{}, {"a": 1, "b": 2}],
    ),
    "recursion through allOf": (
        {
            "$defs": {
                "A": {"type": "object", **A},
                "N": {
                    "allOf": [
                        {"$ref": "#/$defs/A"},
                        {"properties": {"n": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}}},
                    ]
                },
            },
            "$ref": "#/$defs/N",
        },
        [{"a": 1, "n": None}, {"a": 1, "n": {"a": 1, "n": None}}],
        [{"a": 1}, {"a": 1, "n": {"a": 1}}, {"a": 1, "n": None, "x": 1}],
    ),
    "references of what stays as written": (
        {"type": "object", **A, "not": {"$ref": "#/$defs/B"}, "$defs": {"B": {"properties": {"a": {"const": 2}}}}},
        [{"a": 1}],
        [{"a": 2}],
    ),
    "conditions": (
        {
            "type": "object",
            "properties": {"k": {"type": "integer"}},
            "if": {"properties": {"k": {"const": 1}}},
            "then": {**B, "required": ["b"]},
        },
        [{"k": 1, "b": 2}, {"k": 2}],
        [{"k": 1}, {"k": 1, "b": 3}, {"k": 2, "c": 1}],
    ),
    "names that look like keywords": (
        {"type": "object", "properties": {"properties": {"type": "object", **A}, "$ref": {"type": "null"}}},
        [{"properties": {"a": 1}, "$ref": None}],
        [{"properties": {}, "$ref": None}, {"properties": {"a": 1}}],
    ),
}


def converted(schema, options=None):
    return JsonSchema(converted_text(JsonSchema(schema).text), options)


@pytest.fixture(scope="module")
def byte_compiler():
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))


@pytest.mark.parametrize(("schema", "valid", "invalid"), TABLE.values(), ids=TABLE)
def test_conversion_closes_and_requires(schema, valid, invalid):
    spec = converted(schema)
    simulator = Simulator.of(spec)
    enforced = json.loads(spec.text)
    validator = jsonschema.validators.validator_for(enforced, jsonschema.Draft202012Validator)(enforced)
    for value in valid:
        assert simulator.accepts(json.dumps(value).encode()), value
        assert validator.is_valid(value), value
    for value in invalid:
        assert not simulator.accepts(json.dumps(value).encode()), value
        assert not validator.is_valid(value), value


@pytest.mark.parametrize(("schema", "valid", "invalid"), TABLE.values(), ids=TABLE)
def test_conversion_holds_under_validation_options(byte_compiler, schema, valid, invalid):
    compiled = byte_compiler.compile(converted(schema, JsonOptions.validation()))
    for value in valid:
        assert compiled.matcher().accept_text(json.dumps(value, indent=3).encode()), value
    for value in invalid:
        assert not compiled.matcher().accept_text(json.dumps(value).encode()), value


def test_the_report_speaks_of_the_converted_schema(byte_compiler):
    schema = {"properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    entries = {(entry.pointer, entry.keyword) for entry in byte_compiler.compile(converted(schema)).report}
    added = {("", "additionalProperties"), ("", "required"), ("/properties/a", "additionalProperties")}
    assert added <= entries
    entries = {(entry.pointer, entry.keyword) for entry in byte_compiler.compile(JsonSchema(schema)).report}
    assert not added & entries


def test_numbers_keep_their_digits():
    text = '{"type": "number", "multipleOf": 0.1000000000000000000001, "maximum": 123456789012345678901234567890}'
    assert converted_text(text) == text


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"allOf": [A, {"$ref": "http://x/y", **B}]}, "/allOf/1"),
        ({"type": "object", "properties": {"a": {"$id": "http://x/y"}}}, "/properties/a"),
        ({"type": "object", "not": {"$ref": "#here"}, "$defs": {"h": {"$anchor": "here"}}}, "/not"),
    ],
)
def test_what_cannot_be_converted_is_refused_with_its_place(schema, where):
    with pytest.raises(UnsupportedError) as caught:
        converted(schema)
    assert caught.value.where == where


def test_conversion_is_bounded(byte_compiler):
    with pytest.raises(TooComplexError):
        byte_compiler.compile(converted('{"items":' * 5000 + "true" + "}" * 5000))
    schema = {"properties": {str(i): {"type": "null"} for i in range(100)}}
    with pytest.raises(TooComplexError):
        converted_text(json.dumps(schema), Limits(max_schema_bytes=400))


def test_shared_definitions_are_looked_at_once():
    shared = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(60)}
    schema = {"$defs": {**shared, "d60": {"properties": {"x": {"type": "null"}}}}, "$ref": "#/$defs/d0"}
    enforced = json.loads(converted(schema).text)
    assert enforced["$defs"]["d0"]["properties"] == {"x": True}
