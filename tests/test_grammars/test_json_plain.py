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
from grammars.frontends.json.library import Library
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
]
_LEFT_TO_OTHERS = [
    "true",
    '{"type": "object", "properties": {"a": {}, "a": {"type": "null"}}}',
    '{"type": "string", "type": "null"}',
    '{"t\\u0079pe": "string"}',
    '{"type": "string", "a": 1e999}',
    '{"type": "string", "a": 01}',
    '{"type": "string"} x',
    '{"type": "string",}',
    '{"type": "string", "a": "\\x"}',
    '{"type": "string", "a": NaN}',
    '{"$schema": "http://json-schema.org/draft-03/schema", "type": "string"}',
    '{"$schema": "http://example.com/unknown", "type": "string"}',
    '{"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}',
    '{"$ref": "#/a"}',
    '{"$ref": "#/a%20b", "a b": {}}',
    '{"$ref": "other#/a"}',
    '{"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}}',
    '{"type": "string", "enum": []}',
    '{"type": "strin"}',
    '{"properties": {"a": {}}}',
    '{"type": "string", "x": ' + 300 * "[" + 300 * "]" + "}",
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
]


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
        rule = plain.filled(())
        with pytest.raises(type(error)):
            builder.finish(builder.state() if rule is None else rule)
        return False
    rule = plain.filled(())
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


@pytest.mark.skipif(not _SCHEMAS.exists(), reason="needs the schemas of MaskBench")
def test_real_schemas_that_are_plain_have_the_networks_of_their_subschemas():
    with gzip.open(_SCHEMAS, "rt", encoding="utf-8") as lines:
        texts = [json.dumps(json.loads(line)["schema"]) for i, line in enumerate(lines) if i % 40 == 0]
    found = [_differ(text, JsonOptions()) for text in texts]
    assert True not in found
    assert found.count(False) > len(found) // 4


@pytest.mark.parametrize("text", _LEFT_TO_OTHERS)
def test_text_is_left_to_others_where_more_than_plain_keywords_count(text):
    assert not PlainText(_begun(), text, JsonOptions()).is_read


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


@pytest.mark.parametrize("properties", _WITH_HOLES, ids=json.dumps)
def test_schema_that_is_plain_in_part_means_what_its_subschemas_mean(vocabulary, properties):
    schema = JsonSchema({"type": "object", "properties": {"x": {"type": "null"}, **properties}})
    compiler = Compiler(vocabulary)
    one, other = compiler.compile(schema), compiler.compile(_Apart(schema))
    assert one.min_tokens == other.min_tokens
    assert one.report.num_notes == other.report.num_notes
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
    text = json.dumps({"type": "array", "items": {"type": "object", "properties": {"a b": {"properties": {}}}}})
    (hole,) = PlainText(_begun(), text, JsonOptions()).holes
    assert hole.way == ("items", "properties", "a b")
    assert text[hole.begin :].startswith('{"properties"')
