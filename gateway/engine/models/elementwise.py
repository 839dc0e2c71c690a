"""Operations of a decoder layer between its matrix products: norms, rotations, gates."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gateway.engine.cpu_kernels import rows as kernels
from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.inputs import bits, bits_of
from gateway.engine.kv_cache import LayerCache
from gateway.engine.self_test import self_test

logger = logging.getLogger(__name__)

MANY_ROWS = 64
"""From here on torch's operations are as fast once they have a second thread; compiled kernels run in one."""

TOLERANCES = {torch.float32: 1e-5, torch.bfloat16: 2**-6, torch.float16: 2**-9}
"""Of numbers of deviation 1: a last bit of the largest of them."""


@dataclass(frozen=True, slots=True)
class Norms:
    """Constants of the norms and rotations of one model.

    Attributes:
        eps: Added to mean squares.
        cos, sin: Rotations by position; the first half of `sin` carries a minus. Shapes: [positions, head_size].
    """

    eps: float
    cos: Tensor
    sin: Tensor


class Elementwise:
    """Row by row in torch's operations, on any device, in the precision of transformers' classes: computed in float32,
    rounded where they round. Others do the same in kernels.
    """

    def __init__(self, norms: Norms) -> None:
        self._norms = norms

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        """rows / rms(rows) * weight. Shapes: [n, size]."""
        if rows.dtype == torch.float32:
            return functional.rms_norm(rows, weight.shape, weight, self._norms.eps)
        # transformers' classes round before they multiply by the weight.
        return functional.rms_norm(rows, weight.shape, None, self._norms.eps).mul_(weight)

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        """Add `rows` to `residual` in place; the norm of the sum. Shapes: [n, size]."""
        return self.norm(residual.add_(rows), weight)

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        """Norm (if there is a weight) and rotate the first `num_turned` heads of every row, in place.

        Shapes: heads [n, all heads, size], positions [n], weight [num_turned, size].
        """
        turned = heads[:, :num_turned]
        size = turned.shape[-1]
        if weight is not None:
            turned.copy_(functional.rms_norm(turned, (size,), None, self._norms.eps).mul_(weight))
        # rotate_half(x) * sin, written as a roll against a table whose first half carries the minus sign.
        rolled = turned.roll(size // 2, -1)
        turned.mul_(self._norms.cos.index_select(0, positions)[:, None])
        turned.addcmul_(rolled, self._norms.sin.index_select(0, positions)[:, None])

    def rotate_and_store(
        self, heads: Tensor, queries: int, positions: Tensor, weight: Tensor | None, memory: LayerCache, slots: Tensor
    ) -> None:
        """Norm and rotate queries and keys, and store keys and values in these slots. Shapes: slots [n]."""
        self.rotate(heads, (heads.shape[1] + queries) // 2, positions, weight)
        memory.write_joint(slots, heads[:, queries:])

    def gate(self, rows: Tensor) -> Tensor:
        """silu(first half) * second half. Shapes: [n, 2 * size] -> [n, size]."""
        gate, up = rows.chunk(2, dim=-1)
        return functional.silu(gate).mul_(up)


class CompiledElementwise(Elementwise):
    """In compiled kernels, but for many rows: float32 and bfloat16 on a CPU."""

    def __init__(self, norms: Norms) -> None:
        super().__init__(norms)
        self._eps = np.float32(norms.eps)
        self._cos, self._sin = bits(norms.cos), bits(norms.sin)
        self._no_weight = bits(torch.empty((0, 0), dtype=norms.cos.dtype))

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        if _are_many(rows):
            return super().norm(rows, weight)
        out = torch.empty_like(rows)
        given, scales, written = bits_of(rows, weight, out)
        kernels.norm_rows(given, scales, self._eps, written)
        return out

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        if _are_many(rows):
            return super().add_norm(rows, residual, weight)
        out = torch.empty_like(rows)
        given, sums, scales, written = bits_of(rows, residual, weight, out)
        kernels.add_norm_rows(given, sums, scales, self._eps, written)
        return out

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        if _are_many(heads):
            return super().rotate(heads, num_turned, positions, weight)
        scales = self._no_weight if weight is None else bits(weight)
        kernels.rotate_rows(bits(heads), num_turned, positions.numpy(), self._cos, self._sin, scales, self._eps)

    def gate(self, rows: Tensor) -> Tensor:
        if _are_many(rows):
            return super().gate(rows)
        out = rows.new_empty((rows.shape[0], rows.shape[1] // 2))
        kernels.gate_rows(*bits_of(rows, out))
        return out


class TritonElementwise(Elementwise):
    """In kernels of Triton, one launch each: NVIDIA GPUs."""

    def __init__(self, norms: Norms) -> None:
        from gateway.engine.gpu_kernels import rows

        super().__init__(norms)
        self._kernels = rows

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        return self._kernels.norm_rows(None, rows, weight, self._norms.eps)

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        return self._kernels.norm_rows(rows, residual, weight, self._norms.eps)

    def rotate_and_store(
        self, heads: Tensor, queries: int, positions: Tensor, weight: Tensor | None, memory: LayerCache, slots: Tensor
    ) -> None:
        if not memory.pools:
            memory.write_joint(slots, heads[:, queries:])  # the first write makes them
        norms, (pool,) = self._norms, memory.pools
        self._kernels.rotate_rows(heads, queries, positions, norms.cos, norms.sin, norms.eps, weight, pool, slots)

    def gate(self, rows: Tensor) -> Tensor:
        return self._kernels.gate_rows(rows)


def choose_elementwise(norms: Norms) -> Elementwise:
    """The fastest for the device and type of the rotations; kernels of a GPU are compared with torch's first."""
    device = norms.cos.device
    if device.type == "cpu" and norms.cos.dtype in (torch.float32, torch.bfloat16):
        return CompiledElementwise(norms)
    if why_no_triton(device) is None:
        reason = why_wrong(TritonElementwise, norms)
        if reason is None:
            return TritonElementwise(norms)
        logger.warning("not using kernels in Triton between the products: they %s", reason)
    return Elementwise(norms)


@self_test
def why_wrong(kind: type[Elementwise], norms: Norms) -> str | None:
    """Return the error of these kernels against torch; None if they are right."""
    got, expected = (_sample(each, norms) for each in (kind(norms), Elementwise(norms)))
    bound = TOLERANCES.get(norms.cos.dtype, 1e-5)
    for name, numbers in got.items():
        error = float((numbers.double() - expected[name].double()).abs().max() / expected[name].double().std())
        if not error <= 8 * bound:  # also refuses nan
            return f"are wrong by {error:.3g} in {name}"
    return None


def _sample(kind: Elementwise, norms: Norms) -> dict[str, Tensor]:
    """Return the results of every operation on three rows of random numbers."""
    device, dtype, size = norms.cos.device, norms.cos.dtype, norms.cos.shape[1]
    generator = torch.Generator().manual_seed(0)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator).to(dtype).to(device)

    rows, residual, weight = normal(3, 3 * size), normal(3, 3 * size), normal(3 * size)
    found = {
        "norm": kind.norm(rows, weight),
        "add_norm": kind.add_norm(rows, residual, weight),
        "the sum of add_norm": residual,
        "gate": kind.gate(normal(3, 8 * size)),
    }
    positions = torch.tensor([0, 1, len(norms.cos) - 1], device=device).clamp(max=len(norms.cos) - 1)
    for name, scales in (("rotate", None), ("rotate with a norm", normal(4, size))):
        memory, heads = LayerCache(4, 1, (normal(1, 4, size),)), normal(3, 6, size)
        kind.rotate_and_store(heads, 2, positions, scales, memory, torch.tensor([3, 0, 2], device=device))
        found[name], found[f"what {name} stores"] = heads, memory.pools[0]
    return found


def _are_many(rows: Tensor) -> bool:
    return rows.shape[0] >= MANY_ROWS and torch.get_num_threads() > 1
