"""Objects with many members: masks against brute force."""

from __future__ import annotations

import random
from typing import Any

import pytest

from grammars import CompiledGrammar, Compiler, JsonSchema, Vocabulary
from grammars.frontends.base import Constraint
from tests.counts import few_or_all
from tests.oracles import along_text, mask_of, with_budgets

EOS = 256
_NAMES = (
    "id", "idea", "name", "names", "name2", "note", "a", "ab", "abc", "list", "kind", "é", "when", 'q"t',
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    {"type": "string"}, {"type": "integer"}, {"enum": ["x", "xy"]}, {"type": "boolean"}, {"type": "null"},
    {"type": "array", "items": {"type": "integer"}}, {"type": "object", "additionalProperties": False},
)  # fmt: skip


def _object(**said: Any) -> dict[str, Any]:
    properties = {name: _VALUES[number % len(_VALUES)] for number, name in enumerate(_NAMES)}
    return {"type": "object", "properties": properties, **said}


_INNER = _object(required=["kind", "a"])
_CASES: dict[str, Constraint] = {
    "open": JsonSchema(_object()),
    "closed": JsonSchema(_object(additionalProperties=False, required=["id", "abc"])),
    "counted": JsonSchema(_object(maxProperties=4, minProperties=2)),
    "patterns": JsonSchema(_object(patternProperties={"^x-": {"type": "integer"}}, additionalProperties=False)),
    "list": JsonSchema({"type": "array", "items": _object(additionalProperties={"type": "integer"})}),
    "nested": JsonSchema({"type": "object", "properties": {"a": _INNER, "b": _INNER, "c": _object()}}),
    "either": JsonSchema({"anyOf": [_object(required=["id"]), _object(additionalProperties=False)]}),
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    texts = (
        '{"id": "idea", "name": 12, "names": ["x"], "note": true', '{"a":{},"ab":null,"abc":"x"}', ', "idea": ',
        '"name2": [1, 2, 3], "list": {}, "kind": false', '"é": 1, "when": "', '": "', '": {}, "', '":[],"', '":{"',
        '"q\\"t": "xy"}]', '}, {"id": "', '"x-y": 1, "other": {"a": 1}', '{"a": {"kind": "x", "a": 1}, "b": {"',
        '": true, "', '": null}', '"nam', '"not', ' "i', ' "ab', '"}, "b": {"', '": 1}, {"', '"idea": true}',
    )  # fmt: skip
    pieces = {t.encode()[i : i + n] for t in texts for n in (2, 3, 4, 6, 9, 14) for i in range(len(t.encode()))}
    return Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None, *sorted(pieces)], [EOS])


@pytest.fixture(scope="module", params=_CASES, ids=str)
def compiled(request, vocabulary) -> CompiledGrammar:
    return Compiler(vocabulary).compile(_CASES[request.param])


def _token(compiled: CompiledGrammar, found: set[int], chance: random.Random) -> int | None:
    """One of the tokens, mostly one of several bytes, and seldom the end."""
    known = compiled.vocabulary.tokens
    content = sorted(found - {EOS})
    long = [token for token in content if len(known[token] or b"") > 1]
    return chance.choice(long if long and chance.random() < 0.7 else content) if content else None


@pytest.mark.parametrize("num_texts", few_or_all(2, 6))
def test_mask_equals_brute_force(compiled, num_texts):
    chance = random.Random(1)
    for _ in range(num_texts):
        for matcher, _, expected in along_text(
            compiled, [None] * 50, lambda matcher, found: _token(compiled, found, chance)
        ):
            assert mask_of(matcher) == expected


def test_mask_with_a_budget_equals_brute_force(compiled):
    chance = random.Random(5)
    budgets = (compiled.min_tokens + 2, compiled.min_tokens + 25)
    for matcher, left, expected in with_budgets(
        compiled, budgets, lambda matcher, found: _token(compiled, found, chance)
    ):
        assert mask_of(matcher, left) == expected
