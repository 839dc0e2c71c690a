"""Weights of eight bits, whole numbers or floats, one scale an output; rows are rounded as they come, one scale a row.

A scale a row, not one for all: so a request's numbers do not depend on its company.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from gateway.engine.cpu_kernels.products import quantize_rows, scale_rows
from gateway.engine.inputs import bits
from gateway.engine.models.linear.base import (
    Linear,
    LinearKind,
    Weights,
    cpu_has_any,
    has_onednn,
    num_computed_rows,
    padded,
    stack,
)

EIGHT_BITS, SEVEN_BITS = 127, 63
"""The largest whole number that a row is rounded to. Rows are stored unsigned, as the instruction wants them: the next
larger number is the zero point."""

LARGEST = torch.finfo(torch.float8_e4m3fn).max
MULTIPLE = 16
"""Of outputs and inputs, which the product of floats on a GPU wants."""

MIN_CAPABILITY = (8, 9)
"""Ada and Hopper."""


class Int8Linear:
    """oneDNN's product of unsigned rows and signed weights, exact in 32 bits.

    Attributes:
        most: The largest number of a row.
    """

    def __init__(self, weights: Weights, bias: Tensor | None = None, most: int = EIGHT_BITS) -> None:
        self.most = most
        weight = stack(weights).float()
        self._scales = weight.abs().amax(dim=1).clamp_min_(torch.finfo(torch.float32).tiny).div_(127)
        rounded = (weight / self._scales[:, None]).round_().clamp_(-127, 127).to(torch.int8).contiguous()
        self._weight = torch.ops.onednn.qlinear_prepack(rounded, None)
        self._zeros = torch.zeros(len(weight), dtype=torch.int64)
        self._bias = torch.zeros(len(weight)) if bias is None else bias.detach().float()

    def __call__(self, rows: Tensor) -> Tensor:
        num_rows, inputs = rows.shape
        # Padding rows are not initialised; their products are dropped.
        rounded = torch.empty((num_computed_rows(num_rows), inputs), dtype=torch.uint8)
        scales = torch.empty(num_rows)
        quantize_rows(bits(rows), self.most, rounded.numpy(), scales.numpy())
        product = torch.ops.onednn.qlinear_pointwise(
            rounded, 1.0, self.most + 1, self._weight, self._scales, self._zeros, None, 1.0, 0, torch.float32,
            "none", (), "",
        )[:num_rows]  # fmt: skip
        out = product if rows.dtype == torch.float32 else torch.empty(product.shape, dtype=rows.dtype)
        scale_rows(product.numpy(), scales.numpy(), self._bias.numpy(), bits(out))
        return out


def int8_kind(most: int | None = None) -> LinearKind:
    """`Int8Linear`s.

    Args:
        most: The largest number of a row; None: what the CPU multiplies rightly. Without VNNI or AMX it adds two
            products in 16 bits, which hold 2 * 127 * 127 and not 2 * 255 * 127.
    """
    adds_in_32_bits = cpu_has_any("avx512_vnni", "avx_vnni", "amx_int8")
    most = most or (EIGHT_BITS if adds_in_32_bits else SEVEN_BITS)
    return LinearKind("int8", 0.12, partial(Int8Linear, most=most), has_onednn)


class Fp8Linear:
    """torch's product of scaled eight-bit floats."""

    def __init__(self, weights: Weights, bias: Tensor | None = None) -> None:
        weight, scales = rounded(stack(weights))
        self._weight, self._scales = weight.t(), scales.t().contiguous()
        self._bias = None if bias is None else bias.detach()

    def __call__(self, rows: Tensor) -> Tensor:
        num_rows = len(rows)
        numbers, scales = rounded(padded(rows) if rows.device.type == "cpu" else rows)
        product = torch._scaled_mm(
            numbers, self._weight, scale_a=scales, scale_b=self._scales, out_dtype=torch.bfloat16
        ).to(rows.dtype)[:num_rows]
        return product if self._bias is None else product.add_(self._bias)


def rounded(numbers: Tensor) -> tuple[Tensor, Tensor]:
    """Return numbers as eight-bit floats, and the scale of each row. Shapes: [n, size] -> [n, size], [n, 1] float32."""
    scales = numbers.abs().amax(dim=1, keepdim=True).float().clamp_min(torch.finfo(torch.float32).tiny * LARGEST)
    scales /= LARGEST
    return (numbers.float() / scales).clamp_(-LARGEST, LARGEST).to(torch.float8_e4m3fn), scales


def fp8_kind(others: LinearKind) -> LinearKind:
    """`Fp8Linear`s, on GPUs that multiply such floats and, slowly, on a CPU.

    Args:
        others: The kind of weights whose sizes the product does not take.
    """

    def pack(weights: Weights, bias: Tensor | None) -> Linear:
        outputs, inputs = sum(map(len, weights)), weights[0].shape[1]
        has_product = outputs % MULTIPLE == 0 and inputs % MULTIPLE == 0
        return Fp8Linear(weights, bias) if has_product else others(weights, bias)

    def applies(device: torch.device, dtype: torch.dtype) -> bool:
        return device.type == "cpu" or (
            device.type == "cuda" and torch.cuda.get_device_capability(device) >= MIN_CAPABILITY
        )

    return LinearKind("fp8", 0.35, pack, applies)
