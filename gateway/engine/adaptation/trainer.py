"""Training of one temporary adapter: Adam over its matrices."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from threading import Event

import torch
from torch import Tensor

from gateway.engine.adaptation.plain_llama import Past, PlainLlama
from gateway.engine.adapters import Pairs

BETAS, EPSILON = (0.9, 0.999), 1e-8


class Trainer:
    """A and B of an adapter, and what Adam remembers of them, in float32.

    Attributes:
        weights: A [rank, in] and B [rank, out] of each product, by its name; B begins as zeros.
        fixed: Those of the adapter that the text has anyway, which stay as they are.
        stopped: Set once the adapter is not wanted any more.
        spent_s: Seconds of training.
    """

    def __init__(
        self, model: PlainLlama, shapes: Mapping[str, tuple[int, int]], rank: int, learning_rate: float, fixed: Pairs
    ) -> None:
        """Args: shapes: Outputs and inputs of the products of the model, by name."""
        generator = torch.Generator().manual_seed(0)  # a request that is repeated gets the same tokens
        self.weights: Pairs = {}
        for name, (outputs, inputs) in shapes.items():
            a = (2 * torch.rand((rank, inputs), generator=generator) - 1) / math.sqrt(inputs)
            self.weights[name] = a.to(model.device), torch.zeros((rank, outputs), device=model.device)
        self._all = [each.requires_grad_() for pair in self.weights.values() for each in pair]
        self._moments = [(torch.zeros_like(each), torch.zeros_like(each)) for each in self._all]
        self._model, self._learning_rate, self.fixed = model, learning_rate, fixed
        self._num_updates = 0
        self.stopped = Event()
        self.spent_s = 0.0

    def train(self, token_ids: list[int], first: int, past: Past) -> None:
        """Update the adapter towards a piece of text, unless it is `stopped`; see `PlainLlama.loss`."""
        if self.stopped.is_set():
            return
        begun, tokens = time.monotonic(), torch.tensor(token_ids, device=self._model.device)
        self._update(torch.autograd.grad(self._model.loss(tokens, first, past, self.whole), self._all))
        self.spent_s += time.monotonic() - begun

    @property
    def whole(self) -> Pairs:
        """Return one adapter that adds what both add."""
        both = {name: (*self.weights[name], *pair) for name, pair in self.fixed.items()}
        return self.weights | {name: (torch.cat((a, c)), torch.cat((b, d))) for name, (a, b, c, d) in both.items()}

    @property
    def is_finite(self) -> bool:
        """True if all weights are numbers."""
        return all(bool(each.isfinite().all()) for each in self._all)

    @torch.no_grad()
    def _update(self, gradients: tuple[Tensor, ...]) -> None:
        """See Kingma and Ba 2015, "Adam", algorithm 1."""
        self._num_updates += 1
        one, two = (1 - beta**self._num_updates for beta in BETAS)
        for weight, gradient, (mean, square) in zip(self._all, gradients, self._moments, strict=True):
            mean.lerp_(gradient, 1 - BETAS[0])
            square.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
            weight.addcdiv_(mean / one, (square / two).sqrt_().add_(EPSILON), value=-self._learning_rate)
