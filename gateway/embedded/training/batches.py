"""Training batches as a pure function of the step, so that a resumed run sees what an unbroken one would."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from gateway.embedded.data import Split, draw_sample
from gateway.embedded.tokenizer import CALL, END, PAD, START, Renderer

POOL_STEPS = 16
"""Steps whose samples are drawn together and sorted by length, so that a batch needs next to no padding."""
MAX_SAMPLE_TOKENS = 640
PROMPT_SHARE = 0.08
PROMPT_WEIGHT = 0.5

Sample = tuple[list[int], list[bool]]
"""Token ids, and whether the assistant wrote each of them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Shapes: ids, targets, weights [rows, length]; a weight is the position's share in the loss."""

    ids: Tensor
    targets: Tensor
    weights: Tensor


class Encoder:
    """Conversations to token ids, with the positions that the assistant wrote."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._renderer = Renderer()
        self._start, self._end = tokenizer.token_to_id(START), tokenizer.token_to_id(END)
        self._assistant = tokenizer.encode("assistant\n").ids
        self.pad: int = tokenizer.encode(PAD).ids[0]
        self.call_id: int = tokenizer.encode(CALL).ids[0]

    def encode(self, seed: int, split: Split, index: int, progress: float = 1.0) -> Sample:
        """Token ids of a sample, and whether the assistant wrote each of them (its closing token included)."""
        ids = self._tokenizer.encode(self._renderer.render(draw_sample(seed, split, index, progress))).ids
        written = [False] * len(ids)
        position, head = 0, [self._start, *self._assistant]
        while position < len(ids):
            if ids[position : position + len(head)] != head:
                position += 1
                continue
            position += len(head)
            while position < len(ids):
                written[position] = True
                position += 1
                if ids[position - 1] == self._end:
                    break
        return ids, written


class Batches:
    """The batch of each step.

    Args:
        tokens_at: batch size in tokens, by step.
        progress_at: progress of the curriculum, by step.
    """

    def __init__(
        self,
        encoder: Encoder,
        seed: int,
        tokens_at: Callable[[int], int],
        progress_at: Callable[[int], float],
    ) -> None:
        self._encoder, self._seed = encoder, seed
        self._tokens_at, self._progress_at = tokens_at, progress_at
        self._pool: tuple[int, list[Batch]] = (-1, [])

    def at(self, step: int) -> Batch:
        """The batch of `step`."""
        number, place = divmod(step, POOL_STEPS)
        if self._pool[0] != number:
            self._pool = (number, self._draw_pool(number))
        return self._pool[1][place]

    def _draw_pool(self, number: int) -> list[Batch]:
        first = number * POOL_STEPS
        budget = self._tokens_at(first) * POOL_STEPS
        samples: list[Sample] = []
        index = 0
        while budget > 0 or len(samples) < POOL_STEPS:
            # The pool's number is part of the index: no sample comes twice.
            sample = self._encoder.encode(self._seed, "train", number * 1_000_000 + index, self._progress_at(first))
            index += 1
            if len(sample[0]) <= MAX_SAMPLE_TOKENS:
                samples.append(sample)
                budget -= len(sample[0])
        samples.sort(key=lambda sample: len(sample[0]))
        order = random.Random(f"{self._seed}:{number}")
        batches = [make_batch(part, self._encoder.pad, order) for part in _share_out(samples, POOL_STEPS)]
        order.shuffle(batches)
        return batches


def _share_out(samples: list[Sample], parts: int) -> list[list[Sample]]:
    """The samples in order, cut into parts of about equal numbers of tokens, none of them empty."""
    total = sum(len(ids) for ids, _ in samples)
    shares: list[list[Sample]] = []
    seen = position = 0
    for part in range(parts):
        start, last = position, len(samples) - (parts - 1 - part)
        while position < last and (position == start or seen * parts < total * (part + 1)):
            seen += len(samples[position][0])
            position += 1
        shares.append(samples[start:position])
    return shares


def make_batch(samples: list[Sample], pad: int, order: random.Random) -> Batch:
    """A padded batch; the loss is on what the assistant wrote and on a small share of the rest."""
    length = max(len(ids) for ids, _ in samples) - 1
    ids = torch.full((len(samples), length), pad)
    targets = torch.full((len(samples), length), pad)
    weights = torch.zeros(len(samples), length)
    for row, (tokens, written) in enumerate(samples):
        count = len(tokens) - 1
        ids[row, :count] = torch.tensor(tokens[:-1])
        targets[row, :count] = torch.tensor(tokens[1:])
        weights[row, :count] = torch.tensor(
            [1.0 if w else PROMPT_WEIGHT * (order.random() < PROMPT_SHARE) for w in written[1:]]
        )
    return Batch(ids, targets, weights)
