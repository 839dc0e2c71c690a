"""Attention proper, over keys and values that stand in order: torch's own, or spelled out where that falls short."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional


class Scoring(NamedTuple):
    """How a layer makes weights of scores; see `LayerNeeds`."""

    scale: float
    window: int | None
    softcap: float | None
    sinks: Tensor | None


def dense_attention(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scoring: Scoring, sinks: Tensor | None = None
) -> Tensor:
    """No mask means causal, with as many keys as queries.

    Args:
        sinks: Those of the scoring, as the queries lie. Shapes: [heads, 1 or queries].

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


def seen_mask(positions: Tensor, length: int, window: int | None, dtype: torch.dtype) -> Tensor:
    """Hides what comes later, and what left the window. Shapes: positions [...]; returns [..., length]."""
    positions = positions[..., None]
    slot = torch.arange(length, device=positions.device)
    seen = slot <= positions
    if window is not None:
        seen &= slot > positions - window
    return additive(seen, dtype)


def additive(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """0 where seen, -inf elsewhere: what the kernels want; a boolean mask they would convert in every layer."""
    return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, float("-inf"))
