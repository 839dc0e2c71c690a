"""Arrays whose items must differ: no text is begun that cannot be ended, within the fewest tokens and a few more."""

from __future__ import annotations

import json
import random

import jsonschema
import pytest

from grammars import Compiler, JsonOptions, JsonSchema, UnsatisfiableError, Vocabulary
from tests.oracles import mask_of

EOS = 256
RECORD = {"type": "object", "properties": {"xxx": {"type": "string"}}, "required": ["xxx"]}
PAIR = {"type": "array", "items": {"type": "boolean"}, "maxItems": 1}
SCHEMAS = {
    "contained": {"contains": {"const": 1}},
    "contained, listed": {"items": {"enum": [1, 2, "a"]}, "contains": {"const": "a"}},
    "contained, some of many": {"items": {"type": "integer"}, "minItems": 3, "contains": {"const": 1}},
    "contained at most": {"items": {"type": ["null", "string"]}, "contains": {"type": "string"}, "maxContains": 2},
    "positions": {"prefixItems": [{"enum": [1, 2]}, {"enum": [1, 2]}], "items": {"enum": [1, 2, 3]}, "minItems": 3},
    "positions, then any": {"prefixItems": [{"const": {"a": 1}}], "items": {"enum": [{"a": 1}, 2]}},
    "null or record": {"items": {"anyOf": [{"type": "null"}, RECORD]}, "minItems": 2},
    "null or string": {"items": {"type": ["null", "string"]}, "minItems": 2},
    "arrays": {"items": PAIR, "minItems": 3},
    "arrays of unique items": {
        "items": {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True},
        "minItems": 5,
    },
    "objects": {
        "items": {"type": "object", "properties": {"a": {"enum": [1, 2]}, "b": {"type": "null"}}, "maxProperties": 2},
        "minItems": 4,
    },
    "arrays of one": {"items": {"type": "array", "items": {"type": "number"}, "maxItems": 1}, "minItems": 2},
    "arrays of one text": {"items": {"type": "array", "items": {"type": "string"}, "maxItems": 1}, "minItems": 2},
    "arrays of dates and more": {
        "items": {"type": "array", "prefixItems": [{"format": "date"}], "items": {"type": "object"}},
        "minItems": 2,
    },
    "arrays that cannot hold what they must": {
        "items": {"type": ["array", "null"], "items": {"type": "array", "items": {"type": "string"}, "contains": {}}}
    },
    "arrays that hold nothing": {
        "items": {
            "type": ["array", "null"],
            "items": {"type": "array", "items": {"pattern": "b", "type": "string"}, "contains": {"type": "null"}},
        }
    },
    "numbers": {"items": {"type": "number"}, "minItems": 2},
    "fractions": {"items": {"type": "number", "minimum": 0, "exclusiveMaximum": 1}, "minItems": 3},
    "halves": {"items": {"type": "number", "multipleOf": 0.5}, "minItems": 2},
    "few halves": {"items": {"type": "number", "multipleOf": 0.5, "minimum": 0, "maximum": 1}},
    "whole numbers spelled with a point": {"items": {"type": "number", "multipleOf": 2}},
    "short strings and objects": {
        "items": {"oneOf": [{"type": "string", "pattern": "^a[ab]", "maxLength": 3}, {"type": "object"}]},
        "minItems": 2,
    },
    "short strings that are counted": {
        "prefixItems": [{"enum": ["a", 1]}],
        "contains": {"type": "string", "pattern": "^a", "maxLength": 2},
        "minContains": 2,
    },
    "any objects": {"items": {"type": "object"}, "minItems": 3},
    "objects of dates": {
        "items": {"patternProperties": {"^[ab]{1,2}$": {"format": "date"}}, "additionalProperties": False},
        "minItems": 2,
    },
    "objects of one text": {
        "items": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
        "minItems": 2,
    },
    "closed objects": {
        "items": {
            "type": "object",
            "properties": {"a": {"enum": [1, 2]}, "b": {"type": "null"}},
            "additionalProperties": False,
        },
        "minItems": 5,
    },
}
UNSATISFIABLE = {
    "positions": {"prefixItems": [{"enum": [1, 2]}] * 3, "minItems": 3},
    "values": {"items": {"enum": ["a", "b"]}, "minItems": 3},
    "arrays of few values": {"items": PAIR, "minItems": 4},
    "objects without a name that fits": {
        "items": {
            "type": "object",
            "properties": {"a": {}},
            "additionalProperties": False,
            "propertyNames": {"minLength": 2},
        },
        "minItems": 2,
    },
    "objects of few values": {"items": {"enum": [{}, {"a": 1}], "required": ["a"]}, "minItems": 2},
    "contained twice": {"contains": {"const": 1}, "minContains": 2},
}

