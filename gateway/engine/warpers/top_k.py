"""The k best tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, Setting, WarpContext, best_scores, is_sampled


class TopK:
    """Tokens worse than the k-th best are out; ties with it stay."""

    def __init__(self, ks: Setting, largest: int) -> None:
        self._ks = ks
        self._largest = largest

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.top_k for row, s in enumerate(sequences) if is_sampled(s)}
        wanted = {row: k for row, k in wanted.items() if 0 < k < context.vocab_size}
        return cls(Setting(wanted, len(sequences), context.device), max(wanted.values())) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        self._ks.update(logits, rows, self._warp)

    def _warp(self, rows: Tensor, ks: Tensor) -> None:
        best = best_scores(rows, self._largest)
        rows.masked_fill_(rows < best.gather(1, ks.long() - 1), MINUS_INFINITY)
