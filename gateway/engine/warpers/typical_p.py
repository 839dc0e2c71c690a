"""Tokens that are about as surprising as one expects."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, Setting, WarpContext, best_tokens, is_sampled, looks


class TypicalP:
    """The tokens whose surprise is nearest to the entropy, as few as hold `typical_p` of the probability.

    See: Meister et al., "Locally Typical Sampling" (2023), section 4.
    """

    def __init__(self, shares: Setting) -> None:
        self._shares = shares

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {row: s.sampling.typical_p for row, s in enumerate(sequences) if is_sampled(s)}
        wanted = {row: share for row, share in wanted.items() if share < 1}
        return cls(Setting(wanted, len(sequences), context.device)) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        self._shares.update(logits, rows, _warp)


def _warp(rows: Tensor, shares: Tensor) -> None:
    scores = rows.log_softmax(dim=-1)
    chances = rows.softmax(dim=-1)  # not `scores.exp()`, which is slow where scores are -inf
    entropy = -(scores * chances).nansum(dim=-1, keepdim=True)
    typical = scores.add_(entropy).abs_().neg_()  # -|surprise - entropy|; -inf where the token is out already
    for count in looks(rows.shape[1]):
        nearest, tokens = best_tokens(typical, count)
        mass = chances.gather(1, tokens).cumsum(dim=-1)
        if count == rows.shape[1] or bool((mass[:, -1:] >= shares).all()):
            break
    last = (mass < shares).sum(dim=-1, keepdim=True).clamp_(max=count - 1)
    rows.masked_fill_(typical < nearest.gather(1, last), MINUS_INFINITY)
