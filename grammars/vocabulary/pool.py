"""Mask rows: their bits, and memory for them, one block of address space for all constraints of a vocabulary."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grammars.jit.options import i64, kernel

BLOCK_ROWS = 16
_MAX_ROWS = 4096
_MAX_BYTES = 48 << 20


class MaskOwner(Protocol):
    """Owner of blocks of mask rows."""

    def give_up_masks(self) -> bool:
        """Hands all blocks back unless they are in use at this moment; whether any came back. Never waits."""


class MaskPool:
    """Rows handed out in blocks of `BLOCK_ROWS`; bounded, written to once at the start and used again and again.

    A fresh page costs the kernel about as much as filling a mask, so constraints that come and go share their pages.
    When all blocks are taken, the owner that has not asked for the longest time loses its own.

    Attributes:
        rows: uint32[N, W]; block b is ``rows[b * BLOCK_ROWS:(b + 1) * BLOCK_ROWS]``.
        num_block_bytes: bytes of a block.
    """

    def __init__(self, num_words: int) -> None:
        num_blocks = max(1, min(_MAX_ROWS, _MAX_BYTES // (4 * num_words)) // BLOCK_ROWS)
        self.rows: NDArray[np.uint32] = np.empty((num_blocks * BLOCK_ROWS, num_words), dtype=np.uint32)
        self.rows.fill(0)
        self.num_block_bytes = BLOCK_ROWS * 4 * num_words
        self._free = list(range(num_blocks))
        self._owners: OrderedDict[int, weakref.ref[MaskOwner]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, owner: MaskOwner) -> int | None:
        """Return an unshared block; None if all belong to busy owners."""
        with self._lock:
            self._owners[id(owner)] = weakref.ref(owner)
            self._owners.move_to_end(id(owner))
            if self._free:
                return self._free.pop()
            others = [(key, reference()) for key, reference in self._owners.items() if key != id(owner)]
        for key, other in others:
            if other is None or other.give_up_masks():
                with self._lock:
                    self._owners.pop(key, None)
                    if self._free:
                        return self._free.pop()
        return None

    def give_back(self, blocks: list[int]) -> None:
        """Hands blocks back; `blocks` is emptied."""
        with self._lock:
            self._free.extend(blocks)
            blocks.clear()


@kernel
def set_tokens(v, row, token):
    """Sets the bits of `token` and of the tokens with the same bytes."""
    while token >= 0:
        row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
        token = i64(v.next_same[token])


@kernel
def clear_tokens(v, row, token):
    """Clears them."""
    while token >= 0:
        row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
        token = i64(v.next_same[token])


@kernel
def add_row(row, source):
    """Sets the bits that `source` has."""
    for w in range(len(row)):
        row[w] |= source[w]
