"""Memory for mask rows, one block of address space for all constraints of a vocabulary."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

BLOCK_ROWS = 16
_MAX_ROWS = 4096
_MAX_BYTES = 48 << 20


class MaskPool:
    """Rows handed out in blocks of `BLOCK_ROWS`; bounded, written to once at the start and used again and again.

    A fresh page costs the kernel about as much as filling a mask, so constraints that come and go share their pages.

    Attributes:
        rows: uint32[N, W]; block b is ``rows[b * BLOCK_ROWS:(b + 1) * BLOCK_ROWS]``.
    """

    def __init__(self, num_words: int) -> None:
        num_blocks = max(1, min(_MAX_ROWS, _MAX_BYTES // (4 * num_words)) // BLOCK_ROWS)
        self.rows: NDArray[np.uint32] = np.empty((num_blocks * BLOCK_ROWS, num_words), dtype=np.uint32)
        self.rows.fill(0)
        self._free = list(range(num_blocks))
        self._lock = threading.Lock()

    def take(self) -> int | None:
        """A block that nobody else has, or None when all are taken."""
        with self._lock:
            return self._free.pop() if self._free else None

    def give_back(self, blocks: list[int]) -> None:
        """Hands blocks back; `blocks` is emptied."""
        with self._lock:
            self._free.extend(blocks)
            blocks.clear()

    @property
    def num_free_blocks(self) -> int:
        """Blocks that nobody has."""
        return len(self._free)
