"""Tokens that were there, made less likely."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.seen_tokens import Penalty


class RepetitionPenalty(Penalty):
    """Positive scores divided, negative ones multiplied, for tokens of prompt and answer.

    See: Keskar et al., "CTRL" (2019), section 4.1.
    """

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `Penalty.strength`."""
        penalty = sequence.sampling.repetition_penalty
        return penalty if penalty != 1 else None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `Penalty.penalize`."""
        return torch.where(scores < 0, scores * strengths, scores / strengths)
