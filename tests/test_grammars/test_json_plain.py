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
from tests.test_grammars.plain_schemas import DEFINITIONS, NOT_PLAIN, NOT_READ, WHOLE, WITH_HOLES

_SCHEMAS = Path(__file__).resolve().parents[3] / "shared" / "data" / "maskbench-dev.jsonl.gz"
_ORDERED = JsonOptions(property_order="schema", additional_properties_default=False)


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
@pytest.mark.parametrize("schema", WHOLE, ids=json.dumps)
def test_plain_schema_has_the_network_of_its_subschemas(schema, options):
    assert _differ(json.dumps(schema), options) is False
    assert _differ(json.dumps(schema, indent=1), options) is False


def test_format_that_is_an_annotation_leaves_a_schema_plain():
    schema = {"type": "object", "format": 3, "properties": {"a": {"type": "string", "format": "date"}}}
    assert _differ(json.dumps(schema), JsonOptions(formats="annotate")) is False
    assert _differ(json.dumps(schema), JsonOptions()) is None


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


@pytest.mark.parametrize("text", NOT_READ)
def test_text_is_left_to_others(text):
    assert not PlainText(_begun(), text, JsonOptions()).is_read


@pytest.mark.parametrize("text", NOT_PLAIN)
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
@pytest.mark.parametrize("properties", WITH_HOLES, ids=json.dumps)
def test_schema_that_is_plain_in_part_means_what_its_subschemas_mean(vocabulary, properties, root):
    members = {"x": {"type": "null"}, **properties}
    definitions = {"$defs": DEFINITIONS} if "$ref" in json.dumps(properties) else {}
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
