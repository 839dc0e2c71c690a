"""flash-attn over the pages: a call a layer for rows that decode, and one for all chunks."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds, Layout, Scoring
from gateway.engine.config import EngineConfig
from gateway.engine.inputs import Staging
from gateway.engine.kv_cache import LayerCache

Kernel = Callable[..., Tensor]
DTYPES = (torch.float16, torch.bfloat16)
MAX_SIZE, SIZE_MULTIPLE = 256, 8
"""Head sizes. Others than multiples of 8 flash-attn would pad, and copy all pages in each call."""
MIN_CAPABILITY = 8
"""Ampere."""


def load_kernels() -> tuple[Kernel, Kernel]:
    """`flash_attn_with_kvcache` and `flash_attn_varlen_func`.

    Raises:
        ImportError: It is not installed, or not for this torch.
    """
    package = importlib.import_module("flash_attn")
    return package.flash_attn_with_kvcache, package.flash_attn_varlen_func


class FlashAttention(AttentionBackend):
    """See `AttentionBackend`. Reads pages through block tables: nothing is gathered, and no mask is built.

    flash-attn 2 takes keys and values as [blocks, block size, kv_heads, size] with any strides but the last, so that
    both may be views of one pool; its blocks are multiples of 256 tokens. Rows are aligned to the end of their
    sequence, which is what causal means here. Single rows go to `flash_attn_with_kvcache`, which shares the keys of one
    out among programs; all others, drafts too, to `flash_attn_varlen_func`, which does not. There lengths of keys are
    differences of `cu_seqlens_k`, with a block table too.
    """

    name = "flash"
    block_multiple = 256

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        self._decode, self._ragged = load_kernels()
        self._staging = Staging(needs.device, torch.int32, 64 * config.max_num_seqs)

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if needs.device.type != "cuda":
            return f"it runs on CUDA, not on {needs.device.type}"
        if torch.cuda.get_device_capability(needs.device)[0] < MIN_CAPABILITY:
            return "the GPU is older than Ampere"
        if needs.is_fp8:
            return "flash-attn 2 reads no keys and values of eight bits"
        for layer in needs.layers:
            if layer.dtype not in DTYPES:
                return f"it computes in float16 and bfloat16, not in {layer.dtype}"
            if layer.has_sinks:
                return "flash-attn 2 has no sinks"
            if layer.key_size != layer.value_size:
                return f"keys of {layer.key_size} and values of {layer.value_size} numbers differ in size"
            if layer.key_size > MAX_SIZE or layer.key_size % SIZE_MULTIPLE:
                return f"heads of {layer.key_size} numbers are no multiple of {SIZE_MULTIPLE} up to {MAX_SIZE}"
        try:
            load_kernels()
        except (ImportError, AttributeError, OSError) as error:
            return f"flash-attn is not installed, or not for this torch ({error}); see the extra 'cuda'"
        return None

    def begin(self, layout: Layout) -> None:
        lengths, width = layout.lengths, layout.width
        single = layout.num_decodes if layout.num_decode_rows == layout.num_decodes else 0
        starts = np.append(layout.starts, len(layout.owners))[single:] - single
        key_starts = np.append(0, lengths[single:].cumsum())
        self._starts, self._key_starts, self._lengths, tables = self._staging.stage(
            starts, key_starts, lengths[:single], layout.tables[:, :width]
        )
        self._single, self._tables = single, tables.view(-1, width)
        self._most_rows, self._most_keys = (
            int(layout.counts[single:].max(initial=0)),
            int(lengths[single:].max(initial=0)),
        )

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        keys, values = cache.pages
        options: dict[str, Any] = {
            "softmax_scale": scoring.scale,
            "causal": True,
            # Tokens to the left and to the right of one; it counts itself nowhere. (-1, -1): without bounds.
            "window_size": (-1, -1) if scoring.window is None else (scoring.window - 1, 0),
            "softcap": scoring.softcap or 0.0,
        }
        single, parts = self._single, []
        if single:
            rows, tables = query[:single, None], self._tables[:single]
            out = self._decode(rows, keys, values, cache_seqlens=self._lengths, block_table=tables, **options)
            parts.append(out[:, 0])
        if single < len(query):
            out = self._ragged(
                query[single:],
                keys,
                values,
                cu_seqlens_q=self._starts,
                cu_seqlens_k=self._key_starts,
                max_seqlen_q=self._most_rows,
                max_seqlen_k=self._most_keys,
                block_table=self._tables[single:],
                **options,
            )
            parts.append(out)
        return parts[0] if len(parts) == 1 else torch.cat(parts)
