"""Tokens that were there, made less likely.

A penalty changes the scores of the distinct tokens of a sequence only, so its cost does not grow with the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext, remembered


class TokenCounts:
    """The distinct tokens of one sequence, and how often each occurs in its answer. All its penalties share one."""

    def __init__(self, sequence: Sequence) -> None:
        self._num_prompt_tokens = sequence.num_prompt_tokens
        self._where: dict[int, int] = {}
        self._ids: NDArray[np.int64] = np.zeros(64, dtype=np.int64)
        self._counts: NDArray[np.float32] = np.zeros(64, dtype=np.float32)
        self._num_read = 0

    def read(self, text: list[int], vocab_size: int, tail: list[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Distinct tokens of prompt and answer, and their number in the answer, after the tail of a draft.

        Tokens beyond the vocabulary, which a prompt may hold, are left out: they have no score.
        """
        for index in range(self._num_read, len(text)):
            if text[index] >= vocab_size:
                continue
            where = self._where.setdefault(text[index], len(self._where))
            if where == len(self._ids):
                self._ids = np.concatenate((self._ids, np.zeros_like(self._ids)))
                self._counts = np.concatenate((self._counts, np.zeros_like(self._counts)))
            self._ids[where] = text[index]
            self._counts[where] += index >= self._num_prompt_tokens
        self._num_read = len(text)
        ids, counts = self._ids[: len(self._where)], self._counts[: len(self._where)]
        if tail:
            unseen = dict.fromkeys(token for token in tail if token not in self._where)
            new = {token: number for number, token in enumerate(unseen, len(ids))}
            ids = np.concatenate((ids, np.array(list(new), dtype=np.int64)))
            counts = np.concatenate((counts, np.zeros(len(new), dtype=np.float32)))
            np.add.at(counts, [new[token] if token in new else self._where[token] for token in tail], 1)
        return ids, counts


class Penalty:
    """Base of the penalties: gathers the scores of the seen tokens of some rows, changes them, and puts them back."""

    def __init__(self, strengths: dict[int, float], context: WarpContext) -> None:
        self._owners = np.array(list(strengths))
        self._strengths = np.array(list(strengths.values()), dtype=np.float32)
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        found = {row: cls.strength(sequence) for row, sequence in enumerate(sequences)}
        strengths = {row: strength for row, strength in found.items() if strength is not None}
        return cls(strengths, context) if strengths else None

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """How strong; None if the sequence does not ask for it."""
        raise NotImplementedError

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """The new scores of the seen tokens. Shapes: [seen], each."""
        raise NotImplementedError

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        device, vocab_size = self._context.device, self._context.vocab_size
        own, entries = rows.rows_of(self._owners)
        read = []
        for row in own.tolist():
            sequence = rows.sequences[rows.owners[row]]
            read.append(remembered(sequence, TokenCounts).read(sequence.token_ids, vocab_size, rows.tail(row)))
        lengths = [len(ids) for ids, _ in read]
        index = torch.from_numpy(own.repeat(lengths)).to(device)
        tokens = torch.from_numpy(np.concatenate([ids for ids, _ in read])).to(device)
        counts = torch.from_numpy(np.concatenate([counts for _, counts in read])).to(device)
        strengths = torch.from_numpy(self._strengths[entries].repeat(lengths)).to(device)
        logits[index, tokens] = self.penalize(logits[index, tokens], counts, strengths)


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


class FrequencyPenalty(Penalty):
    """Subtracted from each token of the answer as often as it occurs there."""

    @staticmethod
    def strength(sequence: Sequence) -> float | None:
        """See `Penalty.strength`."""
        return sequence.sampling.frequency_penalty or None

    @staticmethod
    def penalize(scores: Tensor, counts: Tensor, strengths: Tensor) -> Tensor:
        """See `Penalty.penalize`."""
        return scores - strengths * counts
