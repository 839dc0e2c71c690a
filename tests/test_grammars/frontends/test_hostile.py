"""Constraints made to hurt: which limit stops them, and that what is cheap to say stays exact."""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from dataclasses import replace

import numpy as np
import pytest

from grammars import (
    Compiler,
    Gbnf,
    JsonOptions,
    JsonSchema,
    Limits,
    Regex,
    TooComplexError,
    UnsatisfiableError,
    UnsupportedError,
    Vocabulary,
)
from grammars.frontends.json.algebra import disjoint
from grammars.frontends.regex import dfa
from grammars.kernels import columns
from grammars.kernels.spans import NO_LIMIT
from grammars.network.builder import NetworkBuilder
from tests.oracles import accept_alike, allowed, mask_of
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
    monkeypatch.setattr(dfa, "_MAX_CELLS", 100_000)
    schema = {"properties": {f"p{i}": {"type": "string", "pattern": f"^bounded {i}(b|c)*d"} for i in range(100)}}
    with dfa.Effort():
        assert refusal(schema).limit == "max_pattern_states"


@pytest.mark.parametrize("pattern", ["^(ab|c)*$", "^(ab|c){9}", "(a|b)*c.{5}$"])
def test_patterns_of_texts_without_end_are_refused_or_counted(pattern):
    schema = {"type": "string", "pattern": pattern, "minLength": 10**8}
    if pattern != "(a|b)*c.{5}$":  # a run of characters, which is counted
        refusal(schema | {"maxLength": 10**8 + 5})
    network = Simulator.of(JsonSchema(schema | {"minLength": 9}))
    assert network.accepts('"' + "c" * 15 + '"')
    assert not network.accepts('"cccc"')


def test_names_with_far_lengths_are_exact_or_refused():
    schema = {"propertyNames": {"pattern": "^(ab|c)+$", "maxLength": 10**8}, "minProperties": 1}
    assert refusal(schema).limit == "max_pattern_states"
    no_bound = {"propertyNames": {"pattern": "^(ab|c)+$", "maxLength": 10**9}, "minProperties": 1, "type": "object"}
    assert Simulator.of(JsonSchema(no_bound)).accepts('{"abc": 1}')
    assert not Simulator.of(JsonSchema(no_bound)).accepts('{"abb": 1}')
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
    assert "steps" in refusal({"allOf": [{"required": [f"p{i}"]} for i in range(6_000)]}).what


def test_objects_that_only_require_members_are_not_asked_about_them(monkeypatch):
    asked = []
    monkeypatch.setattr(disjoint, "member_terms", lambda bundle, name, limits: asked.append(name) or ())
    monkeypatch.setattr(disjoint, "_may_be_object", lambda algebra, bundle: True)
    branches = [{"type": "object", "required": [f"r{i}_{j}" for j in range(300)]} for i in range(9)]
    refusal({"oneOf": branches}, Limits(max_subschemas=900))
    assert not asked


def test_thousands_of_dependencies_are_checked():
    schema = {"type": "object", "dependentRequired": {f"p{i}": [f"q{i}"] for i in range(2_000)}}
    builder = NetworkBuilder(Limits())
    network = builder.finish(JsonSchema(schema).emit(builder))
    assert ("", "dependentRequired", "check") in [tuple(note) for note in network.report.notes]


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


def write(matcher, num_tokens):
    row = np.zeros(matcher.compiled.num_words, dtype=np.uint32)
    for _ in range(num_tokens):
        matcher.fill_mask(row)
        assert matcher.accept(ord("x"))


