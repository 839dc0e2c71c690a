"""Weights as they are: as torch multiplies them, or packed once in oneDNN's blocked layout.

`F.linear` packs the weight in every call. oneDNN's operators are private to torch, so they are tested at start.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.cpu_kernels.products import multiply_rows
from gateway.engine.inputs import bits, bits_of
from gateway.engine.models.linear.base import Linear, LinearKind, Weights, float_bits, has_onednn, padded, stack

TYPICAL_ROWS = 16
"""For which oneDNN's layout is chosen; other numbers of rows run on it as well."""

MAX_TWIN_BYTES = 32 << 20
"""Of a second copy."""

MAX_HALVED_ROWS = 16
"""From there on oneDNN is as fast, measured with weights of [384, 1024] to [4096, 384]."""


class PlainLinear:
    """`mm` over a view of the original; on a CPU in float32 over a copy [in, out], which it likes best for few rows.

    In float16 such a copy would take a CPU 24 to 43 times as long.
    """

    __slots__ = ("_bias", "_weight")

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        stacked = stack(weights)
        is_copied = stacked.device.type == "cpu" and stacked.dtype == torch.float32
        self._weight = stacked.t().contiguous() if is_copied else stacked.t()
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        return rows @ self._weight if self._bias is None else torch.addmm(self._bias, rows, self._weight)


class PackedLinear:
    """oneDNN's product over its own layout."""

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        self._weight = torch.ops.mkldnn._reorder_linear_weight(stack(weights), TYPICAL_ROWS)
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        computed = padded(rows)
        product: Tensor = torch.ops.mkldnn._linear_pointwise(computed, self._weight, self._bias, "none", (), "")
        return product if computed is rows else product[: rows.shape[0]]


class TwinLinear(PackedLinear):
    """float32: one row times [in, out] by `mm`, more rows over the packed layout, each where it is faster."""

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        super().__init__(weights, bias)
        self._one = PlainLinear(weights, bias)

    def __call__(self, rows: Tensor) -> Tensor:
        return self._one(rows) if rows.shape[0] == 1 else super().__call__(rows)


class HalvedLinear(PackedLinear):
    """Weights that bfloat16 holds exactly, a second time for a kernel; of float32 it multiplies few rows.

    Attributes:
        weight: Their bits in bfloat16; no copy of a single one that is in it. Shapes: [out, in].
        bias: In float32; empty where there is none.
        max_rows: That the kernel multiplies.
    """

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        super().__init__(weights, bias)
        self.weight: NDArray[np.uint16] = bits(stack(weights).to(torch.bfloat16).contiguous())
        self.bias = float_bits(bias)
        self.max_rows = MAX_HALVED_ROWS if _are_halved(weights) else 0

    def __call__(self, rows: Tensor) -> Tensor:
        if rows.shape[0] > self.max_rows:
            return super().__call__(rows)
        out = torch.empty((rows.shape[0], len(self.weight)))
        given, written = bits_of(rows, out)
        multiply_rows(given, self.weight, self.bias, written)
        return out


def _are_halved(weights: Weights) -> bool:
    """True if the kernel for bfloat16 weights pays: it is two to three times as fast as one thread of oneDNN in
    float32, so two threads are its limit, and the second copy must be small."""
    size = sum(weight.numel() for weight in weights)
    return weights[0].dtype == torch.float32 and torch.get_num_threads() <= 2 and 2 * size <= MAX_TWIN_BYTES


def are_short(weights: Iterable[Tensor]) -> bool:
    """True if bfloat16 holds all of them exactly, as it does for most checkpoints."""
    return all(torch.equal(weight.float(), weight.to(torch.bfloat16).float()) for weight in weights)


def _packed(weights: Weights, bias: Tensor | None) -> Linear:
    """In float32 with a second copy, where that is small and pays.

    A product of one row is up to 1.7 times as fast by `mm` if it has more outputs than inputs. With large weights both
    wait for memory alike.
    """
    if _are_halved(weights) and are_short(weights):
        return HalvedLinear(weights, bias)
    outputs, inputs = sum(weight.shape[0] for weight in weights), weights[0].shape[1]
    if weights[0].dtype == torch.float32 and inputs < outputs <= MAX_TWIN_BYTES // (4 * inputs):
        return TwinLinear(weights, bias)
    return PackedLinear(weights, bias)


PLAIN = LinearKind("plain", 0.05, PlainLinear, lambda device, dtype: True)
PACKED = LinearKind("packed", 0.05, _packed, has_onednn)
