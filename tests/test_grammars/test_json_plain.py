"""Schemas read from their text come to the networks that they come to subschema by subschema."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammars import Compiler, GrammarError, JsonOptions, JsonSchema, Limits, TooComplexError, Vocabulary
from grammars.frontends.json.bundle import STRING
from grammars.frontends.json.library import Library
from grammars.frontends.json.plain.rules import HOLE
from grammars.frontends.json.plain_text import PlainText
from grammars.network.builder import NetworkBuilder
from tests.oracles import mask_of

_SCHEMAS = Path(__file__).resolve().parents[3] / "shared" / "data" / "maskbench-dev.jsonl.gz"
_ORDERED = JsonOptions(property_order="schema", additional_properties_default=False)
_WORDS = [f"word {i}" for i in range(40)]
_WHOLE = [
    {"type": "object"},
    {"type": "object", "properties": {"b": {"type": "string"}, "a": {}, "a b": True, "c": False}, "required": ["a"]},
    {"type": "object", "properties": {"a": False}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["x", "a", "x"]},
    {"type": "object", "required": ["x"], "additionalProperties": False},
    {"type": "object", "properties": {"": {"type": "null"}}, "additionalProperties": {"type": ["string", "integer"]}},
    {"type": "array", "items": {"type": ["null", "boolean", "number"]}, "minItems": 3},
    {"type": "array", "items": {"type": "array", "items": True}, "minItems": 1, "maxItems": 1},
    {"type": "array", "items": False},
    {"type": "array", "items": {}, "minItems": 2, "maxItems": 1},
    {"enum": ["a", "a!", "a b", "b", "a"], "title": "long first: the quote is a byte like any other"},
    {"type": "object", "properties": {"a": {"enum": _WORDS}, "b": {"enum": _WORDS, "type": "string"}}},
    {"type": "string", "minLength": 2, "maxLength": 5},
    {"type": "string", "minLength": 0},
    {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"next": {"$ref": "#"}}}}},
    {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://x/y", "type": "boolean", "x": 1.5e3},
    {"$id": "http://x/y", "type": "array", "items": {"$ref": "#/$defs/id"}, "$defs": {"id": {"type": "null"}}},
    {"type": "object", "allOf": [{"properties": {"b": {}}, "required": ["b", "x"]}, {"properties": {"a": {}}}]},
    {"type": "array", "items": {"id": "http://x", "$id": "#y", "type": "object", "properties": {"a": {"id": "b"}}}},
]
# Not JSON that kernels read, or in no known dialect.
_NOT_READ = [
    "true",
    '{"type": "string", "a": 1e999}',
    '{"type": "string", "a": 01}',
    '{"type": "string"} x',
    '{"type": "string",}',
    '{"type": "string", "a": "\\x"}',
    '{"type": "string", "a": NaN}',
    '{"$schema": "http://json-schema.org/draft-03/schema", "type": "string"}',
    '{"$schema": "http://example.com/unknown", "type": "string"}',
    '{"type": "string", "x": ' + 300 * "[" + 300 * "]" + "}",
]
# Left to others from the root on.
_NOT_PLAIN = [
    '{"type": "object", "properties": {"a": {}, "a": {"type": "null"}}}',
    '{"type": "string", "type": "null"}',
    '{"t\\u0079pe": "string"}',
    '{"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}',
    '{"$ref": "#/a"}',
    '{"$ref": "#/a%20b", "a b": {}}',
    '{"$ref": "other#/a"}',
    '{"type": "string", "enum": []}',
    '{"type": "strin"}',
    '{"properties": []}',
    '{"uniqueItems": 1}',
    '{"anyOf": [{"type": "integer"}, {"type": "number"}]}',
    '{"anyOf": [{"$ref": "#"}, {"type": "null"}]}',
    '{"allOf": [{"type": "string"}, {"maxLength": 3}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"type": ["object", "null"], "additionalProperties": {}}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, false]}',
    '{"allOf": [{"required": ["a"]}, {"properties": {"b": {}}}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"$ref": "#"}]}',
    '{"anyOf": [{"type": "string", "maxLength": 3}, {"enum": ["a"]}]}',
    '{"anyOf": [{"enum": ["a"]}, {"enum": ["b", "a"]}]}',
    '{"oneOf": [{"type": "string"}, {"enum": ["a"]}]}',
    '{"oneOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null"}]}',
    '{"anyOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {}}}]}',
    '{"anyOf": [{"$ref": "#/a"}, {"$ref": "#/a"}], "a": {"properties": {"b": {}}}}',
    '{"oneOf": [{"properties": {"a": {"type": "null"}}}, {"type": "object", "properties": {"b": {}}}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {"const": "x"}}}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"oneOf": [{"properties": {"a": {"const": "x"}}, "required": ["a"]}, '
    '{"properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"$schema": "http://json-schema.org/draft-04/schema#", "oneOf": ['
    '{"type": "object", "properties": {"a": {"const": "x"}}, "required": ["a"]}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"type": "object", "anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": ["null", "object"]}]}',
    '{"type": "strin", "anyOf": [{"type": "string"}, {"type": "null"}]}',
    '{"oneOf": [{"enum": ["a", "b"]}, {"enum": ["c", "b"]}]}',
    '{"oneOf": [{"enum": ["a", "b"]}, {"type": ["string", "null"], "minLength": 2}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "properties": {"b": {}}}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "properties": {"a": {}}, '
    '"additionalProperties": false}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "additionalProperties": false, '
    '"patternProperties": {"^a": {}}}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "additionalProperties": false}]}',
    '{"$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"$id": "http://x", "$defs": {"b": {"type": "null"}}}}}',
]
_WITH_HOLES = [
    {"a": {"type": "string", "format": "date"}, "b": {"type": "integer", "minimum": -3, "maximum": 12}},
    {"a": {"type": ["string", "null"], "enum": ["x", None, 3]}, "b": {"const": {"a": [1, "é"]}}},
    {"a\n": {"type": "null"}, "é": {"type": "boolean"}},
    {"a": {"type": ["boolean", "null", "string", "array"], "maxLength": 2, "pattern": "^[ab]*$"}},
    {"a": {"anyOf": [{"type": "object", "properties": {"b": {"type": "null"}}}, {"type": "integer"}]}},
    {
        "a": {"type": "array", "items": {"enum": [1, 2.5, 1e3]}, "minItems": 1},
        "b": {"type": "number", "multipleOf": 0.5},
    },
    {"a": {"type": "integer", "enum": []}, "b": {"not": {}}, "c": {"$id": "http://x", "type": "null"}},
    {"a": {"type": "string", "enum": ["é", '"']}, "b": {"type": "integer", "minimum": 2, "enum": [1, 2, 3]}},
    {"a": {"properties": {"b": {"type": "null"}}, "required": ["b"]}},
    {"a": {"type": ["object", "array", "string"], "additionalProperties": False, "minItems": 1, "maxLength": 1}},
    {"a": {"type": ["array", "null"], "items": {"type": "null"}, "additionalItems": False, "maxItems": 2}},
    {"a": {"type": ["string", "null"], "enum": ["x", "y"], "required": ["z"]}},
    {"a": {"oneOf": [{"$ref": "#/$defs/few"}, {"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}},
    {"a": {"anyOf": [{"type": "integer", "minimum": 3}, {"$ref": "#/$defs/tree"}]}, "b": {"$ref": "#/$defs/tree"}},
    {"a": {"allOf": [{"$ref": "#/$defs/tree"}, {"required": ["left"]}]}, "b": {"allOf": [{"$ref": "#/$defs/few"}]}},
    {"a": {"$ref": "#/$defs/none"}, "b": {"anyOf": [{"$ref": "#/$defs/none"}, {"type": "null"}]}},
    {"a": {"type": "array", "uniqueItems": True, "items": {"oneOf": [{"$ref": "#/$defs/few"}, {"const": 7}]}}},
    {"a": {"patternProperties": {"^a": {"$ref": "#/$defs/tree"}}, "additionalProperties": {"$ref": "#/$defs/few"}}},
    {"id": {"anyOf": [{"$ref": "#/properties/id/x"}, {"type": "null"}], "x": {"type": "boolean"}}},
    {"a": {"anyOf": [{"type": "object", "properties": {name: {"type": "null"}}} for name in ("b", "b", "c")]}},
    {"a": {"anyOf": [{"properties": {"b": {"enum": ["x"]}}}, {"additionalProperties": {"type": "null"}}]}},
    {
        "a": {
            "anyOf": [
                {"type": ["object", "null"], "properties": {"b": {"const": 1}}, "required": ["b"]},
                {"type": "object", "properties": {"b": {"const": 2}}, "additionalProperties": False},
                {"type": "string", "minLength": 1},
                {"type": "array"},
            ]
        }
    },
    {
        "a": {
            "oneOf": [
                {"type": "object", "properties": {"b": {}, "c": {"enum": ["x", "y"]}}, "required": ["b", "c"]},
                {"type": "object", "properties": {"c": {"const": "z"}, "d": {"minimum": 3}}, "required": ["c"]},
                {
                    "type": ["object", "null"],
                    "properties": {"c": {"enum": ["w"]}},
                    "required": ["c"],
                    "maxProperties": 2,
                },
                {"type": "array", "items": {"type": "null"}},
            ]
        }
    },
    {
        "a": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"b": {"const": name}},
                    "maxProperties": 2,
                    "required": ["b"],
                }
                for name in ("x", "y", "z")
            ]
        }
    },
    {"a": {"type": ["null", "integer", "array"], "oneOf": [{"type": "array", "items": {}}, {"type": "null"}]}},
    {"a": {"oneOf": [{"enum": ["a", "b"]}, {"type": "string", "enum": ["c"]}, {"type": "null"}]}},
    {
        "a": {
            "oneOf": [
                {"type": "object", "properties": {"b": {}, "c": {}}, "required": ["c"], "additionalProperties": False},
                {"type": "object", "properties": {"b": {}}, "required": ["b"], "additionalProperties": False},
                {"type": "object", "required": ["d"], "additionalProperties": {"type": "null"}, "minProperties": 2},
            ]
        }
    },
    {"a": {"id": "/a", "type": "array", "items": {"$id": "i", "type": "string", "pattern": "^a"}}},
    {"a": {"$id": "http://x/", "$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": True}},
    *[
        {"a": {"type": ["array", "null"], "uniqueItems": True, **rest}}
        for rest in (
            {},
            {"items": True, "minItems": 2},
            {"items": False},
            {"items": {"type": "string"}, "maxItems": 3},
            {"items": {"type": "string"}, "maxItems": 1},
            {"items": {"type": ["string", "null"]}},
            {"items": {"type": "string", "maxLength": 1}},
            {"items": {"type": ["integer", "string"], "maxLength": 1}},
            {"items": {"type": "boolean"}, "minItems": 2},
            {"items": {"$ref": "#/$defs/few"}},
            {"items": {"$ref": "#/$defs/tree"}},
            {"items": {"$ref": "#/$defs/even"}},
            {"items": {"type": "object", "maxProperties": 1}, "minItems": 1},
            {"items": {"type": "object", "maxProperties": 0}, "minItems": 2},
        )
    ],
    {
        "a": {
            "type": "object",
            "allOf": [{"properties": {"b": {"minimum": 3}}, "required": ["b"]}, {"$ref": "#/$defs/part"}],
        }
    },
    {"a": {"allOf": [{"$ref": "#/$defs/part"}, {"type": "object"}, {}, True], "required": ["z", "q"]}},
    {
        "a": {
            "allOf": [
                {"allOf": [{"$ref": "#/$defs/part"}], "properties": {"p": {}}},
                {"properties": {"b": {"const": 1}}},
            ]
        }
    },
    {"a": {"allOf": [{"$ref": "#/$defs/part"}], "properties": {"q": {"type": "null"}}, "required": ["r"]}},
    {"a": {"type": "object", "allOf": [{"properties": {"b": {}}}, {"properties": {"b": {"type": "null"}}}]}},
    {"a": {"type": ["object", "null"], "allOf": [{"required": ["b"]}, {"properties": {"b": {"type": "null"}}}]}},
    {"a": {"type": "object", "allOf": [{"required": ["b"]}, {"properties": {"b": False}}]}, "c": {"type": "null"}},
    {"a": {"anyOf": [{"enum": ["a", "b"]}, {"enum": ["b"]}, {"$ref": "#/$defs/few"}, {"type": ["string", "null"]}]}},
    {
        "a": {
            "oneOf": [{"type": "boolean", "enum": [False]}, {"type": "object", "oneOf": [{"$ref": "#/$defs/part"}, {}]}]
        }
    },
    {
        "a": {
            "oneOf": [
                {"anyOf": [{"$ref": "#/$defs/few"}, {"$ref": "#/$defs/even"}]},
                {"type": "null"},
                {"type": "array"},
            ]
        }
    },
    {"a": {"type": "array", "uniqueItems": False, "items": {"type": "null"}}, "b": {"uniqueItems": True}},
    {"a": {"type": ["array", "object"], "uniqueItems": True, "additionalProperties": {"type": "null"}}},
]
_DEFINITIONS = {
    "few": {"enum": ["a", "b"]},
    "tree": {
        "type": "object",
        "properties": {"left": {"$ref": "#/$defs/tree"}, "value": {"$ref": "#/$defs/even"}},
        "additionalProperties": False,
    },
    "even": {"type": "integer", "multipleOf": 2},
    "none": {"not": {}},
    "part": {
        "type": "object",
        "properties": {"q": {"type": "boolean"}, "r": {"$ref": "#/$defs/few"}},
        "required": ["q"],
    },
}


def _begun() -> NetworkBuilder:
    builder = NetworkBuilder()
    Library.install(builder, "bounded")
    return builder


def _differ(text: str, options: JsonOptions) -> bool | None:
    """Whether the two ways to the network differ; None where the text is not plain all through."""
    builder, other = _begun(), _begun()
    plain = PlainText(builder, text, options)
    if not plain.is_read or plain.holes:
        return None
    try:
        expected = other.finish(JsonSchema(text, options)._emit_sites(other, text))
    except GrammarError as error:
        rule = plain.finish()
        with pytest.raises(type(error)):
            builder.finish(builder.state() if rule is None else rule)
        return False
    rule = plain.finish()
    assert rule is not None
    network = builder.finish(rule)
    same = network.root == expected.root and plain.num_notes == expected.report.num_notes
    return not (
        same and np.array_equal(network.ints, expected.ints) and np.array_equal(network.octets, expected.octets)
    )


@pytest.mark.parametrize("options", [JsonOptions(), _ORDERED], ids=["any order", "ordered"])
@pytest.mark.parametrize("schema", _WHOLE, ids=json.dumps)
def test_plain_schema_has_the_network_of_its_subschemas(schema, options):
    assert _differ(json.dumps(schema), options) is False
    assert _differ(json.dumps(schema, indent=1), options) is False


_NAMES = st.text("ab !~", max_size=3)
_SCALARS = st.one_of(
    st.booleans(),
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["string", "integer", ["null", "number"], "object"])}),
    st.fixed_dictionaries({"enum": st.lists(_NAMES, min_size=1, max_size=40)}),
    st.fixed_dictionaries({"type": st.just("string"), "minLength": st.integers(0, 3)}),
    st.just({"$ref": "#/$defs/x"}),
)
_ANY = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object")},
            optional={
                "properties": st.dictionaries(_NAMES, inner, max_size=4),
                "required": st.lists(_NAMES, max_size=3),
                "additionalProperties": inner,
                "description": st.text(max_size=5),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner},
            optional={"minItems": st.integers(0, 3), "maxItems": st.integers(0, 3)},
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.fixed_dictionaries({"$defs": st.fixed_dictionaries({"x": _ANY}), "type": st.just("object")}), _ANY)
def test_any_plain_schema_has_the_network_of_its_subschemas(schema, member):
    text = json.dumps({**schema, "properties": {"m": member}, "additionalProperties": member})
    assert not _differ(text, JsonOptions())


@pytest.mark.parametrize("text", _NOT_READ)
def test_text_is_left_to_others(text):
    assert not PlainText(_begun(), text, JsonOptions()).is_read


@pytest.mark.parametrize("text", _NOT_PLAIN)
def test_schema_is_left_to_others_where_more_than_plain_keywords_count(text):
    plain = PlainText(_begun(), text, JsonOptions())
    assert plain.is_read
    assert [(hole.begin, hole.way) for hole in plain.holes] == [(0, ())]
    assert plain.rule_at("") == HOLE


@pytest.mark.parametrize("limits", [Limits(max_subschemas=2), Limits(max_depth=2), Limits(max_enum_values=1)])
def test_text_beyond_a_limit_is_left_to_others(limits):
    schema = {"type": "object", "properties": {"a": {"enum": ["a", "b"]}, "b": {"type": "array", "items": {}}}}
    builder = NetworkBuilder(limits)
    Library.install(builder, "bounded")
    plain = PlainText(builder, json.dumps(schema), JsonOptions())
    assert not plain.is_read or plain.holes


def test_plain_schema_with_too_many_states_is_refused():
    builder = NetworkBuilder(Limits(max_states=150))
    names = {f"some long name {i}": {"type": "null"} for i in range(20)}
    with pytest.raises(TooComplexError, match="max_states"):
        JsonSchema({"type": "object", "properties": names}).emit(builder)


class _Apart:
    """A schema that is emitted subschema by subschema."""

    def __init__(self, schema: JsonSchema) -> None:
        self._schema = schema

    def cache_key(self) -> str:
        return "apart:" + self._schema.cache_key()

    def emit(self, builder: NetworkBuilder) -> int:
        Library.install(builder, "bounded")
        return self._schema._emit_sites(builder, self._schema.text)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    pieces = [b'"a', b'":', b'": ', b'{"', b'", "', b'"}', b"ab", b'["', b"true", b"nu", b"\n ", b"20"]
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, *pieces], [256])


@pytest.mark.parametrize("root", [{}, {"required": ["x"], "minProperties": 1}], ids=["plain root", "other root"])
@pytest.mark.parametrize("properties", _WITH_HOLES, ids=json.dumps)
def test_schema_that_is_plain_in_part_means_what_its_subschemas_mean(vocabulary, properties, root):
    members = {"x": {"type": "null"}, **properties}
    definitions = {"$defs": _DEFINITIONS} if "$ref" in json.dumps(properties) else {}
    schema = JsonSchema({"type": "object", "properties": members, **definitions, **root})
    compiler = Compiler(vocabulary)
    one, other = compiler.compile(schema), compiler.compile(_Apart(schema))
    assert one.min_tokens == other.min_tokens
    assert list(one.report) == list(other.report)
    chance = random.Random(3)
    for _ in range(12):
        first, second = one.matcher(), other.matcher()
        for _ in range(40):
            mask = mask_of(first)
            assert mask == mask_of(second)
            if not mask or first.is_ended:
                break
            token_id = chance.choice(sorted(mask))
            assert first.accept(token_id)
            assert second.accept(token_id)


def test_hole_is_known_by_its_place():
    left = {"properties": {}, "minProperties": 1}
    places = {"type": "object", "properties": {"a b": left, "c": {"oneOf": [{"type": "null"}, left]}}}
    text = json.dumps({"type": "array", "items": places})
    holes = PlainText(_begun(), text, JsonOptions()).holes
    assert [hole.way for hole in holes] == [
        ("items", "properties", "a b"),
        ("items", "properties", "c"),
    ]
    assert text[holes[0].begin :].startswith(json.dumps(left))


def test_place_that_was_left_to_others_can_be_asked_for_what_is_plain_below():
    few = {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "string", "pattern": "a"}]}}
    members = {"id": {"type": "string"}, "b": few}
    schema = {"allOf": [True, {"type": "object", "properties": members}], "minProperties": 1}
    builder = _begun()
    plain = PlainText(builder, json.dumps(schema), JsonOptions())
    before = builder.num_states
    assert plain.rule_at("/allOf/1/properties/id") == builder.shared["json", "bounded", STRING]
    rule = plain.rule_at("/allOf/1/properties/b")
    assert before <= rule < builder.num_states
    assert plain.rule_at("/allOf/1/properties/b") == rule
    assert plain.holes[-1].way == ("allOf", 1, "properties", "b", "items", "anyOf", 1)
    for nowhere in (
        "/allOf/2",
        "/allOf/01x",
        "/allOf/1/properties/c",
        "/allOf/1/é",
        "/allOf/1/properties/b/items/anyOf/1",
    ):
        assert plain.rule_at(nowhere) == HOLE


def test_schemas_asked_for_later_are_counted():
    items = {"type": "array", "items": {"type": "null"}}
    schema = {"minProperties": 1, "properties": {"a": items, "b": items, "c": items}}
    builder = NetworkBuilder(Limits(max_subschemas=5))
    Library.install(builder, "bounded")
    plain = PlainText(builder, json.dumps(schema), JsonOptions())
    assert plain.rule_at("/properties/a") > 0
    assert plain.rule_at("/properties/b") > 0
    with pytest.raises(TooComplexError, match="max_subschemas"):
        plain.rule_at("/properties/c")


@pytest.mark.skipif(not _SCHEMAS.exists(), reason="needs the schemas of MaskBench")
def test_real_schemas_mean_what_their_subschemas_mean(vocabulary):
    with gzip.open(_SCHEMAS, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for i, line in enumerate(lines) if i % 40 == 0]
    compiler = Compiler(vocabulary)
    num_compared = 0
    for record in records:
        schema = JsonSchema(record["schema"])
        try:
            other = compiler.compile(_Apart(schema))
        except GrammarError as error:
            with pytest.raises(type(error)):
                compiler.compile(schema)
            continue
        one = compiler.compile(schema)
        for test in record["tests"][:2]:
            text = json.dumps(test["data"]).encode()[:300]
            first, second = one.matcher(), other.matcher()
            for byte in text:
                mask = mask_of(first)
                assert mask == mask_of(second), record["id"]
                num_compared += 1
                if not (first.accept(byte) and second.accept(byte)):
                    break
    assert num_compared > 100 * len(records)
