"""Attention over paged keys and values: the backend interface, and its description of models and steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.kv_cache import KvCache, LayerCache, Pools, from_fp8

Numbers = NDArray[np.int64]


class Scoring(NamedTuple):
    """Parameters of a layer's attention weights.

    Attributes:
        window: Each token sees this many, itself included; None: all before it.
        softcap: Scores are bounded to this by tanh; None: not bounded.
        sinks: Of each head a score that takes a share of the weights and gives nothing. Shapes: [heads].
    """

    scale: float
    window: int | None = None
    softcap: float | None = None
    sinks: Tensor | None = None


@dataclass(frozen=True, slots=True)
class LayerNeeds:
    """Attention requirements of one layer; see `Scoring` for `window`, `softcap` and sinks, `LayerCache` for
    `is_fp8`."""

    heads: int
    kv_heads: int
    key_size: int
    value_size: int
    dtype: torch.dtype
    window: int | None
    softcap: float | None
    has_sinks: bool = False
    is_fp8: bool = False


@dataclass(frozen=True, slots=True)
class AttentionNeeds:
    """Attention requirements of a model, found by computing one token.

    Attributes:
        layers: Each kind of layer once; none where a model attends by itself, to memory of its own.
        slot_bytes: Keys and values of one token, all layers together.
        slots: The keys and values of one token, by layer: what their memory looks like.
    """

    device: torch.device
    layers: tuple[LayerNeeds, ...]
    slot_bytes: int
    slots: Mapping[int, Pools] = field(default_factory=dict)

    @property
    def window(self) -> int | None:
        """Tokens that a token sees at most, itself included; None: some layer sees all before it."""
        windows = [layer.window for layer in self.layers if layer.window is not None]
        return max(windows) if windows and len(windows) == len(self.layers) else None

    @property
    def is_fp8(self) -> bool:
        """True if keys and values are kept in eight bits."""
        return any(layer.is_fp8 for layer in self.layers)


@dataclass(slots=True)  # made once a step: frozen classes take longer
class Layout:
    """Rows of a step by sequence, and the blocks of their keys and values. Arrays are on the host.

        rows       0 ......... num_decode_rows ............................ T
                   | a | b b b | c | ...  |  chunk 0  |  chunk 1  | ...     |
        sequences  0   1       2   ...    num_decodes ...

    Attributes:
        num_decodes: The sequences at the front, that decode; they may share one attention call.
        starts: The first row of each sequence. Shapes: [sequences], as the next two.
        counts: Its rows.
        contexts: Its tokens before them.
        owners: Which sequence each row belongs to. Shapes: [T].
        tables: The blocks of each sequence, padded with its first: blocks of others are never read. Shapes:
            [sequences, at least `width`], int32, contiguous.
        block_size: Slots of a block.
        host_positions: Of each row's token in its sequence. Shapes: [T].
        positions: The same, on the device. Shapes: [T].
        prompt_lengths: Of each sequence; empty where the backend does not read them. Shapes: [sequences].
    """

    num_decodes: int
    starts: Numbers
    counts: Numbers
    contexts: Numbers
    owners: Numbers
    tables: NDArray[np.int32]
    block_size: int
    host_positions: Numbers
    positions: Tensor
    prompt_lengths: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def num_decode_rows(self) -> int:
        """Rows of decoding sequences: pending tokens, and the drafts after them."""
        return int(self.starts[self.num_decodes]) if self.num_decodes < len(self.starts) else len(self.owners)

    @property
    def lengths(self) -> Numbers:
        """Tokens that the last row of each sequence sees. Shapes: [sequences]."""
        return self.contexts + self.counts

    @property
    def width(self) -> int:
        """Blocks of the longest sequence."""
        return -(-int(self.lengths.max()) // self.block_size)


def spread(contexts: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the first row of each sequence, the sequence of each row, and the position of each row's token.

    Shapes: contexts and counts [sequences]; returns `Layout.starts`, `owners` and `host_positions`.
    """
    starts = counts.cumsum() - counts
    owners = np.arange(len(counts)).repeat(counts)
    return starts, owners, np.arange(len(owners)) + (contexts - starts)[owners]


def slots_of(tables: NDArray[np.int32], owners: Numbers, positions: Numbers, block_size: int) -> Numbers:
    """Return the slot of each row's keys and values; see `Layout` for the arguments."""
    blocks: Numbers = tables[owners, positions // block_size].astype(np.int64)
    return blocks * block_size + positions % block_size


class AttentionBackend:
    """Causal attention of a ragged row over paged keys and values; one object for each set of pages.

    Use: `begin` with the layout of a step; then in each layer, after the keys and values of the step were written into
    its cache, `attend`. What a backend wants to know of a step (tables) it makes in `begin`, once for all layers.

    Attributes:
        name: In the configuration.
        block_multiple: Blocks must be a multiple of this many tokens.
        reads_prompt_lengths: Layouts have them.
    """

    name: ClassVar[str]
    block_multiple: ClassVar[int] = 1
    reads_prompt_lengths: ClassVar[bool] = False

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        """For a model of which `why_not` had nothing to say."""

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        """Why it cannot serve a model here; None if it can. Asked once, so that no layer need look."""
        return None

    def begin(self, layout: Layout) -> None:
        """Prepare for a step. The layout is valid until the next call."""

    def note_filled(self, cache: KvCache, blocks: Sequence[int]) -> None:
        """Note that blocks were filled otherwise than by steps."""

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        """Attention of every row to its own sequence, up to and including itself.

        Shapes: query [T, heads, size]; returns [T, heads, value size].
        """
        raise NotImplementedError


class Recorder(AttentionBackend):
    """Backend that records the attention requirements of layers, from a step of one token, whose attention is its own
    value.

    Attributes:
        layers: The distinct requirements, in order.
    """

    name = "recorder"

    def __init__(self) -> None:
        self.layers: dict[LayerNeeds, None] = {}

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        (_, heads, size), (_, kv_heads, value_size) = query.shape, cache.values.shape
        _, window, softcap, sinks = scoring
        needs = LayerNeeds(
            heads, kv_heads, size, value_size, query.dtype, window, softcap, sinks is not None, cache.is_fp8
        )
        self.layers[needs] = None
        values = from_fp8(cache.values, query.dtype) if cache.is_fp8 else cache.values
        return values.repeat_interleave(heads // kv_heads, dim=1)
