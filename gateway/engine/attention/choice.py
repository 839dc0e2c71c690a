"""Choice of the attention backend when a model is loaded, after a self-test.

The self-test is a small step of every kind of layer, against double precision.
"""

from __future__ import annotations

import logging

import numpy as np
import torch
from torch import Tensor

from gateway.engine.attention.base import (
    AttentionBackend,
    AttentionNeeds,
    LayerNeeds,
    Layout,
    Numbers,
    Scoring,
    slots_of,
    spread,
)
from gateway.engine.attention.compiled import CompiledAttention
from gateway.engine.attention.flash import FlashAttention
from gateway.engine.attention.sdpa import SdpaAttention
from gateway.engine.attention.sparse import SparseAttention
from gateway.engine.attention.triton import TritonAttention
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import LayerCache, from_fp8, to_fp8
from gateway.engine.self_test import self_test

logger = logging.getLogger(__name__)

BACKENDS: tuple[type[AttentionBackend], ...] = (TritonAttention, FlashAttention, CompiledAttention, SdpaAttention)
"""The best first."""

TOLERANCES = {torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 5e-2}
"""Largest error that is due to rounding, where values have deviation 1; a mistake is of that order."""

BLOCK_SIZE, BLOCKS = 4, 6
"""Sizes of the self-test; a backend that wants larger blocks gets contexts that are longer in proportion."""
WINDOW = 5
STEPS: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...] = (
    ((0, 9, 2), (1, 3, 1), 3),
    ((17, 0, 5), (2, 6, 5), 1),
    ((17, 0, 4), (2, 11, 10), 1),
    ((3, 0), (12, 9), 0),
)
"""Contexts, rows, and how many of the sequences decode; few rows of prompts, and more than a kernel for few takes."""


def choose_attention(
    config: EngineConfig, needs: AttentionNeeds, *, block_size: int | None = None
) -> type[AttentionBackend]:
    """The backend that is named, or the best that can serve the model here and computes rightly; the one that attends
    to some pages, where that is asked for.

    Args:
        block_size: Of blocks that there are already; None: they will be as the backend wants them, see `blocks_for`.

    Raises:
        InvalidEngineConfigError: Says why the named one cannot.
    """
    if config.sparse_attention_tokens:
        reason = SparseAttention.why_not(needs) or why_wrong(SparseAttention, needs)
        if config.attention_backend not in ("auto", CompiledAttention.name):
            reason = f"attention_backend is {config.attention_backend}, not compiled"
        if reason is not None:
            raise InvalidEngineConfigError(f"sparse_attention_tokens cannot serve this model here: {reason}")
        return SparseAttention
    for backend in BACKENDS:
        if config.attention_backend not in ("auto", backend.name):
            continue
        reason = backend.why_not(needs) or _why_not_blocks(backend, block_size)
        if reason is None:
            reason = why_wrong(backend, needs)
            if reason is None:
                return backend
            logger.warning("not using %s attention: it %s", backend.name, reason)
            reason = f"it {reason}"
        elif backend is TritonAttention and needs.device.type == "cuda":
            logger.warning("not using triton attention: %s", reason)  # the fastest there, and the cause can be mended
        if config.attention_backend != "auto":
            raise InvalidEngineConfigError(f"attention_backend {backend.name!r} cannot serve this model here: {reason}")
    raise InvalidEngineConfigError(f"no attention is computed rightly on {needs.device}")


