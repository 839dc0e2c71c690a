"""What a request forbids beside its constraint, and which of the two wins.

A row chooses from a *pool*: what its mask allows, or the whole vocabulary where it has none. Each ban takes tokens out
of the pool, one warper after another, and a ban that would leave nothing is void in that step.

That is enough for answers that are always complete: a mask promises of *every* token in it that a complete text still
fits into the budget after that token. So any of them may be taken away as long as one is left.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.protocols import MaskRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext

TokenIds = NDArray[np.int64]
NONE: TokenIds = np.zeros(0, dtype=np.int64)


def mask_rows(sequences: Seq[Sequence]) -> dict[int, int]:
    """For each constrained row, which of `MaskFiller.rows` is its own."""
    constrained = (row for row, sequence in enumerate(sequences) if sequence.constraint is not None)
    return {row: number for number, row in enumerate(constrained)}


def narrow_mask(mask: MaskRows, tokens: TokenIds) -> None:
    """Clear the bits of these tokens, unless nothing would be left. Shapes: mask [ceil(V / 32)]."""
    words = tokens >> 5
    before = mask[words]
    np.bitwise_and.at(mask, words, ~(np.uint32(1) << (tokens & 31).astype(np.uint32)))
    if not mask.any():
        mask[words] = before


def narrow_scores(scores: Tensor, tokens: Tensor) -> None:
    """Set the scores of these tokens to -inf, unless nothing would be left. Shapes: scores [vocab_size]."""
    before = scores[tokens]
    scores[tokens] = MINUS_INFINITY
    if scores.max() == MINUS_INFINITY:
        scores[tokens] = before


class Ban:
    """Base of the warpers that forbid a few tokens of a row, other ones in every step."""

    def __init__(self, rows: Seq[int], sequences: Seq[Sequence], context: WarpContext) -> None:
        own_mask = mask_rows(sequences)
        self._entries = [(row, own_mask.get(row), sequences[row]) for row in rows]
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        rows = [row for row, sequence in enumerate(sequences) if cls.concerns(sequence)]
        return cls(rows, sequences, context) if rows else None

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """Whether the sequence asks for it."""
        raise NotImplementedError

    def banned(self, sequence: Sequence) -> TokenIds:
        """The tokens that may not come next; one may be named twice."""
        raise NotImplementedError

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        rows: list[int] = []
        found: list[TokenIds] = []
        for row, mask_row, sequence in self._entries:
            tokens = self.banned(sequence)
            if not len(tokens):
                continue
            if mask_row is not None:
                narrow_mask(self._context.masks.rows[mask_row], tokens)
            elif self._may_leave_nothing(sequence):
                narrow_scores(logits[row], torch.from_numpy(tokens).to(logits.device))
            else:
                rows.append(row)
                found.append(tokens)
        if rows:
            owners = torch.from_numpy(np.repeat(rows, [len(tokens) for tokens in found]))
            logits[owners.to(logits.device), torch.from_numpy(np.concatenate(found)).to(logits.device)] = MINUS_INFINITY

    def _may_leave_nothing(self, sequence: Sequence) -> bool:
        """Whether all bans together could name the whole vocabulary: a bound, so that few rows need be looked at."""
        sampling = sequence.sampling
        named = len(sequence.token_ids) + len(sampling.bad_words_ids) + len(sampling.stop_token_ids)
        return (
            sampling.allowed_token_ids is not None
            or named + len(self._context.eos_token_ids) >= self._context.vocab_size
        )
