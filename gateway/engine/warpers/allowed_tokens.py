"""Nothing but chosen tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.masks import MaskFiller
from gateway.engine.protocols import MaskRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import TokenIds, mask_rows
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext, remembered


class AllowedTokens:
    """logits[row, token] = -inf for every token but those of `allowed_token_ids`.

    Under a constraint: for every token that is not in both, as long as there is one (see `bans`).
    """

    def __init__(self, sequences: Seq[Sequence], wanted: dict[int, TokenIds], context: WarpContext) -> None:
        own_mask = mask_rows(sequences)
        free = {row: tokens for row, tokens in wanted.items() if row not in own_mask}
        self._free = _Kept(free, context.device) if free else None
        masked = {own_mask[row]: tokens for row, tokens in wanted.items() if row in own_mask}
        self._mask_rows = np.array(list(masked), dtype=np.int64)
        self._packed = [_packed(tokens, context.vocab_size) for tokens in masked.values()]
        self._masks: MaskFiller = context.masks

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {
            row: remembered(sequence, _allowed)
            for row, sequence in enumerate(sequences)
            if sequence.sampling.allowed_token_ids is not None
        }
        return cls(sequences, wanted, context) if wanted else None

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        if self._free is not None:
            self._free.apply(logits)
        if self._packed:
            both = self._masks.rows[self._mask_rows] & self._packed
            left = both.any(axis=1)
            self._masks.rows[self._mask_rows[left]] = both[left]


class _Kept:
    """Sets rows to -inf and puts some scores back."""

    def __init__(self, kept: dict[int, TokenIds], device: torch.device) -> None:
        self._rows = torch.tensor(list(kept), dtype=torch.int64, device=device)
        rows = np.repeat(list(kept), [len(tokens) for tokens in kept.values()])
        self._index = (
            torch.from_numpy(rows).to(device),
            torch.from_numpy(np.concatenate(list(kept.values()))).to(device),
        )

    def apply(self, logits: Tensor) -> None:
        scores = logits[self._index]
        logits.index_fill_(0, self._rows, MINUS_INFINITY)
        logits[self._index] = scores


def _allowed(sequence: Sequence) -> TokenIds:
    return np.unique(np.asarray(sequence.sampling.allowed_token_ids, dtype=np.int64))


def _packed(tokens: TokenIds, vocab_size: int) -> MaskRows:
    """The tokens as a mask row. Shapes: [ceil(V / 32)]."""
    bits = np.zeros(-(-vocab_size // 32) * 32, dtype=np.uint8)
    bits[tokens] = 1
    return np.packbits(bits, bitorder="little").view(np.uint32)