TWO_ONES = {"minContains": 2, "contains": {"const": 1}}
LONG_AND_SHORT = {"type": "string", "minLength": 3, "maxLength": 1}
EMPTY = {
    "a string's lengths": LONG_AND_SHORT,
    "a string's pattern": {"type": "string", "pattern": "^a{3}$", "maxLength": 2},
    "a number's bounds": {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
    "a number's steps": {"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 5},
    "an integer that is none": {"type": "integer", "not": {"type": ["integer", "string"]}},
    "an item that there must be": {"type": "array", "prefixItems": [True], "items": False, "minItems": 2},
    "an item that has no value": {"type": "array", "prefixItems": [True, LONG_AND_SHORT], "minItems": 2},
    "items that must differ": {"type": "array", "uniqueItems": True, "items": {"type": "boolean"}, "minItems": 3},
    "contained more than there are": {"type": "array", "maxItems": 1, **TWO_ONES},
    "contained more than there may be": {"type": "array", "maxContains": 1, **TWO_ONES},
    "contained without a value": {"type": "array", "contains": LONG_AND_SHORT},
    "contained in no item": {"type": "array", "items": {"required": ["a", "b"], "type": "object"}, "minItems": 1,
                             "contains": {"maxProperties": 1}},
    "contained behind the last": {"type": "array", "maxItems": 1, "prefixItems": [{"type": "string"}],
                                  "items": {"type": "null"}, "contains": {"type": "null"}},
    "bounds of members": {"type": "object", "minProperties": 3, "maxProperties": 1},
    "more members required": {"type": "object", "required": ["a", "b"], "maxProperties": 1},
    "a member whose name is none": {"type": "object", "required": ["a"], "propertyNames": {"minLength": 2}},
    "a member without a value": {"type": "object", "required": ["a"], "properties": {"a": LONG_AND_SHORT}},
    "fewer names": {"type": "object", "minProperties": 3, "propertyNames": {"enum": ["a", "b"]}},
    "fewer members": {"type": "object", "minProperties": 2, "properties": {"a": {}, "b": LONG_AND_SHORT},
                      "additionalProperties": False},
}  # fmt: skip
"""Schemas that no value meets."""
ONE_ITEM = {
    "an array": (b"[]", lambda empty: {"type": "array", "items": empty}),
    "an array of different items": (b"[]", lambda empty: {"type": "array", "items": empty, "uniqueItems": True}),
    "an object": (b"{}", lambda empty: {"type": "object", "additionalProperties": empty}),
    "an object, by patterns": (
        b"{}",
        lambda empty: {"type": "object", "patternProperties": {"^a": empty}, "additionalProperties": empty},
    ),
    "a declared member": (
        b"{}",
        lambda empty: {"type": "object", "properties": {"a": empty}, "additionalProperties": False},
    ),
    "an object with all members it may have": (
        b'{"b":1}',
        lambda empty: {
            "type": "object",
            "properties": {"a": empty, "b": {"const": 1}},
            "required": ["b"],
            "maxProperties": 1,
        },
    ),
    "a choice": (b"1", lambda empty: {"anyOf": [{"const": 1}, empty]}),
}
"""The only value of what is made with such a schema."""


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    pieces = [b'": ', b'", "', b'{"', b'"}', b"null", b"true", b"]]", b"}]", b", ", b'"xxx"']
    return Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *pieces], [EOS]))


