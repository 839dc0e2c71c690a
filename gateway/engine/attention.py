"""Causal attention of a ragged row over paged keys and values, in plain torch."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gateway.engine.batch import Batch, Chunk
from gateway.engine.compiled_attention import attend_decodes, is_compiled
from gateway.engine.kv_cache import LayerCache

DECODE = -1
"""Index of the decode rows among the masks of a batch; chunks have their own number."""


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cache: LayerCache,
    batch: Batch,
    *,
    scale: float,
    window: int | None = None,
    softcap: float | None = None,
) -> Tensor:
    """Attention of every row to its own sequence, up to and including itself.

    The step's keys and values are in the cache already; they are passed too, for chunks without context.

    Shapes: query [T, heads, size], key and value [T, kv_heads, size]; returns [T, heads, value size].

    Args:
        window: Each token sees this many, itself included; None: all before it.
        softcap: Scores are bounded to this by tanh; None: not bounded.
    """
    parts: list[Tensor] = []
    if batch.num_decodes:
        parts.append(_attend_decodes(query[: batch.num_decode_rows], cache, batch, scale, window, softcap))
    for index, chunk in enumerate(batch.chunks):
        rows = slice(chunk.start, chunk.stop)
        parts.append(_attend_chunk(query[rows], key[rows], value[rows], cache, batch, index, scale, window, softcap))
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _attend_decodes(
    query: Tensor, cache: LayerCache, batch: Batch, scale: float, window: int | None, softcap: float | None
) -> Tensor:
    """One attention call for all rows of all decoding sequences.

    The heads that share a key head are laid along the query axis, so that keys are read once and never expanded; so
    are the rows of a sequence.
    """
    assert batch.reads is not None
    heads, size = query.shape[1:]
    if cache.is_joint and softcap is None and is_compiled(query):
        return attend_decodes(query, cache.read_joint_decodes(batch), batch, scale, window)
    keys, values = cache.read_decodes(batch)
    kv_heads = keys.shape[1]
    padded, unpadded = batch.reads.padded, batch.reads.unpadded
    mask = _decode_mask(batch, window, heads // kv_heads, query.dtype)
    if padded is None or unpadded is None:
        packed = query.view(len(query), kv_heads, heads // kv_heads, size)
        return _kernel(packed, keys, values, mask, scale, softcap).reshape(len(query), heads, -1)
    sequences, width = padded.shape
    # [rows, heads, size] -> [sequences, kv_heads, width * group, size], and back.
    rows = query.index_select(0, padded.view(-1)).view(sequences, width, kv_heads, -1, size)
    packed = rows.transpose(1, 2).reshape(sequences, kv_heads, -1, size)
    out = _kernel(packed, keys, values, mask, scale, softcap).view(sequences, kv_heads, width, heads // kv_heads, -1)
    return out.transpose(1, 2).reshape(sequences * width, heads, -1).index_select(0, unpadded)


def _attend_chunk(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cache: LayerCache,
    batch: Batch,
    index: int,
    scale: float,
    window: int | None,
    softcap: float | None,
) -> Tensor:
    chunk = batch.chunks[index]
    tokens, heads, size = query.shape
    if chunk.context == 0:
        keys, values = key.transpose(0, 1)[None], value.transpose(0, 1)[None]
    else:
        keys, values = cache.read(chunk.blocks, 1)
    kv_heads, length = keys.shape[1], keys.shape[2]
    mask = _chunk_mask(batch, index, chunk, length, window, query.dtype)
    # [T, heads, size] -> [1, kv_heads, group, T, size]: one more batch axis shares a key head among its group.
    grouped = query.view(tokens, kv_heads, heads // kv_heads, size).permute(1, 2, 0, 3)[None]
    keys = keys[:, :, None].expand(-1, -1, heads // kv_heads, -1, -1)
    values = values[:, :, None].expand(-1, -1, heads // kv_heads, -1, -1)
    out = _kernel(
        grouped.reshape(1, heads, tokens, size),
        keys.reshape(1, heads, length, size),
        values.reshape(1, heads, length, -1),
        mask,
        scale,
        softcap,
    )
    return out[0].transpose(0, 1)


def _kernel(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, scale: float, softcap: float | None
) -> Tensor:
    """Attention proper. No mask means causal, with as many keys as queries."""
    if softcap is None:
        return functional.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask, is_causal=mask is None, scale=scale
        )
    scores = torch.tanh(query @ keys.transpose(-1, -2) * (scale / softcap)) * softcap
    if mask is None:
        mask = _additive(torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril(), scores.dtype)
    probabilities = torch.softmax((scores + mask).float(), dim=-1).to(values.dtype)
    return probabilities @ values


def _decode_mask(batch: Batch, window: int | None, group: int, dtype: torch.dtype) -> Tensor | None:
    """Hides padding, what comes later, and what left the window.

    Shapes: [sequences, 1, 1 or width * group, length].
    """
    if (DECODE, window, group) not in batch.masks:
        assert batch.reads is not None
        padded = batch.reads.padded
        position = batch.positions[: batch.num_decodes, None] if padded is None else batch.positions[padded]
        position = position[:, :, None]  # [sequences, 1 or width, 1]
        slot = torch.arange(batch.reads.length, device=position.device)
        seen = slot <= position
        if window is not None:
            seen &= slot > position - window
        mask = _additive(seen, dtype)
        batch.masks[DECODE, window, group] = (mask if padded is None else mask.repeat_interleave(group, dim=1))[:, None]
    return batch.masks[DECODE, window, group]


def _chunk_mask(
    batch: Batch, index: int, chunk: Chunk, length: int, window: int | None, dtype: torch.dtype
) -> Tensor | None:
    """Causal, within the window. Shapes: [tokens, length]; None where plain causality says it all."""
    if (index, window) not in batch.masks:
        if chunk.context == 0 and (window is None or window >= length):
            mask = None
        else:
            position = batch.positions[chunk.start : chunk.stop, None]
            slot = torch.arange(length, device=position.device)
            seen = slot <= position
            if window is not None:
                seen &= slot > position - window
            mask = _additive(seen, dtype)
        batch.masks[index, window] = mask
    return batch.masks[index, window]


def _additive(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """0 where seen, -inf elsewhere: what the kernels want; a boolean mask they would convert in every layer."""
    return torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, float("-inf"))
