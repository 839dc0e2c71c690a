"""Tokens that are about as surprising as one expects."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, RowSubset, WarpContext, best_tokens, column, is_sampled, looks


class TypicalP:
    """The tokens whose surprise is nearest to the entropy, as few as hold `typical_p` of the probability.

    See: Meister et al., "Locally Typical Sampling" (2023), section 4.
    """

    def __init__(self, subset: RowSubset, shares: Tensor) -> None:
        self._subset = subset
        self._shares = shares

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.typical_p for row, s in enumerate(sequences) if is_sampled(s)}
        wanted = {row: share for row, share in wanted.items() if share < 1}
        if not wanted:
            return None
        shares = column(list(wanted.values()), context.device)
        return cls(RowSubset(list(wanted), len(sequences), context.device), shares)

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        self._subset.update(logits, self._warp)

    def _warp(self, rows: Tensor) -> None:
        scores = rows.log_softmax(dim=-1)
        chances = rows.softmax(dim=-1)  # not `scores.exp()`, which is slow where scores are -inf
        entropy = -(scores * chances).nansum(dim=-1, keepdim=True)
        typical = scores.add_(entropy).abs_().neg_()  # -|surprise - entropy|; -inf where the token is out already
        for count in looks(rows.shape[1]):
            nearest, tokens = best_tokens(typical, count)
            mass = chances.gather(1, tokens).cumsum(dim=-1)
            if count == rows.shape[1] or bool((mass[:, -1:] >= self._shares).all()):
                break
        last = (mass < self._shares).sum(dim=-1, keepdim=True).clamp_(max=count - 1)
        rows.masked_fill_(typical < nearest.gather(1, last), MINUS_INFINITY)
