"""Few rows in a compiled kernel that reads the pages as they lie: float32 and bfloat16 on a CPU."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.chunks import ChunkAttention
from gateway.engine.attention.dense import Scoring
from gateway.engine.attention.layout import Layout
from gateway.engine.config import EngineConfig
from gateway.engine.kernels import attend_pages
from gateway.engine.kv_cache import LayerCache
from gateway.engine.staging import Staging, bits

MAX_THREADS = 4
"""The kernel runs in one thread; torch's attention shares rows and heads among all."""

MAX_CHUNK_ROWS = 16
"""Of prompts, in all, that the kernel computes as well: for so few torch's attention takes longer to start."""

NO_WINDOW = 1 << 62
NO_SINKS = np.empty(0, dtype=np.float32)


class CompiledAttention:
    """See `AttentionBackend`. Nothing is gathered, masked or kept for decodes; long chunks are torch's, a call each."""

    name: ClassVar[str] = "compiled"
    block_multiple: ClassVar[int] = 1

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        self._staging = Staging(needs.device, torch.int64, 1024)
        self._chunks = ChunkAttention()

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """See `AttentionBackend.why_not`."""
        if needs.device.type != "cpu":
            return f"it runs on a CPU, not on {needs.device.type}"
        dtypes = {layer.dtype for layer in needs.layers} - {torch.float32, torch.bfloat16}
        if dtypes:
            return f"it computes in float32 and bfloat16, not in {dtypes.pop()}"
        if torch.get_num_threads() > MAX_THREADS:
            return f"it runs in one thread, which is slower than torch's {torch.get_num_threads()}"
        return None

    def begin(self, layout: Layout) -> None:
        """See `AttentionBackend.begin`."""
        self._layout = layout
        num_rows = len(layout.owners)
        self._num_own_rows = layout.num_decode_rows
        if num_rows - self._num_own_rows <= MAX_CHUNK_ROWS:
            self._num_own_rows = num_rows
        else:
            self._chunks.begin(self._staging.stage(*self._chunks.blocks(layout)))

    def attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        cache: LayerCache,
        *,
        scale: float,
        window: int | None = None,
        softcap: float | None = None,
        sinks: Tensor | None = None,
    ) -> Tensor:
        """See `AttentionBackend.attend`."""
        scoring = Scoring(scale, window, softcap, sinks)
        if self._num_own_rows == len(query):
            return self._attend_rows(query, cache, scoring)
        parts = self._chunks.attend(query, key, value, cache, scoring)
        if self._num_own_rows:
            parts.insert(0, self._attend_rows(query[: self._num_own_rows], cache, scoring))
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def forget(self) -> None:
        """See `AttentionBackend.forget`."""

    def _attend_rows(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        layout = self._layout
        keys, values, first_value = cache.heads
        out = torch.empty((*query.shape[:2], values.shape[2]), dtype=query.dtype)
        attend_pages(
            bits(query.contiguous()),
            bits(keys),
            bits(values),
            first_value,
            layout.tables,
            layout.block_size,
            layout.owners[: len(query)],
            layout.host_positions[: len(query)],
            NO_WINDOW if scoring.window is None else scoring.window,
            np.float32(scoring.scale),
            np.float32(scoring.softcap or 0.0),
            NO_SINKS if scoring.sinks is None else scoring.sinks.float().numpy(),
            bits(out),
        )
        return out
