"""Walks over the shapes of tokens: the same masks as by trying every token."""

import random

import numpy as np
import pytest

from grammars import Compiler, JsonSchema, Lark, Regex, Vocabulary
from grammars.vocabulary.tables import NO_CLASS, byte_classes, last_bytes

_WORDS = (
    "the", "Text", "of", "ID", "x", "12", "2024", "a-b", "naïve", "日本", "Ω", "\U0001f600", ".xsl", "v1.0", "key_name",
)  # fmt: skip
_NAMES = [first + second + "_" for first in "abcdenotxyz" for second in "aeiou"]


def _tokens():
    """Words in many spellings, so that walks are long and shapes are few."""
    chooser = random.Random(11)
    spelled = {bytes([byte]) for byte in range(256)} | {b'",', b'": ', b'":', b'"}', b"\\n", b'a"', b'b"}', b"\xe6\x97"}
    while len(spelled) < 3000:
        word = "".join(chooser.choice(_WORDS) for _ in range(chooser.randint(1, 2)))
        cased = "".join(chooser.choice((str.lower, str.upper, str))(letter) for letter in word)
        shifted = "".join(chr(97 + (ord(c) - 97 + chooser.randint(0, 25)) % 26) if c.islower() else c for c in cased)
        spelled.add((chooser.choice(("", "", " ", "_")) + shifted).encode())
    return [*sorted(spelled), None]


@pytest.fixture(scope="module")
def compiler():
    tokens = _tokens()
    return Compiler(Vocabulary.from_tokens(tokens, [len(tokens) - 1]))


def _text_schema(**keywords):
    return JsonSchema({"type": "object", "properties": {"a": {"type": "string", **keywords}}, "required": ["a"]})


CONSTRAINTS = {
    "words": (_text_schema(pattern=r"^(?:\S+\s+){0,4}\S+$"), b'{"a": "'),
    "counted words": (_text_schema(pattern=r"^(?:\S+\s+){0,9}\S+$", maxLength=30), b'{"a": "'),
    "anywhere": (_text_schema(pattern=r"[a-f0-9]{4}-[a-f0-9]{2}"), b'{"a": "'),
    "ending": (_text_schema(pattern=r"^.*\.xsl$"), b'{"a": "'),
    "letters": (_text_schema(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,40}$"), b'{"a": "'),
    "names": (JsonSchema({"type": "object", "patternProperties": {"^[a-z_]{1,9}$": {"type": "integer"}}}), b'{"'),
    "many names": (
        JsonSchema(
            {
                "type": "object",
                "properties": {name: {"type": "null"} for name in _NAMES},
                "patternProperties": {"^[^t]+$": {"type": "integer"}},
            }
        ),
        b'{"',
    ),
    "overlapping objects": (
        JsonSchema(
            {
                "anyOf": [
                    {"type": "object", "properties": {name: {"type": "null"} for name in _NAMES[:4]}},
                    {"type": "object", "patternProperties": {"^na": {"type": "integer"}}},
                ]
            }
        ),
        b'{"',
    ),
    "all but few letters": (_text_schema(pattern=r"^[^etx]*(?:t[^ab]*)?$"), b'{"a": "'),
    "escaped names": (JsonSchema({"additionalProperties": {"type": "object"}, "type": "object"}), b'{"'),
    "bytes": (Regex(r"(ab|[^b])*x?(é|[^x])*"), b""),
    "lark": (Lark('start: (WORD " ")* "end"\nWORD: /[a-zA-Zé]+/'), b""),
}


def _oracle(matcher, vocabulary):
    """Which tokens `accept` takes, one by one."""
    allowed = []
    for token_id in range(len(vocabulary)):
        taken = matcher.accept(token_id)
        if taken:
            matcher.rollback(1)
        allowed.append(taken)
    return np.array(allowed)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_masks_over_shapes_are_those_of_tokens_tried_one_by_one(compiler, name):
    constraint, begin = CONSTRAINTS[name]
    vocabulary, chooser = compiler.vocabulary, random.Random(name)
    matcher = compiler.compile(constraint).matcher()
    for byte in begin:
        assert matcher.accept(vocabulary.tokens.index(bytes([byte])))
    row = np.zeros(vocabulary.tables.num_words, dtype=np.uint32)
    for _ in range(12):
        matcher.fill_mask(row)
        mask = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(vocabulary)].astype(bool)
        assert np.array_equal(mask, _oracle(matcher, vocabulary))
        allowed = np.flatnonzero(mask)
        token_id = int(chooser.choice(allowed))
        if not allowed.size or not matcher.accept(token_id) or matcher.is_ended:
            break


def test_every_byte_is_in_one_class_at_most():
    classes = byte_classes()
    highest = last_bytes(classes)
    for byte in range(256):
        if classes[byte] != NO_CLASS:
            assert classes[byte] <= byte <= highest[byte]
    assert {byte for byte in range(128) if classes[byte] == NO_CLASS} == {*range(0x20), 0x22, 0x5C}


def test_each_token_has_a_shape_or_none(compiler):
    vocabulary = compiler.vocabulary
    arrays, classes = vocabulary.tables.arrays, byte_classes()
    plain = {i for i, t in enumerate(vocabulary.tokens) if t and NO_CLASS not in classes[list(t)]}
    assert set(arrays["shape_token"].tolist()) == plain
    assert set(np.flatnonzero(np.unpackbits(arrays["shape_row"].view(np.uint8), bitorder="little")).tolist()) == plain
    first, path = arrays["shape_first"], b""
    for node in range(1, len(arrays["shape_end"])):
        path = path[: arrays["shape_depth"][node] - 1] + arrays["shape_low"][node : node + 1].tobytes()
        for token_id in arrays["shape_token"][first[node] : first[node + 1]].tolist():
            assert classes[list(vocabulary.tokens[token_id])].tobytes() == path
