"""Tokens not much less likely than the best."""

from __future__ import annotations

import math
from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, RowSubset, WarpContext, column, is_sampled


class MinP:
    """p(token) < min_p * p(best) is out; said of scores, so that nothing need be normalised.

    See: Nguyen et al., "Min-p Sampling" (2024).
    """

    def __init__(self, subset: RowSubset, log_shares: Tensor) -> None:
        self._subset = subset
        self._log_shares = log_shares

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.min_p for row, s in enumerate(sequences) if is_sampled(s) and s.sampling.min_p > 0}
        if not wanted:
            return None
        shares = column([math.log(share) for share in wanted.values()], context.device)
        return cls(RowSubset(list(wanted), len(sequences), context.device), shares)

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        self._subset.update(logits, self._warp)

    def _warp(self, rows: Tensor) -> None:
        rows.masked_fill_(rows < rows.amax(dim=-1, keepdim=True) + self._log_shares, MINUS_INFINITY)
