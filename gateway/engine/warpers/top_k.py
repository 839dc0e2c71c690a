"""The k best tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import torch
from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, RowSubset, WarpContext, best_scores, is_sampled


class TopK:
    """Tokens worse than the k-th best are out; ties with it stay."""

    def __init__(self, subset: RowSubset, ks: Tensor, largest: int) -> None:
        self._subset = subset
        self._ks = ks
        self._largest = largest

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.top_k for row, s in enumerate(sequences) if is_sampled(s)}
        wanted = {row: k for row, k in wanted.items() if 0 < k < context.vocab_size}
        if not wanted:
            return None
        ks = torch.tensor(list(wanted.values()), device=context.device)[:, None]
        return cls(RowSubset(list(wanted), len(sequences), context.device), ks, max(wanted.values()))

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        self._subset.update(logits, self._warp)

    def _warp(self, rows: Tensor) -> None:
        best = best_scores(rows, self._largest)
        rows.masked_fill_(rows < best.gather(1, self._ks - 1), MINUS_INFINITY)