@pytest.mark.parametrize("name", SCHEMAS)
def test_whatever_is_written_can_be_ended(compiler, name):
    schema = {"type": "array", "uniqueItems": True, **SCHEMAS[name]}
    compiled, judge = compiler.compile(JsonSchema(schema)), jsonschema.Draft202012Validator(schema)
    for seed in range(40):
        matcher, chance, text = compiled.matcher(), random.Random(seed), b""
        for left in range(compiled.min_tokens + seed % 10, -1, -1):
            found = mask_of(matcher, left)
            assert found, text
            # Else much of a budget would be blanks.
            going_on = [t for t in found if t not in (9, 10, 32)] if chance.random() < 0.8 else []
            token_id = chance.choice(sorted(going_on) or sorted(found))
            if token_id == EOS:
                break
            assert matcher.accept(token_id)
            text += compiled.vocabulary.tokens[token_id] or b""
        assert judge.is_valid(json.loads(text)), text


def test_a_string_that_can_only_be_an_old_one_is_not_gone_on_with_where_another_item_is_too_dear(compiler):
    contained = {"type": "string", "pattern": "^a", "maxLength": 3}
    schema = {"type": "array", "uniqueItems": True, "contains": contained, "minContains": 2}
    matcher = compiler.compile(JsonSchema(schema)).matcher()
    for byte in b'["abc", "ab':
        assert matcher.accept(byte)
    for left in range(3, 40):
        for token_id in mask_of(matcher, left):
            ahead = matcher.fork()
            assert ahead.accept(token_id)
            assert mask_of(ahead, left - 1), (left, token_id)


ONE_LETTER = {"type": "string", "maxLength": 1}
CLOSED = {"type": "object", "additionalProperties": False}
COPIED = {
    "objects of a letter": {**CLOSED, "properties": {"b": ONE_LETTER}},
    "arrays of a letter": {"type": "array", "items": ONE_LETTER, "minItems": 1, "maxItems": 1},
    "arrays of objects": {
        "type": "array",
        "items": {**CLOSED, "properties": {"b": {"type": "string", "format": "date"}}},
        "maxItems": 1,
    },
    "last members of few": {
        **CLOSED,
        "properties": {"b": {"type": "string"}, "c": {"type": "boolean"}, "d": {"enum": ["x", "y"]}},
        "required": ["b", "c", "d"],
    },
    "numbers": {**CLOSED, "properties": {"b": {"type": "integer", "minimum": 0, "maximum": 99}}, "required": ["b"]},
    "one value alone": {"type": "array", "items": {"type": "null"}, "contains": {"const": None}, "maxContains": 1},
}


@pytest.mark.parametrize("name", COPIED)
def test_a_model_that_writes_earlier_items_again_is_not_cornered(compiler, name):
    schema = {
        "type": "array",
        "items": COPIED[name],
        "minItems": 1 if "contains" in COPIED[name] else 4,
        "uniqueItems": True,
    }
    compiled = compiler.compile(JsonSchema(schema, options=JsonOptions(property_order="schema")))
    judge, tokens = jsonschema.Draft202012Validator(schema), compiled.vocabulary.tokens
    for seed in range(40):
        matcher, chance, text = compiled.matcher(), random.Random(seed), b""
        for _ in range(200):
            found = mask_of(matcher)
            assert found, text
            # What stood there after the same text goes on, else what ends something.
            places = [text.find(text[-size:]) + size for size in range(min(9, len(text)), 1, -1)]
            before = next((place for place in places if place < len(text)), len(text))
            again = [t for t in found if t != EOS and before < len(text) and text.startswith(tokens[t], before)]
            ends = [t for t in found if t == EOS or tokens[t][:1] in b'"}],']
            others = ends if ends and chance.random() < 0.5 else found
            token_id = chance.choice(sorted(again if again and chance.random() < 0.92 else others))
            if token_id == EOS:
                break
            assert matcher.accept(token_id)
            text += tokens[token_id]
        else:
            continue
        assert judge.is_valid(json.loads(text)), text


@pytest.mark.parametrize("name", UNSATISFIABLE)
def test_too_few_values_are_found_at_once(compiler, name):
    with pytest.raises(UnsatisfiableError):
        compiler.compile(JsonSchema({"type": "array", "uniqueItems": True, **UNSATISFIABLE[name]}))


