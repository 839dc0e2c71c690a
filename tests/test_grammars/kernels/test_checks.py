"""What checks say, and masks that hang on the text: against brute force, along random texts."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from grammars import Compiler, JsonOptions, JsonSchema, Matcher, Vocabulary, fill_masks
from tests.oracles import allowed, brute_force_mask, mask_of

EOS = 256
OPEN = {"type": "object", "properties": {"a": {"type": "integer"}, "ab": {}}, "required": ["a"]}
STRINGS = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
NUMBERS = {"type": "array", "items": {"type": "number"}, "uniqueItems": True, "maxItems": 5}
RECORDS = {
    "type": "array",
    "uniqueItems": True,
    "items": {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]},
}
CHOICES = {"type": "array", "items": {"enum": ["a", "ab", 1, [1], None]}, "uniqueItems": True, "minItems": 2}
MIXED = {
    "type": "array",
    "uniqueItems": True,
    "items": {"anyOf": [{"type": "string"}, {"enum": [1, 12]}, {"type": "array", "items": {"type": "string"}}]},
}
EVALUATED = {
    "type": "object",
    # In so many ways what is evaluated cannot be said beforehand.
    "anyOf": [{"properties": {name: {"type": "integer"}}} for name in "pqrstuv"],
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "unevaluatedProperties": False,
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    texts = (
        '{"a": 1, "ab": 2, "abc": {"a": 3}}', '["a", "ab", "b", 1, 12, 1.5, [1]]', '","a":', '{"a":true},{"a":false}',
        '"":', '{"":', '"a"', '"b"', '","b', 'a","b":', '\\"a', "\\\\", '\\"', 'é"', '"é', "true}", "false}", "1,1",
    )  # fmt: skip
    pieces = {t.encode()[i : i + n] for t in texts for n in (2, 3, 4, 7) for i in range(len(t.encode()))}
    pieces |= {t.encode() for t in texts}
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *sorted(pieces)], [EOS])


def _random_walk(matcher: Matcher, chance: random.Random, steps: int, tokens_left: int | None = None) -> None:
    """Takes random allowed tokens; at each step the mask is what trying every token says."""
    for step in range(steps):
        left = None if tokens_left is None else tokens_left - step
        expected, found = brute_force_mask(matcher, left), mask_of(matcher, left)
        if left is None:
            assert found == expected
        else:
            assert found >= expected
        content = [token_id for token_id in found if token_id != EOS]
        if not content:
            assert found == {EOS}
            return
        # Long tokens hold whole members, which is where names can repeat.
        longest = sorted(content, key=lambda token_id: -len(matcher.compiled.vocabulary.tokens[token_id] or b""))
        assert matcher.accept(chance.choice(longest[:12] if chance.random() < 0.6 else content))


@pytest.mark.parametrize("order", ["any", "schema"])
@pytest.mark.parametrize(
    "schema", [OPEN, True, STRINGS, CHOICES, MIXED], ids=["open", "anything", "strings", "choices", "mixed"]
)
def test_mask_equals_brute_force_where_strings_must_be_new(vocabulary, schema, order):
    compiled, chance = Compiler(vocabulary).compile(JsonSchema(schema, JsonOptions(property_order=order))), None
    for seed in range(8):
        chance = random.Random(seed)
        _random_walk(compiled.matcher(), chance, 14)


@pytest.mark.parametrize(
    "schema", [NUMBERS, RECORDS, EVALUATED, MIXED], ids=["numbers", "records", "evaluated", "mixed"]
)
def test_mask_equals_brute_force_where_checks_are_asked(vocabulary, schema):
    compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    assert "check" in compiled.report.counts()
    for seed in range(3):
        _random_walk(compiled.matcher(), random.Random(seed), 9)


@pytest.mark.parametrize("budget", [9, 14, 30])
@pytest.mark.parametrize("schema", [OPEN, STRINGS, CHOICES], ids=["open", "strings", "choices"])
def test_budget_always_suffices_where_strings_must_be_new(vocabulary, schema, budget):
    compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    for seed in range(25):
        matcher, chance = compiled.matcher(), random.Random(seed)
        for left in range(budget, -1, -1):
            found = sorted(mask_of(matcher, left) - ({EOS} if left and chance.random() < 0.9 else set()))
            if not found:
                break
            token_id = chance.choice(found)
            assert matcher.accept(token_id)
            if token_id == EOS:
                break
        assert matcher.is_complete


def test_mask_knows_a_repeated_name_among_thousands_of_tokens():
    names = [b'"k%d":' % number for number in range(3000)]
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *names], [EOS])
    matcher = Compiler(vocabulary).compile(JsonSchema(OPEN)).matcher()
    last = 257 + len(names) - 1
    assert all(matcher.accept(token_id) for token_id in (*b"{", 257 + 7, *b"1,", last, *b"1,"))
    for limit in (None, 60, None):
        found = mask_of(matcher, limit)
        assert {257, last - 1} <= found
        assert not {257 + 7, last} & found


@pytest.mark.parametrize("schema", [OPEN, True, STRINGS], ids=["open", "anything", "strings"])
def test_no_token_ends_a_string_that_was_there(vocabulary, schema):
    matcher = Compiler(vocabulary).compile(JsonSchema(schema)).matcher()
    for byte in b'["ab", "abc", "ab' if schema is STRINGS else b'{"ab": 1, "abc": 2, "ab':
        assert matcher.accept(byte)
    assert not any((vocabulary.tokens[token_id] or b"").startswith((b'"', b'c"')) for token_id in mask_of(matcher))
    assert mask_of(matcher) == brute_force_mask(matcher)
    assert matcher.accept(ord("d"))
    assert ord('"') in mask_of(matcher)
    assert mask_of(matcher) == brute_force_mask(matcher)


def _check_batch(schema, vocabulary, texts, budgets):
    """Fills the masks behind the texts at once and one by one; the rows of the last budget."""
    compiled = Compiler(vocabulary).compile(JsonSchema(schema))
    matchers = [compiled.matcher() for _ in texts]
    for matcher, text in zip(matchers, texts, strict=True):
        assert all(matcher.accept(byte) for byte in text)
    rows = np.zeros((len(matchers), compiled.num_words), dtype=np.uint32)
    for limit in budgets:
        fill_masks(matchers, rows, [limit] * len(matchers))
        for matcher, row in zip(matchers, rows, strict=True):
            assert allowed(row, len(vocabulary)) == mask_of(matcher, limit)
    return rows


def test_batch_equals_one_by_one_where_strings_must_be_new(vocabulary):
    texts = [b'{"', b'{"a": 1, "b', b'{"a": 1, "b": 2, "', b'{"a": 1, "b": 2, "b', b'{"x": "y', b"{"]
    _check_batch(OPEN, vocabulary, texts, (None, 60, None, 9))


def test_batch_equals_one_by_one_where_checks_are_asked(vocabulary):
    schema = {"type": "array", "uniqueItems": True, "items": {"type": "array", "items": {"enum": [1, 2, "a"]}}}
    texts = [b"[[1],[1", b"[[1],[2", b"[[1],", b'[["a"],["a"', b"[[1,2],[2,1", b"[[1,2],[1,2"]
    rows = _check_batch(schema, vocabulary, texts, (None, 60, 5))
    assert not rows[5, ord("]") >> 5] >> (ord("]") & 31) & 1
    assert rows[4, ord("]") >> 5] >> (ord("]") & 31) & 1


def test_strings_among_other_items_are_compared_without_asking(monkeypatch):
    vocabulary = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [EOS])
    compiled = Compiler(vocabulary).compile(JsonSchema(MIXED))
    monkeypatch.setattr(compiled, "_answer", lambda written: pytest.fail("a check was asked"))
    matcher = compiled.matcher()
    for byte in b'["a","b","a':
        assert matcher.accept(byte)
    assert ord('"') not in mask_of(matcher)
    assert matcher.accept(ord("b"))
    assert ord('"') in mask_of(matcher)


TABLE = {
    "no name twice": (
        OPEN,
        ['{"a": 1, "b": 1, "c": 2}', '{"b": 1, "a": 1}'],
        ['{"a": 1, "b": 1, "b": 2}', '{"a": 1, "a": 2}'],
    ),
    "names of other objects": (
        OPEN,
        ['{"a": 1, "b": {"b": {"b": 1}}, "c": {"b": 1}}'],
        ['{"a": 1, "b": {"c": 1, "c": 1}}'],
    ),
    "escaped names": (OPEN, ['{"a": 1, "\\"": 1, "\\\\": 2}'], ['{"a": 1, "\\"": 1, "\\"": 2}']),
    "required in any order": (OPEN, ['{"c": 1, "ab": 1, "a": 1}'], ['{"c": 1, "ab": 1}', "{}"]),
    "strings": (STRINGS, ['["a", "b", "ab"]', "[]", '["a, ", "a"]'], ['["a", "b", "a"]', '["", ""]']),
    "numbers": (NUMBERS, ["[1, 2, 1.5]", "[10, 1, 0]"], ["[1, 1]", "[1, 2, 1.0]", "[1.5, 15e-1]"]),
    "records": (
        RECORDS,
        ['[{"a": true}, {"a": false}]'],
        ['[{"a": true}, {"a":true}]', '[{"a":true,"b":1},{"b":1,"a":true}]'],
    ),
    "mixed": (
        MIXED,
        ['["a", 1, ["a"], "b"]', '[["a"], ["b"], "1", 1]', '[12, "a\\n", "a"]'],
        ['["a", 1, "a"]', '[1, "a", 1]', '["b", ["a"], ["a"]]', '[["a"], "b", 1, "b"]'],
    ),
    "listed": (CHOICES, ['["ab", "a", [1]]', "[null, 1]"], ['["a", "a"]', "[1]", "[[1], 1, [1]]"]),
    "unevaluated": (EVALUATED, ['{"a": 1, "b": 2}', '{"b": 2}', "{}"], ['{"a": 1, "c": 2}', '{"a": "x"}']),
}


@pytest.mark.parametrize("name", TABLE)
def test_checked_table(vocabulary, name):
    schema, accepted, refused = TABLE[name]
    matcher = Compiler(vocabulary).compile(JsonSchema(schema)).matcher()
    for text in accepted:
        assert matcher.accept_text(text.encode()), text
    for text in refused:
        assert not matcher.accept_text(text.encode()), text


def test_checks_survive_forks_rollbacks_and_bytes(vocabulary):
    compiler = Compiler(vocabulary)
    compiled = compiler.load(compiler.compile(JsonSchema(EVALUATED)).to_bytes())
    matcher = compiled.matcher()
    for byte in b'{"a": 1, ':
        assert matcher.accept(byte)
    twin, before = matcher.fork(), mask_of(matcher)
    for byte in b'"b": 2':
        assert twin.accept(byte)
    assert twin.accept(ord("}"))
    assert twin.is_complete
    twin.rollback(7)
    assert mask_of(twin) == before == mask_of(matcher)
    assert not matcher.accept_text(b'"c": 1}')
    assert matcher.accept_text(b'"b": 1}')


SPELLINGS = {
    "order": ({"properties": {"a": {}, "b": {}}, "required": ["a"]}, [' {"b" : 1 ,\n\t"a":2 } ']),
    "escapes": ({"enum": ["é/\U0001f600"]}, ['"\\u00e9\\/\\ud83d\\ude00"', '"é/😀"']),
    "names": ({"properties": {"a": {"type": "null"}}, "additionalProperties": False}, ['{"\\u0061": null}']),
    "integers": ({"type": "integer", "multipleOf": 5}, ["5.0", "1e1", "-10E-1", "0.5e1"]),
    "lengths": ({"minLength": 1, "maxLength": 1}, ['"\\ud83d\\ude00"', '"\\n"']),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_validation_takes_every_spelling(vocabulary, name):
    schema, texts = SPELLINGS[name]
    matcher = Compiler(vocabulary).compile(JsonSchema(schema, JsonOptions.validation())).matcher()
    for text in texts:
        json.loads(text)
        assert matcher.accept_text(text.encode()) == (text != "-10E-1"), text


def test_validation_refuses_repeated_names_and_reports_checks(vocabulary):
    compiled = Compiler(vocabulary).compile(JsonSchema({"properties": {"a": {"minimum": 1}}}, JsonOptions.validation()))
    assert not compiled.matcher().accept_text(b'{"a": 1, "\\u0061": 1}')
    assert {(entry.pointer, entry.keyword, entry.how) for entry in compiled.report} == {
        ("", "properties", "check"),
        ("/properties/a", "minimum", "check"),
    }
