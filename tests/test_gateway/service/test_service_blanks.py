import re

import numpy as np
import pytest

from gateway.service.constraints.masks import fill_masks, join_blanks
from grammars import Compiler, JsonOptions, JsonSchema, Regex, Vocabulary
from grammars.matcher import Matcher

BYTES = [bytes((byte,)) for byte in range(0x20, 0x7F)]
JOINED = [b' "', b" b", b" c", b" -", b' "b', b'":']
END = len(BYTES) + len(JOINED)
VOCABULARY = Vocabulary.from_tokens([*BYTES, *JOINED, None], [END])
COMPILER = Compiler(VOCABULARY)


def member(schema):
    return JsonSchema({"type": "object", "properties": {"a": schema}, "required": ["a"]}, JsonOptions())


def begun(spec, text, vocabulary=VOCABULARY, compiler=COMPILER):
    matcher = compiler.compile(spec).matcher()
    for token in vocabulary.encode(text):
        assert matcher.accept(token)
    return matcher


def allowed(row, vocabulary=VOCABULARY):
    return {token for at, token in enumerate(vocabulary.tokens) if token and row[at >> 5] >> np.uint32(at & 31) & 1}


def masks(matcher):
    """What is allowed as the grammar has it, and with blanks joined."""
    row = np.zeros(-(-len(VOCABULARY) // 32), dtype=np.uint32)
    matcher.fill_mask(row)
    joined = row.copy()
    join_blanks([matcher], joined[None])
    return allowed(row), allowed(joined)


@pytest.mark.parametrize(
    ("spec", "text", "taken"),
    [
        (member({"type": "string"}), b'{"a":', {b" "}),
        (member({"enum": ["b c", "d"]}), b'{"a":', {b" "}),
        (member({"type": "number"}), b'{"a":', set()),
        (member({"type": ["string", "number"]}), b'{"a":', set()),
        (member({"type": "boolean"}), b'{"a":', set()),
        (member({"type": "string"}), b'{"a": "x', set()),
        (member({"const": "x b"}), b'{"a": "x', {b" "}),
        (member({"type": "string"}), b"{", {b" "}),
        (Regex("a b"), b"a", {b" "}),
        (Regex("a [bc]"), b"a", set()),
        (Regex("a [bd]"), b"a", set()),
        (Regex("a b?"), b"a", set()),
        (Regex("a d"), b"a", set()),
        (Regex("a( b)?"), b"a", {b" "}),
    ],
    ids=[
        "string",
        "enum",
        "number",
        "string or number",
        "boolean",
        "in a string",
        "in a constant",
        "before a name",
        "one way",
        "two tokens",
        "a token and a byte",
        "the end",
        "no token",
        "not needed",
    ],
)
def test_join_blanks_takes_a_lone_blank_where_what_follows_is_certain(spec, text, taken):
    matcher = begun(spec, text)
    before, after = masks(matcher)
    assert before - after == taken
    assert after <= before
    assert masks(matcher) == (before, after)


@pytest.fixture(scope="module")
def cutting():
    """A vocabulary of a tokenizer that leaves blanks alone before digits and before other blanks, as many do."""
    words = [*map(chr, range(0x20, 0x7F)), " b", " 7", "  "]
    ids = {word: at for at, word in enumerate(words)}
    return Vocabulary(
        [*(word.encode() for word in words), None],
        [len(words)],
        lambda text: [ids[word] for word in re.findall(r" +(?= )| ?[a-z]|.", text)],
    )


@pytest.mark.parametrize(
    ("pattern", "text", "is_taken"),
    [("a b", b"a", True), ("a 7", b"a", False), ("a  b", b"a", False), ("a  [bc]", b"a", False), ("a  b", b"a ", True)],
    ids=["a letter", "a digit", "a blank and a letter", "a blank and a choice", "the last of two"],
)
def test_join_blanks_leaves_the_tokens_that_the_tokenizer_writes(cutting, pattern, text, is_taken):
    matcher = begun(Regex(pattern), text, cutting, Compiler(cutting))
    row = np.zeros((1, -(-len(cutting) // 32)), dtype=np.uint32)
    fill_masks([matcher], row, [None])
    assert (b" " in allowed(row[0], cutting)) is not is_taken
    tokens = matcher.forced_tokens()
    assert not tokens or cutting.tokens[tokens[0]] in allowed(row[0], cutting)


def test_join_blanks_looks_no_further_than_it_has_to(monkeypatch):
    """A constant of many words must not be read to its end for each of them."""
    asked = []
    plain = Matcher.forced_bytes
    monkeypatch.setattr(Matcher, "forced_bytes", lambda self, most: asked.append(most) or plain(self, most))
    before, after = masks(begun(Regex("a" + " b" * 2000), b"a"))
    assert before - after == {b" "}
    assert max(asked) <= 64


def test_join_blanks_leaves_a_vocabulary_without_a_blank_as_it_is():
    vocabulary = Vocabulary.from_tokens([b"a", b" b", None], [2])
    matcher = begun(Regex("a b"), b"a", vocabulary, Compiler(vocabulary))
    row = np.zeros(1, dtype=np.uint32)
    matcher.fill_mask(row)
    join_blanks([matcher], row[None])
    assert allowed(row, vocabulary) == {b" b"}


def test_masks_of_the_engine_have_blanks_joined():
    matchers = [begun(member({"type": kind}), b'{"a":') for kind in ("string", "number")]
    rows = np.zeros((2, -(-len(VOCABULARY) // 32)), dtype=np.uint32)
    fill_masks(matchers, rows, [20, None])
    assert [b" " in allowed(row) for row in rows] == [False, True]
