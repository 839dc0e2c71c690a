"""From logits to tokens: the warping chain, then the best token or a drawn one; one pass for the whole batch."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gateway.engine.request import TokenLogprobs
from gateway.engine.seeds import uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.warpers import WarpContext, Warper, build_chain
from gateway.engine.warpers.base import is_sampled


@dataclass(slots=True)
class Sampled:
    """The outcome of one step, one entry a row.

    Attributes:
        token_ids: Meaningless where not finite.
        is_finite: Whether there was anything to choose from, and the scores were numbers.
        logprobs: For the rows that asked.
    """

    token_ids: list[int]
    is_finite: list[bool]
    logprobs: dict[int, TokenLogprobs]


class _Recipe:
    """What is constant while the same sequences are sampled."""

    def __init__(self, sequences: Seq[Sequence], context: WarpContext) -> None:
        device = context.device
        self.sequences = list(sequences)
        self.chain: list[Warper] = build_chain(sequences, context)
        self.drawn = [sequence for sequence in sequences if is_sampled(sequence)]
        rows = [row for row, sequence in enumerate(sequences) if is_sampled(sequence)]
        self.drawn_rows = torch.tensor(rows, dtype=torch.int64, device=device)
        self.seeds = np.array([sequence.seed for sequence in self.drawn], dtype=np.uint64)
        self.reported = [row for row, sequence in enumerate(sequences) if sequence.sampling.logprobs is not None]
        self.reported_rows = torch.tensor(self.reported, dtype=torch.int64, device=device)


class Sampler:
    """Chooses the next token of every row."""

    def __init__(self, context: WarpContext) -> None:
        self._context = context
        self._recipe = _Recipe([], context)

    def sample(self, logits: Tensor, sequences: Seq[Sequence]) -> Sampled:
        """Choose one token per row. Overwrites the logits.

        Shapes: logits [len(sequences), vocab_size].
        """
        if self._recipe.sequences != sequences:
            self._recipe = _Recipe(sequences, self._context)
        recipe = self._recipe
        raw = logits.index_select(0, recipe.reported_rows) if recipe.reported else None
        for warper in recipe.chain:
            warper.apply(logits)
        chosen, is_finite = _best(logits)
        if recipe.drawn:
            for row, token in zip(recipe.drawn_rows.tolist(), self._draw(logits, recipe).tolist(), strict=True):
                chosen[row] = token
        logprobs = {} if raw is None else self._report(raw, chosen, recipe)
        return Sampled(chosen, is_finite, logprobs)

    def _draw(self, logits: Tensor, recipe: _Recipe) -> Tensor:
        """Inverse transform sampling, in double precision: one number per row, and a zero is never drawn."""
        counters = np.array([sequence.num_output for sequence in recipe.drawn], dtype=np.uint64)
        points = torch.from_numpy(uniforms(recipe.seeds, counters)).to(logits.device)[:, None]
        rows = logits if len(recipe.drawn) == len(recipe.sequences) else logits.index_select(0, recipe.drawn_rows)
        cumulative = rows.softmax(dim=-1).cumsum(dim=-1, dtype=torch.float64)
        found = torch.searchsorted(cumulative, points * cumulative[:, -1:], right=True)
        return found[:, 0].clamp_(max=rows.shape[1] - 1)

    def _report(self, raw: Tensor, chosen: list[int], recipe: _Recipe) -> dict[int, TokenLogprobs]:
        logprobs = raw.log_softmax(dim=-1)
        wanted = [recipe.sequences[row].sampling.logprobs or 0 for row in recipe.reported]
        tokens = torch.tensor([[chosen[row]] for row in recipe.reported], device=raw.device)
        own = logprobs.gather(1, tokens)[:, 0].tolist()
        top = logprobs.topk(max(wanted), dim=-1)
        report: dict[int, TokenLogprobs] = {}
        for row, count, value, ids, values in zip(
            recipe.reported, wanted, own, top.indices.tolist(), top.values.tolist(), strict=True
        ):
            best = tuple(zip(ids[:count], values[:count], strict=True))
            report[row] = TokenLogprobs(chosen[row], value, best)
        return report


def _best(logits: Tensor) -> tuple[list[int], list[bool]]:
    """The best token of each row, and whether its score is a number; nan counts as best, so it is found.

    On a CPU numpy searches ten times as fast as torch does (11 against 140 us for 32 rows of 4,096).
    """
    if logits.device.type == "cpu":
        scores = logits.numpy()
        ids = scores.argmax(axis=1)
        return ids.tolist(), np.isfinite(scores[np.arange(len(ids)), ids]).tolist()
    values, indices = logits.max(dim=-1)
    return indices.tolist(), values.isfinite().tolist()
