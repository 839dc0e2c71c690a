"""No end before a number of tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

from torch import Tensor

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext


class MinTokens:
    """End-of-sequence and stop tokens out of reach until `min_tokens`.

    Unconstrained rows only: for the others the mask says it (see `MaskFiller`), which knows whether anything is left.
    """

    def __init__(self, entries: list[tuple[int, Sequence, list[int]]]) -> None:
        self._entries = entries

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        entries = []
        for row, sequence in enumerate(sequences):
            sampling = sequence.sampling
            if sequence.constraint is None and sequence.num_output < sampling.min_tokens:
                ends = set(sampling.stop_token_ids).union(() if sampling.ignore_eos else context.eos_token_ids)
                entries.append((row, sequence, sorted(token for token in ends if token < context.vocab_size)))
        return cls(entries) if entries else None

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        for row, sequence, ends in self._entries:
            if sequence.num_output < sequence.sampling.min_tokens:
                logits[row, ends] = MINUS_INFINITY
