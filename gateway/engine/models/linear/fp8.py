"""Weights of eight-bit floats (e4m3), one scale an output; rows are rounded to such floats as they come, a scale a row.

A scale a row, not one for all: so a request's numbers do not depend on its company.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from gateway.engine.models.linear.base import Linear, LinearKind, Weights, stack
from gateway.engine.models.linear.sizes import padded

LARGEST = torch.finfo(torch.float8_e4m3fn).max
MULTIPLE = 16
"""Of outputs and inputs, which the product of a GPU wants."""

MIN_CAPABILITY = (8, 9)
"""Ada and Hopper."""


def rounded(numbers: Tensor) -> tuple[Tensor, Tensor]:
    """Return numbers as eight-bit floats, and the scale of each row. Shapes: [n, size] -> [n, size], [n, 1] float32."""
    scales = numbers.abs().amax(dim=1, keepdim=True).float().clamp_min(torch.finfo(torch.float32).tiny * LARGEST)
    scales /= LARGEST
    return (numbers.float() / scales).clamp_(-LARGEST, LARGEST).to(torch.float8_e4m3fn), scales


class Fp8Linear:
    """torch's product of scaled eight-bit floats."""

    __slots__ = ("_bias", "_scales", "_weight")

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        weight, scales = rounded(stack(weights))
        self._weight, self._scales = weight.t(), scales.t().contiguous()
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        num_rows = len(rows)
        numbers, scales = rounded(padded(rows) if rows.device.type == "cpu" else rows)
        product = torch._scaled_mm(
            numbers, self._weight, scale_a=scales, scale_b=self._scales, out_dtype=torch.bfloat16
        ).to(rows.dtype)[:num_rows]
        return product if self._bias is None else product.add_(self._bias)


class Fp8Kind:
    """`Fp8Linear`s; of weights whose sizes its product does not take, another kind's.

    Args:
        others: That kind.
    """

    name: ClassVar[str] = "fp8"
    tolerance: ClassVar[float] = 0.35

    def __init__(self, others: LinearKind) -> None:
        self._others = others

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `LinearKind`."""
        outputs, inputs = sum(map(len, weights)), weights[0].shape[1]
        has_product = outputs % MULTIPLE == 0 and inputs % MULTIPLE == 0
        return Fp8Linear(weights, bias) if has_product else self._others(weights, bias)

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """Return true on a CPU, where it is slow, and on GPUs that multiply such floats."""
        return device.type == "cpu" or (
            device.type == "cuda" and torch.cuda.get_device_capability(device) >= MIN_CAPABILITY
        )
