"""Partitions over the shapes of tokens: the same members and remains as by reading every token."""

from __future__ import annotations

import random

import numpy as np
import pytest

from grammars import Vocabulary
from grammars.vocabulary import partitions as partitions_module
from grammars.vocabulary.partitions import EMPTY, MAX_COUNTED_UNITS, NOT_BUILT, TOO_LARGE, Partitions
from grammars.vocabulary.spellings import Spellings
from grammars.vocabulary.tables import letter_bits
from grammars.vocabulary.units import DEAD_UNIT, UnitClass

_WORDS = (
    "the",
    "Text",
    "ID",
    "x",
    "12",
    "a-b",
    "naïve",
    "日本",
    "Ω",
    "\U0001f600",
    '"',
    '",',
    "\\n",
    "\\u00e9",
    "----",
)
_LETTER, _DIGIT = (0x61, 0x7A), (0x30, 0x39)


@pytest.fixture(scope="module")
def vocabulary():
    chooser = random.Random(3)
    spelled = {bytes([byte]) for byte in range(256)} | {b"a" * 40, b" " * 20, b"\xe6\x97", b"a\xe6\x97", b"f0\xc3"}
    while len(spelled) < 2500:
        word = "".join(chooser.choice(_WORDS) for _ in range(chooser.randint(1, 3)))
        shifted = "".join(chr(97 + (ord(c) + chooser.randint(0, 25)) % 26) if c.islower() else c for c in word)
        spelled.add((chooser.choice(("", " ", "_")) + shifted).encode())
    # One of them twice: both are members, or neither is.
    return Vocabulary.from_tokens([*sorted(spelled), b"the", None], [len(spelled) + 1])


def _random_class(seed: int) -> UnitClass:
    chooser = random.Random(seed)
    starts = [chooser.choice((chooser.randrange(128), 0x30, 0x61, 0x62, 0xE9, 0x3A9, 0x65E5)) for _ in range(4)]
    ranges = [(start, start + chooser.choice((0, 2, 9, 60, 5000))) for start in starts[: chooser.randint(1, 4)]]
    return UnitClass.from_ranges(ranges, json_escaped=seed % 2 == 1)


CLASSES = {
    "JSON strings": UnitClass.JSON_STRING,
    "any": UnitClass.ANY,
    "all but one letter": UnitClass.from_ranges([(0, 0x73), (0x75, 0x10FFFF)], json_escaped=True),
    "hexadecimal digits": UnitClass.from_ranges([(0x30, 0x39), (0x61, 0x66)]),
    "a letter and a digit": UnitClass.from_spellings([(_LETTER, _DIGIT)]),
    "letters, some with another one": UnitClass.from_spellings([((0x61, 0x63),), ((0x64, 0x7A), _LETTER)]),
    "some letters, and others behind a capital": UnitClass.from_spellings(
        [((0x61, 0x6D),), ((0x54, 0x54), (0x65, 0x7A)), ((0x20, 0x20),)]
    ),
    **{f"random {seed}": _random_class(seed) for seed in range(16)},
}


def _read(table, token):
    """(unit state, units begun, bytes) up to where the token leaves the class."""
    state = units = 0
    for place, byte in enumerate(token):
        if table[state, byte] == DEAD_UNIT:
            return state, units, place
        units += state == 0
        state = int(table[state, byte])
    return state, units, len(token)


def _tokens_of(row):
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def _columns(kernel, part, name, *columns):
    first, last = getattr(kernel, f"{name}_start")[part : part + 2]
    return list(zip(*(getattr(kernel, f"{name}_{column}")[first:last].tolist() for column in columns), strict=True))


class _Arrays:
    """The arrays by name."""

    def __init__(self, partitions: Partitions) -> None:
        self.__dict__.update({name: pool.array for name, pool in partitions._pools.items()})


@pytest.mark.parametrize("is_counted", [True, False])
@pytest.mark.parametrize("name", CLASSES)
def test_members_are_those_of_tokens_read_one_by_one(vocabulary, name, is_counted):
    units = CLASSES[name]
    partitions = Partitions(Spellings(vocabulary.tables))
    part = partitions.of_class(units, is_counted)
    read = {t: _read(units.table, token) for t, token in enumerate(vocabulary.spelled) if token}
    members = {t: (state, count) for t, (state, count, end) in read.items() if end == len(vocabulary.spelled[t])}
    a = _Arrays(partitions)
    assert _tokens_of(a.member_rows[a.row_full[part]]) == set(members)
    assert a.row_last[part] <= MAX_COUNTED_UNITS if is_counted else a.row_last[part] == -1
    for most in range(a.row_last[part] + 1):
        row = a.member_rows[a.row_start[part] + most]
        assert _tokens_of(row) == {t for t, (_, count) in members.items() if count <= most}
    long = _columns(a, part, "long", "token", "units")
    beyond = {(t, count) for t, (_, count) in members.items() if is_counted and count > a.row_last[part]}
    assert sorted(long) == sorted(beyond)
    assert [count for _, count in long] == sorted(count for _, count in long)
    begun = {(t, int(units.fewest_bytes[state])) for t, (state, _) in members.items() if state}
    assert set(_columns(a, part, "begun", "token", "rest")) == begun
    assert a.most_rest[part] == max((rest for _, rest in begun), default=0)


