"""flash-attn over the pages: the whole ragged row, decodes and chunks, in one call a layer."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import AttentionBackend, AttentionNeeds, Layout, Scoring
from gateway.engine.config import EngineConfig
from gateway.engine.inputs import Staging
from gateway.engine.kv_cache import LayerCache

DTYPES = (torch.float16, torch.bfloat16)
MAX_SIZE, SIZE_MULTIPLE = 256, 8
"""Head sizes. Others than multiples of 8 flash-attn would pad, and copy all pages in each call."""
MIN_CAPABILITY = 8
"""Ampere."""


def load_kernel() -> Callable[..., Tensor]:
    """`flash_attn_varlen_func`.

    Raises:
        ImportError: It is not installed, or not for this torch.
    """
    kernel: Callable[..., Tensor] = importlib.import_module("flash_attn").flash_attn_varlen_func
    return kernel


class FlashAttention(AttentionBackend):
    """See `AttentionBackend`. Reads pages through block tables: nothing is gathered, and no mask is built.

    `flash_attn_varlen_func` of flash-attn 2 takes keys and values as [blocks, block size, kv_heads, size] with any
    strides but the last, so that both may be views of one pool; its blocks are multiples of 256 tokens. Rows are
    aligned to the end of their sequence, which is what causal means here. Lengths of keys are differences of
    `cu_seqlens_k`, with a block table too.
    """

    name = "flash"
    block_multiple = 256

    def __init__(self, needs: AttentionNeeds, config: EngineConfig) -> None:
        self._kernel = load_kernel()
        self._staging = Staging(needs.device, torch.int32, 64 * config.max_num_seqs)

    @classmethod
    def why_not(cls, needs: AttentionNeeds) -> str | None:
        if needs.device.type != "cuda":
            return f"it runs on CUDA, not on {needs.device.type}"
        if torch.cuda.get_device_capability(needs.device)[0] < MIN_CAPABILITY:
            return "the GPU is older than Ampere"
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
            load_kernel()
        except (ImportError, AttributeError, OSError) as error:
            return f"flash-attn is not installed, or not for this torch ({error}); see the extra 'cuda'"
        return None

    def begin(self, layout: Layout) -> None:
        lengths, width = layout.lengths, layout.width
        starts = np.append(layout.starts, len(layout.owners))
        key_starts = np.append(0, lengths.cumsum())
        self._starts, self._key_starts, tables = self._staging.stage(starts, key_starts, layout.tables[:, :width])
        self._tables = tables.view(-1, width)
        self._most_rows, self._most_keys = int(layout.counts.max()), int(lengths.max())

    def attend(self, query: Tensor, cache: LayerCache, scoring: Scoring) -> Tensor:
        keys, values = cache.pages
        return self._kernel(
            query,
            keys,
            values,
            cu_seqlens_q=self._starts,
            cu_seqlens_k=self._key_starts,
            max_seqlen_q=self._most_rows,
            max_seqlen_k=self._most_keys,
            softmax_scale=scoring.scale,
            causal=True,
            # Tokens to the left and to the right of one; it counts itself nowhere. (-1, -1): without bounds.
            window_size=(-1, -1) if scoring.window is None else (scoring.window - 1, 0),
            softcap=scoring.softcap or 0.0,
            block_table=self._tables,
        )
