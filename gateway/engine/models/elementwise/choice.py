"""Kernels where there are kernels, torch elsewhere."""

from __future__ import annotations

import logging

import torch
from torch import Tensor

from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.kv_cache import LayerCache
from gateway.engine.models.elementwise.base import Elementwise, Norms
from gateway.engine.models.elementwise.compiled import CompiledElementwise
from gateway.engine.models.elementwise.plain import PlainElementwise
from gateway.engine.models.elementwise.triton import TritonElementwise

logger = logging.getLogger(__name__)

TOLERANCES = {torch.float32: 1e-5, torch.bfloat16: 2**-6, torch.float16: 2**-9}
"""Of numbers of deviation 1: a last bit of the largest of them."""


def choose_elementwise(norms: Norms) -> Elementwise:
    """The fastest for the device and type of the rotations."""
    device, plain = norms.cos.device, PlainElementwise(norms)
    if device.type == "cpu" and norms.cos.dtype in (torch.float32, torch.bfloat16):
        return CompiledElementwise(norms)
    if why_no_triton(device) is None:
        reason = why_wrong(TritonElementwise, norms)
        if reason is None:
            return TritonElementwise(norms)
        logger.warning("not using kernels in Triton between the products: they %s", reason)
    return plain


@torch.inference_mode()
def why_wrong(kind: type[TritonElementwise], norms: Norms) -> str | None:
    """In what the numbers of these kernels differ from torch's; None if they do not."""
    try:
        got, expected = (_sample(each, norms) for each in (kind(norms), PlainElementwise(norms)))
    except Exception as failure:  # a kernel may fail in any way
        return f"failed: {failure!r}"
    bound = TOLERANCES.get(norms.cos.dtype, 1e-5)
    for name, numbers in got.items():
        error = float((numbers.double() - expected[name].double()).abs().max() / expected[name].double().std())
        if not error <= 8 * bound:  # also refuses nan
            return f"are wrong by {error:.3g} in {name}"
    return None


def _sample(kind: Elementwise, norms: Norms) -> dict[str, Tensor]:
    """What every operation makes of three rows of random numbers."""
    device, dtype, size = norms.cos.device, norms.cos.dtype, norms.cos.shape[1]
    generator = torch.Generator().manual_seed(0)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator).to(dtype).to(device)

    found: dict[str, Tensor] = {}
    rows, residual, weight = normal(3, 3 * size), normal(3, 3 * size), normal(3 * size)
    found["norm"] = kind.norm(rows, weight)
    found["add_norm"] = kind.add_norm(rows, residual, weight)
    found["the sum of add_norm"] = residual
    found["gate"] = kind.gate(normal(3, 8 * size))
    positions = torch.tensor([0, 1, len(norms.cos) - 1], device=device).clamp(max=len(norms.cos) - 1)
    for name, scales in (("rotate", None), ("rotate with a norm", normal(4, size))):
        memory = LayerCache(4, 1, (normal(1, 4, size),))
        heads = normal(3, 6, size)
        kind.rotate_and_store(heads, 2, 4, positions, scales, memory, torch.tensor([3, 0, 2], device=device))
        found[name], found[f"what {name} stores"] = heads, memory.pools[0]
    return found
