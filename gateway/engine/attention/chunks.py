"""Attention of prompts being read: one call of torch's own a chunk."""

from __future__ import annotations

from collections.abc import Sequence as Seq

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.dense import Scoring, dense_attention, seen_mask
from gateway.engine.attention.layout import Layout
from gateway.engine.kv_cache import LayerCache


class ChunkAttention:
    """The chunks of a step, for backends whose own way is for decodes alone. Use: `blocks`, `begin`, `attend`."""

    def __init__(self) -> None:
        self._masks: dict[tuple[int, int | None], Tensor | None] = {}

    def blocks(self, layout: Layout) -> list[NDArray[np.int32]]:
        """What `begin` wants on the device: the block tables of the chunks that have a context. Shapes: [n] each."""
        self._layout = layout
        used = -(-layout.lengths // layout.block_size)
        chunks = range(layout.num_decodes, len(layout.starts))
        self._with_context = [number for number in chunks if layout.contexts[number]]
        return [layout.tables[number, : used[number]] for number in self._with_context]

    def begin(self, blocks: Seq[Tensor]) -> None:
        """See `AttentionBackend.begin`."""
        self._blocks = dict(zip(self._with_context, blocks, strict=True))
        self._masks.clear()

    def attend(self, query: Tensor, key: Tensor, value: Tensor, cache: LayerCache, scoring: Scoring) -> list[Tensor]:
        """See `AttentionBackend.attend`; a part for each chunk."""
        layout = self._layout
        parts = []
        for number in range(layout.num_decodes, len(layout.starts)):
            rows = slice(int(layout.starts[number]), int(layout.starts[number] + layout.counts[number]))
            if number in self._blocks:
                keys, values = cache.read(self._blocks[number], 1)
            else:
                keys, values = key[rows].transpose(0, 1)[None], value[rows].transpose(0, 1)[None]
            mask = self._mask(number, layout.positions[rows], keys.shape[2], scoring.window, query.dtype)
            parts.append(_attend(query[rows], keys, values, mask, scoring))
        return parts

    def _mask(
        self, number: int, positions: Tensor, length: int, window: int | None, dtype: torch.dtype
    ) -> Tensor | None:
        """Causal, within the window. Shapes: [tokens, length]; None where plain causality says it all."""
        if (number, window) not in self._masks:
            is_plain = number not in self._blocks and (window is None or window >= length)
            self._masks[number, window] = None if is_plain else seen_mask(positions, length, window, dtype)
        return self._masks[number, window]


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scoring: Scoring) -> Tensor:
    """[T, heads, size] -> [1, kv_heads, group, T, size]: one more batch axis shares a key head among its group."""
    tokens, heads, size = query.shape
    kv_heads, length = keys.shape[1], keys.shape[2]
    group = heads // kv_heads
    grouped = query.view(tokens, kv_heads, group, size).permute(1, 2, 0, 3)[None]
    keys = keys[:, :, None].expand(-1, -1, group, -1, -1)
    values = values[:, :, None].expand(-1, -1, group, -1, -1)
    out = dense_attention(
        grouped.reshape(1, heads, tokens, size),
        keys.reshape(1, heads, length, size),
        values.reshape(1, heads, length, -1),
        mask,
        scoring,
        None if scoring.sinks is None else scoring.sinks[:, None],
    )
    return out[0].transpose(0, 1)
