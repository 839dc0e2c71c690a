"""Decode rows attend to the pages of a long text that matter most, by bounds of the pages' keys: on a CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds, Layout, Numbers, Scoring, slots_of
from gateway.engine.attention.compiled import NO_LIMITS, NO_WINDOW, CompiledAttention
from gateway.engine.config import EngineConfig
from gateway.engine.cpu_kernels.sparse import bound_pages, choose_pages
from gateway.engine.inputs import bits
from gateway.engine.kv_cache import KvCache, LayerCache

LEAST_PAGES = 4
NUM_DENSE_LAYERS = 2
"""The first layers attend to all pages, as in Quest."""


class SparseAttention(CompiledAttention):
    """See `AttentionBackend`. Rows of prompts, and of short texts, attend to everything.

    A page's bounds are computed when its last slot is written. A text has all earlier slots by then, and writes the
    last one again after whatever it changes before it (a draft that was refused, a copy of a shared page, a block that
    was another text's). Until then it is the page of the newest tokens, which is always attended to.
    """

    name = "sparse"
    reads_prompt_lengths = True

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        super().__init__(needs, config)
        self._block_size = config.block_size
        tokens = config.sparse_attention_tokens
        self._most_pages = max(tokens // config.block_size, LEAST_PAGES) if tokens else 0
        self._bounds: dict[LayerCache, NDArray[Any]] = {}

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if needs.is_fp8:
            return "it reads no keys and values of eight bits"
        for layer in needs.layers:
            if layer.window is not None or layer.softcap is not None or layer.has_sinks:
                return "its layers have windows, bounded scores or sinks"
            if layer.key_size != layer.value_size:
                return "its keys and values have different sizes"
        return super().why_not(needs)

    def begin(self, layout: Layout) -> None:
        super().begin(layout)
        positions, prompts, size = layout.host_positions, layout.prompt_lengths, self._block_size
        self._slots = slots_of(layout.tables, layout.owners, positions, size)
        self.most_pages = NO_LIMITS
        if prompts.size and self._most_pages:
            is_sparse = positions >= np.maximum(prompts, self._most_pages * size)[layout.owners]
            if is_sparse.any():
                self.most_pages = np.where(is_sparse, self._most_pages, NO_WINDOW)

    def bounds_of(self, cache: LayerCache) -> NDArray[Any]:
        if cache not in self._bounds:
            pool, is_dense = bits(cache.pools[0]), len(self._bounds) < NUM_DENSE_LAYERS
            shape = (len(pool) // self._block_size, 2, pool.shape[1] // 2, pool.shape[2])
            self._bounds[cache] = super().bounds_of(cache) if is_dense else np.zeros(shape, pool.dtype)
        return self._bounds[cache]

    def note_filled(self, cache: KvCache, blocks: Sequence[int]) -> None:
        last = (np.array(blocks) + 1) * self._block_size - 1
        for layer in map(cache.layer, sorted(cache.slots)):
            if (bounds := self.bounds_of(layer)).size:
                bound_pages(bits(layer.pools[0]), last, self._block_size, bounds)

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        if (bounds := self.bounds_of(cache)).size:
            bound_pages(bits(cache.pools[0]), self._slots, self._block_size, bounds)
        return super().attend(query, cache, scoring)

    def _places(self, query: Tensor, cache: LayerCache, scale: float) -> tuple[NDArray[np.int32], Numbers, Numbers]:
        places, bounds = super()._places(query, cache, scale), self.bounds_of(cache)
        if not self.most_pages.size or not bounds.size:
            return places
        tables, owners, positions = places
        tables, positions = choose_pages(
            bits(query), bounds, tables, self._block_size, owners, positions, self.most_pages[: len(query)],
            np.float32(scale),
        )  # fmt: skip
        return tables, np.arange(len(query)), positions
