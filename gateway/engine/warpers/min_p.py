"""Tokens not much less likely than the best."""

from __future__ import annotations

import math
from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, Setting, WarpContext, is_sampled


class MinP:
    """p(token) < min_p * p(best) is out; said of scores, so that nothing need be normalised.

    See: Nguyen et al., "Min-p Sampling" (2024).
    """

    def __init__(self, log_shares: Setting) -> None:
        self._log_shares = log_shares

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.min_p for row, s in enumerate(sequences) if is_sampled(s) and s.sampling.min_p > 0}
        shares = {row: math.log(share) for row, share in wanted.items()}
        return cls(Setting(shares, len(sequences), context.device)) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        self._log_shares.update(logits, rows, _warp)


def _warp(rows: Tensor, log_shares: Tensor) -> None:
    rows.masked_fill_(rows < rows.amax(dim=-1, keepdim=True) + log_shares, MINUS_INFINITY)
