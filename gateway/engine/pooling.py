"""Pooling of token states into one vector of a text."""

from __future__ import annotations

import torch
from torch import Tensor

from gateway.engine.request import Pooling


class Pool:
    """Pooled states of one text. States are those after the last layer and its norm; they come in order, in chunks.

        last   state of the last token
        cls    state of the first token
        mean   mean over all tokens
        max    maximum of each component over all tokens

    Attributes:
        first, stop: Tokens whose states are still wanted, from `first` up to `stop`.
    """

    def __init__(self, kind: Pooling, num_tokens: int) -> None:
        self.kind = kind
        self.first = num_tokens - 1 if kind == "last" else 0
        self.stop = 1 if kind == "cls" else num_tokens
        self._value: Tensor | None = None
        self._count = 0

    def wanted(self, start: int, stop: int) -> range:
        """Return the tokens between `start` and `stop` whose states are wanted."""
        return range(max(self.first, start), max(min(self.stop, stop), self.first, start))

    def add(self, states: Tensor) -> None:
        """Add the states of the next wanted tokens. Shapes: [n, size], n > 0."""
        rows = states.float()
        value = rows.amax(0) if self.kind == "max" else rows.sum(0)
        if self._value is not None:
            value = torch.maximum(self._value, value) if self.kind == "max" else self._value + value
        self._value, self._count = value, self._count + len(rows)
        self.first += len(rows)

    def vector(self) -> Tensor:
        """Return the pooled states, once all were added. Shapes: [size], float32."""
        assert self._value is not None, "no state was added"
        return self._value / self._count if self.kind == "mean" else self._value


def to_bytes(vector: Tensor) -> bytes:
    """Return a vector as float32, little-endian."""
    return vector.cpu().numpy().astype("<f4").tobytes()
