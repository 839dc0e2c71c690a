"""Gradients by several processes on weights that they share: each core computes packs of its own."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection

import torch
import torch.multiprocessing
from torch import Tensor, nn

from gateway.embedded.training.batches import Pack

Loss = Callable[[Pack], Tensor]


def backward(loss: Loss, packs: list[Pack], total: float) -> float:
    """Adds the gradients of the packs' losses over `total`; returns that loss."""
    found = 0.0
    for pack in packs:
        part = loss(pack) / total
        torch.autograd.backward(part)
        found += float(part.detach())
    return found


class Replicas:
    """Processes that compute gradients beside this one, which alone changes the weights.

    Args:
        model: its weights move to shared memory.
        loss: the loss of a pack under the model.
        count: processes beside this one; with none everything is computed here.
    """

    def __init__(self, model: nn.Module, loss: Loss, count: int) -> None:
        self._loss = loss
        self._weights = list(model.parameters())
        self._gradients: list[list[Tensor]] = []
        self._pipes: list[Connection] = []
        context = torch.multiprocessing.get_context("fork")
        if count:
            model.share_memory()
        for _ in range(count):
            gradients = [torch.zeros_like(weight) for weight in self._weights]
            for gradient in gradients:
                gradient.share_memory_()  # type: ignore[no-untyped-call]
            self._gradients.append(gradients)
            ours, theirs = context.Pipe()
            context.Process(target=_serve, args=(theirs, loss, self._weights, gradients), daemon=True).start()
            self._pipes.append(ours)

    def backward(self, packs: list[Pack], total: float) -> float:
        """See `backward`; the packs are shared out."""
        count = len(self._pipes) + 1
        for number, pipe in enumerate(self._pipes, 1):
            pipe.send((packs[number::count], total))
        found = backward(self._loss, packs[::count], total)
        for pipe, gradients in zip(self._pipes, self._gradients, strict=True):
            found += pipe.recv()
            for weight, gradient in zip(self._weights, gradients, strict=True):
                weight.grad = gradient.clone() if weight.grad is None else weight.grad.add_(gradient)
        return found


def _serve(pipe: Connection, loss: Loss, weights: list[Tensor], gradients: list[Tensor]) -> None:
    torch.set_num_threads(1)
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = gradient
    while True:
        try:
            packs, total = pipe.recv()
        except EOFError:
            return
        for gradient in gradients:
            gradient.zero_()
        pipe.send(backward(loss, packs, total))
