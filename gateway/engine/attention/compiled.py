"""Few rows in a compiled kernel that reads the pages as they lie: float32 and bfloat16 on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds, Layout, Numbers, Scoring
from gateway.engine.attention.sdpa import SdpaAttention, chunks_of
from gateway.engine.cpu_kernels.rows import attend_pages
from gateway.engine.inputs import bits, bits_of
from gateway.engine.kv_cache import LayerCache

MAX_THREADS = 4
"""The kernel runs in one thread; torch's attention shares rows and heads among all."""

MAX_CHUNK_ROWS = 16
"""Of prompts, in all, that the kernel computes as well: for so few torch's attention takes longer to start."""

NO_WINDOW = 1 << 62
NO_LIMITS = np.empty(0, dtype=np.int64)
NO_SINKS = np.empty(0, dtype=np.float32)


class CompiledAttention(SdpaAttention):
    """See `AttentionBackend`. Nothing is gathered or masked for decodes; long chunks are torch's, a call each.

    Attributes:
        most_pages: That each row of the step attends to; empty: all. Shapes: [T].
    """

    name = "compiled"
    most_pages: Numbers = NO_LIMITS

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if needs.device.type != "cpu":
            return f"it runs on a CPU, not on {needs.device.type}"
        dtypes = {layer.dtype for layer in needs.layers} - {torch.float32, torch.bfloat16}
        if dtypes:
            return f"it computes in float32 and bfloat16, not in {dtypes.pop()}"
        if torch.get_num_threads() > MAX_THREADS:
            return f"it runs in one thread, which is slower than torch's {torch.get_num_threads()}"
        return None

    def begin(self, layout: Layout) -> None:
        self._layout, num_rows = layout, len(layout.owners)
        are_few = num_rows - layout.num_decode_rows <= MAX_CHUNK_ROWS
        self._num_own_rows = num_rows if are_few else layout.num_decode_rows
        self._calls = [] if are_few else self._prepare(layout, chunks_of(layout))

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        if not self._calls:
            return self._attend_rows(query, cache, scoring)
        others = super().attend(query, cache, scoring)
        if not self._num_own_rows:
            return others
        return torch.cat((self._attend_rows(query[: self._num_own_rows], cache, scoring), others))

    def bounds_of(self, cache: LayerCache) -> NDArray[Any]:
        """Return the bounds of a layer's pages, which `choose_pages` reads; empty where its rows attend to all.

        Layers are asked for in their order, the first time.
        """
        return np.empty((0, 0, 0, 0), bits(cache.pools[0]).dtype)

    def _places(self, query: Tensor, cache: LayerCache, scale: float) -> tuple[NDArray[np.int32], Numbers, Numbers]:
        """Return tables, owners and positions for `attend_pages`."""
        layout = self._layout
        return layout.tables, layout.owners[: len(query)], layout.host_positions[: len(query)]

    def _attend_rows(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        query, keys, values = query.contiguous(), cache.pools[0], cache.pools[-1]
        out = torch.empty((*query.shape[:2], values.shape[2]), dtype=query.dtype)
        *given, written = bits_of(query, keys, values, out)
        tables, owners, positions = self._places(query, cache, scoring.scale)
        attend_pages(
            *given,
            0 if len(cache.pools) == 2 else values.shape[1] // 2,
            tables,
            self._layout.block_size,
            owners,
            positions,
            NO_WINDOW if scoring.window is None else scoring.window,
            np.float32(scoring.scale),
            np.float32(scoring.softcap or 0.0),
            NO_SINKS if scoring.sinks is None else scoring.sinks.float().numpy(),
            written,
        )
        return out
