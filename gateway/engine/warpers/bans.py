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
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext

TokenIds = NDArray[np.int64]
NONE: TokenIds = np.zeros(0, dtype=np.int64)


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

    def __init__(self, owners: Seq[int], context: WarpContext) -> None:
        self._owners = np.array(owners)
        self._context = context

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        owners = [number for number, sequence in enumerate(sequences) if cls.concerns(sequence)]
        return cls(owners, context) if owners else None

    @staticmethod
    def concerns(sequence: Sequence) -> bool:
        """Whether the sequence asks for it."""
        raise NotImplementedError

    def banned(self, sequence: Sequence, tail: list[int]) -> TokenIds:
        """The tokens that may not come behind the text and the tail of a draft; one may be named twice."""
        raise NotImplementedError

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        banned_rows: list[int] = []
        found: list[TokenIds] = []
        for row in rows.rows_of(self._owners)[0].tolist():
            sequence, tail, mask_row = rows.sequences[rows.owners[row]], rows.tail(row), rows.mask_rows[row]
            tokens = self.banned(sequence, tail)
            if not len(tokens):
                continue
            if mask_row >= 0:
                narrow_mask(self._context.masks.rows[mask_row], tokens)
            elif self._may_leave_nothing(sequence, tail):
                narrow_scores(logits[row], torch.from_numpy(tokens).to(logits.device))
            else:
                banned_rows.append(row)
                found.append(tokens)
        if banned_rows:
            index = torch.from_numpy(np.repeat(banned_rows, [len(tokens) for tokens in found]))
            logits[index.to(logits.device), torch.from_numpy(np.concatenate(found)).to(logits.device)] = MINUS_INFINITY

    def _may_leave_nothing(self, sequence: Sequence, tail: list[int]) -> bool:
        """Whether all bans together could name the whole vocabulary: a bound, so that few rows need be looked at."""
        sampling = sequence.sampling
        named = len(sequence.token_ids) + len(tail) + len(sampling.bad_words_ids) + len(sampling.stop_token_ids)
        return (
            sampling.allowed_token_ids is not None
            or named + len(self._context.eos_token_ids) >= self._context.vocab_size
        )