def blocks_for(backend: type[AttentionBackend], block_size: int) -> int:
    """The size of blocks that this backend reads: the one wanted, or the next larger multiple."""
    return -(-block_size // backend.block_multiple) * backend.block_multiple


def _why_not_blocks(backend: type[AttentionBackend], block_size: int | None) -> str | None:
    if block_size is None or block_size % backend.block_multiple == 0:
        return None
    return f"its blocks are multiples of {backend.block_multiple} tokens, not {block_size}"


@self_test
def why_wrong(backend: type[AttentionBackend], needs: AttentionNeeds) -> str | None:
    """Return the error of the backend's numbers; None if they are right."""
    stretch = -(-backend.block_multiple // BLOCK_SIZE)
    config = EngineConfig(block_size=BLOCK_SIZE * stretch, max_num_seqs=4, max_batch_tokens=16)
    attention = backend(needs, config)
    for layer in needs.layers:
        error = _Sample(attention, layer, needs.device, stretch).error()
        if not error <= TOLERANCES.get(layer.dtype, 1e-4):  # also refuses nan
            return f"is wrong by {error:.3g} in {layer}"
    return None


class _Sample:
    """Three texts of random queries, keys and values, rounded to the layer's type.

    Shapes: [texts, tokens, heads, size], on the CPU.
    """

    def __init__(self, attention: AttentionBackend, layer: LayerNeeds, device: torch.device, stretch: int) -> None:
        generator = torch.Generator().manual_seed(0)
        tokens = BLOCK_SIZE * stretch * BLOCKS
        sizes = ((layer.heads, layer.key_size), (layer.kv_heads, layer.key_size), (layer.kv_heads, layer.value_size))
        self._texts = [torch.randn(3, tokens, *size, generator=generator).to(layer.dtype) for size in sizes]
        if layer.is_fp8:
            self._texts[1:] = [from_fp8(to_fp8(text), layer.dtype) for text in self._texts[1:]]
        self._attention, self._layer, self._device, self._stretch = attention, layer, device, stretch
        self._scale = layer.key_size**-0.5
        self._window = None if layer.window is None else min(layer.window, WINDOW * stretch)
        self._sinks = torch.randn(layer.heads, generator=generator).to(layer.dtype) if layer.has_sinks else None
        self._cache = LayerCache(3 * BLOCKS + 1, BLOCK_SIZE * stretch, is_fp8=layer.is_fp8)
        self._tables = np.random.default_rng(0).permutation(3 * BLOCKS).astype(np.int32).reshape(3, BLOCKS) + 1

    def error(self) -> float:
        """The largest one of all rows."""
        errors = []
        for contexts, counts, num_decodes in STEPS:
            firsts = np.array(contexts, dtype=np.int64) * self._stretch
            errors.append(self._error(firsts, np.array(counts), num_decodes))
            errors.append(self._error(firsts + counts, np.ones_like(firsts), num_decodes))  # they go on, a row each
        return max(errors)

    def _error(self, contexts: Numbers, counts: Numbers, num_decodes: int) -> float:
        self._write(np.zeros_like(contexts), contexts, 0)
        layout = self._write(contexts, counts, num_decodes)
        query = self._texts[0][layout.owners, layout.host_positions].to(self._device)
        sinks = None if self._sinks is None else self._sinks.to(self._device)
        self._attention.begin(layout)
        scoring = Scoring(self._scale, self._window, self._layer.softcap, sinks)
        got = self._attention.attend(query, self._cache, scoring)
        expected = torch.stack([self._row(*each) for each in zip(layout.owners, layout.host_positions, strict=True)])
        if got.shape != expected.shape or got.dtype != self._layer.dtype:
            raise ValueError(f"the result has the form {tuple(got.shape)} of {got.dtype}")
        return float((got.cpu() - expected).abs().max())

    def _write(self, contexts: Numbers, counts: Numbers, num_decodes: int) -> Layout:
        """Keys and values of these rows into the pages; their layout."""
        starts, owners, positions = spread(contexts, counts)
        size = BLOCK_SIZE * self._stretch
        slots = slots_of(self._tables, owners, positions, size)
        key, value = (text[owners, positions].to(self._device) for text in self._texts[1:])
        self._cache.write(torch.from_numpy(slots).to(self._device), key, value)
        return Layout(
            num_decodes=num_decodes,
            starts=starts,
            counts=counts,
            contexts=contexts,
            owners=owners,
            tables=self._tables[: len(counts)],
            block_size=size,
            host_positions=positions,
            positions=torch.from_numpy(positions).to(self._device),
        )

    def _row(self, owner: int, position: int) -> Tensor:
        """Return the expected result of a row. Shapes: [heads, value size], float64."""
        first = 0 if self._window is None else max(0, position + 1 - self._window)
        seen = slice(first, position + 1)
        query = self._texts[0][owner, position].double().view(self._layer.kv_heads, -1, self._layer.key_size)
        keys, values = (text[owner, seen].double() for text in self._texts[1:])
        scores = torch.einsum("kgd,nkd->kgn", query, keys) * self._scale
        if self._layer.softcap is not None:
            scores = torch.tanh(scores / self._layer.softcap) * self._layer.softcap
        if self._sinks is not None:
            sinks = self._sinks.double().view(self._layer.kv_heads, -1, 1)
            scores = torch.cat((scores, sinks), dim=-1)
        weights = scores.softmax(dim=-1)[..., : len(values)]
        return torch.einsum("kgn,nkd->kgd", weights, values).flatten(0, 1)
