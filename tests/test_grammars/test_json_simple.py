"""Schemas that are emitted in one pass mean what they mean by way of bundles."""

from __future__ import annotations

import json
import random

import pytest

from grammars import Compiler, GrammarError, JsonOptions, JsonSchema, Limits, TooComplexError, Vocabulary
from grammars.frontends.json.simple import is_simple
from tests.oracles import mask_of

_MEMBER = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"], "additionalProperties": False}
_SIMPLE = [
    {"type": "object", "properties": {"a": {"type": "string"}, "bé\n": {"type": ["null", "integer"]}, "c": {}}},
    {"type": "object", "properties": {"a": True, "b": False, "c": _MEMBER}, "required": ["c"]},
    {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["b", "b", "a"]},
    {"type": "object", "required": ["x"], "additionalProperties": {"type": "boolean"}},
    {"type": "object", "properties": {"a": False}, "required": ["a"]},
    {"type": "object", "required": ["a"], "additionalProperties": False},
    {"type": "object", "additionalProperties": _MEMBER},
    {"type": "object", "properties": {}, "additionalProperties": False},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": _MEMBER, "minItems": 1, "maxItems": 3},
    {"type": "array", "items": {"enum": ["ab", "abc"]}, "minItems": 2},
    {"type": "array", "items": False},
    {"type": "array", "items": {"type": "string"}, "maxItems": 0},
    {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 1},
    {"enum": ["a", "ab", 'é"', ""]},
    {"type": "string", "enum": ["one", "one", "other"]},
]
_OTHERS = [
    {"type": "object", "properties": {"a": {}}, "minProperties": 1},
    {"properties": {"a": {}}},
    {"type": ["object"], "properties": {"a": {}}},
    {"type": "object", "properties": [], "required": ["a"]},
    {"type": "object", "required": [1]},
    {"type": "object", "required": True},
    {"type": "object", "additionalProperties": "no"},
    {"type": "array", "items": [{}]},
    {"type": "array", "items": {}, "minItems": 1.0},
    {"type": "array", "items": {}, "minItems": -1},
    {"type": "array", "items": {}, "maxItems": True},
    {"type": "array", "items": {}, "uniqueItems": True},
    {"enum": []},
    {"enum": ["a", 1]},
    {"type": "integer", "enum": ["a"]},
    {"type": None, "enum": ["a"]},
    {"enum": ["a"], "minLength": 1},
]
_TEXTS = [
    '{"a": "x", "c": [null]}',
    '{"c": {"n": 1.5}, "b": 0}',
    '{"b":true,"a":false}',
    '["ab", "abc"]',
    '"ab"',
    "[]",
    "{}",
]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    pieces = [b'"a', b'":', b'": ', b'{"', b'", "', b'"}', b"ab", b"abc", b'["', b"true", b"nu", b"\n "]
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, *pieces], [256])


@pytest.mark.parametrize("schema", _SIMPLE, ids=json.dumps)
@pytest.mark.parametrize("options", [None, JsonOptions(property_order="schema", whitespace="compact")])
def test_simple_schema_means_what_its_bundles_mean(vocabulary, schema, options):
    assert is_simple(schema, Limits())
    compiler = Compiler(vocabulary)
    one, other = (_compiled(compiler, way, options) for way in (schema, {"allOf": [schema]}))
    assert isinstance(one, str) == isinstance(other, str)
    if isinstance(one, str):
        assert one == other
        return
    assert one.min_tokens == other.min_tokens
    chance = random.Random(7)
    for text in [*_TEXTS, *[None] * 8]:
        first, second = one.matcher(), other.matcher()
        for step in range(24):
            mask = mask_of(first)
            assert mask == mask_of(second)
            if not mask or first.is_ended:
                break
            wanted = text.encode()[step] if text is not None and step < len(text.encode()) else -1
            token_id = wanted if wanted in mask else chance.choice(sorted(mask))
            assert first.accept(token_id)
            assert second.accept(token_id)


def _compiled(compiler, schema, options):
    try:
        return compiler.compile(JsonSchema(schema, options))
    except GrammarError as error:
        return type(error).__name__


@pytest.mark.parametrize("schema", _OTHERS, ids=json.dumps)
def test_other_schemas_are_not_simple(schema):
    assert not is_simple(schema, Limits())


def test_simple_schema_is_noted_in_the_report(vocabulary):
    schema = {"title": "t", "type": "object", "properties": {"a/b": {"type": "null"}, "c": {"enum": ["x"]}}}
    report = Compiler(vocabulary).compile(JsonSchema(schema)).report
    assert [(entry.pointer, entry.keyword, entry.how) for entry in report] == [
        ("", "type", "mask"),
        ("", "properties", "mask"),
        ("/properties/a~1b", "type", "mask"),
        ("/properties/c", "enum", "mask"),
    ]


def test_values_of_a_simple_schema_are_counted(vocabulary):
    compiler = Compiler(vocabulary, Limits(max_enum_values=3))
    assert compiler.compile(JsonSchema({"enum": ["a", "b", "c"]})).min_tokens > 0
    with pytest.raises(TooComplexError, match="max_enum_values"):
        compiler.compile(JsonSchema({"enum": ["a", "b", "c", "d"]}))


def test_simple_schemas_are_counted(vocabulary):
    schema = {"type": "object", "properties": {"a": {"type": "null"}}}
    for _ in range(5):
        schema = {"type": "object", "properties": {"a": schema}}
    assert Compiler(vocabulary, Limits(max_subschemas=6)).compile(JsonSchema(schema)).min_tokens > 0
    with pytest.raises(TooComplexError, match="max_subschemas"):
        Compiler(vocabulary, Limits(max_subschemas=5)).compile(JsonSchema(schema))
