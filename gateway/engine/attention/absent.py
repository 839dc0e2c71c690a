"""The place of attention where a model brings its own, with memory of its own."""

from __future__ import annotations

from typing import ClassVar

from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.layout import Layout
from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import LayerCache


class AbsentAttention:
    """An `AttentionBackend` that is never asked."""

    name: ClassVar[str] = "absent"
    block_multiple: ClassVar[int] = 1

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        """For a model without layers that need it."""

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """See `AttentionBackend.why_not`."""
        return "it serves models that bring their own" if needs.layers else None

    def begin(self, layout: Layout) -> None:
        """See `AttentionBackend.begin`."""

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
        raise AssertionError("no layer asks for attention over pages")

    def forget(self) -> None:
        """See `AttentionBackend.forget`."""
