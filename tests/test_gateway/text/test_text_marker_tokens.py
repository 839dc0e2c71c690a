"""Markers that are special tokens against text that looks like them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.text import MarkedText, unbroken

NAMES = ("<think>", "</think>", "<t", "[X]", "é▷")
BYTES = [*(bytes([byte]) for byte in range(256)), b"<think>", b"<thi", b"nk>", "é▷".encode(), b"a<t", *([None] * 6)]
FIRST = len(BYTES) - 6
MARKS = {FIRST + index: name for index, name in enumerate(NAMES)}
UNMARKED = FIRST + len(NAMES)


def text_of(tokens, cuts=()):
    """All text, the tokens fed in runs that end at the cuts."""
    marked = MarkedText(BYTES, MARKS)
    edges = [0, *sorted(set(cuts)), len(tokens)]
    pieces = [marked.feed(tokens[begin:end]) for begin, end in pairwise(edges)]
    return "".join(pieces) + marked.finish()


def test_a_marker_is_its_token_and_nothing_else():
    assert text_of([ord("a"), FIRST, ord("b")]) == "a<think>b"
    for spelled in ([256], [257, 258], list(b"<think>"), [257, *b"nk>"]):
        text = text_of([ord("a"), *spelled, ord("b")])
        assert "<think>" not in text
        assert unbroken(text) == "a<think>b"
        assert text_of([ord("a"), *spelled, ord("b")], range(9)) == text


def test_other_special_tokens_stay_out():
    assert text_of([ord("a"), UNMARKED, ord("b")]) == "ab"


def test_half_a_character_before_a_marker_is_replaced():
    assert text_of([0xC3, FIRST, 0xA9]) == "�<think>�"
    assert text_of([0xC3]) == "�"


@given(
    st.lists(
        st.integers(0, UNMARKED) | st.integers(256, UNMARKED) | st.sampled_from(list(b"<think>[X]/")), max_size=24
    ),
    st.data(),
)
def test_text_is_the_same_however_it_arrives(tokens, data):
    cuts = data.draw(st.lists(st.integers(0, len(tokens)), max_size=6))
    text = text_of(tokens)
    assert text_of(tokens, cuts) == text
    plain = [token for token in tokens if token < FIRST]
    if plain == tokens:
        assert unbroken(text) == b"".join(BYTES[token] for token in tokens).decode("utf-8", "replace")
        assert not any(name in text for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_broken_in_text(name):
    for before in ("", "<", "</", "[", "x", name):
        text = text_of(list((before + name).encode()))
        assert name not in text
        assert unbroken(text) == before + name
