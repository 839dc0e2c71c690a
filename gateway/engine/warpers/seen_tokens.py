"""The tokens of a text and how often each occurs: what all penalties act on.

A penalty changes the scores of the distinct tokens of a sequence only, so its cost does not grow with the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

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

    def read(self, text: list[int], vocab_size: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Distinct tokens of prompt and answer, and their number in the answer, after the newest token.

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
        return self._ids[: len(self._where)], self._counts[: len(self._where)]


class Penalty:
    """Base of the penalties: gathers the scores of the seen tokens of some rows, changes them, and puts them back."""

    def __init__(self, rows: list[int], sequences: Seq[Sequence], strengths: list[float], context: WarpContext) -> None:
        self._rows = rows
        self._sequences = [sequences[row] for row in rows]
        self._strengths = np.asarray(strengths, dtype=np.float32)
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        found = {row: cls.strength(sequence) for row, sequence in enumerate(sequences)}
        strengths = {row: strength for row, strength in found.items() if strength is not None}
        return cls(list(strengths), sequences, list(strengths.values()), context) if strengths else None

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
        device, vocab_size = self._context.device, self._context.vocab_size
        read = [remembered(each, TokenCounts).read(each.token_ids, vocab_size) for each in self._sequences]
        lengths = [len(ids) for ids, _ in read]
        rows = torch.from_numpy(np.repeat(self._rows, lengths)).to(device)
        tokens = torch.from_numpy(np.concatenate([ids for ids, _ in read])).to(device)
        counts = torch.from_numpy(np.concatenate([counts for _, counts in read])).to(device)
        strengths = torch.from_numpy(np.repeat(self._strengths, lengths)).to(device)
        logits[rows, tokens] = self.penalize(logits[rows, tokens], counts, strengths)
