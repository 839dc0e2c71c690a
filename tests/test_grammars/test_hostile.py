"""Constraints made to hurt: which limit stops them, and that what is cheap to say stays exact."""

from __future__ import annotations

import json
import random
from decimal import Decimal

import numpy as np
import pytest

from grammars import (
    Compiler,
    Gbnf,
    JsonSchema,
    Limits,
    Regex,
    TooComplexError,
    UnsatisfiableError,
    UnsupportedError,
    Vocabulary,
)
from grammars.frontends.json import absorption, disjoint
from grammars.frontends.json.bundle import Bundle
from grammars.frontends.regex import effort
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

DIGITS = [bytes([byte]) for byte in range(256)] + [b"12", b"123", b"00"]


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.from_tokens([*DIGITS, None], [len(DIGITS)])


def refusal(schema, limits=None):
    with pytest.raises((TooComplexError, UnsupportedError)) as caught:
        Simulator.of(JsonSchema(schema), limits or Limits())
    return caught.value


@pytest.mark.parametrize("keyword", ["anyOf", "allOf", "oneOf", "prefixItems"])
def test_subschemas_are_bounded_together(keyword):
    schema = {keyword: [{"minLength": i} for i in range(60)], "additionalProperties": {"title": "x"}}
    assert refusal(schema, Limits(max_subschemas=50)).limit == "max_subschemas"


def test_properties_are_bounded_as_subschemas():
    schema = {"properties": {f"p{i}": {"minLength": i} for i in range(60)}}
    assert refusal(schema, Limits(max_subschemas=50)).limit == "max_subschemas"
    assert Simulator.of(JsonSchema(schema), Limits(max_subschemas=70)).accepts("{}")


def test_patterns_are_bounded_together(monkeypatch):
    """Each is small, but there are very many."""
    monkeypatch.setattr(effort, "_MAX_CELLS", 100_000)
    schema = {"properties": {f"p{i}": {"type": "string", "pattern": f"^bounded {i}(b|c)*d"} for i in range(100)}}
    with effort.SharedEffort():
        assert refusal(schema).limit == "max_pattern_states"


@pytest.mark.parametrize("pattern", ["^(ab|c)*$", "^(ab|c){9}", "(a|b)*c.{5}$"])
def test_patterns_of_texts_without_end_are_refused(pattern):
    schema = {"type": "string", "pattern": pattern, "minLength": 10**9}
    refusal(schema | {"maxLength": 10**9 + 5})
    network = Simulator.of(JsonSchema(schema | {"minLength": 9}))
    assert network.accepts('"' + "c" * 15 + '"')
    assert not network.accepts('"cccc"')


def test_names_with_far_lengths_are_exact_or_refused():
    schema = {"propertyNames": {"pattern": "^(ab|c)+$", "maxLength": 10**9}, "minProperties": 1}
    assert refusal(schema).limit == "max_pattern_states"
    finite = {"propertyNames": {"pattern": "^(ab|c|dd)$", "maxLength": 10**9}, "minProperties": 1}
    network = Simulator.of(JsonSchema(finite | {"type": "object"}))
    assert network.accepts('{"ab": 1}')
    assert not network.accepts('{"abab": 1}')


def test_lengths_of_thousands_of_optional_characters_are_refused():
    assert refusal({"type": "string", "pattern": "^(?:a?){99999}b", "minLength": 17, "maxLength": 5_000})


def test_excluded_numbers_are_bounded():
    network = Simulator.of(JsonSchema({"not": {"enum": list(range(300))}}))
    assert network.accepts("300")
    assert not network.accepts("299")
    assert "exclusion" in refusal({"not": {"enum": list(range(3_000))}}).what


def test_conjunctions_of_thousands_of_schemas_are_bounded():
    assert "steps" in refusal({"allOf": [{"required": [f"p{i}"]} for i in range(4_000)]}).what


def test_objects_that_only_require_members_are_not_asked_about_them(monkeypatch):
    asked = []
    monkeypatch.setattr(disjoint, "member_goal", lambda bundle, name, limits: asked.append(name) or ())
    branches = [{"type": "object", "required": [f"r{i}_{j}" for j in range(300)]} for i in range(9)]
    refusal({"oneOf": branches}, Limits(max_subschemas=900))
    assert not asked


def test_thousands_of_dependencies_are_guarded():
    schema = {"type": "object", "dependentRequired": {f"p{i}": [f"q{i}"] for i in range(2_000)}}
    builder = NetworkBuilder(Limits())
    network = builder.finish(JsonSchema(schema).emit(builder))
    assert ("", "dependentRequired", "guard") in [tuple(note) for note in network.report.notes]


