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
from gateway.engine.inputs import Copied, Staging
from gateway.engine.masks import MaskFiller
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.rows import SamplingRows
from gateway.engine.self_test import self_test
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.verify import draw
from gateway.engine.warpers.base import WarpContext, Warper
from gateway.engine.warpers.token_mask import TokenMask
from gateway.engine.warpers.truncation import Truncation

logger = logging.getLogger(__name__)

TESTED_VOCAB = 5_000
NO_MASKS = np.zeros((0, 1), dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Ending:
    """End of a chain of warpers that the kernels replace: masks, temperatures and truncation.

    Attributes:
        warpers: That do the same.
        heats: The temperature of each sequence, or 1 where it was applied before; 0: its best token is wanted.
        limits: `top_k`, `top_p` and `min_p` of each sequence, or nothing where none asks for them.
    """

    warpers: list[Warper]
    heats: NDArray[np.float32]
    limits: tuple[NDArray[np.generic], ...]

    @property
    def is_masking(self) -> bool:
        """True if the masks are part of it."""
        return any(isinstance(warper, TokenMask) for warper in self.warpers)


class GpuChoice:
    """The end of a chain of warpers and the choice of tokens, in two launches or three."""

    def __init__(self, context: WarpContext) -> None:
        from gateway.engine.gpu_kernels.choice import choose, narrow

        self._choose, self._narrow = choose, narrow
        self._masks = context.masks
        self._staging = Staging(context.device, torch.int32, 1 << 16, is_aside=True)

    @staticmethod
    def take_over(chain: list[Warper], sequences: list[Sequence], vocab_size: int) -> Ending:
        """Remove from the chain the warpers that the kernels replace; none where it ends in typical sampling."""
        warpers: list[Warper] = []
        heats = np.array([sequence.sampling.temperature for sequence in sequences], dtype=np.float32)
        limits: tuple[NDArray[np.generic], ...] = ()
        if chain and isinstance(chain[-1], Truncation):
            if "typical_p" in chain[-1].numbers:
                return Ending([], np.sign(heats), ())
            numbers = chain[-1].numbers
            warpers.append(chain.pop())
            if numbers.keys() - {"temperature"}:
                none = np.full(len(sequences), np.nan, dtype=np.float32)
                top_k, top_p, min_p = (numbers.get(kind, none) for kind in ("top_k", "top_p", "min_p"))
                top_k = np.where(np.isnan(top_k), vocab_size, top_k).astype(np.int32)
                limits = top_k, np.nan_to_num(top_p, nan=1.0), np.nan_to_num(min_p, nan=-np.inf, neginf=-np.inf)
        if chain and isinstance(chain[-1], TokenMask):
            warpers.insert(0, chain.pop())
        return Ending(warpers, heats, limits)

    def choose(self, logits: Tensor, rows: SamplingRows, ending: Ending, points: NDArray[np.float64]) -> Copied:
        """A token of each row, and whether its scores were numbers.

        Shapes: logits [n, V]; points [n] in [0, 1); returns [2, n] int32.
        """
        own, masks = np.full(len(rows), -1), NO_MASKS
        if ending.is_masking:
            own = rows.mask_rows
            masks = self._masks.rows[: own.max() + 1]
        heats = ending.heats[rows.owners]
        limits = [each[rows.owners].view(np.int32) for each in ending.limits]
        sent = self._staging.stage(
            points.view(np.int32),  # first: its numbers begin at multiples of eight bytes
            heats.view(np.int32),
            np.sign(heats).view(np.int32),
            own,
            masks.view(np.int32),
            *limits,
        )
        points_there = sent[0].view(torch.float64)
        heats_there, is_drawn = (each.view(torch.float32) for each in sent[1:3])
        mask_rows, masks_there = sent[3], sent[4].view(masks.shape)
        if limits:
            top_ks, top_ps, min_ps = sent[5:]
            limits_there = top_ks, top_ps.view(torch.float32), min_ps.view(torch.float32)
            self._narrow(logits, masks_there, mask_rows, heats_there, *limits_there)
            mask_rows, heats_there = torch.full_like(mask_rows, -1), is_drawn
        tokens, peaks = self._choose(logits, masks_there, mask_rows, heats_there, points_there)
        return Copied(torch.stack((tokens, peaks.isfinite().int())))


def make_gpu_choice(context: WarpContext) -> GpuChoice | None:
    """Return the choice by kernels, where there are kernels and they pass their self-test."""
    return GpuChoice(context) if why_unavailable(context.device) is None else None


@cache
def why_unavailable(device: torch.device) -> str | None:
    """Return the reason that tokens are not chosen by kernels on this device; None if they are. Cached."""
    reason = why_no_triton(device)
    if reason is None:
        reason = why_wrong(device)
        if reason is not None:
            logger.warning("not choosing tokens by kernels in Triton: they %s", reason)
    return reason


@self_test
def why_wrong(device: torch.device) -> str | None:
    """Return the difference between the kernels' choice and torch's; None if there is none."""
    numbers = np.random.default_rng(0)
    logits = torch.from_numpy(numbers.standard_normal((8, TESTED_VOCAB)).astype(np.float32) * 4)
    masks, points = MaskFiller(TESTED_VOCAB, 2, None, overlap=False), numbers.random(8)
    masks.rows = numbers.integers(0, 1 << 32, (2, -(-TESTED_VOCAB // 32)), dtype=np.uint32)
    for options in ({}, {"top_k": 40}, {"top_p": 0.9, "min_p": 0.01}):
        sampling = [
            SamplingParams(max_tokens=1, temperature=heat, **options) for heat in (0, 0, 0.5, 1, 1.5, 2, 0.1, 0.7)
        ]
        requests = [GenerationRequest(request_id="", prompt_ids=[0], sampling=each) for each in sampling]
        rows = SamplingRows([Sequence(request, 0) for request in requests])
        rows.mask_rows[:] = [-1, 0, 1, 0, -1, 1, -1, 0]
        contexts = [WarpContext(there, TESTED_VOCAB, (), masks) for there in (device, torch.device("cpu"))]
        chains: list[list[Warper]] = [[TokenMask(masks)], [TokenMask(masks)]]
        for chain, context in zip(chains, contexts, strict=True):
            chain += filter(None, [Truncation.build(rows.sequences, context)])
        choice = GpuChoice(contexts[0])
        ending = choice.take_over(chains[0], rows.sequences, TESTED_VOCAB)
        got = choice.choose(logits.to(device, copy=True), rows, ending, points).wait()[0]
        scores = logits.clone()
        for warper in chains[1]:
            warper.apply(scores, rows)
        drawn = draw(scores.softmax(dim=-1), torch.from_numpy(points))
        expected = torch.where(torch.from_numpy(ending.heats) > 0, drawn, scores.argmax(dim=-1)).tolist()
        if got != expected:
            return f"chose {got} instead of {expected}"
    return None
