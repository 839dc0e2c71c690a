"""Weights in oneDNN's blocked layout, packed once: what torch's own compiler emits for a CPU.

`F.linear` packs the weight anew in every call. The two operators are private to torch, so they are proved at start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.models.linear.base import Linear, Weights, has_onednn, stack
from gateway.engine.models.linear.plain import PlainLinear
from gateway.engine.models.linear.sizes import padded
from gateway.engine.product_kernels import multiply_rows
from gateway.engine.staging import bits

TYPICAL_ROWS = 16
"""For which the layout is chosen; other numbers of rows run on it as well."""

MAX_TWIN_BYTES = 32 << 20
"""Of a second copy."""

MAX_HALVED_ROWS = 16
"""From there on oneDNN is as fast, measured with weights of [384, 1024] to [4096, 384]."""


class PackedLinear:
    """oneDNN's product over its own layout; for bfloat16, and float32 of more than one row."""

    __slots__ = ("_bias", "_weight")

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        self._weight = torch.ops.mkldnn._reorder_linear_weight(stack(weights), TYPICAL_ROWS)
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        computed = padded(rows)
        product: Tensor = torch.ops.mkldnn._linear_pointwise(computed, self._weight, self._bias, "none", (), "")
        return product if computed is rows else product[: rows.shape[0]]


class TwinLinear:
    """float32: one row times [in, out] by `mm`, more rows over the packed layout, each where it is faster."""

    __slots__ = ("_one", "_several")

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        self._one, self._several = PlainLinear(weights, bias), PackedLinear(weights, bias)

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        return self._one(rows) if rows.shape[0] == 1 else self._several(rows)


class HalvedLinear:
    """float32, with weights that bfloat16 holds exactly: few rows by a kernel that reads it, more as ever.

    Attributes:
        halves: See `halves_of`.
    """

    __slots__ = ("_bias", "_several", "halves")

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        self._several = PackedLinear(weights, bias)
        self.halves = halves_of(weights)
        self._bias = bits(torch.empty(0) if bias is None else bias.detach().contiguous())

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        if rows.shape[0] > MAX_HALVED_ROWS:
            return self._several(rows)
        out = torch.empty((rows.shape[0], len(self.halves)))
        multiply_rows(bits(rows), self.halves, self._bias, bits(out))
        return out


def halves_of(weights: Weights) -> NDArray[np.uint16]:
    """Their bits in bfloat16, side by side; no copy of a single one that is in it. Shapes: [out, in]."""
    return bits(stack(weights).to(torch.bfloat16).contiguous())


def is_halved(weights: Weights) -> bool:
    """Whether `HalvedLinear` computes the same and is faster: checkpoints are in bfloat16 for the most part.

    The kernel is two to three times as fast as one thread of oneDNN, so two threads are its limit.
    """
    size = sum(weight.numel() for weight in weights)
    is_small = torch.get_num_threads() <= 2 and 2 * size <= MAX_TWIN_BYTES
    return is_small and are_short(weights)


def are_short(weights: Iterable[Tensor]) -> bool:
    """Whether bfloat16 holds all of them exactly."""
    return all(torch.equal(weight.float(), weight.to(torch.bfloat16).float()) for weight in weights)


class PackedKind:
    """`PackedLinear`s; in float32 `HalvedLinear`s or `TwinLinear`s where a second copy is small and pays.

    A product of one row in float32 is up to 1.7 times as fast by `mm` if it has more outputs than inputs. With large
    weights both wait for memory alike.
    """

    name: ClassVar[str] = "packed"
    tolerance: ClassVar[float] = 0.05

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `LinearKind`."""
        outputs, inputs = sum(weight.shape[0] for weight in weights), weights[0].shape[1]
        is_float32 = weights[0].dtype == torch.float32
        if is_float32 and is_halved(weights):
            return HalvedLinear(weights, bias)
        if is_float32 and inputs < outputs <= MAX_TWIN_BYTES // (4 * inputs):
            return TwinLinear(weights, bias)
        return PackedLinear(weights, bias)

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """See `has_onednn`."""
        return has_onednn(device, dtype)
