"""A number added to the scores of chosen tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext


class LogitBias:
    """logits[row, token] += bias."""

    def __init__(self, owners: Indices, tokens: Tensor, values: Tensor) -> None:
        self._owners = owners
        self._tokens = tokens
        self._values = values

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        entries = [(number, *item) for number, s in enumerate(sequences) for item in s.sampling.logit_bias.items()]
        if not entries:
            return None
        owners, tokens, values = zip(*entries, strict=True)
        device = context.device
        return cls(
            np.array(owners),
            torch.tensor(tokens, device=device),
            torch.tensor(values, dtype=torch.float32, device=device),
        )

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        own, entries = (torch.from_numpy(each).to(logits.device) for each in rows.rows_of(self._owners))
        logits.index_put_((own, self._tokens[entries]), self._values[entries], accumulate=True)
