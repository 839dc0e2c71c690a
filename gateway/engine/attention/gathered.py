"""Attention of decode rows over gathered pages: one call of torch's own for all rows of all decoding sequences."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.dense import Scoring, dense_attention, seen_mask
from gateway.engine.attention.layout import Layout, Numbers
from gateway.engine.kv_cache import LayerCache, Pools, split_heads
from gateway.engine.sequence import Sequence

SLACK_BLOCKS = 4
"""Kept rows are a multiple of this many blocks long, so that they need not be gathered anew for every block."""


class GatheredDecodes:
    """Gathers what the decoding sequences see, and keeps it while the same sequences decode.

    Gathering pages costs as much as a seventh of a step, and from one step to the next only a few tokens a sequence are
    new. So the gathered pages are kept, in every layer, and written to:

        gather   read all pages into `capacity` slots a sequence
        append   fetch the new tokens of each sequence; the rest is there already

    Slots behind what became text are stale (drafts that were refused): masked off, and overwritten before they count.

    Where sequences have several rows each, attention sees them padded to the same number:

        rows     a a a b c c      padded     a a a      unpadded   0 1 2 3 6 7
                                             b b b
                                             c c c

    Use: `numbers`, `begin`, `attend`.
    """

    def __init__(self, max_kept_slots: int) -> None:
        self._max_kept_slots = max_kept_slots
        self._masks: dict[tuple[int | None, int], Tensor] = {}
        self.forget()

    def forget(self) -> None:
        """Gather anew in the next step."""
        self._sequences: list[Sequence] = []
        self._kept: dict[LayerCache, Pools] = {}
        self._capacity = 0

    def numbers(self, layout: Layout) -> list[Numbers]:
        """What `begin` wants on the device: blocks or slots, and where rows and padding are.

        Shapes: blocks [sequences * n] or slots [rows], padded [sequences * most rows of one], unpadded [rows].
        """
        self._layout = layout
        rows, size = layout.num_decode_rows, layout.block_size
        positions, owners = layout.host_positions[:rows], layout.owners[:rows]
        self._length = (int(positions.max()) // size + 1) * size if rows else 0
        # What is kept of a sequence reaches to its first row at least, as long as no step passed without it.
        self._appends = 0 < self._length <= self._capacity and layout.decoding == self._sequences
        reads = owners * self._capacity + positions if self._appends else self._blocks_of(layout)
        self._is_ragged = rows > layout.num_decodes
        return [reads, *(_pad(layout) if self._is_ragged else (reads[:0], reads[:0]))]

    def begin(self, numbers: Seq[Tensor]) -> None:
        """See `AttentionBackend.begin`."""
        self._reads, self._padded, self._unpadded = numbers
        self._masks.clear()

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        """See `AttentionBackend.attend`.

        The heads that share a key head are laid along the query axis, so that keys are read once and never expanded; so
        are the rows of a sequence.
        """
        heads, size = query.shape[1:]
        keys, values = split_heads(tuple(row[:, : self._length] for row in self._rows(cache)))
        sequences, kv_heads = keys.shape[:2]
        group = heads // kv_heads
        mask = self._mask(scoring.window, group, query.dtype)
        sinks = None if scoring.sinks is None else scoring.sinks.view(kv_heads, group)
        if not self._is_ragged:
            packed = query.view(len(query), kv_heads, group, size)
            return dense_attention(packed, keys, values, mask, scoring, sinks).reshape(len(query), heads, -1)
        # [rows, heads, size] -> [sequences, kv_heads, width * group, size], and back.
        rows = query.index_select(0, self._padded).view(sequences, -1, kv_heads, group, size)
        width = rows.shape[1]
        packed = rows.transpose(1, 2).reshape(sequences, kv_heads, -1, size)
        sinks = None if sinks is None else sinks.repeat(1, width)
        out = dense_attention(packed, keys, values, mask, scoring, sinks).view(sequences, kv_heads, width, group, -1)
        return out.transpose(1, 2).reshape(sequences * width, heads, -1).index_select(0, self._unpadded)

    def _blocks_of(self, layout: Layout) -> Numbers:
        """The blocks to gather; from now on these sequences are kept, if there is room."""
        size, count = layout.block_size, layout.num_decodes
        step = size * SLACK_BLOCKS
        capacity = -(-self._length // step) * step
        is_kept = capacity * count <= self._max_kept_slots
        self._sequences = list(layout.decoding)
        self._capacity = capacity if is_kept else 0
        if not is_kept:
            self._kept.clear()
        blocks = np.empty((count, (capacity if is_kept else self._length) // size), dtype=np.int64)
        known = min(blocks.shape[1], layout.tables.shape[1])
        blocks[:, :known] = layout.tables[:count, :known]
        blocks[:, known:] = layout.tables[:count, :1]
        return blocks.reshape(-1)

    def _rows(self, cache: LayerCache) -> Pools:
        """Each sequence's slots, after this step's write. Shapes: [sequences, slots, heads, size], one or two."""
        if not self._appends:
            rows = cache.gather(self._reads, self._layout.num_decodes)
            if self._capacity:
                self._kept[cache] = rows
            return rows
        rows = self._kept[cache]
        slots = self._layout.slot_mapping[: len(self._reads)]
        for pool, kept in zip(cache.pools, rows, strict=True):
            kept.view(-1, *pool.shape[1:]).index_copy_(0, self._reads, pool.index_select(0, slots))
        return rows

    def _mask(self, window: int | None, group: int, dtype: torch.dtype) -> Tensor:
        """Hides padding too. Shapes: [sequences, 1, 1 or width * group, length]."""
        if (window, group) not in self._masks:
            count = self._layout.num_decodes
            positions = self._layout.positions
            positions = positions[self._padded] if self._is_ragged else positions[:count]
            mask = seen_mask(positions.view(count, -1), self._length, window, dtype)
            self._masks[window, group] = (mask.repeat_interleave(group, dim=1) if self._is_ragged else mask)[:, None]
        return self._masks[window, group]


def _pad(layout: Layout) -> tuple[Numbers, Numbers]:
    """See `GatheredDecodes`. Padding repeats a sequence's last row."""
    starts, counts = layout.starts[: layout.num_decodes], layout.counts[: layout.num_decodes]
    inside = np.arange(int(counts.max()))
    padded = np.minimum(starts[:, None] + inside, (starts + counts)[:, None] - 1)
    unpadded = np.flatnonzero((inside < counts[:, None]).reshape(-1))
    return padded.reshape(-1), unpadded
