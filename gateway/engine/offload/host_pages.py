"""Pages of blocks in host memory: one row a block, all layers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import KvCache

STAGED_BYTES = 64 << 20
"""Memory on a GPU that pages pass through."""


class HostPages:
    """Rows of a cache on a CPU; memory follows use.

    Attributes:
        row_bytes: Of one block.
        num_rows: Blocks that there is room for.
    """

    def __init__(self, cache: KvCache, max_bytes: int) -> None:
        """
        Raises:
            InvalidEngineConfigError: The memory holds no block, or cannot be had.
        """
        self._pools = cache.block_rows
        sizes = [pool.shape[1] for pool in self._pools]
        self._spans = [slice(*pair) for pair in pairwise(accumulate(sizes, initial=0))]
        self.row_bytes = sum(sizes) * self._pools[0].itemsize
        self.num_rows = max_bytes // self.row_bytes
        if not self.num_rows:
            raise InvalidEngineConfigError(
                f"kv_offload_bytes: {max_bytes} bytes hold no block of keys and values, which has {self.row_bytes}"
            )
        try:
            self._rows = self._allocate((self.num_rows, sum(sizes)))
        except (MemoryError, RuntimeError) as error:
            raise InvalidEngineConfigError(f"kv_offload_bytes: no {max_bytes} bytes of memory: {error}") from error

    def store(self, blocks: Sequence[int], rows: Sequence[int]) -> None:
        """Copy blocks of the cache into rows, before anything that is written into the blocks later."""
        for pool, span in zip(self._pools, self._spans, strict=True):
            self._rows[rows, span] = pool.numpy()[blocks]

    def restore(self, rows: Sequence[int], blocks: Sequence[int]) -> None:
        """Copy rows into blocks of the cache, before anything that reads the blocks later."""
        for pool, span in zip(self._pools, self._spans, strict=True):
            pool.numpy()[blocks] = self._rows[rows, span]

    def memory(self, row: int) -> memoryview:
        """Return the bytes of a row, once no copy is under way. From any thread."""
        return memoryview(self._rows[row].view(np.uint8))

    def _allocate(self, shape: tuple[int, int]) -> NDArray[np.generic]:
        return np.zeros(shape, self._pools[0].numpy().dtype)


class PinnedPages(HostPages):
    """Rows of a cache on an NVIDIA GPU. Copies run beside the steps, on a stream of their own.

    steps      gather into staged |              | gather ...          | scatter from staged
    copies                        | to the rows  |       | from rows   |
    """

    def __init__(self, cache: KvCache, max_bytes: int) -> None:
        super().__init__(cache, max_bytes)
        device = self._pools[0].device
        self._device, self._stream = device, torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        num_staged = max(min(STAGED_BYTES // self.row_bytes, self.num_rows), 1)
        self._staged = self._pools[0].new_empty((num_staged, self._rows.shape[1]))
        self._ends: dict[int, torch.cuda.Event] = {}

    def store(self, blocks: Sequence[int], rows: Sequence[int]) -> None:
        """See `HostPages.store`."""
        steps, size = torch.cuda.current_stream(self._device), len(self._staged)
        for first in range(0, len(blocks), size):
            part, places = rows[first : first + size], self._indices(blocks[first : first + size])
            steps.wait_stream(self._stream)
            for pool, span in zip(self._pools, self._spans, strict=True):
                self._staged[: len(part), span].copy_(pool.index_select(0, places))
            self._stream.wait_stream(steps)
            with torch.cuda.stream(self._stream):
                for here, row in enumerate(part):
                    self._pinned[row].copy_(self._staged[here], non_blocking=True)
            self._note(part)

    def restore(self, rows: Sequence[int], blocks: Sequence[int]) -> None:
        """See `HostPages.restore`."""
        steps, size = torch.cuda.current_stream(self._device), len(self._staged)
        for first in range(0, len(blocks), size):
            part, places = rows[first : first + size], self._indices(blocks[first : first + size])
            self._stream.wait_stream(steps)
            with torch.cuda.stream(self._stream):
                for here, row in enumerate(part):
                    self._staged[here].copy_(self._pinned[row], non_blocking=True)
            self._note(part)
            steps.wait_stream(self._stream)
            for pool, span in zip(self._pools, self._spans, strict=True):
                pool.index_copy_(0, places, self._staged[: len(part), span])

    def memory(self, row: int) -> memoryview:
        """See `HostPages.memory`."""
        end = self._ends.get(row)
        if end is not None:
            end.synchronize()
        return super().memory(row)

    def _allocate(self, shape: tuple[int, int]) -> NDArray[np.generic]:
        self._pinned: Tensor = torch.zeros(shape, dtype=self._pools[0].dtype, pin_memory=True)
        return self._pinned.numpy()

    def _indices(self, blocks: Sequence[int]) -> Tensor:
        return torch.tensor(blocks, device=self._device)

    def _note(self, rows: Sequence[int]) -> None:
        """Have `memory` wait for the copies of these rows that were started."""
        self._ends |= dict.fromkeys(rows, self._stream.record_event())