def test_masks_of_an_ambiguous_grammar_have_short_tokens_where_steps_run_out():
    grammar = Gbnf('root ::= e\ne ::= e e | e e e | e "a" e | e "b" e | "x" | ""')
    words = [bytes(word) for n in (2, 3, 5) for word in itertools.product(b"abx", repeat=n)]
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), *words, None], [256 + len(words)])
    most = mask_of(Compiler(vocabulary).compile(grammar).matcher())
    compiled = Compiler(vocabulary, Limits(max_match_steps=20_000)).compile(grammar)
    matcher, fewest = compiled.matcher(), len(most)
    for number in range(200):
        mask = mask_of(matcher)
        assert set(b"abx") <= mask <= most
        fewest = min(fewest, len(mask))
        # All that match are the same text; of what the mask does not show it is found out for so many steps alone.
        word = 256 + number % len(words)
        if number % 9 or not (matcher.accept(word) or word in mask):
            assert matcher.accept(ord("abx"[number % 3]))
    assert fewest < len(most)
    assert matcher.is_complete


def test_a_token_that_no_mask_shows_takes_no_more_steps_than_a_mask():
    """As drafts are tried: by how many ways 96 dashes fall apart into counted ones is not found out."""
    tokens = [*(bytes([byte]) for byte in range(256)), b"-" * 96, None]
    vocabulary = Vocabulary.from_tokens(tokens, [257])
    compiled = Compiler(vocabulary, Limits(max_match_steps=50_000)).compile(
        Gbnf('root ::= r{0,3000}\nr ::= s{1,3000}\ns ::= "-" | "--"\n')
    )
    matcher, num_taken = compiled.matcher(), 0
    while matcher.accept(256):
        num_taken += 1
        assert num_taken < 60, "every one was taken"
    # What the masks show goes on.
    for _ in range(20):
        assert ord("-") in mask_of(matcher)
        assert matcher.accept(ord("-"))
    assert matcher.num_tokens == num_taken + 20


def test_budgets_hold_where_steps_run_out():
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), b"xx", b"xa", b"end", None], [259])
    grammar = Gbnf('root ::= e "end"\ne ::= e e | e e e | e "a" e | "x" e | "x"')
    compiled = Compiler(vocabulary, Limits(max_match_steps=3_000)).compile(grammar)
    for budget in (3, 12, 40):
        matcher, chance = compiled.matcher(), random.Random(budget)
        for left in range(budget, 0, -1):
            allowed = sorted(mask_of(matcher, left) - {259})
            if not allowed:
                break
            assert matcher.accept(chance.choice(allowed))
        assert matcher.is_complete


def test_objects_with_thousands_of_members_end(vocabulary):
    names = [f"property_{number}" for number in range(3_000)]
    properties = {name: {"type": "integer"} for name in names}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    matcher = Compiler(vocabulary).compile(JsonSchema(schema)).matcher()
    for byte in json.dumps(dict.fromkeys(random.Random(3).sample(names, 12), 7)).encode():
        assert byte in mask_of(matcher)
        assert matcher.accept(byte)
    assert matcher.is_complete


@pytest.mark.parametrize("order", ["any", "schema"])
def test_texts_go_on_when_the_arena_is_emptied(order):
    texts = ('{"id": ["abc", "b"], "name": 12', '"], "note": {}', '": "', '", "')
    pieces = {text.encode()[i : i + n] for text in texts for n in (2, 3, 6) for i in range(len(text.encode()))}
    known = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *sorted(pieces)], [256])
    properties = {
        "id": {"type": "array", "items": {"type": "string", "maxLength": 9}, "uniqueItems": True},
        "name": {"type": "integer"},
        "note": {"type": "object", "additionalProperties": {"$ref": "#"}},
    }
    schema = JsonSchema({"type": "object", "properties": properties}, options=JsonOptions(property_order=order))
    small, large = (Compiler(known, Limits(max_configurations=n)).compile(schema) for n in (90, 50_000))
    matcher, expected = small.matcher(), large.matcher()
    text = b'{"id": ["abc", "b", "abcabc"], "name": 12, "note": {"x": {"id": ["q"], "name": 1}}, "other": "abc"}'
    accept_alike(matcher, expected, text)
    assert matcher.is_complete
    assert small.arena.epoch > large.arena.epoch
    matcher.rollback(60)
    expected.rollback(60)
    assert mask_of(matcher) == mask_of(expected)


