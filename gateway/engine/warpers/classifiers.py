"""Classifiers of texts: scores of tokens grow with the log-probability of a class of the text that they would make."""

from __future__ import annotations

import logging
from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext, best_tokens, sent

logger = logging.getLogger(__name__)

MOST_READ = 10
"""Best tokens of a row whose texts are classified."""


class Classifiers:
    """logits[row, token] += weight * log p(class | answer + token), for the `MOST_READ` best tokens of a row.

    The others get the least of what these get, so no token rises because it was not read.
    """

    def __init__(self, asked: Indices, context: WarpContext) -> None:
        """Args: asked: Sequences that have classifiers."""
        self._asked, self._classifiers = asked, context.classifiers

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        asked = [number for number, sequence in enumerate(sequences) if sequence.sampling.classifiers]
        return cls(np.array(asked), context) if asked else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        numbers, _ = rows.rows_of(self._asked)
        scores, best = best_tokens(
            logits.index_select(0, sent(numbers, logits.device)), min(MOST_READ, logits.shape[1])
        )
        candidates = [
            [token for token, is_allowed in zip(tokens, finite, strict=True) if is_allowed]
            for tokens, finite in zip(best.tolist(), scores.isfinite().tolist(), strict=True)
        ]
        sequences = [rows.sequences[rows.owners[row]] for row in numbers]
        texts = [_answer(sequence, rows.tail(row)) for sequence, row in zip(sequences, numbers.tolist(), strict=True)]
        for name in sorted({name for sequence in sequences for name, _ in sequence.sampling.classifiers}):
            weights = [sum(weight for each, weight in one.sampling.classifiers if each == name) for one in sequences]
            own = [number for number, weight in enumerate(weights) if weight and candidates[number]]
            if not own:
                continue
            read = [[*texts[number], token] for number in own for token in candidates[number]]
            try:
                scored = self._classifiers[name].log_probabilities(read)
            except Exception:
                logger.exception("the classifier %s failed; answers that use it end", name)
                scored = torch.full((len(read),), torch.nan)
            found = torch.split(scored, [len(candidates[each]) for each in own])
            for number, values in zip(own, found, strict=True):
                added, row = weights[number] * values.to(logits.device), logits[int(numbers[number])]
                row += added.min()
                row[candidates[number]] += added - added.min()


def _answer(sequence: Sequence, drafted: list[int]) -> list[int]:
    begin = sequence.num_prompt_tokens - sequence.request.num_begun
    return [*sequence.token_ids[begin:], *drafted]
