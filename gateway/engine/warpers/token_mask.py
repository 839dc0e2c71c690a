"""The mask of constraints as a warper."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.cpu_kernels.rows import choose_best, forbid_rows
from gateway.engine.masks import MaskFiller
from gateway.engine.protocols import MaskRows
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, WarpContext, sent


class TokenMask:
    """logits[row, token] = -inf where the row's constraint forbids the token.

    On a CPU by a compiled loop: torch has to unpack the masks first. Elsewhere the packed masks travel, a
    32nd of the size, and are unpacked there.
    """

    def __init__(self, masks: MaskFiller) -> None:
        self._masks = masks

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        return cls(context.masks) if any(sequence.constraint is not None for sequence in sequences) else None

    def apply(self, logits: Tensor, rows: SamplingRows) -> None:
        """See `Warper.apply`."""
        own = np.flatnonzero(rows.mask_rows >= 0)
        masks = self._masks.rows[rows.mask_rows[own]]
        if len(own) == len(logits):
            forbid(logits, masks)
        else:
            index = sent(own, logits.device)
            chosen = logits.index_select(0, index)
            forbid(chosen, masks)
            logits.index_copy_(0, index, chosen)

    def choose(self, logits: Tensor, rows: SamplingRows) -> tuple[list[int], list[bool]]:
        """Return `sampler.best` of the logits after `apply`, in one pass that writes nothing; on a CPU only."""
        tokens, are_finite = np.empty(len(logits), dtype=np.int64), np.empty(len(logits), dtype=np.bool_)
        choose_best(logits.numpy(), self._masks.rows, rows.mask_rows, tokens, are_finite)
        return tokens.tolist(), are_finite.tolist()


def forbid(rows: Tensor, masks: MaskRows) -> None:
    """rows[i, token] = -inf where masks[i] does not have the token. Shapes: rows [n, V], masks [n, ceil(V / 32)]."""
    if rows.device.type == "cpu":
        forbid_rows(rows.numpy(), masks)
    else:
        forbid_elsewhere(rows, masks)


def forbid_elsewhere(rows: Tensor, masks: MaskRows) -> None:
    """Apply the masks on a device, unpacked there."""
    packed = sent(masks.view(np.int32), rows.device)
    bits = packed[:, :, None] >> torch.arange(32, dtype=torch.int32, device=rows.device) & 1
    rows.masked_fill_(bits.flatten(1)[:, : rows.shape[1]] == 0, MINUS_INFINITY)
