"""What attends to the pages: the one interface behind which all ways of doing it stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import torch
from torch import Tensor

from gateway.engine.attention.layout import Layout
from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import LayerCache, Pools


@dataclass(frozen=True, slots=True)
class LayerNeeds:
    """What a layer asks of attention.

    Attributes:
        window: Each token sees this many, itself included; None: all before it.
        softcap: Scores are bounded to this by tanh; None: not bounded.
        has_sinks: Some of the weights go to no token, see `AttentionBackend.attend`.
    """

    heads: int
    kv_heads: int
    key_size: int
    value_size: int
    dtype: torch.dtype
    window: int | None
    softcap: float | None
    has_sinks: bool = False


@dataclass(frozen=True, slots=True)
class AttentionNeeds:
    """What a model asks of attention, found out by computing one token.

    Attributes:
        layers: Each kind of layer once.
        slot_bytes: Keys and values of one token, all layers together.
        slots: The keys and values of one token, by layer: what their memory looks like.
    """

    device: torch.device
    layers: tuple[LayerNeeds, ...]
    slot_bytes: int
    slots: Mapping[int, Pools] = field(default_factory=dict)


class AttentionBackend(Protocol):
    """Causal attention of a ragged row over paged keys and values; one object for each set of pages.

    Use: `begin` with the layout of a step; then in each layer, after the keys and values of the step were written into
    its cache, `attend`. What a backend wants to know of a step (tables, gathered rows, masks) it makes in `begin`, once
    for all layers.

    Attributes:
        name: In the configuration.
        block_multiple: Blocks must be a multiple of so many tokens.
    """

    name: ClassVar[str]
    block_multiple: ClassVar[int]

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        """For a model of which `why_not` had nothing to say."""

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """Why it cannot serve a model here; None if it can. Asked once, so that no layer need look."""

    def begin(self, layout: Layout) -> None:
        """Prepare for a step. The layout is valid until the next call."""

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
        """Attention of every row to its own sequence, up to and including itself.

        The keys and values of the step are in the cache already; they are passed too, for prompts without context.

        Args:
            sinks: Of each head a score that takes a share of the weights and gives nothing. Shapes: [heads].

        Shapes: query [T, heads, size], key and value [T, kv_heads, size]; returns [T, heads, value size].
        """

    def forget(self) -> None:
        """Blocks were changed by somebody else: nothing that was kept of their content counts any more."""
