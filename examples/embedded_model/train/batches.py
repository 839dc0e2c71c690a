"""Training batches as a pure function of the step, so that a resumed run sees what an unbroken one would."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from embedded_model.data import Conversation, draw_sample
from embedded_model.tokenizer import CALL, END, START, Renderer

MAX_SAMPLE_TOKENS = 1280
PROMPT_SHARE = 0.06
PROMPT_WEIGHT = 0.5
KEY_WEIGHT = 0.1
"""Weight of names that the prompt does not tell, and of such a record's beginning: only a mask can know them."""

SPLIT_SHARE = 0.04
UNTOLD_SPLIT_SHARE = 0.15
"""Shares of the tokens of JSON's scaffolding that are spelled as two: where the prompt tells the names and types of
a record, and where only a mask knows them. There the names are split as well."""

_HEAD = f"{START}assistant\n"
_SCAFFOLDING = re.compile(r'["{}\[\]]')
_NAME = re.compile(r'"([^"\\]*)": ')

Sample = tuple[list[int], list[float]]
"""Token ids, and the weight of each of them in the loss: 1 where the assistant wrote what a prompt determines."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Sequences one after the other.

    Shapes: ids, targets, weights [tokens]; a weight is the position's share in the loss; lengths sum to tokens.
    """

    ids: Tensor
    targets: Tensor
    weights: Tensor
    lengths: list[int]

    def to(self, device: torch.device) -> Pack:
        """The same on a device."""
        ids, targets, weights = (send(each, device) for each in (self.ids, self.targets, self.weights))
        return Pack(ids, targets, weights, self.lengths)


def send(tensor: Tensor, device: torch.device) -> Tensor:
    """The same on a device, without waiting for what a GPU is doing."""
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


class Encoder:
    """Conversations to token ids, with the weights of what the assistant wrote."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._renderer = Renderer()
        self.call_id: int = tokenizer.encode(CALL).ids[0]
        self._ids: dict[str, int] = tokenizer.get_vocab()
        self._spellings = {token: text for text, token in self._ids.items()}

    def encode(self, conversation: Conversation, order: random.Random | None = None) -> Sample:
        """Return token ids and weights; the closing token of an answer counts as the assistant's.

        Args:
            order: splits some tokens. A mask may refuse the token that merges what comes next, and what follows its
                first half must be known then; that half itself is not to be learnt.
        """
        text = self._renderer.render(conversation)
        weights = _weights(text, conversation.foretold)
        encoding = self._tokenizer.encode(text)
        sample = encoding.ids, [weights[start] for start, _ in encoding.offsets]
        if order is None:
            return sample
        return self._split(sample, SPLIT_SHARE if conversation.foretold else UNTOLD_SPLIT_SHARE, order)

    def _split(self, sample: Sample, share: float, order: random.Random) -> Sample:
        ids, weights = list[int](), list[float]()
        for token, weight in zip(*sample, strict=True):
            halves = self._halves(token, weight == KEY_WEIGHT) if weight and order.random() < share else []
            pair = order.choice(halves) if halves else (token,)
            ids += pair
            weights += [0.0] * (len(pair) - 1) + [weight]
        return ids, weights

    def _halves(self, token: int, is_name: bool) -> list[tuple[int, int]]:
        """The ways of spelling scaffolding, or a name, as two tokens."""
        text = self._spellings[token]
        if not is_name and not _SCAFFOLDING.search(text):
            return []
        pairs = ((text[:place], text[place:]) for place in range(1, len(text)))
        return [(self._ids[one], self._ids[two]) for one, two in pairs if one in self._ids and two in self._ids]


def _weights(text: str, foretold: bool) -> list[float]:
    """The weight of each character's token."""
    weights = [0.0] * len(text)
    start = text.find(_HEAD)
    while start >= 0:
        start += len(_HEAD)
        stop = text.index(END, start) + len(END)
        weights[start:stop] = [1.0] * (stop - start)
        if not foretold:
            weights[start] = KEY_WEIGHT
            for name in _NAME.finditer(text, start, stop):
                weights[name.start(1) : name.end(1)] = [KEY_WEIGHT] * (name.end(1) - name.start(1))
        start = text.find(_HEAD, stop)
    return weights


class Batches:
    """The batch of each step, in packs.

    Args:
        tokens_at: least batch size in tokens, by step.
        progress_at: progress of the curriculum, by step.
        pack_tokens: most tokens that are computed together. On a CPU few enough for what is between two layers to
            stay in its cache.
    """

    def __init__(
        self,
        encoder: Encoder,
        seed: int,
        tokens_at: Callable[[int], int],
        progress_at: Callable[[int], float],
        pack_tokens: int = 2048,
    ) -> None:
        self._encoder, self._seed = encoder, seed
        self._tokens_at, self._progress_at = tokens_at, progress_at
        self._pack_tokens = pack_tokens

    def at(self, step: int) -> list[Pack]:
        """The batch of `step`."""
        budget, samples, index = self._tokens_at(step), list[Sample](), 0
        while budget > 0:
            # The step is part of the index: no sample comes twice.
            number = step * 1_000_000 + index
            drawn = draw_sample(self._seed, "train", number, self._progress_at(step))
            sample = self._encoder.encode(drawn, random.Random(number))
            index += 1
            if len(sample[0]) <= MAX_SAMPLE_TOKENS:
                samples.append(sample)
                budget -= len(sample[0])
        order = random.Random(f"{self._seed}:{step}")
        return [make_pack(part, order) for part in share_out(samples, self._pack_tokens)]


def share_out(samples: list[Sample], pack_tokens: int) -> list[list[Sample]]:
    """The samples in packs of at most `pack_tokens`: each goes, longest first, where there is most room."""
    packs: list[list[Sample]] = [[] for _ in range(-(-sum(len(ids) for ids, _ in samples) // pack_tokens))]
    sizes = [0] * len(packs)
    for sample in sorted(samples, key=lambda sample: -len(sample[0])):
        place = sizes.index(min(sizes))
        if sizes[place] and sizes[place] + len(sample[0]) > pack_tokens:
            packs.append([])
            sizes.append(0)
            place = -1
        packs[place].append(sample)
        sizes[place] += len(sample[0])
    return [pack for pack in packs if pack]


def make_pack(samples: list[Sample], order: random.Random) -> Pack:
    """A pack; the loss is on what the assistant wrote and on a small share of the rest."""
    ids = [token for tokens, _ in samples for token in tokens[:-1]]
    targets = [token for tokens, _ in samples for token in tokens[1:]]
    weights = [
        weight or PROMPT_WEIGHT * (order.random() < PROMPT_SHARE) for _, weights in samples for weight in weights[1:]
    ]
    lengths = [len(tokens) - 1 for tokens, _ in samples]
    return Pack(torch.tensor(ids), torch.tensor(targets), torch.tensor(weights), lengths)
