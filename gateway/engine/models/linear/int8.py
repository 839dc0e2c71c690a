"""Weights of eight bits, one scale an output; rows are rounded to eight or seven bits as they come, one scale a row.

A scale a row, not one for all: so a request's numbers do not depend on its company.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from gateway.engine.models.linear.base import Linear, Weights, cpu_has_any, has_onednn, stack
from gateway.engine.models.linear.sizes import num_computed_rows
from gateway.engine.product_kernels import quantize_rows, scale_rows
from gateway.engine.staging import bits

EIGHT_BITS, SEVEN_BITS = 127, 63
"""The largest number that a row is rounded to. Rows are stored unsigned, as the instruction wants them: the next larger
number stands for zero."""


class Int8Linear:
    """oneDNN's product of unsigned rows and signed weights, exact in 32 bits.

    Args:
        most: The largest number of a row.
    """

    __slots__ = ("_bias", "_most", "_outputs", "_scales", "_weight", "_zeros")

    def __init__(self, weights: Weights, bias: Tensor | None = None, most: int = EIGHT_BITS) -> None:
        self._most = most
        weight = stack(weights).float()
        self._outputs = weight.shape[0]
        self._scales = weight.abs().amax(dim=1).clamp_min_(torch.finfo(torch.float32).tiny).div_(127)
        rounded = (weight / self._scales[:, None]).round_().clamp_(-127, 127).to(torch.int8).contiguous()
        self._weight = torch.ops.onednn.qlinear_prepack(rounded, None)
        self._zeros = torch.zeros(self._outputs, dtype=torch.int64)
        self._bias = torch.zeros(self._outputs) if bias is None else bias.detach().float()

    def __call__(self, rows: Tensor) -> Tensor:
        """See `Linear`."""
        num_rows, inputs = rows.shape
        # Rows beyond those that came hold whatever stands in memory; nobody looks at their products.
        rounded = torch.empty((num_computed_rows(num_rows), inputs), dtype=torch.uint8)
        scales = torch.empty(num_rows)
        quantize_rows(bits(rows), self._most, rounded.numpy(), scales.numpy())
        computed = torch.ops.onednn.qlinear_pointwise(
            rounded,
            1.0,
            self._most + 1,
            self._weight,
            self._scales,
            self._zeros,
            None,
            1.0,
            0,
            torch.float32,
            "none",
            (),
            "",
        )
        product = computed[:num_rows]
        out = product if rows.dtype == torch.float32 else torch.empty(product.shape, dtype=rows.dtype)
        scale_rows(product.numpy(), scales.numpy(), self._bias.numpy(), bits(out))
        return out


def has_dot_products() -> bool:
    """Whether this CPU adds up products of eight bits in 32 (VNNI, AMX).

    Others add two of them in 16 bits first, which holds 2 * 127 * 127 and not 2 * 255 * 127.
    """
    return cpu_has_any("avx512_vnni", "avx_vnni", "amx_int8")


class Int8Kind:
    """`Int8Linear`s; their rows have seven bits where the CPU saturates with eight.

    Args:
        most: The largest number of a row; by default what the CPU multiplies rightly.
    """

    name: ClassVar[str] = "int8"
    tolerance: ClassVar[float] = 0.12

    def __init__(self, most: int | None = None) -> None:
        self.most = most or (EIGHT_BITS if has_dot_products() else SEVEN_BITS)

    def __call__(self, weights: Weights, bias: Tensor | None = None) -> Linear:
        """See `LinearKind`."""
        return Int8Linear(weights, bias, self.most)

    def applies(self, device: torch.device, dtype: torch.dtype) -> bool:
        """See `has_onednn`."""
        return has_onednn(device, dtype)
