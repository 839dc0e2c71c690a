"""Strings with bounds on characters and words: masks against brute force."""

from __future__ import annotations

import random
from typing import Any

import pytest

from grammars import CompiledGrammar, Compiler, Gbnf, JsonSchema, Regex, Vocabulary
from grammars.frontends.base import Constraint
from grammars.matcher import Matcher
from tests.counts import few_or_all
from tests.oracles import along_text, mask_of, with_budgets

EOS = 256


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


@pytest.mark.parametrize("num_texts", few_or_all(1, 3))
@pytest.mark.parametrize("bold", [0.1, 0.5, 0.9])
def test_mask_equals_brute_force_near_and_far_from_bounds(compiled, bold, num_texts):
    chance = random.Random(int(100 * bold))
    for _ in range(num_texts):
        for matcher, _, expected in along_text(
            compiled, [None] * 24, lambda matcher, found: _choice(matcher, found, chance, bold)
        ):
            assert mask_of(matcher) == expected


def test_mask_with_a_budget_equals_brute_force(compiled):
    chance = random.Random(5)
    budgets = (compiled.min_tokens + 2, compiled.min_tokens + 14)
    for matcher, left, expected in with_budgets(
        compiled, budgets, lambda matcher, found: _choice(matcher, found, chance, 0.5)
    ):
        assert mask_of(matcher, left) == expected
