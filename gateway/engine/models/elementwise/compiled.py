"""The same in compiled kernels: float32 and bfloat16 on a CPU."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gateway.engine import kernels
from gateway.engine.models.elementwise.base import Norms
from gateway.engine.models.elementwise.plain import PlainElementwise
from gateway.engine.staging import bits

MANY_ROWS = 64
"""From here on torch's operations are as fast once they have a second thread; kernels run in one."""


class CompiledElementwise(PlainElementwise):
    """See `Elementwise`; many rows are computed as `PlainElementwise` does."""

    def __init__(self, norms: Norms) -> None:
        super().__init__(norms)
        self._eps = np.float32(norms.eps)
        self._cos, self._sin = bits(norms.cos), bits(norms.sin)
        self._no_weight = bits(torch.empty((0, 0), dtype=norms.cos.dtype))

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.norm`."""
        if _are_many(rows):
            return super().norm(rows, weight)
        out = torch.empty_like(rows)
        kernels.norm_rows(bits(rows), bits(weight), self._eps, bits(out))
        return out

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.add_norm`."""
        if _are_many(rows):
            return super().add_norm(rows, residual, weight)
        out = torch.empty_like(rows)
        kernels.add_norm_rows(bits(rows), bits(residual), bits(weight), self._eps, bits(out))
        return out

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        """See `Elementwise.rotate`."""
        if _are_many(heads):
            return super().rotate(heads, num_turned, positions, weight)
        scales = self._no_weight if weight is None else bits(weight)
        kernels.rotate_rows(bits(heads), num_turned, positions.numpy(), self._cos, self._sin, scales, self._eps)

    def gate(self, rows: Tensor) -> Tensor:
        """See `Elementwise.gate`."""
        if _are_many(rows):
            return super().gate(rows)
        out = rows.new_empty((rows.shape[0], rows.shape[1] // 2))
        kernels.gate_rows(bits(rows), bits(out))
        return out


def _are_many(rows: Tensor) -> bool:
    return rows.shape[0] >= MANY_ROWS and torch.get_num_threads() > 1
