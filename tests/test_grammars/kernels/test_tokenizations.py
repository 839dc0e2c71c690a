"""Real constraints over real vocabularies: every tokenization of a valid text is accepted, masks equal brute force."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from grammars import Compiler, JsonSchema, Regex, StructuralTag, Tag, Vocabulary
from tests.counts import few_or_all
from tests.oracles import brute_force_mask, mask_of

LLAMA = Path(__file__).resolve().parents[4] / "shared" / "tokenizers" / "llama3"

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 12},
        "names": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "age": {"type": "integer", "minimum": 0, "maximum": 130},
        "kind": {"enum": ["a", "ab", "größe", None, 1.5]},
        "child": {"$ref": "#"},
        "code": {"type": "string", "pattern": "^[a-z]{2,4}-[0-9]+$"},
        "free": {"type": "string", "pattern": "b+c"},
    },
    "required": ["name"],
    "additionalProperties": {"type": ["number", "null", "boolean"]},
}
VALID = [
    {"name": "Zoë"},
    {"name": 'a"b\\c\n', "names": ["x", "", "日本"], "age": 130, "kind": "größe"},
    {"name": "ab", "age": 0, "child": {"name": "cd", "child": {"name": "ef", "extra": 1e-05}}},
    {"name": "ab", "code": "xyz-0123", "free": "a bbc d", "nam": -0.25, "namese": None, "z": True},
]
TAG = StructuralTag((Tag('<call>{"args": ', JsonSchema(SCHEMA), "}</call>"),), ("<call>",))


@pytest.fixture(scope="module")
def pieces() -> Vocabulary:
    """All bytes, and pieces of the valid texts cut anywhere."""
    chance = random.Random(3)
    tokens: set[bytes] = set()
    for value in VALID:
        text = json.dumps(value, ensure_ascii=False).encode()
        for _ in range(150):
            start = chance.randrange(len(text))
            tokens.add(text[start : start + chance.randint(2, 9)])
    return Vocabulary.from_tokens([*(bytes([i]) for i in range(256)), None, *sorted(tokens)], [256])


@pytest.fixture(scope="module")
def llama() -> Vocabulary:
    if not LLAMA.exists():
        pytest.skip("no 128k vocabulary here")
    return Vocabulary.from_pretrained(LLAMA)


def _random_tokenization(vocabulary: Vocabulary, text: bytes, chance: random.Random) -> list[int]:
    by_bytes = {data: i for i, data in enumerate(vocabulary.tokens) if data}
    ids, position = [], 0
    while position < len(text):
        lengths = [n for n in range(1, 16) if text[position : position + n] in by_bytes and position + n <= len(text)]
        length = chance.choice(lengths)
        ids.append(by_bytes[text[position : position + length]])
        position += length
    return ids


@pytest.mark.parametrize("value", VALID, ids=range(len(VALID)))
@pytest.mark.parametrize("size", ["pieces", "llama"])
def test_any_tokenization_of_a_valid_text_is_accepted(value, size, request):
    vocabulary = request.getfixturevalue(size)
    compiled = Compiler(vocabulary).compile(JsonSchema(SCHEMA))
    text, chance = json.dumps(value, ensure_ascii=False).encode(), random.Random(5)
    for _ in range(10):
        matcher = compiled.matcher()
        for token_id in _random_tokenization(vocabulary, text, chance):
            assert token_id in mask_of(matcher)
            assert matcher.accept(token_id)
        assert matcher.is_complete


@pytest.mark.parametrize("constraint", [JsonSchema(SCHEMA), TAG, Regex("(?:a|bc?)*[x-z]{2,5}\\d+,?")], ids=str)
def test_mask_equals_brute_force_along_random_texts(constraint, pieces):
    compiled, chance = Compiler(pieces).compile(constraint), random.Random(11)
    for _ in range(12):
        matcher = compiled.matcher()
        for _step in range(14):
            expected = brute_force_mask(matcher)
            assert mask_of(matcher) == expected
            choices = sorted(expected - set(pieces.eos_token_ids))
            if not choices:
                break
            assert matcher.accept(chance.choice(choices))


@pytest.mark.parametrize("num_masks", few_or_all(2, 6))
def test_mask_equals_brute_force_on_a_128k_vocabulary(llama, num_masks):
    compiled, chance = Compiler(llama).compile(JsonSchema(SCHEMA)), random.Random(12)
    text = json.dumps(VALID[1] | VALID[3], ensure_ascii=False).encode()
    matcher, checked = compiled.matcher(), 0
    for token_id in _random_tokenization(llama, text, chance):
        if checked < num_masks and chance.random() < 0.5:
            assert mask_of(matcher) == brute_force_mask(matcher)
            assert mask_of(matcher, 30) == brute_force_mask(matcher, 30)
            checked += 1
        if not matcher.accept(token_id):
            break
    assert checked >= num_masks - 1


def test_budgets_end_every_text(pieces):
    chance = random.Random(13)
    for constraint in (JsonSchema(SCHEMA), TAG):
        compiled = Compiler(pieces).compile(constraint)
        for budget in (compiled.min_tokens, compiled.min_tokens + 3, 40):
            for _ in range(5):
                matcher = compiled.matcher()
                for left in range(max(budget, compiled.min_tokens), 0, -1):
                    choices = sorted(mask_of(matcher, left) - set(pieces.eos_token_ids))
                    if not choices:
                        break
                    assert matcher.accept(chance.choice(choices))
                assert matcher.is_complete


def test_forced_tokens_are_the_canonical_tokenization(llama):
    schema = {"type": "object", "properties": {"temperature": {"type": "null"}}, "required": ["temperature"]}
    compiled = Compiler(llama).compile(JsonSchema({**schema, "additionalProperties": False}))
    matcher = compiled.matcher()
    for text in ('{"',):
        for token_id in llama.encode(text.encode()):
            assert matcher.accept(token_id)
    forced = matcher.forced_tokens()
    assert forced
    assert b"".join(llama.tokens[i] or b"" for i in forced) == b"temperature"
    assert forced == llama.encode(b"temperature")
