"""Strings with bounds on characters and words: masks made from those of twins, against brute force."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from grammars import CompiledGrammar, Compiler, Gbnf, JsonSchema, Regex, Vocabulary
from grammars.frontends.base import Constraint
from grammars.frontends.regex.breaks import fewest_breaks
from grammars.frontends.regex.parser import DIALECTS, parse
from grammars.kernels.options import entry
from grammars.kernels.record import CONFIG
from grammars.kernels.twins import twin_of
from grammars.matcher import Matcher
from grammars.network.network import Network
from grammars.vocabulary.breaks import BLANK, LETTER, kinds_in, kinds_of_bytes
from tests.oracles import brute_force_mask, mask_of, with_budgets

EOS = 256
_SOME_BLANKS = " \t\n\u00a0\u2003"


def _words(most: int, **bounds: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": rf"^(?:\S+\s+){{0,{most}}}\S+$", **bounds}


_LETTERS = {"type": "string", "pattern": "^[ab]*(c[ab]*){0,9}$", "maxLength": 70}
_CASES: dict[str, Constraint] = {
    "few-words": JsonSchema(_words(9, maxLength=100)),
    "many-words": JsonSchema(_words(29, maxLength=60)),
    "no-length": JsonSchema(_words(39)),
    "two-lengths": JsonSchema(_words(20, minLength=20, maxLength=90)),
    "nothing-or-words": JsonSchema({"type": "string", "pattern": r"^$|(^(?:\S+\s+){0,19}\S+$)", "maxLength": 80}),
    "words-before": JsonSchema({"type": "string", "pattern": r"^(a+ b+ ){3,8}c{0,40}$", "maxLength": 90}),
    "letters-count": JsonSchema(_LETTERS),
    "new-strings": JsonSchema({"type": "array", "items": _words(9, maxLength=100), "uniqueItems": True}),
    "members": JsonSchema({"properties": {"a": _words(9, maxLength=40), "b": _words(30)}, "required": ["b"]}),
    "either": JsonSchema({"anyOf": [_words(9, maxLength=90), _LETTERS]}),
    "plain": Regex(r"(?:\S+\s+){0,30}\S+"),
    "plain-blanks": Regex(r"(?:[ab]*[ \n]+){5,60}"),
    "rules": Gbnf(r'root ::= "<" ([a-z]+ " "){0,30} ">"'),
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    texts = (
        "the words of a text with many words and blanks", "a b c d e f g h i j k l m n o p q r s t", "ab" * 25,
        " " * 40, "aaaa bbbb aaaa bbbb cccccccccccc", "abcabcabc acacacacacbcbcb", 'a", "b', 'word"}', '{"a": "',
        '", "b": "the',
        "é日本 é\u2003日 — é", "\\n\\n a\\n b\\\\ c\\u2003d\\t", '\\" \\"a\\"', "a b \\n  \\n b a\\\\\\\\ a",
        "\u00a0\u00a0a", "a \n b \n \n", "> <a b c", "-" * 24,
    )  # fmt: skip
    pieces = {t.encode()[i : i + n] for t in texts for n in (2, 3, 5, 9, 17, 24, 45) for i in range(len(t.encode()))}
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *sorted(pieces)], [EOS])


@pytest.fixture(scope="module", params=_CASES, ids=str)
def compiled(request, vocabulary) -> CompiledGrammar:
    return Compiler(vocabulary).compile(_CASES[request.param])


def _choice(matcher: Matcher, found: set[int], chance: random.Random, bold: float) -> int | None:
    """A token that does not end the text, mostly a long one where `bold` is near 1."""
    known = matcher.compiled.vocabulary.tokens
    content = sorted(found - {EOS}, key=lambda token: (-len(known[token] or b""), token))
    going_on = [token for token in content if b'"' not in (known[token] or b"")] or content
    return chance.choice(going_on[:40] if chance.random() < bold else going_on) if going_on else None


@pytest.mark.parametrize("bold", [0.1, 0.5, 0.9])
def test_mask_equals_brute_force_near_and_far_from_bounds(compiled, bold):
    chance = random.Random(int(100 * bold))
    for _ in range(3):
        matcher = compiled.matcher()
        for _ in range(24):
            expected = brute_force_mask(matcher)
            assert mask_of(matcher) == expected
            token = _choice(matcher, expected, chance, bold)
            if token is None or not matcher.accept(token):
                break


def test_mask_with_a_budget_equals_brute_force(compiled):
    chance = random.Random(5)
    budgets = (compiled.min_tokens + 2, compiled.min_tokens + 14)
    for matcher, left, expected in with_budgets(
        compiled, budgets, lambda matcher, found: _choice(matcher, found, chance, 0.5)
    ):
        assert mask_of(matcher, left) == expected


@entry
def _twin_of(arena, config):
    return twin_of(arena, config)


@pytest.mark.parametrize("case", ["few-words", "many-words", "no-length", "new-strings", "plain"])
def test_words_share_a_twin(vocabulary, case):
    compiled = Compiler(vocabulary).compile(_CASES[case])
    before = "" if case == "plain" else '["' if case == "new-strings" else '"'
    found = []
    for text in ("the words", "aa bb cc", "a few words of"):
        matcher = compiled.matcher()
        assert all(matcher.accept(byte) for byte in (before + text).encode())
        found.append(_twin_of(compiled.arena.kernel, int(matcher._record[CONFIG])))
    twins, slacks = zip(*found, strict=True)
    assert twins[0] > 0
    assert len(set(twins)) == 1
    assert slacks[0] > slacks[1] > slacks[2] > 0


def test_strings_without_bounds_have_no_twins(vocabulary):
    schema = {"properties": {"a": {"type": "string", "pattern": "^[a-z ]+$"}, "b": {"type": "array", "maxItems": 9}}}
    assert len(Compiler(vocabulary).compile(JsonSchema(schema)).network.twin_state) == 0


def test_twins_are_kept_with_the_network(vocabulary):
    network = Compiler(vocabulary).compile(_CASES["few-words"]).network
    restored = Network.from_bytes(network.to_bytes())
    assert (network.twin_state >= 0).any()
    assert np.array_equal(restored.twin_state, network.twin_state)
    assert np.array_equal(restored.twin_slack, network.twin_slack)


_BREAKS = [
    (r"\S+\s+", 1), (r"\s+\S", 0), (r"[a-z]+\s", 1), ("a b c", 2), ("(a b|c )x", 1), ("(a ){3}", 3), ("(a ?){3}", 0),
    (r"\u2003", 1), ("a {2,4}", 1), ("( |a)*", 0), ("(a |b){3,}", 0), ("a b" * 40, 0),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "expected"), _BREAKS, ids=[pattern[:20] for pattern, _ in _BREAKS])
def test_fewest_breaks_of_a_pattern(pattern, expected):
    assert all(fewest_breaks(parse(pattern, dialect)) == expected for dialect in DIALECTS)


def _breaks_in(kinds: list[int]) -> int:
    before = [LETTER, *kinds]
    return sum(
        kind != LETTER and not kind == BLANK == last for last, kind in zip(before, kinds, strict=False)
    )  # fmt: skip


def test_spellings_have_as_many_breaks_as_the_text():
    chance = random.Random(3)
    letters = [*_SOME_BLANKS, *'ab"\\\x1c\x85é日—\ufeff\U0001f600', " ", " "]
    for _ in range(400):
        text = "".join(chance.choice(letters) for _ in range(chance.randrange(12)))
        expected = _breaks_in([kinds_in(((ord(letter), ord(letter)),)).index(True) for letter in text])
        for spelled in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]):
            assert _breaks_in([int(kinds_of_bytes()[byte]) for byte in spelled.encode()]) >= expected


def test_trie_knows_the_longest_token_and_most_breaks_below_a_node(vocabulary):
    arrays, kinds = vocabulary.tables.arrays, kinds_of_bytes()
    nodes = arrays["level_node"].tolist()
    for place in range(0, len(nodes), 7):
        first, end = nodes[place], int(arrays["node_end"][nodes[place]])
        below = [vocabulary.tokens[t] or b"" for t in arrays["node_token"][first:end].tolist() if t >= 0]
        assert arrays["level_longest"][place] == max(map(len, below))
        assert arrays["level_breaks"][place] == max(_breaks_in([int(kinds[byte]) for byte in data]) for data in below)
