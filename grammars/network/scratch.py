"""Memory in which networks are assembled, used again and again: what was touched before costs nothing to touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any

import numpy as np

from grammars.jit.container import ContainerType, fields_of, new_container
from grammars.jit.options import kernel
from grammars.network.network import BYTE_FIELDS, INT_FIELDS
from grammars.network.operations import NUM_COUNTS, count_rows
from grammars.vocabulary.tables import TRIE, VocabularyTables, no_tables
from grammars.vocabulary.units import UNITS

_INT_FIELDS = (
    "integers", "ops", "edges", "epsilons", "calls", "names", "path", "order", "hanging", "idle_start", "idle_goal",
    "spelled", "behind",
)  # fmt: skip
SCRATCH = ContainerType(
    "Scratch",
    {
        **fields_of(
            int32=" ".join((*INT_FIELDS, *_INT_FIELDS)),
            uint8=" ".join((*BYTE_FIELDS, "octets", "texts", "met", "idle_weight", "known_names")),
            int64="free begins lengths rows name_nodes name_ends name_alive",
            uint64="none_done",
        ),
        "units": UNITS,
        "trie": TRIE,
    },
)
"""What assembling a network works on, nearly all of it cut from one memory.

- integers: that memory; octets: the same as bytes; free: where it is free, in integers
- the columns of the network, by the names that they have there; begins, lengths: of each of them, in the order of
  `INT_FIELDS` and then `BYTE_FIELDS`, in integers or bytes; rows: what was counted, see `operations`
- ops, texts: what the builder wrote down; edges, epsilons, calls, names: rows made of it, see `expansion.expand`; path:
  where words branch off
- met, order, hanging, idle_start, idle_goal, idle_weight: see `analysis`
- spelled, behind, name_nodes, name_ends, name_alive, known_names: see `costs`; none_done: the empty set of members
- units: classes of the network; trie: of the vocabulary
"""
MAX_NAME = 62  # bytes of the longest name whose tokens are looked for
# How many names are remembered, and bytes for each, see `costs.recall`.
KNOWN_NAMES, NAME_ROOM = 1 << 10, 128
_NO_NAMES = np.zeros(0, dtype=np.uint8)
# Integers of a memory that is kept, for small networks and for large ones: what was never touched takes no memory.
_SMALL_ROOM, _LARGE_ROOM = 1 << 19, 1 << 24
# Integers that assembling takes for each integer and byte of what a builder wrote down, for each state, and for each of
# what `operations.count_rows` counts; see `columns.lay_out` and `assembly.assemble`.
_AN_OPERATION, _A_BYTE, _A_STATE, _AT_LEAST = 15, 11, 28, 1 << 11
_A_ROW = (5, 5, 8, 6, 5, 4, 9, 4, 4)
_NUM_COLUMNS = len(INT_FIELDS + BYTE_FIELDS)
# Arrays that are not cut from the memory.
_OTHERS = {
    "free": 1, "begins": _NUM_COLUMNS, "lengths": _NUM_COLUMNS, "rows": NUM_COUNTS, "name_nodes": MAX_NAME,
    "name_ends": MAX_NAME, "name_alive": MAX_NAME, "none_done": 0,
}  # fmt: skip


@kernel
def cut(a, length):
    """The next `length` integers of the memory."""
    at = a.free[0]
    a.free[0] += length
    return a.integers[at : at + length]


@kernel
def cut_bytes(a, length):
    """The same with bytes."""
    at = a.free[0]
    a.free[0] += (length + 3) >> 2
    return a.octets[4 * at : 4 * at + length]


class Scratch:
    """Memory for one network at a time.

    Attributes:
        kernel: what kernels take.
        room: integers in it.
        tables: of the vocabulary; known_names: what is remembered of names in its tokens, see `costs`.
    """

    __slots__ = ("_integers", "_memory", "kernel", "known_names", "room", "tables")

    def __init__(self, room: int) -> None:
        self.tables = no_tables()
        self.known_names = _NO_NAMES
        integers = np.empty(room, dtype=np.int32)
        self.room = room
        values = {name: np.zeros(number, dtype=SCRATCH.dtypes[name]) for name, number in _OTHERS.items()}
        values |= {"integers": integers, "octets": integers.view(np.uint8)}
        self.kernel: Any = new_container(SCRATCH, values)
        self._integers = integers
        self._memory: memoryview = integers.data.cast("B")

    def counted_rows(self) -> list[int]:
        """Return the counts of `count_rows` for the written operations, the last of which is `NOTHING`."""
        rows = np.zeros(NUM_COUNTS, dtype=np.int64)
        count_rows(self._integers, rows)
        return rows.tolist()

    def write(self, parts: Iterable[bytes | bytearray | memoryview]) -> None:
        """Puts these at the beginning, one behind the other."""
        end = 0
        for part in parts:
            begin, end = end, end + len(part)
            self._memory[begin:end] = part


_FREE: deque[Scratch] = deque(maxlen=2)
_FREE_LARGE: deque[Scratch] = deque(maxlen=1)


def filled_scratch(
    ops: Sequence[bytes | memoryview], texts: bytearray, num_states: int, stem_room: int, tables: VocabularyTables
) -> Scratch:
    """Return unshared scratch that begins with operations and texts and has room for the network made of them.

    Args:
        ops: operations, one part behind the other; texts: those they refer to.
        num_states: of the network; stem_room: integers in its stem; tables: of the vocabulary.
    """
    num_operations, num_bytes, parts = sum(map(len, ops)) >> 2, len(texts), (*ops, texts)
    others = _A_STATE * num_states + stem_room + _AT_LEAST
    needed = _AN_OPERATION * num_operations + _A_BYTE * num_bytes + others
    if needed <= _SMALL_ROOM:
        scratch = _taken(_FREE, _SMALL_ROOM)
        scratch.write(parts)
    else:
        # What is not counted may be many times as much, and memory that was never touched is dear.
        scratch = _taken(_FREE_LARGE, max(_LARGE_ROOM, num_operations + num_bytes))
        scratch.write(parts)
        rows = scratch.counted_rows()
        needed = num_operations + 3 * num_bytes + others + sum(map(mul, _A_ROW, rows))
        if scratch.room < needed:
            scratch = Scratch(needed)
            scratch.write(parts)
    scratch.tables = tables
    try:
        scratch.known_names = tables.known_names.pop()
    except IndexError:
        scratch.known_names = np.zeros(KNOWN_NAMES * NAME_ROOM, dtype=np.uint8)
    return scratch


def _taken(free: deque[Scratch], room: int) -> Scratch:
    try:
        scratch = free.pop()
    except IndexError:
        scratch = None
    return Scratch(room) if scratch is None or scratch.room < room else scratch


def give_back_scratch(scratch: Scratch) -> None:
    """Keeps it for the next network, unless it is huge, and what is known of names for the vocabulary's next."""
    scratch.tables.known_names.append(scratch.known_names)
    scratch.tables, scratch.known_names = no_tables(), _NO_NAMES
    if scratch.room <= _LARGE_ROOM:
        (_FREE if scratch.room <= _SMALL_ROOM else _FREE_LARGE).append(scratch)
