"""Temperature and truncation: the distribution that tokens are drawn from. Greedy rows are not changed.

Greedy rows stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
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
    sent,
)

Number = Callable[[SamplingParams, int], float | None]
"""The number that a request asks for, with a vocabulary of this size; None: none."""
Warp = Callable[[Tensor, Tensor, float], None]
"""Changes scores in place. Shapes: scores [n, vocab_size], numbers [n, 1], the largest of them."""


class Truncation:
    """Temperature, then top-k, top-p, min-p and typical sampling, of the rows that ask for them.

    Where there are no drafts, and the rows are the same in every step, nothing goes to the device again.

    Attributes:
        numbers: Of the kinds that are asked for, in order; nan: not of this sequence. Shapes: [sequences], each.
    """

    def __init__(self, numbers: Mapping[str, NDArray[np.float32]], context: WarpContext) -> None:
        self.numbers = numbers
        self._context = context
        self._plain = {kind: self._select(each) for kind, each in numbers.items()}

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        drawn = [each.sampling if is_sampled(each) else None for each in sequences]
        numbers = {
            kind: np.array([each and number(each, context.vocab_size) for each in drawn], dtype=np.float32)
            for kind, (number, _) in KINDS.items()
        }
        asked = {kind: each for kind, each in numbers.items() if not np.isnan(each).all()}
        return cls(asked, context) if asked else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        for kind, numbers in self.numbers.items():
            chosen = self._select(numbers[rows.owners]) if rows.drafts else self._plain[kind]
            warp = KINDS[kind][1]
            if chosen.index is None:
                warp(logits, chosen.numbers, chosen.largest)
            else:
                scores = logits.index_select(0, chosen.index)
                warp(scores, chosen.numbers, chosen.largest)
                logits.index_copy_(0, chosen.index, scores)

    def _select(self, numbers: NDArray[np.float32]) -> _Chosen:
        index: Indices = np.flatnonzero(~np.isnan(numbers))
        device, own = self._context.device, numbers[index]
        largest = float(own.max(initial=0.0))
        return _Chosen(None if len(index) == len(numbers) else sent(index, device), sent(own, device)[:, None], largest)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The rows that are changed, None: all of them; their numbers, and the largest of these."""

    index: Tensor | None
    numbers: Tensor
    largest: float


def _heat(scores: Tensor, numbers: Tensor, largest: float) -> None:
    scores.div_(numbers)


def _top_k(scores: Tensor, numbers: Tensor, largest: float) -> None:
    """Tokens worse than the k-th best are out; ties with it stay."""
    best = best_scores(scores, int(largest))
    scores.masked_fill_(scores < best.gather(1, numbers.long() - 1), MINUS_INFINITY)


def _top_p(scores: Tensor, numbers: Tensor, largest: float) -> None:
    """A token stays if the tokens better than it hold less than `top_p`; the best always stays.

    See: Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020), section 3.1.
    """
    total = log_totals(scores)
    for count in looks(scores.shape[1]):
        best = best_scores(scores, count)
        mass = (best - total).exp().cumsum(dim=-1)
        if count == scores.shape[1] or bool((mass[:, -1:] >= numbers).all()):
            break
    before = mass - (best - total).exp()
    kept = (before < numbers).sum(dim=-1, keepdim=True).clamp_(min=1)
    scores.masked_fill_(scores < best.gather(1, kept - 1), MINUS_INFINITY)


def _min_p(scores: Tensor, numbers: Tensor, largest: float) -> None:
    """p(token) < min_p * p(best) is out; said of scores, by the logarithm, so that nothing need be normalised.

    See: Nguyen et al., "Min-p Sampling" (2024).
    """
    scores.masked_fill_(scores < scores.amax(dim=-1, keepdim=True) + numbers, MINUS_INFINITY)


def _typical_p(scores: Tensor, numbers: Tensor, largest: float) -> None:
    """The tokens whose surprise is nearest to the entropy, as few as hold `typical_p` of the probability.

    See: Meister et al., "Locally Typical Sampling" (2023), section 4.
    """
    logs = scores.log_softmax(dim=-1)
    chances = scores.softmax(dim=-1)  # not `logs.exp()`, which is slow where scores are -inf
    entropy = -(logs * chances).nansum(dim=-1, keepdim=True)
    typical = logs.add_(entropy).abs_().neg_()  # -|surprise - entropy|; -inf where the token is out already
    for count in looks(scores.shape[1]):
        nearest, tokens = best_tokens(typical, count)
        mass = chances.gather(1, tokens).cumsum(dim=-1)
        if count == scores.shape[1] or bool((mass[:, -1:] >= numbers).all()):
            break
    last = (mass < numbers).sum(dim=-1, keepdim=True).clamp_(max=count - 1)
    scores.masked_fill_(typical < nearest.gather(1, last), MINUS_INFINITY)


KINDS: dict[str, tuple[Number, Warp]] = {
    "temperature": (lambda asked, _: None if asked.temperature == 1 else asked.temperature, _heat),
    "top_k": (lambda asked, vocab_size: asked.top_k if 0 < asked.top_k < vocab_size else None, _top_k),
    "top_p": (lambda asked, _: asked.top_p if asked.top_p < 1 else None, _top_p),
    "min_p": (lambda asked, _: math.log(asked.min_p) if asked.min_p > 0 else None, _min_p),
    "typical_p": (lambda asked, _: asked.typical_p if asked.typical_p < 1 else None, _typical_p),
}