def test_checks_are_asked_for_a_bounded_time(monkeypatch):
    numbers = [str(number).encode() for number in range(10, 99)]
    ends = [number + b"," for number in numbers]
    known = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), *numbers, *ends, None], [256 + 2 * 89])
    compiled = Compiler(known).compile(JsonSchema({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}))
    exact, asked = compiled.matcher(), []
    assert all(exact.accept(byte) for byte in b"[3,")
    expected = mask_of(exact)

    def slow(text: bytes) -> bool:
        asked.append(text)
        time.sleep(0.02)
        return text != b"[3,3"

    checks = [check if check.predicate is None else replace(check, predicate=slow) for check in compiled.network.checks]
    monkeypatch.setattr(compiled.network, "checks", tuple(checks))
    matcher = compiled.matcher()
    assert all(matcher.accept(byte) for byte in b"[3,")
    asked.clear()
    found = mask_of(matcher)
    assert set() < found < expected
    assert len(asked) < 20
    # What was not asked is not taken for an answer.
    assert all(matcher.fork().accept(token) for token in sorted(expected)[-9:])


def test_long_texts_do_not_use_up_the_steps(vocabulary):
    compiled = Compiler(vocabulary, Limits(max_match_steps=20_000)).compile(Regex("([a-z]+,)*"))
    matcher = compiled.matcher()
    write(matcher, 3_000)
    assert matcher.accept_text(b"abc," * 20_000)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (True, b"[" * 2_000 + b"]" * 2_000),
        ({"uniqueItems": True}, b"[1, " + b"[" * 1_500 + b"]" * 1_500 + b"]"),
        ({"items": {"maximum": 1}}, b"[-1" + 5_000 * b"0" + b"]"),
        ({"items": {"maximum": 1}}, b"[-1e200000, 1e-" + 30 * b"9" + b"]"),
        ({"items": {"properties": {"a": {"minimum": 1}}}}, b"[" + b'{"a": 1}, ' * 200 + b"{}]"),
    ],
    ids=["deep", "deep items", "digits", "exponents", "steps"],
)
def test_no_limit_ends_a_text_that_has_begun(vocabulary, schema, text):
    """What a value takes to be looked at is known when it is there, which is too late to refuse it."""
    limits = Limits(max_validation_steps=500)
    matcher = Compiler(vocabulary, limits).compile(JsonSchema(schema, JsonOptions.validation())).matcher()
    assert all(matcher.accept(byte) for byte in text)
    assert matcher.is_complete


def test_a_value_that_is_too_deep_for_the_stack_is_refused_if_it_is_not_valid(vocabulary):
    schema = {"type": ["array", "integer"], "items": {"$ref": "#"}}
    matcher = Compiler(vocabulary).compile(JsonSchema(schema, JsonOptions.validation())).matcher()
    assert matcher.accept_text(b"[" * 900 + b"1" + b"]" * 900)
    assert not matcher.accept_text(b"[" * 900 + b"true" + b"]" * 900)


@pytest.mark.parametrize("num_digits", [16, 17, 18, 19])
def test_masks_ask_checks_after_the_last_digit_of_a_number(vocabulary, num_digits):
    """All branches hold for numbers, so none is valid, which only the check knows."""
    either = [[{"required": [f"a{i}_{k}"]}, {"required": [f"b{i}_{k}"]}] for i in range(9) for k in range(4)]
    branches = [{"allOf": [{"anyOf": each} for each in either[4 * i : 4 * i + 4]]} for i in range(9)]
    compiled = Compiler(vocabulary).compile(JsonSchema({"oneOf": branches}))
    matcher, row = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32)
    for byte in b"1." + b"1" * num_digits:
        assert matcher.accept(byte)
    matcher.fill_mask(row)
    for token in range(len(DIGITS)):
        assert bool(row[token >> 5] >> (token & 31) & 1) == matcher.fork().accept(token), DIGITS[token]


