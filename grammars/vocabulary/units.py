"""A set of characters and how each is spelled: the alphabet of a span.

A unit is one character as bytes: its UTF-8 encoding, or inside a JSON string its escaped spelling. A class of units
is a small DFA over bytes whose state 0 is the boundary between two units.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import ClassVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from grammars.byte_bounded_cache import remembered
from grammars.jit.container import ContainerType, fields_of, new_container

DEAD_UNIT = 0xFFFF
_MAX_CODE_POINT = 0x10FFFF
# Of the moves from one unit state.
_MOVES_BYTES = 300
_SURROGATES = (0xD800, 0xDFFF)
_UTF8_LIMITS = (0x7F, 0x7FF, 0xFFFF, _MAX_CODE_POINT)
_SHORT_ESCAPES = {0x08: b"\\b", 0x09: b"\\t", 0x0A: b"\\n", 0x0C: b"\\f", 0x0D: b"\\r", 0x22: b'\\"', 0x5C: b"\\\\"}

ByteRange = tuple[int, int]
Spelling = tuple[ByteRange, ...]
# Unit state, first and last byte, next unit state.
Move = tuple[int, int, int, int]

_LOCK = threading.Lock()
# Of each table that some class in use has.
_CLASSES: WeakValueDictionary[bytes, UnitClass] = WeakValueDictionary()


class UnitClass:
    """A set of characters with one spelling each; equal classes are the same object.

    Attributes:
        table: uint16[num_unit_states, 256]; next unit state of a byte, `DEAD_UNIT` where no unit goes on.
        fewest_bytes: int32[num_unit_states]; bytes that finish a unit from each state.
    """

    __slots__ = ("__weakref__", "_moves", "fewest_bytes", "table")

    ANY: ClassVar[UnitClass]
    JSON_STRING: ClassVar[UnitClass]
    table: NDArray[np.uint16]
    fewest_bytes: NDArray[np.int32]
    _moves: tuple[Move, ...] | None

    def __new__(cls, table: NDArray[np.uint16], fewest_bytes: NDArray[np.int32] | None = None) -> UnitClass:
        key = table.tobytes()
        with _LOCK:
            found = _CLASSES.get(key)
            if found is None:
                found = super().__new__(cls)
                found.table, found._moves = table, None
                found.fewest_bytes = _fewest_bytes(table) if fewest_bytes is None else fewest_bytes
                _CLASSES[key] = found
            return found

    @property
    def num_bytes(self) -> int:
        """Memory held."""
        moves = _MOVES_BYTES * len(self.table)
        return int(2 * self.table.nbytes + self.fewest_bytes.nbytes) + moves

    @property
    def is_empty(self) -> bool:
        """True if the class has no character."""
        return bool((self.table[0] == DEAD_UNIT).all())

    @staticmethod
    def from_ranges(ranges: Sequence[tuple[int, int]], json_escaped: bool = False) -> UnitClass:
        """The class of the code points in `ranges` (inclusive; surrogates are left out).

        Args:
            ranges: pairs of first and last code point, in any order.
            json_escaped: spell characters as inside a JSON string, canonically: short escapes where JSON has them,
                lower-case ``\\u00xx`` for the other controls, everything else raw.
        """
        return _from_ranges(tuple(sorted((int(a), int(b)) for a, b in ranges)), json_escaped)

    @staticmethod
    def spellings_of(ranges: Sequence[tuple[int, int]]) -> list[Spelling]:
        """The byte-range sequences that spell the code points in `ranges` in UTF-8."""
        kept = _without_surrogates(_merged(sorted(ranges)))
        return [spelling for low, high in kept for spelling in _utf8_spellings(low, high)]

    @staticmethod
    def from_spellings(spellings: Iterable[Spelling]) -> UnitClass:
        """The class whose units are these byte-range sequences; two of them never share a first part only half."""
        return UnitClass(_table(list(spellings)))

    @staticmethod
    def of_bytes(ranges: Iterable[ByteRange]) -> UnitClass:
        """The class of characters that are spelled as one byte each."""
        return _NO_UNIT.with_bytes(ranges)

    def with_bytes(self, ranges: Iterable[ByteRange]) -> UnitClass:
        """The class together with characters that are spelled as one byte."""
        table, fewest = self.table.copy(), self.fewest_bytes
        for low, high in ranges:
            table[0, low : high + 1] = 0
            if fewest[0] > 1:
                fewest = fewest.copy()
                fewest[0] = 1
        return UnitClass(table, fewest)

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every way from a unit state to the next one."""
        if self._moves is None:
            self._moves = tuple([(state, *run) for state, row in enumerate(self.table) for run in _runs(row)])
        return self._moves


