"""torch's own attention over gathered pages: any device, any type, any sizes."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.chunks import ChunkAttention
from gateway.engine.attention.dense import Scoring
from gateway.engine.attention.gathered import GatheredDecodes
from gateway.engine.attention.layout import Layout
from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import LayerCache
from gateway.engine.staging import Staging


class SdpaAttention:
    """See `AttentionBackend`, `GatheredDecodes` and `ChunkAttention`."""

    name: ClassVar[str] = "sdpa"
    block_multiple: ClassVar[int] = 1

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        self._staging = Staging(needs.device, torch.int64, 4 * config.max_batch_tokens)
        self._decodes = GatheredDecodes(config.kept_memory_bytes // needs.slot_bytes)
        self._chunks = ChunkAttention()

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """Nothing is in its way."""
        return None

    def begin(self, layout: Layout) -> None:
        """See `AttentionBackend.begin`."""
        self._num_decode_rows = layout.num_decode_rows
        decodes = self._decodes.numbers(layout)
        sent = self._staging.stage(*decodes, *self._chunks.blocks(layout))
        self._decodes.begin(sent[: len(decodes)])
        self._chunks.begin(sent[len(decodes) :])

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
        parts = self._chunks.attend(query, key, value, cache, scoring)
        if self._num_decode_rows:
            parts.insert(0, self._decodes.attend(query[: self._num_decode_rows], cache, scoring))
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def forget(self) -> None:
        """See `AttentionBackend.forget`."""
        self._decodes.forget()
