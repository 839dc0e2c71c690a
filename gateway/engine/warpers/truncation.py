"""What draws are made from: scores by temperature, and which of them are too unlikely.

Greedy rows stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.request import SamplingParams
from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import (
    MINUS_INFINITY,
    WarpContext,
    best_scores,
    best_tokens,
    is_sampled,
    log_totals,
    looks,
)


class Truncation:
    """Base of the warpers that read one number of each drawn row; costs little where it is all of them.

    Where there are no drafts, and the rows are the same in every step, nothing goes to the device again.
    """

    def __init__(self, values: Mapping[int, float], total: int, context: WarpContext) -> None:
        """Args: values: By number of the sequence. total: Of the sequences."""
        self._device = context.device
        self._values = np.full(total, np.nan, dtype=np.float32)
        self._values[list(values)] = list(values.values())
        self._largest = max(values.values())
        self._plain = self._select(np.arange(total))

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        asked = {n: cls.value(s.sampling, context.vocab_size) for n, s in enumerate(sequences) if is_sampled(s)}
        values = {number: value for number, value in asked.items() if value is not None}
        return cls(values, len(sequences), context) if values else None

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """The number; None where it changes nothing."""
        raise NotImplementedError

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """Warp in place. Shapes: scores [n, vocab_size], values [n, 1]."""
        raise NotImplementedError

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        index, values = self._select(rows.owners) if rows.drafts else self._plain
        if index is None:
            self.warp(logits, values)
        else:
            scores = logits.index_select(0, index)
            self.warp(scores, values)
            logits.index_copy_(0, index, scores)

    def _select(self, owners: Indices) -> tuple[Tensor | None, Tensor]:
        """The rows that it changes, None for all of them, and their numbers."""
        values = self._values[owners]
        index = np.flatnonzero(~np.isnan(values))
        chosen = torch.from_numpy(values[index]).to(self._device)[:, None]
        return None if len(index) == len(owners) else torch.from_numpy(index).to(self._device), chosen


class Temperature(Truncation):
    """logits /= temperature."""

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """See `Truncation.value`."""
        return None if sampling.temperature == 1 else sampling.temperature

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """See `Truncation.warp`."""
        scores.div_(values)


class TopK(Truncation):
    """Tokens worse than the k-th best are out; ties with it stay."""

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """See `Truncation.value`."""
        return sampling.top_k if 0 < sampling.top_k < vocab_size else None

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """See `Truncation.warp`."""
        best = best_scores(scores, int(self._largest))
        scores.masked_fill_(scores < best.gather(1, values.long() - 1), MINUS_INFINITY)


class TopP(Truncation):
    """A token stays if the tokens better than it hold less than `top_p`; the best always stays.

    See: Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020), section 3.1.
    """

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """See `Truncation.value`."""
        return sampling.top_p if sampling.top_p < 1 else None

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """See `Truncation.warp`."""
        total = log_totals(scores)
        for count in looks(scores.shape[1]):
            best = best_scores(scores, count)
            mass = (best - total).exp().cumsum(dim=-1)
            if count == scores.shape[1] or bool((mass[:, -1:] >= values).all()):
                break
        before = mass - (best - total).exp()
        kept = (before < values).sum(dim=-1, keepdim=True).clamp_(min=1)
        scores.masked_fill_(scores < best.gather(1, kept - 1), MINUS_INFINITY)


class MinP(Truncation):
    """p(token) < min_p * p(best) is out; said of scores, so that nothing need be normalised.

    See: Nguyen et al., "Min-p Sampling" (2024).
    """

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """See `Truncation.value`."""
        return math.log(sampling.min_p) if sampling.min_p > 0 else None

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """See `Truncation.warp`."""
        scores.masked_fill_(scores < scores.amax(dim=-1, keepdim=True) + values, MINUS_INFINITY)


class TypicalP(Truncation):
    """The tokens whose surprise is nearest to the entropy, as few as hold `typical_p` of the probability.

    See: Meister et al., "Locally Typical Sampling" (2023), section 4.
    """

    @staticmethod
    def value(sampling: SamplingParams, vocab_size: int) -> float | None:
        """See `Truncation.value`."""
        return sampling.typical_p if sampling.typical_p < 1 else None

    def warp(self, scores: Tensor, values: Tensor) -> None:
        """See `Truncation.warp`."""
        logs = scores.log_softmax(dim=-1)
        chances = scores.softmax(dim=-1)  # not `logs.exp()`, which is slow where scores are -inf
        entropy = -(logs * chances).nansum(dim=-1, keepdim=True)
        typical = logs.add_(entropy).abs_().neg_()  # -|surprise - entropy|; -inf where the token is out already
        for count in looks(scores.shape[1]):
            nearest, tokens = best_tokens(typical, count)
            mass = chances.gather(1, tokens).cumsum(dim=-1)
            if count == scores.shape[1] or bool((mass[:, -1:] >= values).all()):
                break
        last = (mass < values).sum(dim=-1, keepdim=True).clamp_(max=count - 1)
        scores.masked_fill_(typical < nearest.gather(1, last), MINUS_INFINITY)