@remembered()
def _from_ranges(ranges: tuple[tuple[int, int], ...], json_escaped: bool) -> UnitClass:
    spellings: list[Spelling] = []
    for low, high in _without_surrogates(_merged(ranges)):
        spellings.extend(_json_spellings(low, high) if json_escaped else _utf8_spellings(low, high))
    return UnitClass(_table(spellings))


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in ranges:
        if not 0 <= low <= high <= _MAX_CODE_POINT:
            raise ValueError(f"not a range of code points: {low:#x} to {high:#x}")
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _without_surrogates(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    kept = []
    for low, high in ranges:
        if low < _SURROGATES[0]:
            kept.append((low, min(high, _SURROGATES[0] - 1)))
        if high > _SURROGATES[1]:
            kept.append((max(low, _SURROGATES[1] + 1), high))
    return kept


def _json_spellings(low: int, high: int) -> list[Spelling]:
    spellings: list[Spelling] = []
    start = low
    for code in (*range(0x20), 0x22, 0x5C):
        if start <= code <= high:
            if start < code:
                spellings.extend(_utf8_spellings(start, code - 1))
            escape = _SHORT_ESCAPES.get(code, b"\\u%04x" % code)
            spellings.append(tuple((byte, byte) for byte in escape))
            start = code + 1
    if start <= high:
        spellings.extend(_utf8_spellings(start, high))
    return spellings


def _utf8_spellings(low: int, high: int) -> list[Spelling]:
    """Byte-range sequences that spell exactly the code points low..high (RFC 3629)."""
    for limit in _UTF8_LIMITS:
        if low <= limit < high:
            return _utf8_spellings(low, limit) + _utf8_spellings(limit + 1, high)
    first, last = chr(low).encode(), chr(high).encode()
    return _same_length_spellings(first, last)


def _same_length_spellings(first: bytes, last: bytes) -> list[Spelling]:
    if len(first) == 1:
        return [((first[0], last[0]),)]
    if first[0] == last[0]:
        return [((first[0], first[0]), *rest) for rest in _same_length_spellings(first[1:], last[1:])]
    tail = len(first) - 1
    spellings: list[Spelling] = []
    low, high = first[0], last[0]
    if first[1:] != b"\x80" * tail:
        spellings += [((low, low), *rest) for rest in _same_length_spellings(first[1:], b"\xbf" * tail)]
        low += 1
    upper: list[Spelling] = []
    if last[1:] != b"\xbf" * tail:
        upper = [((high, high), *rest) for rest in _same_length_spellings(b"\x80" * tail, last[1:])]
        high -= 1
    if low <= high:
        spellings.append(((low, high), *(((0x80, 0xBF),) * tail)))
    return spellings + upper


def _table(spellings: list[Spelling]) -> NDArray[np.uint16]:
    """The DFA of the spellings; equal continuations share a state, so few states remain."""
    rows: list[NDArray[np.uint16]] = [np.full(256, DEAD_UNIT, dtype=np.uint16)]
    known: dict[tuple[Spelling, ...], int] = {((),): 0}
    pending: list[tuple[int, Sequence[Spelling]]] = [(0, spellings)]
    while pending:
        state, sequences = pending.pop()
        groups: dict[ByteRange, dict[Spelling, None]] = {}
        for sequence in sequences:
            groups.setdefault(sequence[0], {})[sequence[1:]] = None
        for (low, high), tails in groups.items():
            rest = tuple(tails)
            if rest not in known:
                known[rest] = len(rows)
                pending.append((len(rows), rest))
                rows.append(np.full(256, DEAD_UNIT, dtype=np.uint16))
            rows[state][low : high + 1] = known[rest]
    if len(rows) >= DEAD_UNIT:
        raise ValueError(f"a unit class has more than {DEAD_UNIT - 1} byte states")
    return np.stack(rows)


def _runs(row: NDArray[np.uint16]) -> Iterable[tuple[int, int, int]]:
    lows = np.flatnonzero(np.diff(row, prepend=~row[:1])).tolist()
    for low, after in zip(lows, [*lows[1:], 256], strict=True):
        if row[low] != DEAD_UNIT:
            yield low, after - 1, int(row[low])


def _fewest_bytes(table: NDArray[np.uint16]) -> NDArray[np.int32]:
    """Fewest bytes that finish a unit from each unit state; for state 0, the shortest whole unit."""
    count = len(table)
    # Behind the states, what stands for none.
    following = np.minimum(table, count)
    fewest = np.full(count + 1, 1 << 20, dtype=np.int32)
    while True:
        # A unit ends where it comes back to state 0, whatever the next one costs.
        whole, fewest[0] = fewest[0], 0
        found = 1 + fewest[following].min(axis=1)
        fewest[0] = whole
        if (found >= fewest[:count]).all():
            return fewest[:count]
        fewest[:count] = np.minimum(fewest[:count], found)


_NO_UNIT = UnitClass(np.full((1, 256), DEAD_UNIT, dtype=np.uint16))
UnitClass.ANY = UnitClass.from_ranges([(0, _MAX_CODE_POINT)])
UnitClass.JSON_STRING = UnitClass.from_ranges([(0, _MAX_CODE_POINT)], json_escaped=True)

UNITS = ContainerType("Units", fields_of(uint8="begins", int32="start fewest", uint16_rows="table"))
"""The arrays of `UnitTables`."""


class UnitTables:
    """The tables of some classes, one after another; shared by all networks with these classes.

    Attributes:
        classes: by index.
        start: first unit state of each class, and the number of all; fewest: bytes that finish a unit, a unit state.
        table: next unit state of a byte, counted within its class; never empty.
        begins: bytes that some unit state tells from the byte before.
        kernel: what kernels take.
        known: the partitions of the classes as far as they were built when this was last asked for, and when that was;
            see `Partitions.known_of`.
    """

    __slots__ = ("begins", "classes", "fewest", "kernel", "known", "num_bytes", "start", "table")

    def __init__(self, classes: tuple[UnitClass, ...]) -> None:
        self.classes = classes
        self.start = np.cumsum([0, *(len(units.table) for units in classes)], dtype=np.int32)
        self.fewest = np.concatenate([units.fewest_bytes for units in classes] or [np.zeros(1, np.int32)])
        self.table = np.concatenate([units.table for units in classes] or [np.zeros((1, 256), np.uint16)])
        self.begins = np.zeros(256, dtype=np.uint8)
        self.begins[1:] = (self.table[:, 1:] != self.table[:, :-1]).any(axis=0)
        self.known: tuple[tuple[int, int], NDArray[np.int32]] | None = None
        arrays = {"begins": self.begins, "start": self.start, "fewest": self.fewest, "table": self.table}
        self.kernel = new_container(UNITS, arrays)
        self.num_bytes: int = self.begins.nbytes + self.start.nbytes + self.fewest.nbytes + self.table.nbytes


@remembered()
def unit_tables(classes: tuple[UnitClass, ...]) -> UnitTables:
    """Return the tables of the classes."""
    return UnitTables(classes)
