"""Flatter or steeper distributions."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import Setting, WarpContext


class Temperature:
    """logits /= temperature; greedy rows stay as they are."""

    def __init__(self, temperatures: Setting) -> None:
        self._temperatures = temperatures

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {
            row: s.sampling.temperature for row, s in enumerate(sequences) if s.sampling.temperature not in (0, 1)
        }
        return cls(Setting(wanted, len(sequences), context.device)) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        self._temperatures.update(logits, rows, _warp)


def _warp(rows: Tensor, temperatures: Tensor) -> None:
    rows.div_(temperatures)
