"""What the constraints allow, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import torch
from torch import Tensor

from gateway.engine.masks import MaskFiller
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, RowSubset, WarpContext


class TokenMask:
    """logits[row, token] = -inf where the row's constraint forbids the token."""

    def __init__(self, subset: RowSubset, masks: MaskFiller, device: torch.device) -> None:
        self._subset = subset
        self._masks = masks
        self._device = device
        self._forbidden = torch.zeros((0, 0), dtype=torch.bool)

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        rows = [row for row, sequence in enumerate(sequences) if sequence.constraint is not None]
        if not rows:
            return None
        return cls(RowSubset(rows, len(sequences), context.device), context.masks, context.device)

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        self._forbidden = torch.from_numpy(self._masks.forbidden).to(self._device)
        self._subset.update(logits, self._warp)

    def _warp(self, rows: Tensor) -> None:
        rows.masked_fill_(self._forbidden, MINUS_INFINITY)
