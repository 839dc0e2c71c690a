"""What a decoder layer does between its matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from gateway.engine.kv_cache import LayerCache


@dataclass(frozen=True, slots=True)
class Norms:
    """What is common to the norms and rotations of one model.

    Attributes:
        eps: Added to mean squares.
        cos, sin: Rotations by position; the first half of `sin` carries a minus. Shapes: [positions, head_size].
    """

    eps: float
    cos: Tensor
    sin: Tensor


class Elementwise(Protocol):
    """Row by row, in the precision of transformers' classes: computed in float32, rounded where they round."""

    def norm(self, rows: Tensor, weight: Tensor) -> Tensor:
        """rows / rms(rows) * weight. Shapes: [n, size]."""

    def add_norm(self, rows: Tensor, residual: Tensor, weight: Tensor) -> Tensor:
        """Add `rows` to `residual` in place; the norm of the sum. Shapes: [n, size]."""

    def rotate(self, heads: Tensor, num_turned: int, positions: Tensor, weight: Tensor | None) -> None:
        """Norm (if there is a weight) and rotate the first `num_turned` heads of every row, in place.

        Shapes: heads [n, all heads, size], positions [n], weight [num_turned, size].
        """

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
        """The same, and what stands behind the queries goes to these slots of the memory. Shapes: slots [n]."""

    def gate(self, rows: Tensor) -> Tensor:
        """silu(first half) * second half. Shapes: [n, 2 * size] -> [n, size]."""
