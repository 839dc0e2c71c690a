"""Scores of tokens that came before, made smaller.

All three act on the distinct tokens of a sequence only, so their cost does not grow with the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext


class TokenCounts:
    """The distinct tokens of one sequence, and how often each occurs in its answer."""

    def __init__(self, sequence: Sequence) -> None:
        self._sequence = sequence
        self._where: dict[int, int] = {}
        self._ids: NDArray[np.int64] = np.zeros(64, dtype=np.int64)
        self._counts: NDArray[np.float32] = np.zeros(64, dtype=np.float32)
        self._num_read = 0

    def read(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Distinct tokens of prompt and answer, and their number in the answer, after the newest token."""
        tokens = self._sequence.token_ids
        for index in range(self._num_read, len(tokens)):
            where = self._where.setdefault(tokens[index], len(self._where))
            if where == len(self._ids):
                self._ids = np.concatenate((self._ids, np.zeros_like(self._ids)))
                self._counts = np.concatenate((self._counts, np.zeros_like(self._counts)))
            self._ids[where] = tokens[index]
            self._counts[where] += index >= self._sequence.num_prompt_tokens
        self._num_read = len(tokens)
        return self._ids[: len(self._where)], self._counts[: len(self._where)]


class _Penalty:
    """Gathers the scores of the seen tokens of some rows, changes them, and puts them back."""

    def __init__(
        self, rows: list[int], counts: list[TokenCounts], strengths: list[float], device: torch.device
    ) -> None:
        self._rows = rows
        self._counts = counts
        self._strengths = np.asarray(strengths, dtype=np.float32)
        self._device = device

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        strengths = {row: cls.strength(sequence) for row, sequence in enumerate(sequences)}
        rows = [row for row, strength in strengths.items() if strength is not None]
        if not rows:
            return None
        counts = [TokenCounts(sequences[row]) for row in rows]
        return cls(rows, counts, [strength for strength in strengths.values() if strength is not None], context.device)

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """How strong; None if the sequence does not ask for it."""
        raise NotImplementedError

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """The new scores of the seen tokens. Shapes: [seen], each."""
        raise NotImplementedError

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        read = [counts.read() for counts in self._counts]
        lengths = [len(ids) for ids, _ in read]
        rows = torch.from_numpy(np.repeat(self._rows, lengths)).to(self._device)
        tokens = torch.from_numpy(np.concatenate([ids for ids, _ in read])).to(self._device)
        counts = torch.from_numpy(np.concatenate([counts for _, counts in read])).to(self._device)
        strengths = torch.from_numpy(np.repeat(self._strengths, lengths)).to(self._device)
        logits[rows, tokens] = self.penalize(logits[rows, tokens], counts, strengths)


class RepetitionPenalty(_Penalty):
    """Positive scores divided, negative ones multiplied, for tokens of prompt and answer.

    See: Keskar et al., "CTRL" (2019), section 4.1.
    """

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `_Penalty.strength`."""
        penalty = sequence.sampling.repetition_penalty
        return penalty if penalty != 1 else None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `_Penalty.penalize`."""
        return torch.where(scores < 0, scores * strengths, scores / strengths)


class PresencePenalty(_Penalty):
    """Subtracted once from each token of the answer."""

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `_Penalty.strength`."""
        return sequence.sampling.presence_penalty or None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `_Penalty.penalize`."""
        return scores - strengths * (counts > 0)


class FrequencyPenalty(_Penalty):
    """Subtracted from each token of the answer as often as it occurs there."""

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `_Penalty.strength`."""
        return sequence.sampling.frequency_penalty or None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `_Penalty.penalize`."""
        return scores - strengths * counts
