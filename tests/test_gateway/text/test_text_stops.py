"""Stop strings: an automaton over token bytes against the obvious search."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.text import StopMatch, StopSequences, StopStream

BYTE_TOKENS: list[bytes | None] = [bytes([value]) for value in range(256)]


def first_stop(stops: list[str], data: bytes) -> StopMatch | None:
    """The stop that ends first, the longest of those that end together, by trying every end."""
    for end in range(1, len(data) + 1):
        ending = [stop for stop in stops if data[:end].endswith(stop.encode())]
        if ending:
            stop = max(ending, key=lambda s: len(s.encode()))
            return StopMatch(stop, end - len(stop.encode()), end)
    return None


def tokens_of(data: bytes, cuts: list[int]) -> list[bytes | None]:
    borders = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(borders)]


def test_stop_sequences_end_across_tokens() -> None:
    stops = StopSequences(["\n\n"], [b"a\n", b"\nb", b"c"])
    assert [stops.accept(2), stops.accept(0), stops.accept(1)] == [False, False, True]
    assert stops.match == StopMatch("\n\n", 2, 4)


def test_stop_sequences_stay_complete() -> None:
    stops = StopSequences(["x"], [b"x", b"y"])
    assert stops.accept(0)
    assert stops.accept(1)
    assert stops.match == StopMatch("x", 0, 1)


@pytest.mark.parametrize(
    ("stops", "text", "expected"),
    [
        (["b", "ab"], "ab", StopMatch("ab", 0, 2)),
        (["abcd", "bc"], "abcd", StopMatch("bc", 1, 3)),
        (["aab"], "aaab", StopMatch("aab", 1, 4)),
        (["né"], "anén", StopMatch("né", 1, 4)),
        (["ab", "ab"], "ab", StopMatch("ab", 0, 2)),
        (["abc"], "ababab", None),
    ],
)
def test_stop_sequences_choose(stops: list[str], text: str, expected: StopMatch | None) -> None:
    criterion = StopSequences(stops, BYTE_TOKENS)
    for byte in text.encode():
        if criterion.accept(byte):
            break
    assert criterion.match == expected


def test_stop_sequences_ignore_special_tokens() -> None:
    stops = StopSequences(["ab"], [b"a", None, b"b"])
    assert [stops.accept(0), stops.accept(1), stops.accept(2)] == [False, False, True]


def test_stop_sequences_refuse_an_empty_stop() -> None:
    with pytest.raises(ValueError, match="empty"):
        StopSequences(["a", ""], BYTE_TOKENS)


def test_stop_stream_holds_back_a_possible_stop() -> None:
    stream = StopStream(["END"], [b"a", b"E", b"N", b"D", b"x"])
    assert [stream.feed([token]) for token in (0, 1, 2, 4)] == ["a", "", "", "ENx"]
    assert [stream.feed([token]) for token in (1, 2, 3, 0)] == ["", "", "", ""]
    assert stream.match == StopMatch("END", 4, 7)
    assert stream.finish() == ""


def test_stop_stream_releases_what_it_held_at_the_end() -> None:
    stream = StopStream(["END"], [b"EN", b"\xe2\x82"])
    assert stream.feed([0]) == ""
    assert stream.finish() == "EN"


def test_stop_stream_includes_the_stop_but_nothing_beyond() -> None:
    stream = StopStream(["</s>"], [b"hi</", b"s> more"], include_stop=True)
    assert stream.feed([0]) + stream.feed([1]) + stream.finish() == "hi</s>"


@given(
    st.lists(st.text("abé", min_size=1, max_size=4), min_size=0, max_size=4),
    st.text("abéc", max_size=24),
    st.lists(st.integers(0, 30), max_size=8),
    st.booleans(),
)
def test_stop_stream_equals_the_obvious_search(stops: list[str], text: str, cuts: list[int], include: bool) -> None:
    data = text.encode()
    tokens = tokens_of(data, cuts)
    expected = first_stop(stops, data)
    end = len(data) if expected is None else (expected.end if include else expected.begin)
    whole = data[:end].decode("utf-8", "replace")
    stream = StopStream(stops, tokens, include_stop=include)
    criterion = StopSequences(stops, tokens)
    sent = ""
    for token in range(len(tokens)):
        sent += stream.feed([token])
        assert whole.startswith(sent)
        assert criterion.accept(token) == (stream.match is not None)
    assert sent + stream.finish() == whole
    assert stream.match == criterion.match == expected
