"""The same in torch's operations: any device, any type."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gateway.engine.kv_cache import LayerCache
from gateway.engine.models.elementwise.base import Norms


class PlainElementwise:
    """See `Elementwise`."""

    def __init__(self, norms: Norms) -> None:
        self._norms = norms

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.norm`."""
        if rows.dtype == torch.float32:
            return functional.rms_norm(rows, weight.shape, weight, self._norms.eps)
        # transformers' classes round before they multiply by the weight.
        return functional.rms_norm(rows, weight.shape, None, self._norms.eps).mul_(weight)

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.add_norm`."""
        return self.norm(residual.add_(rows), weight)

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        """See `Elementwise.rotate`."""
        turned = heads[:, :num_turned]
        size = turned.shape[-1]
        if weight is not None:
            turned.copy_(functional.rms_norm(turned, (size,), None, self._norms.eps).mul_(weight))
        # rotate_half(x) * sin, written as a roll against a table whose first half carries the minus sign.
        rolled = turned.roll(size // 2, -1)
        turned.mul_(self._norms.cos.index_select(0, positions)[:, None])
        turned.addcmul_(rolled, self._norms.sin.index_select(0, positions)[:, None])

    def rotate_and_store(
        self,
        heads: Tensor,
        num_queries: int,
        num_turned: int,
        positions: Tensor,
        weight: Tensor | None,
        memory: LayerCache,
        slots: Tensor,
    ) -> None:
        """See `Elementwise.rotate_and_store`."""
        self.rotate(heads, num_turned, positions, weight)
        memory.write_joint(slots, heads[:, num_queries:])

    def gate(self, rows: Tensor) -> Tensor:
        """See `Elementwise.gate`."""
        gate, up = rows.chunk(2, dim=-1)
        return functional.silu(gate).mul_(up)
