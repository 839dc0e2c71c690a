"""Few rows in a compiled kernel that reads the pages as they lie: float32 and bfloat16 on a CPU."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds, Layout, Scoring
from gateway.engine.attention.sdpa import SdpaAttention, chunks_of
from gateway.engine.cpu_kernels.rows import attend_pages
from gateway.engine.inputs import bits_of
from gateway.engine.kv_cache import LayerCache

MAX_THREADS = 4
"""The kernel runs in one thread; torch's attention shares rows and heads among all."""

MAX_CHUNK_ROWS = 16
"""Of prompts, in all, that the kernel computes as well: for so few torch's attention takes longer to start."""

NO_WINDOW = 1 << 62
NO_SINKS = np.empty(0, dtype=np.float32)


class CompiledAttention(SdpaAttention):
    """See `AttentionBackend`. Nothing is gathered or masked for decodes; long chunks are torch's, a call each."""

    name = "compiled"

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if needs.device.type != "cpu":
            return f"it runs on a CPU, not on {needs.device.type}"
        dtypes = {layer.dtype for layer in needs.layers} - {torch.float32, torch.bfloat16}
        if dtypes:
            return f"it computes in float32 and bfloat16, not in {dtypes.pop()}"
        if needs.is_fp8:
            return "it reads no keys and values of eight bits"
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

    def _attend_rows(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        layout = self._layout
        keys, values = cache.pools[0], cache.pools[-1]
        out = torch.empty((*query.shape[:2], values.shape[2]), dtype=query.dtype)
        *given, written = bits_of(query.contiguous(), keys, values, out)
        attend_pages(
            *given,
            0 if len(cache.pools) == 2 else values.shape[1] // 2,
            layout.tables,
            layout.block_size,
            layout.owners[: len(query)],
            layout.host_positions[: len(query)],
            NO_WINDOW if scoring.window is None else scoring.window,
            np.float32(scoring.scale),
            np.float32(scoring.softcap or 0.0),
            NO_SINKS if scoring.sinks is None else scoring.sinks.float().numpy(),
            written,
        )
        return out
