"""The smallest set of best tokens that holds a share of the probability."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, Setting, WarpContext, best_scores, is_sampled, log_totals, looks


class TopP:
    """A token stays if the tokens better than it hold less than `top_p`; the best always stays.

    See: Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020), section 3.1.
    """

    def __init__(self, shares: Setting) -> None:
        self._shares = shares

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.top_p for row, s in enumerate(sequences) if is_sampled(s) and s.sampling.top_p < 1}
        return cls(Setting(wanted, len(sequences), context.device)) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        self._shares.update(logits, rows, _warp)


def _warp(rows: Tensor, shares: Tensor) -> None:
    total = log_totals(rows)
    for count in looks(rows.shape[1]):
        best = best_scores(rows, count)
        mass = (best - total).exp().cumsum(dim=-1)
        if count == rows.shape[1] or bool((mass[:, -1:] >= shares).all()):
            break
    before = mass - (best - total).exp()
    kept = (before < shares).sum(dim=-1, keepdim=True).clamp_(min=1)
    rows.masked_fill_(rows < best.gather(1, kept - 1), MINUS_INFINITY)