def _spans_of_web(text: str, size: int) -> bool:
    """Whether r0 derives the text (Cocke, Younger and Kasami), of the rules in the test below."""
    table: dict[tuple[int, int], set[int]] = {}
    for length in range(1, len(text) + 1):
        for begin in range(len(text) - length + 1):
            end = begin + length
            found = {i for i in range(size) if text[begin:end] == str(i % 10)}
            for middle in range(begin + 1, end):
                left, right = table[begin, middle], table[middle, end]
                found |= {i for i in range(size) if (2 * i + 1) % size in left and (3 * i + 2) % size in right}
            for _ in range(size):
                found |= {i for i in range(size) if (i + 1) % size in found}
            table[begin, end] = found
    return 0 in table[0, len(text)]


def test_rules_that_are_called_in_thousands_of_ways_are_matched(vocabulary):
    size = 22
    rules = [
        f'r{i} ::= r{(i * 2 + 1) % size} r{(i * 3 + 2) % size} | "{i % 10}" | r{(i + 1) % size}' for i in range(size)
    ]
    compiled = Compiler(vocabulary).compile(Gbnf("root ::= r0\n" + "\n".join(rules)))
    for length in range(1, 4):
        for text in map("".join, itertools.product("0129", repeat=length)):
            assert compiled.matcher().accept_text(text.encode()) == _spans_of_web(text, size)
    matcher, row, rng = compiled.matcher(), np.zeros(compiled.num_words, dtype=np.uint32), random.Random(1)
    for _ in range(10):
        matcher.fill_mask(row)
        allowed = [token for token in range(256) if row[token >> 5] >> (token & 31) & 1]
        assert matcher.accept(rng.choice(allowed))


def _mask_without_haste(matcher):
    """The mask, however long checks take to answer."""
    compiled, row = matcher.compiled, np.zeros(matcher.compiled.num_words, dtype=np.uint32)
    with compiled.arena.alone():
        compiled.fill(matcher._record, NO_LIMIT, row, math.inf)
    return allowed(row, len(compiled.vocabulary))


def test_mask_asks_no_more_checks_than_there_is_room_for(monkeypatch):
    """Else it is made of single bytes, all of them that may come, and some longer tokens."""
    tokens = [*(bytes([byte]) for byte in range(256)), None, *(b"%d," % number for number in range(200))]
    schema = JsonSchema({"type": "array", "items": {"type": ["integer", "array"]}, "uniqueItems": True})
    roomy = Compiler(Vocabulary.from_tokens(tokens, [256])).compile(schema).matcher()
    monkeypatch.setattr(columns, "_NUM_ANSWERS", 64)
    narrow = Compiler(Vocabulary.from_tokens(tokens, [256])).compile(schema).matcher()
    for byte in b"[7,12,":
        assert roomy.accept(byte)
        assert narrow.accept(byte)
    every, some = (_mask_without_haste(matcher) for matcher in (roomy, narrow))
    assert some <= every
    assert {token for token in every if token <= 256} == {token for token in some if token <= 256}
    assert {257 + 7, 257 + 12}.isdisjoint(every)
    assert narrow.accept(257 + 99)
    assert not narrow.accept(257 + 12)


def test_members_of_all_choices_are_bounded_together():
    names = [[f"r{7 * i + j}" for j in range(1200)] for i in range(60)]
    branches = [{"required": each, "properties": {key: {"type": "string"} for key in each[:9]}} for each in names]
    assert refusal({"type": "object", "anyOf": branches}).limit == "max_states"


@pytest.mark.parametrize(("num_contained", "least"), [(9, 8), (3, 10_000)])
def test_ways_to_contain_items_are_bounded(num_contained, least):
    ranges = [{"contains": {"minimum": i, "maximum": i + 3}, "minContains": 2} for i in range(num_contained)]
    schema = {"type": "array", "allOf": ranges, "uniqueItems": True, "minItems": least, "items": {"type": "integer"}}
    assert isinstance(refusal(schema), UnsupportedError)
