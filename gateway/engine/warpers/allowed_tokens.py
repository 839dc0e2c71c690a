"""Nothing but chosen tokens."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.protocols import MaskRows
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import TokenIds
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext, remembered


class AllowedTokens:
    """logits[row, token] = -inf for every token but those of `allowed_token_ids`.

    Under a constraint: for every token that is not in both, as long as there is one (see `bans`).
    """

    def __init__(self, sequences: Seq[Sequence], wanted: dict[int, TokenIds], context: WarpContext) -> None:
        free = {owner: tokens for owner, tokens in wanted.items() if sequences[owner].constraint is None}
        self._free = np.array(list(free))
        self._owners = np.repeat(list(free), [len(tokens) for tokens in free.values()])
        self._tokens = torch.from_numpy(np.concatenate(list(free.values()))).to(context.device) if free else None
        self._masked = np.array([owner for owner in wanted if owner not in free])
        packed = [_packed(wanted[owner], context.vocab_size) for owner in self._masked.tolist()]
        self._packed: MaskRows = np.array(packed, dtype=np.uint32)
        self._masks = context.masks

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        wanted = {
            row: remembered(sequence, _allowed)
            for row, sequence in enumerate(sequences)
            if sequence.sampling.allowed_token_ids is not None
        }
        return cls(sequences, wanted, context) if wanted else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        if self._tokens is not None:
            own, entries = (torch.from_numpy(each).to(logits.device) for each in rows.rows_of(self._owners))
            index = own, self._tokens[entries]
            scores = logits[index]
            logits.index_fill_(0, torch.from_numpy(rows.rows_of(self._free)[0]).to(logits.device), MINUS_INFINITY)
            logits[index] = scores
        if len(self._masked):
            own_rows, numbers = rows.rows_of(self._masked)
            places = rows.mask_rows[own_rows]
            both = self._masks.rows[places] & self._packed[numbers]
            left = (places >= 0) & both.any(axis=1)
            self._masks.rows[places[left]] = both[left]


def _allowed(sequence: Sequence) -> TokenIds:
    return np.unique(np.asarray(sequence.sampling.allowed_token_ids, dtype=np.int64))


def _packed(tokens: TokenIds, vocab_size: int) -> MaskRows:
    """The tokens as a mask row. Shapes: [ceil(V / 32)]."""
    bits = np.zeros(-(-vocab_size // 32) * 32, dtype=np.uint8)
    bits[tokens] = 1
    return np.packbits(bits, bitorder="little").view(np.uint32)
