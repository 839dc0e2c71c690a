"""Detokenizer: pieces never end inside a character and join to the whole decoding."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.text import Detokenizer

BYTE_TOKENS: list[bytes | None] = [bytes([value]) for value in range(256)]


def test_detokenizer_waits_for_the_whole_character() -> None:
    detokenizer = Detokenizer([b"\xf0\x9f", b"\x98", b"\x80!", b"a"])
    assert [detokenizer.feed([token]) for token in (3, 0, 1, 2)] == ["a", "", "", "😀!"]
    assert detokenizer.finish() == ""


@pytest.mark.parametrize(
    ("data", "text"), [(b"ab\xe2\x82", "ab�"), (b"\xff", "�"), (b"\xc3(", "�("), (b"\xed\xa0\x80", "���")]
)
def test_detokenizer_replaces_what_is_no_character(data: bytes, text: str) -> None:
    detokenizer = Detokenizer(BYTE_TOKENS)
    assert detokenizer.feed(data) + detokenizer.finish() == text


def test_detokenizer_skips_special_tokens_even_inside_a_character() -> None:
    detokenizer = Detokenizer([b"\xc3", None, b"\xa9"])
    assert [detokenizer.feed([0]), detokenizer.feed([1]), detokenizer.feed([2])] == ["", "", "é"]


def test_detokenizer_refuses_an_unknown_token() -> None:
    with pytest.raises(IndexError):
        Detokenizer([b"a"]).feed([1])


@given(st.binary(max_size=40) | st.text(max_size=20).map(str.encode), st.data())
def test_detokenizer_pieces_join_to_the_whole(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=6)))
    borders = [0, *cuts, len(data)]
    tokens: list[bytes | None] = [data[a:b] for a, b in itertools.pairwise(borders)]
    detokenizer = Detokenizer(tokens)
    pieces = [detokenizer.feed([token]) for token in range(len(tokens))]
    assert "".join(pieces) + detokenizer.finish() == data.decode("utf-8", "replace")
