"""Listens to what the layers of a model ask for."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds, LayerNeeds
from gateway.engine.attention.layout import Layout
from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import LayerCache


class Recorder:
    """An `AttentionBackend` for a step of one token, whose attention is its own value.

    Attributes:
        layers: What was asked for, each once, in order.
    """

    name: ClassVar[str] = "recorder"
    block_multiple: ClassVar[int] = 1

    def __init__(self, needs: AttentionNeeds | None = None, config: EngineConfig | None = None) -> None:
        self.layers: dict[LayerNeeds, None] = {}

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """Nothing."""
        return None

    def begin(self, layout: Layout) -> None:
        """See `AttentionBackend.begin`."""
        assert len(layout.owners) == 1

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
        heads, kv_heads = query.shape[1], key.shape[1]
        needs = LayerNeeds(
            heads, kv_heads, query.shape[2], value.shape[2], query.dtype, window, softcap, sinks is not None
        )
        self.layers[needs] = None
        return value.repeat_interleave(heads // kv_heads, dim=1)

    def forget(self) -> None:
        """See `AttentionBackend.forget`."""
