"""A price for being in the answer."""

from __future__ import annotations

from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.seen_tokens import Penalty


class PresencePenalty(Penalty):
    """Subtracted once from each token of the answer."""

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `Penalty.strength`."""
        return sequence.sampling.presence_penalty or None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `Penalty.penalize`."""
        return scores - strengths * (counts > 0)