ONCE = {"maxItems": 2, "uniqueItems": True}
DEEP = {
    "arrays of many": (
        {"type": "array", "items": {"type": "array", "minItems": 3, "uniqueItems": True}, **ONCE},
        b"[], [",
    ),
    "arrays of records": (
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"ab": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}},
                "required": ["a", "ab"],
            },
            **ONCE,
        },
        b"[], [",
    ),
    "objects of many": (
        {"type": "object", "additionalProperties": {"type": "object", "minProperties": 3}, "maxProperties": 1},
        b"{}, {",
    ),
}
"""Items with the beginning of one that is none of the earlier ones only far behind that."""


@pytest.mark.parametrize("name", DEEP)
def test_what_is_new_only_far_behind_its_beginning_is_written_within_the_budget(compiler, name):
    items, begun = DEEP[name]
    schema = {"type": "array", "uniqueItems": True, "items": items}
    compiled, judge, num_ended = compiler.compile(JsonSchema(schema)), jsonschema.Draft202012Validator(schema), 0
    for budget in range(20, 120, 6):
        matcher, chance, text = compiled.matcher(), random.Random(budget), b""
        for left in range(budget, -1, -1):
            found = mask_of(matcher, left)
            assert found, (text, budget)
            wanted = (b"[" + begun)[len(text) : len(text) + 1]
            token_id = wanted[0] if wanted and wanted[0] in found else chance.choice(sorted(found))
            num_ended += token_id == EOS and text.startswith(b"[" + begun)
            if token_id == EOS:
                break
            assert matcher.accept(token_id)
            text += compiled.vocabulary.tokens[token_id] or b""
        assert judge.is_valid(json.loads(text)), text
    assert num_ended


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("kind", ONE_ITEM)
def test_no_second_item_is_begun_where_there_is_one_value(compiler, kind, empty):
    with pytest.raises(UnsatisfiableError):
        compiler.compile(JsonSchema(EMPTY[empty]))
    value, make = ONE_ITEM[kind]
    for before, more in ((b"[", {}), (b"[2, ", {"prefixItems": [{"const": 2}]})):
        schema = {"type": "array", "uniqueItems": True, "items": make(EMPTY[empty]), **more}
        compiled = compiler.compile(JsonSchema(schema))
        assert compiled.matcher().accept_text(before + value + b"]")
        assert compiled.matcher().allowed_prefix(before + value + b",") == len(before + value)


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ({"type": "array", "items": {"type": "null"}}, b"[[null], [null"),
        (
            {"type": "object", "properties": {"a": {"type": "null"}, "c": {"type": "array", "items": {"type": "null"}}},
             "required": ["a"], "additionalProperties": False},
            b'[{"a":null,"c":[null]}, {"a":null,"c":[null',
        ),
    ],
)  # fmt: skip
def test_no_blank_is_written_behind_which_only_an_old_item_could_end(compiler, items, text):
    schema = {"type": "array", "uniqueItems": True, "items": items}
    matcher = compiler.compile(JsonSchema(schema, JsonOptions(property_order="schema"))).matcher()
    assert all(map(matcher.accept, text))
    for token_id in mask_of(matcher, None):
        ahead = matcher.fork()
        assert ahead.accept(token_id)
        assert mask_of(ahead, None), token_id


def test_members_of_listed_objects_come_in_any_order(compiler):
    items = {
        "type": "object",
        "properties": {"a": {"enum": [1, 2]}, "b": {"const": None}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    compiled = compiler.compile(JsonSchema({"type": "array", "items": items, "uniqueItems": True}))
    assert compiled.report.counts().get("check") is None
    assert compiled.matcher().accept_text(b'[{"b": null, "a": 2}, {"a": 1, "b": null}]')
    assert not compiled.matcher().accept_text(b'[{"b": null, "a": 1}, {"a": 1, "b": null}]')


def test_a_name_that_comes_twice_within_an_item_makes_no_item_of_it(compiler):
    names = {"type": "object", "additionalProperties": {"type": "integer"}}
    for schema in ({"uniqueItems": True}, {"not": {"uniqueItems": True}, "minItems": 2}):
        matcher = compiler.compile(JsonSchema({"type": "array", "items": names, **schema})).matcher()
        assert not matcher.accept_text(b'[{"a": 1, "a": 2}, {"a": 1, "a": 2}]')
