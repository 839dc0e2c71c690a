"""The lean decoder for small models on a CPU: a step of few rows runs a layer a compiled call.

Of a model of a million parameters the products of one row take 0.1 ms, and starting them one by one 0.5 ms; of eleven
million parameters 0.6 and 2.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.compiled import MAX_THREADS, NO_WINDOW, CompiledAttention
from gateway.engine.cpu_kernels.products import embed_rows, layer_rows, multiply_rows
from gateway.engine.inputs import Batch, bits, bits_of
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.linear import LinearKind, few_bits
from gateway.engine.models.linear.dense import PACKED, HalvedLinear, are_short
from gateway.engine.models.linear.few_bits import FEW_BITS, FewBitsLinear, has_codes

MAX_PARAMETERS = 16 << 20
"""Of a model whose products are that small."""

MAX_READ = 256 << 20
"""Of a model of which one row is faster all the same, in up to two threads: reading the weights is what takes time, and
the kernels read them 1.5 to 2 times as fast as oneDNN's blocks, measured with 135 million parameters."""

MAX_ROWS = 16
"""More are faster one product after the other."""

MAX_TILED_ROWS = 64
"""The same in one thread of products in tiles, which are as fast wherever they are started: 32 rows of a model of 135
million parameters take 88 ms so, and 105 one product after the other."""

MAX_PRODUCTS = 48 << 20
"""Of a step, rows times parameters, where oneDNN would multiply: in bfloat16, which it has instructions for, and in
more than two threads. A single row is always computed."""


def why_not_compiled(model: Any, kind: LinearKind) -> str | None:
    """Return the reason that steps of this Llama-shaped model are not compiled layer by layer; None if they are."""
    if model.device.type != "cpu" or kind.name not in (PACKED.name, FEW_BITS):
        return f"its products are {kind.name} on {model.device.type}"
    if model.dtype == torch.float32 and torch.get_num_threads() > MAX_THREADS:
        return f"attention of more than {MAX_THREADS} threads is torch's, so no layer is one call"
    size, most = num_parameters(model), MAX_READ if torch.get_num_threads() <= 2 else MAX_PARAMETERS
    if size > most:
        return f"its {size} parameters are more than {most}: products take longer than starting them"
    if kind.name == FEW_BITS:
        products = [name for name, weight in model.named_parameters() if weight.dim() > 1 and not has_codes(weight)]
        return f"{products[0]} is not in few bits" if products else None
    if not are_short(model.parameters()):
        return "its weights are finer than bfloat16"
    return None


def num_parameters(model: Any) -> int:
    """Return the number of parameters of a model, tied ones counted once."""
    return sum(weight.numel() for weight in model.parameters())


class CompiledDecoder(FastLlamaDecoder):
    """`FastLlamaDecoder` whose layers are one compiled call each in steps of few rows."""

    def __init__(self, model: Any, max_model_len: int, kind: LinearKind) -> None:
        size = num_parameters(model)
        super().__init__(model, max_model_len, replace(kind, pack=HalvedLinear) if kind is PACKED else kind)
        self._memory: list[tuple[NDArray[Any], NDArray[Any]]] = []
        self._memory_of: tuple[KvCache, CompiledAttention] | None = None
        norms = self.norms
        following = [layer.input_norm for layer in self.layers[1:]] + [self._norm]
        self._compiled = [_arguments(*each) for each in zip(self.layers, following, strict=True)]
        self._windows = [NO_WINDOW if layer.window is None else layer.window for layer in self.layers]
        self._first = bits(self._embedding), bits(self.layers[0].input_norm)
        self._turning = np.float32(norms.eps), bits(norms.cos), bits(norms.sin), self.heads + self.kv_heads
        if isinstance(self._head, FewBitsLinear):
            most = MAX_TILED_ROWS if torch.get_num_threads() == 1 else MAX_ROWS
            self._max_rows = most if self._head.weight.is_tiled else few_bits.MAX_ROWS
        else:
            assert isinstance(self._head, HalvedLinear)
            self._max_rows = MAX_ROWS if self._head.max_rows else min(max(1, MAX_PRODUCTS // size), MAX_ROWS)

    def forward(self, batch: Batch, cache: KvCache) -> Tensor:
        num_rows, layout, attention = len(batch.input_ids), batch.layout, batch.attention
        is_other = batch.adapters is not None or cache.is_fp8
        if num_rows > self._max_rows or is_other or not isinstance(attention, CompiledAttention):
            return super().forward(batch, cache)
        hidden = np.empty((num_rows, self._embedding.shape[1]), dtype=self._first[1].dtype)
        x, slots, scale = np.empty_like(hidden), batch.slot_mapping.numpy(), np.float32(self.scale)
        embed_rows(batch.input_ids.numpy(), *self._first, self._turning[0], hidden, x)
        memory = self._memory_in(cache, attention)
        for layer, (pool, bounds), window in zip(self._compiled, memory, self._windows, strict=True):
            layer_rows(
                x, hidden, *layer, *self._turning, pool, slots, layout.tables, layout.block_size, layout.owners,
                layout.host_positions, window, scale, bounds, attention.most_pages,
            )  # fmt: skip
        wanted = x if batch.logits_indices is None else x[batch.logits_indices.numpy()]
        return self._logits(batch.without_states(torch.from_numpy(wanted).view(self._embedding.dtype)))

    def _memory_in(self, cache: KvCache, attention: CompiledAttention) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Return each layer's keys and values as the kernels read them, and the bounds of their pages."""
        if self._memory_of != (cache, attention):
            self._memory_of, self._memory = (cache, attention), []
            for layer in map(cache.layer, range(len(self._compiled))):
                (pool,) = layer.pools
                self._memory.append((bits(pool), attention.bounds_of(layer)))
        return self._memory

    def _logits(self, x: Tensor) -> Tensor:
        """See `FastLlamaDecoder`; of few rows not rounded to bfloat16, in which near scores are the same."""
        if isinstance(self._head, FewBitsLinear):
            return self._head(x, torch.float32)
        if len(x) > self._max_rows:
            return super()._logits(x)
        assert isinstance(self._head, HalvedLinear)
        logits = torch.empty((len(x), self.vocab_size))
        given, written = bits_of(x, logits)
        multiply_rows(given, self._head.weight, self._head.bias, written)
        return logits


def _arguments(layer: Any, next_norm: Tensor) -> tuple[Any, ...]:
    """Return the arguments of `layer_rows` for a layer, in its order; norms are as the model has them."""
    head_norm = bits(next_norm.new_empty((0, 0)) if layer.head_norm is None else layer.head_norm)
    products = (layer.qkv.weight, layer.qkv.bias, head_norm, layer.out.weight, layer.out.bias)
    return (*products, bits(layer.post_norm), layer.gate_up.weight, layer.down.weight, bits(next_norm))
