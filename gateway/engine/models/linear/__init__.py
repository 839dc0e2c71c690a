"""Matrix products with weights laid out for this machine: `choose_kind(...)(weights, bias)` makes a `Linear`."""

from __future__ import annotations

import logging
from itertools import product

import torch
from torch import Tensor

from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.models.linear.base import Linear, LinearKind, cpu_has_any
from gateway.engine.models.linear.dense import PACKED, PLAIN
from gateway.engine.models.linear.eight_bits import fp8_kind, int8_kind
from gateway.engine.self_test import self_test

__all__ = ["Linear", "LinearKind", "choose_dtype", "choose_kind"]

logger = logging.getLogger(__name__)

ROWS = (1, 2, 7, 33)
SHAPES = ((48, 64), (96, 33))
"""[outputs, inputs] of the self-test; odd numbers too, where a blocked layout has a remainder."""


def choose_dtype(name: str, device: torch.device) -> torch.dtype | None:
    """Return the compute type; None: the checkpoint's own.

    "auto" on a CPU is bfloat16 where the CPU has instructions for it and they pass the self-test, else float32: without
    them bfloat16 is slower.
    """
    if name != "auto":
        dtype: torch.dtype = getattr(torch, name)
        return dtype
    if device.type != "cpu":
        return None
    if not cpu_has_any("amx_bf16", "avx512_bf16"):
        return torch.float32
    reason = why_wrong(PACKED, device, torch.bfloat16)
    if reason is not None:
        logger.warning("computing in float32: this CPU has bfloat16, but its packed product %s", reason)
    return torch.float32 if reason is not None else torch.bfloat16


def choose_kind(device: torch.device, dtype: torch.dtype, quantization: str = "none") -> LinearKind:
    """Return the best layout that this machine computes rightly; each is tested here, on small products.

    Raises:
        InvalidEngineConfigError: The device cannot compute with this type.
    """
    candidates: list[LinearKind] = [PACKED, PLAIN]
    if quantization != "none":
        asked = int8_kind() if quantization == "int8" else fp8_kind(PLAIN)
        if not asked.applies(device, dtype):
            raise InvalidEngineConfigError(f"quantization {quantization!r} is not supported for {dtype} on {device}")
        candidates.insert(0, asked)
    for kind in candidates:
        if not kind.applies(device, dtype):
            continue
        reason = why_wrong(kind, device, dtype)
        if reason is None:
            return kind
        logger.warning("not using %s weights: their product %s", kind.name, reason)
    raise InvalidEngineConfigError(f"{dtype} cannot be computed on {device.type}")


@self_test
def why_wrong(kind: LinearKind, device: torch.device, dtype: torch.dtype) -> str | None:
    """Return the error of the products of this kind; None if they are right.

    Compared with a product in double precision, for one row and several, with a bias and without, in a part of the
    cases at the largest magnitudes, where an accumulator that is too narrow saturates, in a part with weights that
    bfloat16 holds.
    """
    generator = torch.Generator().manual_seed(0)
    either = (False, True)
    for (outputs, inputs), is_biased, is_extreme, is_short in product(SHAPES, either, either, either):
        weight = _sample((outputs, inputs), generator, is_extreme)
        weight = (weight.to(torch.bfloat16) if is_short else weight).to(device, dtype)
        bias = torch.randn(outputs, generator=generator).to(device, dtype) if is_biased else None
        linear = kind((weight[:32], weight[32:]), bias)
        for num_rows in ROWS:
            rows = _sample((num_rows, inputs), generator, is_extreme).to(device, dtype)
            exact = torch.nn.functional.linear(rows.double(), weight.double(), None if bias is None else bias.double())
            got = linear(rows)
            if got.shape != exact.shape or got.dtype != dtype:
                return f"has the form {tuple(got.shape)} of {got.dtype}"
            error = float(((got - exact).abs() / exact.square().mean(dim=1, keepdim=True).sqrt()).max())
            if not error <= kind.tolerance:  # also refuses nan
                return f"is wrong by {error:.3g} for {num_rows} rows"
    return None


def _sample(shape: tuple[int, int], generator: torch.Generator, is_extreme: bool) -> Tensor:
    """Normal numbers, or ones of equal size whose signs agree in long runs."""
    normal = torch.randn(shape, generator=generator)
    return normal.sign() + 0.5 if is_extreme else normal