def test_values_that_schemas_are_asked_about_are_bounded():
    values = [{"i": i} for i in range(50)]
    schema = {"enum": values, "anyOf": [{"properties": {"i": {"multipleOf": i + 2}}} for i in range(4)]}
    assert refusal(schema, Limits(max_enum_values=60)).limit == "max_enum_values"
    network = Simulator.of(JsonSchema(schema))
    assert network.accepts('{"i": 45}')
    assert not network.accepts('{"i": 7}')


def test_constants_too_deep_to_look_into_are_refused(vocabulary):
    value = 1
    for _ in range(400):
        value = [value]
    with pytest.raises(TooComplexError) as caught:
        Compiler(vocabulary).compile(
            JsonSchema(
                {
                    "const": value,
                    "items": {"$ref": "#/$defs/a"},
                    "$defs": {"a": {"items": {"$ref": "#/$defs/a"}, "maxItems": 1}},
                }
            )
        )
    assert caught.value.limit == "max_depth"


def test_long_enums_are_excluded_exactly():
    values = list(range(2_000))
    network = Simulator.of(JsonSchema({"enum": values, "not": {"enum": values[1:]}}))
    assert network.accepts("0")
    assert not network.accepts("1")


def test_equal_items_of_a_constant_make_it_invalid(vocabulary):
    values = [{"i": i} for i in range(300)]
    assert Simulator.of(JsonSchema({"const": values, "uniqueItems": True})).accepts(json.dumps(values))
    with pytest.raises(UnsatisfiableError):
        Compiler(vocabulary).compile(JsonSchema({"const": [*values, {"i": 7}], "uniqueItems": True}))


def _random_bundle(rng):
    bundle = Bundle()
    bundle.types = rng.choice((127, 64, 12, 4, 16, 96, 124))
    if rng.random() < 0.5:
        bundle.low, bundle.low_open = Decimal(rng.randrange(3)), rng.random() < 0.5
    if rng.random() < 0.5:
        bundle.high, bundle.high_open = Decimal(rng.randrange(3, 6)), rng.random() < 0.5
    bundle.required = tuple(rng.sample("abc", rng.randrange(3)))
    bundle.max_length = rng.choice((None, 1, 2))
    bundle.min_properties = rng.randrange(2)
    if rng.random() < 0.3:
        bundle.enum = tuple(rng.sample([1, 2, "a", "b"], rng.randrange(1, 4)))
    return bundle


@pytest.mark.parametrize("seed", range(20))
def test_many_bundles_are_absorbed_as_few_are(seed, monkeypatch):
    rng = random.Random(seed)
    bundles = [_random_bundle(rng) for _ in range(60)]
    by_bits = absorption.minimal(bundles)
    monkeypatch.setattr(absorption, "_MANY", 1_000)
    by_pairs = absorption.minimal(bundles)
    assert {id(bundle) for bundle in by_bits} == {id(bundle) for bundle in by_pairs}


def write(matcher, num_tokens):
    row = np.zeros(matcher.compiled.num_words, dtype=np.uint32)
    for _ in range(num_tokens):
        matcher.fill_mask(row)
        assert matcher.accept(ord("x"))


def test_masks_of_an_ambiguous_grammar_are_bounded(vocabulary):
    grammar = Gbnf('root ::= e\ne ::= e e | e e e | e "a" e | e "b" e | "x" | ""')
    compiled = Compiler(vocabulary, Limits(max_match_steps=20_000)).compile(grammar)
    with pytest.raises(TooComplexError) as caught:
        write(compiled.matcher(), 200)
    assert caught.value.limit == "max_match_steps"


def test_long_texts_do_not_use_up_the_steps(vocabulary):
    compiled = Compiler(vocabulary, Limits(max_match_steps=20_000)).compile(Regex("([a-z]+,)*"))
    matcher = compiled.matcher()
    write(matcher, 3_000)
    assert matcher.accept_text(b"abc," * 20_000)


@pytest.mark.parametrize("num_digits", [16, 17, 18, 19])
def test_masks_ask_guards_after_the_last_digit_of_a_number(vocabulary, num_digits):
    """All branches hold for numbers, so none is valid, which only the guard knows."""
    branches = [{"properties": {f"a{i % 50}": {"maxLength": i}}} for i in range(300)]
    compiled = Compiler(vocabulary).compile(JsonSchema({"oneOf": branches}))
    matcher, row = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32)
    for byte in b"1." + b"1" * num_digits:
        assert matcher.accept(byte)
    matcher.fill_mask(row)
    for token in range(len(DIGITS)):
        assert bool(row[token >> 5] >> (token & 31) & 1) == matcher.fork().accept(token), DIGITS[token]
