"""`flash_attn_varlen_func` and `flash_attn_with_kvcache` of flash-attn 2 with block tables, row by row, and checks."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionNeeds
from gateway.engine.attention.flash import FlashAttention


def flash_attn_varlen_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    block_table: Tensor | None = None,
) -> Tensor:
    """Shapes: q [total, heads, size], k and v [blocks, block size, kv_heads, size], cumulated lengths [sequences + 1],
    block_table [sequences, most blocks]. A window of (left, right) counts neighbours; -1 is all of them.
    """
    assert block_table is not None
    assert block_table.dtype == cu_seqlens_q.dtype == cu_seqlens_k.dtype == torch.int32
    assert block_table.stride(-1) == q.stride(-1) == k.stride(-1) == v.stride(-1) == 1
    assert cu_seqlens_q.is_contiguous()
    assert cu_seqlens_k.is_contiguous()
    (blocks, block_size, kv_heads, size), sequences = k.shape, len(cu_seqlens_q) - 1
    total, heads = q.shape[:2]
    assert q.shape == (total, heads, size)
    assert v.shape == k.shape
    assert q.dtype == k.dtype == v.dtype
    assert size % 8 == 0
    assert size <= 256
    assert heads % kv_heads == 0
    assert block_table.shape[0] == sequences
    assert len(cu_seqlens_k) == sequences + 1
    starts, key_starts = cu_seqlens_q.tolist(), cu_seqlens_k.tolist()
    assert starts[0] == key_starts[0] == 0
    assert starts[-1] == total
    assert max_seqlen_q == max(b - a for a, b in pairwise(starts))
    assert max_seqlen_k == max(b - a for a, b in pairwise(key_starts))
    scale = size**-0.5 if softmax_scale is None else softmax_scale
    left, right = window_size
    right = 0 if causal else right
    out = torch.empty_like(q)
    for number in range(sequences):
        length, rows = key_starts[number + 1] - key_starts[number], range(starts[number], starts[number + 1])
        used = block_table[number, : -(-length // block_size)].long()
        assert bool((used < blocks).all())
        keys, values = (pages[used].flatten(0, 1)[:length].double() for pages in (k, v))
        for row in rows:
            place = length - rows.stop + row  # aligned to the end
            first = 0 if left < 0 else max(0, place - left)
            stop = length if right < 0 else min(length, place + right + 1)
            for head in range(heads):
                key = head // (heads // kv_heads)
                scores = keys[first:stop, key] @ q[row, head].double() * scale
                if softcap > 0:
                    scores = softcap * torch.tanh(scores / softcap)
                out[row, head] = scores.softmax(0) @ values[first:stop, key]
    return out


def flash_attn_with_kvcache(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    k: Tensor | None = None,
    v: Tensor | None = None,
    rotary_cos: Tensor | None = None,
    rotary_sin: Tensor | None = None,
    cache_seqlens: Tensor | None = None,
    cache_batch_idx: Tensor | None = None,
    cache_leftpad: Tensor | None = None,
    block_table: Tensor | None = None,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
) -> Tensor:
    """Shapes: q [sequences, rows, heads, size], cache_seqlens [sequences], the others as above."""
    assert cache_seqlens is not None
    assert cache_seqlens.dtype == torch.int32
    assert cache_seqlens.is_contiguous()
    sequences, rows = q.shape[:2]
    starts = torch.arange(sequences + 1, dtype=torch.int32) * rows
    key_starts = torch.cat((cache_seqlens.new_zeros(1), cache_seqlens.cumsum(0, dtype=torch.int32)))
    out = flash_attn_varlen_func(
        q.flatten(0, 1),
        k_cache,
        v_cache,
        starts,
        key_starts,
        rows,
        int(cache_seqlens.max()),
        softmax_scale=softmax_scale,
        causal=causal,
        window_size=window_size,
        softcap=softcap,
        block_table=block_table,
    )
    return out.view(q.shape)


KERNELS = (flash_attn_with_kvcache, flash_attn_varlen_func)


class EmulatedFlash(FlashAttention):
    """The backend with the oracle for a kernel: on a CPU, in any type, with blocks as small as they come."""

    block_multiple = 1

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if any(layer.key_size != layer.value_size for layer in needs.layers):
            return "sizes differ"
        if needs.is_fp8:
            return "it reads no keys of eight bits"
        if any(layer.has_sinks for layer in needs.layers):
            return "it has no sinks"
        return None
