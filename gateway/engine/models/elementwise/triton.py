"""The same in kernels of Triton, one launch each: NVIDIA GPUs."""

from __future__ import annotations

from torch import Tensor

from gateway.engine.kv_cache import LayerCache
from gateway.engine.models.elementwise.base import Norms


class TritonElementwise:
    """See `Elementwise`; `PlainElementwise` is its twin."""

    def __init__(self, norms: Norms) -> None:
        from gateway.engine.gpu_kernels import rows

        self._kernels = rows
        self._norms = norms

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.norm`."""
        return self._kernels.norm_rows(None, rows, weight, self._norms.eps)

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        """See `Elementwise.add_norm`."""
        return self._kernels.norm_rows(rows, residual, weight, self._norms.eps)

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        """See `Elementwise.rotate`."""
        norms = self._norms
        self._kernels.rotate_rows(heads, num_turned, positions, norms.cos, norms.sin, weight, norms.eps)

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
        if not memory.pools:  # its first write makes them
            self.rotate(heads, num_turned, positions, weight)
            return memory.write_joint(slots, heads[:, num_queries:])
        norms, (pool,) = self._norms, memory.pools
        self._kernels.rotate_rows(
            heads, num_turned, positions, norms.cos, norms.sin, weight, norms.eps, pool, slots, num_queries
        )

    def gate(self, rows: Tensor) -> Tensor:
        """See `Elementwise.gate`."""
        return self._kernels.gate_rows(rows)
