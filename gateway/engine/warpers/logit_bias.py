"""A number added to the scores of chosen tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import TokenIds
from gateway.engine.warpers.base import WarpContext, remembered


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
        device = context.device
        return cls(
            np.repeat(asking, [len(each) for each in tokens]),
            torch.from_numpy(np.concatenate(tokens)).to(device),
            torch.from_numpy(np.concatenate(values)).to(device),
        )

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        own, entries = (torch.from_numpy(each).to(logits.device) for each in rows.rows_of(self._owners))
        logits.index_put_((own, self._tokens[entries]), self._values[entries], accumulate=True)


def _entries(sequence: Sequence) -> tuple[TokenIds, NDArray[np.float32]]:
    bias = sequence.sampling.logit_bias
    return np.array(list(bias), dtype=np.int64), np.array(list(bias.values()), dtype=np.float32)
