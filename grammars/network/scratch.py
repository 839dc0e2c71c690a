"""Memory in which networks are assembled, used again and again: what was touched before costs nothing to touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any

import numpy as np

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.operations import count_rows

SCRATCH = ContainerType("Scratch", fields_of(int32="integers"))
_FIRST_ROOM = 1 << 16
_MAX_SMALL_ROOM, _MAX_KEPT_ROOM = 1 << 19, 1 << 22
# Integers that assembling takes for each integer and byte of what a builder wrote down, for each state, and for each of
# what `operations.count_rows` counts; see `expansion.expand` and `assembly.assemble`.
_AN_OPERATION, _A_BYTE, _A_STATE, _AT_LEAST = 15, 11, 27, 1 << 11
_A_ROW = (5, 5, 8, 6, 5, 4, 9, 4, 3)


class Scratch:
    """Memory for one network at a time.

    Attributes:
        kernel: what kernels take.
        room: integers in it.
    """

    __slots__ = ("_memory", "kernel", "room")

    def __init__(self, room: int) -> None:
        integers = np.empty(room, dtype=np.int32)
        self.room = room
        self.kernel: Any = new_container(SCRATCH, {"integers": integers})
        self._memory: memoryview = integers.data.cast("B")

    def write(self, parts: Iterable[bytes | bytearray]) -> None:
        """Puts these at the beginning, one behind the other."""
        end = 0
        for part in parts:
            begin, end = end, end + len(part)
            self._memory[begin:end] = part


_FREE: deque[Scratch] = deque(maxlen=2)
_FREE_LARGE: deque[Scratch] = deque(maxlen=1)


def take_scratch(parts: Sequence[bytes], num_bytes: int, num_states: int, stem_room: int) -> Scratch:
    """Scratch with room for a network that nobody else has.

    Args:
        parts: operations, one behind the other; num_bytes: of the texts they refer to.
        num_states: of the network; stem_room: integers in its stem.
    """
    num_operations = sum(map(len, parts)) >> 2
    others = _A_STATE * num_states + stem_room + _AT_LEAST
    needed = _AN_OPERATION * num_operations + _A_BYTE * num_bytes + others
    free = _FREE
    if needed > _MAX_SMALL_ROOM:
        # What is not counted may be many times as much, and memory that was never touched is dear.
        rows = count_rows(np.frombuffer(b"".join(parts), dtype=np.int32))
        needed = num_operations + 3 * num_bytes + others + int(sum(map(mul, _A_ROW, rows)))
        free = _FREE_LARGE if needed > _MAX_SMALL_ROOM else _FREE
    try:
        scratch = free.pop()
    except IndexError:
        scratch = None
    if scratch is None or scratch.room < needed:
        scratch = Scratch(max(_FIRST_ROOM, 1 << needed.bit_length()))
    return scratch


def give_back_scratch(scratch: Scratch) -> None:
    """Keeps it for the next network, unless it is huge."""
    if scratch.room <= _MAX_KEPT_ROOM:
        (_FREE if scratch.room <= _MAX_SMALL_ROOM else _FREE_LARGE).append(scratch)
