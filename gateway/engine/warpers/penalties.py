"""Additions to the scores of some tokens: biases that requests name, and penalties for tokens that occurred.

Only the scores of these tokens are read and written, so the cost does not grow with the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import TokenIds, WarpContext, remembered, sent


class LogitBias:
    """logits[row, token] += bias."""

    def __init__(self, owners: Indices, tokens: Tensor, values: Tensor) -> None:
        self._owners = owners
        self._tokens = tokens
        self._values = values

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        asking = [number for number, sequence in enumerate(sequences) if sequence.sampling.logit_bias]
        if not asking:
            return None
        tokens, values = zip(*(remembered(sequences[number], _entries) for number in asking), strict=True)
        owners = np.repeat(asking, [len(each) for each in tokens])
        return cls(owners, *(sent(np.concatenate(each), context.device) for each in (tokens, values)))

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        own, entries = (sent(each, logits.device) for each in rows.rows_of(self._owners))
        logits.index_put_((own, self._tokens[entries]), self._values[entries], accumulate=True)


def _entries(sequence: Sequence) -> tuple[TokenIds, NDArray[np.float32]]:
    bias = sequence.sampling.logit_bias
    return np.array(list(bias), dtype=np.int64), np.array(list(bias.values()), dtype=np.float32)


class Penalties:
    """Penalties for tokens that occurred, in this order:

    repetition  scores of tokens of prompt and answer: positive ones divided, negative ones multiplied. See: Keskar et
                al., "CTRL" (2019), section 4.1.
    presence    subtracted once from each token of the answer
    frequency   subtracted from each token of the answer as often as it occurs there
    """

    def __init__(self, strengths: dict[int, tuple[float, float, float]], context: WarpContext) -> None:
        """Args: strengths: Of each kind, by number of the sequence."""
        self._owners = np.array(list(strengths))
        self._strengths = np.array(list(strengths.values()), dtype=np.float32).T
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        strengths = {}
        for number, asked in enumerate(sequence.sampling for sequence in sequences):
            own = (asked.repetition_penalty, asked.presence_penalty, asked.frequency_penalty)
            if own != (1, 0, 0):
                strengths[number] = own
        return cls(strengths, context) if strengths else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        own, entries = rows.rows_of(self._owners)
        read = []
        for row in own.tolist():
            sequence = rows.sequences[rows.owners[row]]
            counts = remembered(sequence, _TokenCounts)
            read.append(counts.read(sequence.token_ids, self._context.vocab_size, rows.tail(row)))
        lengths = [len(ids) for ids, _ in read]
        device = logits.device
        index = sent(own.repeat(lengths), device), sent(np.concatenate([ids for ids, _ in read]), device)
        counts_there = sent(np.concatenate([counts for _, counts in read]), device)
        repetition, presence, frequency = sent(self._strengths[:, entries].repeat(lengths, axis=1), device)
        scores = logits[index]
        scores = torch.where(scores < 0, scores * repetition, scores / repetition)
        logits[index] = scores - presence * (counts_there > 0) - frequency * counts_there


class _TokenCounts:
    """The distinct tokens of one sequence, and how often each occurs in its answer."""

    def __init__(self, sequence: Sequence) -> None:
        self._num_prompt_tokens = sequence.num_prompt_tokens
        self._where: dict[int, int] = {}
        self._ids: TokenIds = np.zeros(64, dtype=np.int64)
        self._counts: NDArray[np.float32] = np.zeros(64, dtype=np.float32)
        self._num_read = 0

    def read(self, text: list[int], vocab_size: int, tail: list[int]) -> tuple[TokenIds, NDArray[np.float32]]:
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