def _remains(units, vocabulary):
    """By first byte, the tokens that leave the class after whole units, how many of these, and what remains."""
    remains: dict[int, set[tuple[int, int, bytes]]] = {}
    for t, token in enumerate(vocabulary.spelled):
        state, count, end = _read(units.table, token)
        if state == 0 and 0 < end < len(token):
            remains.setdefault(token[end], set()).add((t, count, token[end:]))
    return remains


@pytest.mark.parametrize("name", CLASSES)
def test_remains_are_those_of_tokens_read_one_by_one(vocabulary, name):
    units = CLASSES[name]
    partitions = Partitions(Spellings(vocabulary.tables))
    part = partitions.of_class(units)
    remains = _remains(units, vocabulary)
    assert all(_Arrays(partitions).residual_of[part, byte] == NOT_BUILT for byte in remains)
    everything = np.random.default_rng(1).permutation(256)
    for some in np.array_split(everything, 3):
        partitions.build_residuals(part, some)
        a = _Arrays(partitions)
        for byte in some.tolist():
            number = a.residual_of[part, byte]
            assert (number == EMPTY) == (byte not in remains)
            if byte in remains:
                assert _texts_of(a, number) == remains[byte]


def _texts_of(a, number):
    """(token, units, what remains) of a residual, of which the order of the nodes is checked on the way."""
    found, path = set(), b""
    begin, end = a.trie_start[number], a.trie_start[number + 1] - 1
    for node in range(begin, end):
        depth, after = int(a.trie_depth[node]), begin + a.trie_end[node]
        assert node < after <= end
        assert (a.trie_depth[node + 1 : after] > depth).all()
        assert after == end or a.trie_depth[after] <= depth
        path = path[: depth - 1] + bytes([a.trie_byte[node]])
        for place in range(a.trie_first[node], a.trie_first[node + 1]):
            found.add((int(a.trie_token[place]), int(a.trie_units[place]), path))
    return found


def test_a_class_that_was_counted_serves_where_units_need_not_be_counted(vocabulary):
    partitions = Partitions(Spellings(vocabulary.tables))
    counted = partitions.of_class(UnitClass.ANY)
    assert partitions.of_class(UnitClass.ANY, is_counted=False) == counted
    plain = partitions.of_class(UnitClass.JSON_STRING, is_counted=False)
    assert partitions.of_class(UnitClass.JSON_STRING) != plain
    assert partitions.known(UnitClass.JSON_STRING) == partitions.of_class(UnitClass.JSON_STRING)


def test_each_letter_and_digit_has_a_bit():
    bits = letter_bits().tolist()
    assert [byte for byte in range(256) if bits[byte] >= 0] == [byte for byte in range(128) if chr(byte).isalnum()]
    assert sorted(bit for bit in bits if bit >= 0) == list(range(62))


@pytest.mark.parametrize("name", CLASSES)
def test_remains_of_too_many_tokens_are_not_made(vocabulary, name, monkeypatch):
    monkeypatch.setattr(partitions_module, "_MOST_LEAVING", 4)
    units = CLASSES[name]
    partitions = Partitions(Spellings(vocabulary.tables))
    part = partitions.of_class(units)
    remains = _remains(units, vocabulary)
    for byte, expected in remains.items():
        partitions.build_residuals(part, np.array([byte]))
        a = _Arrays(partitions)
        number = a.residual_of[part, byte]
        assert (number == TOO_LARGE) == (len(expected) > 4)
        assert number == TOO_LARGE or _texts_of(a, number) == expected
    # Of several bytes at once those are marked that many leave by, and at least one.
    partitions = Partitions(Spellings(vocabulary.tables))
    part = partitions.of_class(units)
    partitions.build_residuals(part, np.arange(256))
    known = _Arrays(partitions).residual_of[part]
    if sum(map(len, remains.values())) > 4:
        marked = np.flatnonzero(known == TOO_LARGE).tolist()
        assert marked
        assert set(marked) <= set(remains)
        assert NOT_BUILT in known or set(marked) == set(remains)
