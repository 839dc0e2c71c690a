"""`unevaluated*` and dynamic references that masks hold by themselves: no check, and what `jsonschema` says."""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest

from grammars import Compiler, JsonSchema, Vocabulary

INTEGER = {"type": "integer"}
OBJECT = {"type": "object"}
CLOSED = {"unevaluatedProperties": False}
OLD = {"$schema": "https://json-schema.org/draft/2019-09/schema"}
TREE = {
    "$id": "tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"a": INTEGER, "b": {"$dynamicRef": "#node"}},
}


def has(name: str, value: object = True) -> dict:
    return {"properties": {name: value}, "required": [name]}


SCHEMAS = {
    "allOf": {"allOf": [{"properties": {"a": INTEGER}}], **CLOSED},
    "reference": {"$defs": {"d": {"patternProperties": {"^a": INTEGER}}}, "$ref": "#/$defs/d", **CLOSED},
    "anyOf": {"anyOf": [has("a"), has("b"), has("c", INTEGER)], **CLOSED},
    "anyOf of types": {"anyOf": [{"type": "integer"}, has("a")], **CLOSED},
    "oneOf": {"oneOf": [has("a"), has("b", INTEGER)], "properties": {"c": {}}, **CLOSED},
    "if": {"if": has("a", INTEGER), "then": has("b"), "else": {"properties": {"c": {}}}, **CLOSED},
    "if alone": {"if": has("a", INTEGER), "properties": {"c": {}}, **CLOSED},
    "dependent": {"properties": {"a": {}}, "dependentSchemas": {"a": {"properties": {"b": {}}}}, **CLOSED},
    "additional": {"allOf": [{"additionalProperties": INTEGER}], **CLOSED},
    "below": {"allOf": [{"properties": {"a": {}}, "unevaluatedProperties": INTEGER}], **CLOSED},
    "beside": {"allOf": [{"properties": {"a": {}}}, CLOSED]},
    "not": {"not": has("z"), "properties": {"a": {}}, **CLOSED},
    "schema": {"anyOf": [has("a"), {}], "unevaluatedProperties": INTEGER},
    "complement": {**OBJECT, "not": {"anyOf": [has("a"), has("b")], **CLOSED}},
    "recursive": {**OLD, "$recursiveAnchor": True, "properties": {"a": {}, "b": {"$recursiveRef": "#"}}, **CLOSED},
    "dynamic": {"$id": "http://x/", "$dynamicAnchor": "node", "$ref": "tree", **CLOSED, "$defs": {"t": TREE}},
    "dynamic, one anchor": {"$id": "http://x/", "$ref": "tree", **CLOSED, "$defs": {"t": TREE}},
    "prefix": {"prefixItems": [INTEGER], "unevaluatedItems": {"type": "null"}},
    "prefixes": {"anyOf": [{"prefixItems": [{}, INTEGER]}, {"prefixItems": [{}]}], "unevaluatedItems": False},
    "items": {"anyOf": [{"items": INTEGER}, {"prefixItems": [{}]}], "unevaluatedItems": False},
    "contains": {"contains": INTEGER, "unevaluatedItems": {"type": "null"}},
    "contains of branches": {"anyOf": [{"contains": INTEGER}, {"contains": {"const": "x"}}], "unevaluatedItems": False},
    "no items": {"not": {"unevaluatedItems": False}, "type": "array"},
}
MEMBERS = [{}, *({"a": 1} | more for more in ({}, {"b": {}}, {"b": {"a": 1}}, {"c": 1}, {"b": 1, "c": None}))]
MEMBERS += [{"a": "x"}, {"b": 1}, {"b": {"c": 1}}, {"c": 1}, {"c": "x"}, {"ab": 1}, {"ab": "x"}, {"a": "x", "c": 1}]
ARRAYS = [list(items) for size in range(4) for items in itertools.product([1, None, "x"], repeat=size)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_evaluated_is_held_by_the_mask(name):
    schema = SCHEMAS[name]
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])
    compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    judge = jsonschema.validators.validator_for(schema)(schema)
    assert not compiled.report.counts().get("check")
    values = [*MEMBERS, *ARRAYS, 1]
    assert len({judge.is_valid(value) for value in values}) == 2
    for value in values:
        assert compiled.matcher().accept_text(json.dumps(value).encode()) == judge.is_valid(value), value
