"""Explanations: the example is valid and as short as can be, the numbers are what they say."""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest

from grammars import Choice, Compiler, JsonOptions, JsonSchema, Lark, Regex, Vocabulary

ENTRY = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "kind": {"enum": ["file", "folder"]},
        "size": {"type": "integer", "minimum": 10},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
        "parent": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
    },
    "required": ["id", "kind", "size", "tags", "parent"],
    "additionalProperties": False,
}
MOVE = {
    "oneOf": [
        {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"]},
        {"type": "object", "properties": {"to": {"type": "string", "pattern": "^[A-H][1-8]$"}}, "required": ["to"]},
    ]
}
EVALUATED = {
    "type": "object",
    "allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}],
    # In so many ways what is evaluated cannot be said beforehand.
    "anyOf": [{"properties": {name: {"type": "integer"}}} for name in "pqrstuv"],
    "unevaluatedProperties": False,
}
DISTINCT = {"type": "array", "minItems": 4, "uniqueItems": True, "items": {"type": "number"}}
PAIRS = {"type": "array", "minItems": 3, "uniqueItems": True, "items": {"type": "array", "items": {"type": "boolean"}}}
SMALL = {
    "integer": {"type": "integer", "minimum": 12, "multipleOf": 5},
    "array": {"type": "array", "minItems": 1, "items": {"enum": [10, True]}},
    "object": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "not": {"const": 1}}}},
    "string": {"type": "string", "pattern": "^a+b?$", "minLength": 2},
    "choice": {"anyOf": [{"const": "aa"}, {"type": "array", "minItems": 2}]},
    "distinct": {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"type": "string"}},
}


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    pieces = [b'{"', b'":', b'", "', b'"}', b'{"id":', b"null", b"folder", b"00", b"0000", b'["']
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *pieces], [256]))


@pytest.mark.parametrize("schema", [ENTRY, MOVE, EVALUATED, DISTINCT, PAIRS, *SMALL.values()])
def test_the_example_is_a_valid_instance(compiler, schema):
    compiled = compiler.compile(JsonSchema(schema))
    explanation = compiled.explain()
    assert explanation.example is not None
    jsonschema.validate(json.loads(explanation.example), schema)
    assert compiled.matcher().accept_text(explanation.example)
    assert len(explanation.example) >= explanation.min_bytes
    assert explanation.example_tokens == len(compiled.vocabulary.encode(explanation.example))


@pytest.mark.parametrize("name", SMALL)
def test_nothing_shorter_than_the_example_is_valid(compiler, name):
    example = compiler.compile(JsonSchema(SMALL[name])).explain().example
    judge = jsonschema.Draft202012Validator(SMALL[name])
    texts = '{}":a01' if name == "object" else '[]",0125-ab'
    for size in range(min(len(example), 6)):
        for letters in itertools.product(texts, repeat=size):
            try:
                value = json.loads("".join(letters))
            except ValueError:
                continue
            assert not judge.is_valid(value), letters


@pytest.mark.parametrize(
    ("constraint", "example", "forced"),
    [
        (Choice(["abc", "abd", "xyzzy"]), b"abc", 1),
        (Choice([""]), b"", 0),
        (Regex("x{3}y?"), b"xxx", 3),
        (Lark('start: "(" start ")" | "let"'), b"let", 2),
        (JsonSchema({"const": {"a": [1]}}, JsonOptions(whitespace="compact")), b'{"a":[1]}', 9),
    ],
)
def test_forced_bytes_are_those_without_an_alternative(compiler, constraint, example, forced):
    explanation = compiler.compile(constraint).explain()
    assert (explanation.example, explanation.forced_bytes) == (example, forced)
    assert explanation.forced_share == (forced / len(example) if example else 0.0)


def test_checks_cost_the_example_no_more_than_they_must(compiler):
    assert len(compiler.compile(JsonSchema(DISTINCT)).explain().example) == len("[0,1,2,3]")
    assert len(compiler.compile(JsonSchema(SMALL["distinct"])).explain().example) == len('["","a"]')


def test_explanation_tells_masks_from_checks(compiler):
    explanation = compiler.compile(JsonSchema(EVALUATED)).explain()
    assert {(e.pointer, e.keyword) for e in explanation.by_check} == {("", "unevaluatedProperties")}
    assert {e.keyword for e in explanation.by_mask} == {"type", "allOf", "anyOf", "properties", "required"}
    assert explanation.num_checks == 1
    assert explanation.limits == compiler.limits


def test_explanation_has_no_example_where_checks_refuse_all(compiler):
    closed = [{"$id": name, "$dynamicAnchor": "x", "type": "null"} for name in "pq"]
    never = {"$id": "http://x/", "$defs": dict(enumerate(closed)), "type": "object", "$dynamicRef": "p#x"}
    explanation = compiler.compile(JsonSchema(never)).explain()
    assert explanation.example is None
    assert explanation.forced_bytes == 0
    assert explanation.by_check
