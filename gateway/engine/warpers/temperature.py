"""Flatter or steeper distributions."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext, column


class Temperature:
    """logits /= temperature; greedy rows stay as they are."""

    def __init__(self, temperatures: Tensor) -> None:
        self._temperatures = temperatures

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        temperatures = [sequence.sampling.temperature or 1.0 for sequence in sequences]
        if all(temperature == 1 for temperature in temperatures):
            return None
        return cls(column(temperatures, context.device))

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        logits.div_(self._temperatures)
