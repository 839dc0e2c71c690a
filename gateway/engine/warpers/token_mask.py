"""What the constraints allow, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gateway.engine.kernels import choose_best, forbid_rows
from gateway.engine.protocols import MaskRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, RowSubset, WarpContext


class TokenMask:
    """logits[row, token] = -inf where the row's constraint forbids the token.

    On a CPU by a compiled loop: torch has to unpack the masks first. Elsewhere the packed masks travel, a
    32nd of the size, and are unpacked there.
    """

    def __init__(self, rows: Seq[int], total: int, context: WarpContext) -> None:
        self._subset = RowSubset(rows, total, context.device)
        self._places = np.full(total, -1, dtype=np.int64)
        self._places[rows] = np.arange(len(rows))
        self._masks = context.masks

    @classmethod
    def build(cls, sequences: Seq[Sequence], context: WarpContext) -> Self | None:
        """See `Warper.build`."""
        rows = [row for row, sequence in enumerate(sequences) if sequence.constraint is not None]
        return cls(rows, len(sequences), context) if rows else None

    def apply(self, logits: Tensor) -> None:
        """See `Warper.apply`."""
        self._subset.update(logits, lambda rows: forbid(rows, self._masks.rows))

    def choose(self, logits: Tensor) -> tuple[list[int], list[bool]]:
        """What `sampler.best` says of the logits after `apply`, in one pass that writes nothing; on a CPU alone."""
        tokens, are_finite = np.empty(len(logits), dtype=np.int64), np.empty(len(logits), dtype=np.bool_)
        choose_best(logits.numpy(), self._masks.rows, self._places, tokens, are_finite)
        return tokens.tolist(), are_finite.tolist()


def forbid(rows: Tensor, masks: MaskRows) -> None:
    """rows[i, token] = -inf where masks[i] does not have the token. Shapes: rows [n, V], masks [n, ceil(V / 32)]."""
    if rows.device.type == "cpu":
        forbid_rows(rows.numpy(), masks)
    else:
        forbid_elsewhere(rows, masks)


def forbid_elsewhere(rows: Tensor, masks: MaskRows) -> None:
    """The same, unpacked on the device."""
    packed = torch.from_numpy(masks.view(np.int32)).to(rows.device)
    bits = packed[:, :, None] >> torch.arange(32, dtype=torch.int32, device=rows.device) & 1
    rows.masked_fill_(bits.flatten(1)[:, : rows.shape[1]] == 0, MINUS_INFINITY)
