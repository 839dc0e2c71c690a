"""Choices inside choices that share definitions, beside a validator: what is remembered of one is true of the next."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import jsonschema_rs
import pytest

from grammars import Compiler, JsonSchema, TooComplexError, UnsatisfiableError, UnsupportedError
from tests.counts import few_or_all
from tests.test_grammars.sampling import VOCABULARY

PLAIN: tuple[dict[str, Any], ...] = (
    {"type": "string"}, {"type": "boolean"}, {"type": "integer"}, {"type": ["string", "null"]}, {"maxLength": 3},
    {"minLength": 1}, {"minimum": 0}, {"maximum": 7}, {"const": 9}, {"enum": ["x", 5, True]}, {"required": ["p"]},
    {"properties": {"p": {"type": "string"}}}, {"properties": {"q": {"type": "boolean"}}}, {"maxProperties": 1},
    {"items": {"type": "integer"}}, {"minItems": 1}, {"type": "object"}, {"type": "array"},
)  # fmt: skip
LEAVES = (
    *PLAIN, {"patternProperties": {"^p": {"type": "integer"}}},
    {"patternProperties": {"q$": {"type": ["boolean", "null"]}, "^p": {"type": "string"}}},
    {"additionalProperties": False}, {"additionalProperties": {"type": "integer"}},
    {"properties": {"p": True}, "additionalProperties": {"type": "boolean"}}, {"dependentRequired": {"p": ["q"]}},
    {"dependentSchemas": {"q": {"required": ["p"]}}}, {"propertyNames": {"maxLength": 1}},
    {"propertyNames": {"enum": ["p", "q"]}}, {"contains": {"type": "integer"}},
    {"contains": {"type": "string"}, "minContains": 2}, {"contains": {"const": 1}, "maxContains": 1},
    {"uniqueItems": True}, {"multipleOf": 3}, {"multipleOf": 0.5},
    {"prefixItems": [{"type": "integer"}, {"type": "string"}]}, {"prefixItems": [{"type": "string"}], "items": False},
    {"unevaluatedProperties": False}, {"unevaluatedItems": False}, {"unevaluatedProperties": {"type": "integer"}},
    {"pattern": "^x"}, {"pattern": "b"}, {"minProperties": 2}, {"maxItems": 1}, {"exclusiveMinimum": 5},
)  # fmt: skip
VALUES = (
    '"x"', '"abcd"', '""', "5", "9", "-1", "5.5", "true", "false", "null", "[]", "[1]", '["x"]', '[1,"x"]', "{}",
    '{"p":1}', '{"p":"x"}', '{"q":true}', '{"p":1,"q":1}', '{"p":"abcd","q":null}', '{"pq":1}', '{"pq":true}',
    '{"p":"x","r":2}', '{"r":false}', "[1,1]", '["x","x"]', '[1,"x",1]', '[1,"x",true]', "6", "0", '{"q":1,"p":3}',
    '"xb"',
)  # fmt: skip


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(VOCABULARY)


def drawn(rng: random.Random, names: list[str], depth: int, leaves: Sequence[Any]) -> dict[str, Any]:
    """A schema of that many choices inside each other, which may refer to the definitions of these names."""
    if depth == 0 or rng.random() < 0.2:
        return {"$ref": f"#/$defs/{rng.choice(names)}"} if names and rng.random() < 0.6 else rng.choice(leaves)
    keyword = rng.choice(("anyOf", "anyOf", "oneOf", "allOf", "allOf", "not", "if"))
    if keyword == "not":
        return {"not": drawn(rng, names, depth - 1, leaves)}
    if keyword == "if":
        return {each: drawn(rng, names, depth - 1, leaves) for each in ("if", "then", "else")}
    more = rng.choice(leaves) if rng.random() < 0.3 else {}
    return {keyword: [drawn(rng, names, depth - 1, leaves) for _ in range(rng.randint(1, 3))], **more}


def document(rng: random.Random, leaves: Sequence[Any]) -> dict[str, Any]:
    """An object of up to three members whose schemas share up to six definitions."""
    definitions: dict[str, Any] = {}
    for number in range(rng.randint(2, 6)):
        definitions[f"d{number}"] = drawn(rng, list(definitions), rng.randint(1, 3), leaves)
    members = {name: drawn(rng, list(definitions), rng.randint(2, 5), leaves) for name in "abc"[: rng.randint(1, 3)]}
    closed = {"type": "object", "required": list(members), "additionalProperties": False}
    return {"$defs": definitions, "properties": members, **closed}


def check(compiler: Compiler, schema: dict[str, Any], rng: random.Random, num_texts: int) -> None:
    """Random texts are matched exactly where the validator takes them."""
    validator = jsonschema_rs.validator_for(schema)
    try:
        compiled = compiler.compile(JsonSchema(schema))
    except UnsatisfiableError:
        compiled = None
    for _ in range(num_texts):
        text = "{" + ",".join(f'"{name}":{rng.choice(VALUES)}' for name in schema["properties"]) + "}"
        matches = compiled is not None and compiled.matcher().accept_text(text.encode())
        assert matches == validator.is_valid(json.loads(text)), f"{text} under {json.dumps(schema)}"


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize("order", [("choice", "later"), ("later", "choice")])
def test_what_a_later_choice_would_say_is_not_left_out_where_none_comes(compiler, keyword, order):
    def below_others(schema: dict[str, Any]) -> dict[str, Any]:
        for number in (1, 2, 3):
            schema = {"anyOf": [schema, {"const": number}]}
        return schema

    parts = [{"$ref": f"#/$defs/{name}"} for name in order]
    schema = {
        "$defs": {
            "later": {keyword: [{"type": "string"}, {"type": "boolean"}]},
            "choice": {"anyOf": [{"allOf": [{"$ref": "#/$defs/later"}], "maxLength": 3}, {"const": 9}]},
        },
        "type": "object",
        "properties": {"a": below_others({"allOf": parts}), "b": below_others({"$ref": "#/$defs/choice"})},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    check(compiler, schema, random.Random(1), 300)


@pytest.mark.parametrize("demands", [1, 2])
def test_who_must_exist_may_be_declared_however_often_it_is_asked_for(compiler, demands):
    some = {"not": {"additionalProperties": False}}
    schema = {"allOf": demands * [some], "properties": {"p": True}}
    for value in ('{"p":1}', '{"q":true}', '{"p":"x","r":2}', "{}", "5"):
        text_is_taken = compiler.compile(JsonSchema(schema)).matcher().accept_text(value.encode())
        assert text_is_taken == jsonschema_rs.validator_for(schema).is_valid(json.loads(value)), value


@pytest.mark.parametrize("num_schemas", few_or_all(15, 60))
@pytest.mark.parametrize(("leaves", "seed"), [(PLAIN, 1), (PLAIN, 2), (LEAVES, 1), (LEAVES, 2), (LEAVES, 3)])
def test_random_choices_that_share_definitions_match_what_a_validator_takes(compiler, leaves, seed, num_schemas):
    rng = random.Random(seed)
    for _ in range(num_schemas):
        try:
            check(compiler, document(rng, leaves), rng, 25)
        except (TooComplexError, UnsupportedError):
            continue
