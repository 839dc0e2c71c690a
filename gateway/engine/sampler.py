"""From logits to tokens: the warping chain, then the best token or a drawn one; one pass for the whole batch."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from gateway.engine.logprobs import logprobs_of, masked_logprobs_of
from gateway.engine.request import TokenLogprobs
from gateway.engine.seeds import uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.rejection import draw
from gateway.engine.warpers import WarpContext, Warper, build_chain
from gateway.engine.warpers.bans import mask_rows
from gateway.engine.warpers.base import is_sampled, log_totals
from gateway.engine.warpers.token_mask import forbid


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


class _Reporter:
    """Log-probabilities of the rows that ask for them; use: `begin`, warp, `finish`."""

    def __init__(self, sequences: Seq[Sequence], context: WarpContext) -> None:
        counts = {row: s.sampling.logprobs for row, s in enumerate(sequences) if s.sampling.logprobs is not None}
        own_mask = mask_rows(sequences)
        self._rows, self._counts = list(counts), list(counts.values())
        self._index = torch.tensor(self._rows, dtype=torch.int64, device=context.device)
        # Of the rows that ask: which are constrained, and where their masks are.
        self._constrained = [number for number, row in enumerate(self._rows) if row in own_mask]
        self._mask_rows = [own_mask[self._rows[number]] for number in self._constrained]
        self._masks = context.masks

    def begin(self, logits: Tensor) -> None:
        """Keep what the chain overwrites: the scores, and the masks before anything narrows them."""
        self._logits = logits.index_select(0, self._index)
        if self._constrained:
            self._masked = self._logits[self._constrained]
            forbid(self._masked, self._masks.rows[self._mask_rows])

    def finish(self, chosen: list[int]) -> dict[int, TokenLogprobs]:
        """The reports, by row."""
        tokens = [chosen[row] for row in self._rows]
        totals = log_totals(self._logits)
        reports = logprobs_of(self._logits, totals, tokens, self._counts)
        if self._constrained:
            own = [(tokens[number], self._counts[number]) for number in self._constrained]
            masked = masked_logprobs_of(self._masked, totals[self._constrained], *zip(*own, strict=True))
            for number, entry in zip(self._constrained, masked, strict=True):
                reports[number] = replace(reports[number], masked=entry)
        return dict(zip(self._rows, reports, strict=True))


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
        self.reporter = (
            _Reporter(sequences, context) if any(s.sampling.logprobs is not None for s in sequences) else None
        )


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
        if recipe.reporter is not None:
            recipe.reporter.begin(logits)
        for warper in recipe.chain:
            warper.apply(logits)
        chosen, is_finite = best(logits)
        if recipe.drawn:
            for row, token in zip(recipe.drawn_rows.tolist(), self._draw(logits, recipe).tolist(), strict=True):
                chosen[row] = token
        logprobs = {} if recipe.reporter is None else recipe.reporter.finish(chosen)
        return Sampled(chosen, is_finite, logprobs)

    def _draw(self, logits: Tensor, recipe: _Recipe) -> Tensor:
        """Inverse transform sampling with a number per row."""
        counters = np.array([sequence.num_output for sequence in recipe.drawn], dtype=np.uint64)
        points = torch.from_numpy(uniforms(recipe.seeds, counters)).to(logits.device)
        rows = logits if len(recipe.drawn) == len(recipe.sequences) else logits.index_select(0, recipe.drawn_rows)
        return draw(rows.softmax(dim=-1), points)


def best(logits: Tensor) -> tuple[list[int], list[bool]]:
    """The best token of each row, and whether its score is a number; nan counts as best, so it is found.

    On a CPU numpy searches ten times as fast as torch does (11 against 140 us for 32 rows of 4,096).
    """
    if logits.device.type == "cpu":
        scores = logits.numpy()
        ids = scores.argmax(axis=1)
        return ids.tolist(), np.isfinite(scores[np.arange(len(ids)), ids]).tolist()
    values, indices = logits.max(dim=-1)
    return indices.tolist(), values.isfinite().tolist()
