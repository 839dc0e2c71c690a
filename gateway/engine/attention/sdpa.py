"""torch's own attention over gathered pages: any device, any type, any sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds, Layout, Numbers, Scoring
from gateway.engine.config import EngineConfig
from gateway.engine.inputs import Staging
from gateway.engine.kv_cache import LayerCache


@dataclass(frozen=True, slots=True)
class _Call:
    """Sequences that are attended together, padded to the same number of rows by repeats of their last one.

        rows     a a a b c c      padded     a a a      unpadded   0 1 2 3 6 7
                                             b b b
                                             c c c

    Attributes:
        rows: Theirs in the step.
        blocks: What they see, padded to the longest. Shapes: [sequences * blocks].
        length: Tokens that the longest sees.
        positions: Of the padded rows. Shapes: [sequences, rows].
        padded, unpadded: Rows by place, and places by row; None where all have as many.
        has_known_settings: A single sequence, of which nothing was computed before.
        masks: By window and heads, for all layers.
    """

    rows: slice
    blocks: Tensor
    length: int
    positions: Tensor
    padded: Tensor | None
    unpadded: Tensor
    has_known_settings: bool
    masks: dict[tuple[int | None, int], Tensor] = field(default_factory=dict)


class SdpaAttention(AttentionBackend):
    """See `AttentionBackend`. One call for all that decodes, one for each chunk of a prompt."""

    name = "sdpa"

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        self._staging = Staging(needs.device, torch.int64, 4 * config.max_batch_tokens)

    def begin(self, layout: Layout) -> None:
        together = [range(layout.num_decodes)] if layout.num_decodes else []
        self._calls = self._prepare(layout, [*together, *chunks_of(layout)])

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        parts = [_attend(call, query[call.rows], cache, scoring) for call in self._calls]
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _prepare(self, layout: Layout, groups: Iterable[range]) -> list[_Call]:
        """Prepare one attention call for these sequences side by side."""
        firsts: list[tuple[range, int, int, int]] = []
        numbers: list[NDArray[np.integer[Any]]] = []
        for group in groups:
            some, lengths = slice(group.start, group.stop), layout.lengths[group.start : group.stop]
            width = -(-int(lengths.max()) // layout.block_size)
            starts, counts = layout.starts[some], layout.counts[some]
            firsts.append((group, int(starts[0]), int(starts[-1] + counts[-1]), int(lengths.max())))
            numbers += [layout.tables[some, :width].reshape(-1), *_pad(starts - starts[0], counts)]
        sent = self._staging.stage(*numbers)
        calls = []
        for (group, start, stop, length), blocks, padded, unpadded in zip(
            firsts, sent[::3], sent[1::3], sent[2::3], strict=True
        ):
            positions = layout.positions[start:stop]
            if is_ragged := len(unpadded) > 0:
                positions = positions[padded]
            calls.append(
                _Call(
                    slice(start, stop),
                    blocks,
                    length,
                    positions.view(len(group), -1),
                    padded if is_ragged else None,
                    unpadded,
                    len(group) == 1 and layout.contexts[group.start] == 0,
                )
            )
        return calls


def chunks_of(layout: Layout) -> list[range]:
    """Return the chunks of a step, each on its own."""
    return [range(number, number + 1) for number in range(layout.num_decodes, len(layout.starts))]


def _pad(starts: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """See `_Call`; empty where all have as many."""
    inside = np.arange(int(counts.max()))
    if counts.min() == len(inside):
        return counts[:0], counts[:0]
    padded = np.minimum(starts[:, None] + inside, (starts + counts)[:, None] - 1)
    return padded.reshape(-1), np.flatnonzero((inside < counts[:, None]).reshape(-1))


def _attend(call: _Call, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
    """Keys are read once for all heads that share them, and never expanded: of many sequences, or single rows, these
    heads are laid along the queries; of one, heads that share no key are its batch.

    Shapes: as `AttentionBackend.attend`.
    """
    (sequences, rows), heads, size = call.positions.shape, query.shape[1], query.shape[2]
    keys, values = (each[:, :, : call.length] for each in cache.read(call.blocks, sequences, query.dtype))
    kv_heads = keys.shape[1]
    group, sinks = heads // kv_heads, scoring.sinks
    if call.padded is not None:
        query = query.index_select(0, call.padded)
    grouped = query.view(sequences, rows, kv_heads, group, size)
    if sequences == 1 and rows > 1:
        mask = None
        if not call.has_known_settings or (scoring.window is not None and scoring.window < call.length):
            mask = _mask(call, scoring.window, 1, query.dtype)[0, 0]
        sinks = None if sinks is None else sinks.view(kv_heads, group, 1)
        keys, values = (each[0, :, None].expand(-1, group, -1, -1) for each in (keys, values))
        return (
            dense_attention(grouped[0].permute(1, 2, 0, 3), keys, values, mask, scoring, sinks)
            .permute(2, 0, 1, 3)
            .reshape(rows, heads, -1)
        )
    packed = grouped.transpose(1, 2).reshape(sequences, kv_heads, rows * group, size)
    sinks = None if sinks is None else sinks.view(kv_heads, group).repeat(1, rows)
    mask = _mask(call, scoring.window, 1 if rows == 1 else group, query.dtype)
    out = dense_attention(packed, keys, values, mask, scoring, sinks).view(sequences, kv_heads, rows, group, -1)
    out = out.transpose(1, 2).reshape(sequences * rows, heads, -1)
    return out if call.padded is None else out.index_select(0, call.unpadded)


def _mask(call: _Call, window: int | None, heads: int, dtype: torch.dtype) -> Tensor:
    """Return a mask that hides later tokens, tokens before the window, and padding.

    Shapes: [sequences, 1, rows * heads, length].
    """
    if (window, heads) not in call.masks:
        positions = call.positions[..., None]
        slot = torch.arange(call.length, device=positions.device)
        seen = slot <= positions
        if window is not None:
            seen &= slot > positions - window
        call.masks[window, heads] = additive(seen, dtype).repeat_interleave(heads, dim=1)[:, None]
    return call.masks[window, heads]


def dense_attention(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scoring: Scoring, sinks: Tensor | None
) -> Tensor:
    """Attention over keys and values in order. No mask means causal, with as many keys as queries.

    Args:
        sinks: Those of the scoring, as the queries lie. Shapes: [..., heads, 1 or queries].

    Shapes: [..., heads, queries, size], [..., heads, keys, size] twice.
    """
    softcap = scoring.softcap
    if softcap is None and sinks is None:
        return functional.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask, is_causal=mask is None, scale=scoring.scale
        )
    scores = query @ keys.transpose(-1, -2) * (scoring.scale / (softcap or 1.0))
    if softcap is not None:
        scores = torch.tanh(scores) * softcap
    if mask is None:
        mask = additive(torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril(), scores.dtype)
    scores = (scores + mask).float()
    if sinks is not None:
        scores = torch.cat((scores, sinks.float()[..., None].expand(*scores.shape[:-1], 1)), dim=-1)
    probabilities = torch.softmax(scores, dim=-1).to(values.dtype)
    return probabilities[..., : values.shape[-2]] @ values


def additive(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """0 where seen, -inf elsewhere: what the kernels want; a boolean mask they would convert in every layer."""
    return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, float("-inf"))
