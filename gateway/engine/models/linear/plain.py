"""torch's own product: any device, any type."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from gateway.engine.models.linear.base import Linear, Weights, stack


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
        """See `Linear`."""
        return rows @ self._weight if self._bias is None else torch.addmm(self._bias, rows, self._weight)


class PlainKind:
    """`PlainLinear`s."""

    name: ClassVar[str] = "plain"
    tolerance: ClassVar[float] = 0.05

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `LinearKind`."""
        return PlainLinear(weights, bias)

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """Everywhere."""
        return True
