"""Tokens chosen by two kernels on an NVIDIA GPU: mask, temperature and draw, in one upload and one wait."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.gpu_kernels import why_no_triton
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.rejection import draw
from gateway.engine.staging import Copied, Staging
from gateway.engine.warpers.base import WarpContext, Warper
from gateway.engine.warpers.token_mask import TokenMask, forbid
from gateway.engine.warpers.truncation import Truncation

logger = logging.getLogger(__name__)

NO_MASKS = np.zeros((0, 1), dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Ending:
    """What the kernels do of a chain of warpers: the masks and temperatures at its end.

    Attributes:
        warpers: That do the same.
        heats: The temperature of each sequence, or 1 where it was applied before; 0: its best token is wanted.
    """

    warpers: list[Warper]
    heats: NDArray[np.float32]

    @property
    def is_masking(self) -> bool:
        """Whether the masks are among it."""
        return any(isinstance(warper, TokenMask) for warper in self.warpers)


class GpuChoice:
    """The end of a chain of warpers and the choice behind it, in two launches."""

    def __init__(self, context: WarpContext) -> None:
        from gateway.engine.gpu_kernels.choice import choose

        self._choose = choose
        self._masks = context.masks
        self._staging = Staging(context.device, torch.int32, 1 << 16, is_aside=True)

    @staticmethod
    def take_over(chain: list[Warper], sequences: list[Sequence]) -> Ending:
        """Take what is done here off the chain. One that ends in truncation, which looks at the scores, stays."""
        warpers: list[Warper] = []
        is_heating = bool(chain) and isinstance(chain[-1], Truncation) and set(chain[-1].numbers) == {"temperature"}
        if is_heating:
            warpers.append(chain.pop())
        if chain and isinstance(chain[-1], TokenMask):
            warpers.insert(0, chain.pop())
        heats = np.array([sequence.sampling.temperature for sequence in sequences], dtype=np.float32)
        return Ending(warpers, heats if is_heating else np.sign(heats))

    def choose(self, logits: Tensor, rows: SamplingRows, ending: Ending, points: NDArray[np.float64]) -> Copied:
        """A token of each row, and whether its scores were numbers.

        Shapes: logits [n, V]; points [n] in [0, 1); returns [2, n] int32.
        """
        own, masks = np.full(len(rows), -1), NO_MASKS
        if ending.is_masking:
            own = rows.mask_rows
            masks = self._masks.rows[: own.max() + 1]
        sent = self._staging.stage(
            points.view(np.int32),  # first: its numbers begin at multiples of eight bytes
            ending.heats[rows.owners].view(np.int32),
            own,
            masks.view(np.int32),
        )
        points_there, heats = sent[0].view(torch.float64), sent[1].view(torch.float32)
        tokens, peaks = self._choose(logits, sent[3].view(masks.shape), sent[2], heats, points_there)
        return Copied(torch.stack((tokens, peaks.isfinite().int())))


def make_gpu_choice(context: WarpContext) -> GpuChoice | None:
    """The choice by kernels, where there are kernels and they choose rightly."""
    return GpuChoice(context) if why_not_there(context.device) is None else None


@cache
def why_not_there(device: torch.device) -> str | None:
    """Why tokens are not chosen by kernels on this device; None if they are. Found out once."""
    reason = why_no_triton(device)
    if reason is None:
        reason = why_wrong(device)
        if reason is not None:
            logger.warning("not choosing tokens by kernels in Triton: they %s", reason)
    return reason


@torch.inference_mode()
def why_wrong(device: torch.device) -> str | None:
    """In what the choice of the kernels differs from torch's; None if it does not."""
    numbers = np.random.default_rng(0)
    logits = torch.from_numpy(numbers.standard_normal((8, 5000)).astype(np.float32) * 4)
    masks = numbers.integers(0, 1 << 32, (2, 157), dtype=np.uint32)
    mask_rows, points = np.array([-1, 0, 1, 0, -1, 1, -1, 0], dtype=np.int32), numbers.random(8)
    heats = np.array([0, 0, 0.5, 1, 1.5, 2, 0.1, 0.7], dtype=np.float32)
    given = [torch.from_numpy(each).to(device) for each in (masks.view(np.int32), mask_rows, heats, points)]
    try:
        from gateway.engine.gpu_kernels.choice import choose

        tokens, _ = choose(logits.to(device), *given)
        got = tokens.tolist()
    except Exception as failure:  # a kernel may fail in any way
        return f"failed: {failure!r}"
    constrained = logits[mask_rows >= 0]
    forbid(constrained, masks[mask_rows[mask_rows >= 0]])
    logits[mask_rows >= 0] = constrained
    expected = logits.argmax(dim=-1)
    drawn = torch.from_numpy(heats > 0)
    scores = logits[drawn] / torch.from_numpy(heats)[drawn, None]
    expected[drawn] = draw(scores.softmax(dim=-1), torch.from_numpy(points)[drawn])
    return None if got == expected.tolist() else f"chose {got} instead of {expected.tolist()}"
