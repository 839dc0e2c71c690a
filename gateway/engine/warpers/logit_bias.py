"""A number added to the scores of chosen tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import torch
from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext


class LogitBias:
    """logits[row, token] += bias."""

    def __init__(self, rows: Tensor, tokens: Tensor, values: Tensor) -> None:
        self._index = (rows, tokens)
        self._values = values

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        entries = [(row, *item) for row, s in enumerate(sequences) for item in s.sampling.logit_bias.items()]
        if not entries:
            return None
        rows, tokens, values = zip(*entries, strict=True)
        device = context.device
        return cls(
            torch.tensor(rows, device=device),
            torch.tensor(tokens, device=device),
            torch.tensor(values, dtype=torch.float32, device=device),
        )

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        logits.index_put_(self._index, self._values, accumulate=True)
