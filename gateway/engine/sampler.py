"""From logits to tokens: the warping chain, then the best token or a drawn one; one pass for the whole batch."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
import torch
from torch import Tensor

from gateway.engine.logprobs import logprobs_of, masked_logprobs_of
from gateway.engine.request import TokenLogprobs
from gateway.engine.seeds import Stream, uniforms
from gateway.engine.sequence import Sequence
from gateway.engine.speculation.rejection import draw, verify
from gateway.engine.warpers import WarpContext, Warper, build_chain
from gateway.engine.warpers.bans import mask_rows
from gateway.engine.warpers.base import is_sampled, log_totals
from gateway.engine.warpers.token_mask import TokenMask, forbid

Proposals = Mapping[Sequence, tuple[int, Tensor]]
"""A drafted token, and what it was drawn from. Shapes: [vocab_size]."""

MAX_RECIPES = 16


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
        asked = [(number, list(sequences[row].sampling.logprob_token_ids)) for number, row in enumerate(self._rows)]
        self._asked = [(number, ids) for number, ids in asked if ids]
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
        for number, ids in self._asked:
            told = (self._logits[number, ids] - totals[number]).tolist()
            reports[number] = replace(reports[number], asked=tuple(told))
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
        self.before_mask = list(takewhile(lambda warper: not isinstance(warper, TokenMask), self.chain))
        self.drawn = [sequence for sequence in sequences if is_sampled(sequence)]
        self.mask: TokenMask | None = None
        last = self.chain[-1] if self.chain else None
        if isinstance(last, TokenMask) and not self.drawn and context.device.type == "cpu":
            # Nothing looks at the scores behind it but the search for the best, which can pass over what is forbidden.
            self.mask = last
            self.chain.pop()
        rows = [row for row, sequence in enumerate(sequences) if is_sampled(sequence)]
        self.rows = rows
        self.drawn_rows = torch.tensor(rows, dtype=torch.int64, device=device)
        self.seeds = np.array([sequence.seed for sequence in self.drawn], dtype=np.uint64)
        self.reporter = (
            _Reporter(sequences, context) if any(s.sampling.logprobs is not None for s in sequences) else None
        )


class Sampler:
    """Chooses the next token of every row."""

    def __init__(self, context: WarpContext) -> None:
        self._context = context
        self._recipes: dict[tuple[Sequence, ...], _Recipe] = {}

    def sample(self, logits: Tensor, sequences: Seq[Sequence], proposals: Proposals | None = None) -> Sampled:
        """Choose one token per row. May overwrite the logits.

        Shapes: logits [len(sequences), vocab_size].

        Args:
            proposals: Of the rows that were drafted from a distribution; their tokens are chosen by rejection sampling.
        """
        recipe = self._recipe(tuple(sequences))
        self._note_steered(logits, recipe)
        if recipe.reporter is not None:
            recipe.reporter.begin(logits)
        for warper in recipe.chain:
            warper.apply(logits)
        chosen, is_finite = best(logits) if recipe.mask is None else recipe.mask.choose(logits)
        if recipe.drawn:
            for row, token in zip(recipe.rows, self._draw(logits, recipe).tolist(), strict=True):
                chosen[row] = token
        if proposals:
            self._verify(logits, sequences, proposals, chosen)
        logprobs = {} if recipe.reporter is None else recipe.reporter.finish(chosen)
        return Sampled(chosen, is_finite, logprobs)

    def _note_steered(self, logits: Tensor, recipe: _Recipe) -> None:
        """Mark the sequences whose budget left out the token that would be likeliest without one."""
        rows = [row for row, sequence in enumerate(recipe.sequences) if sequence.may_be_steered]
        if not rows:
            return
        steered = [recipe.sequences[row] for row in rows]
        masks, own_mask = self._context.masks, mask_rows(recipe.sequences)
        places, own = [own_mask[row] for row in rows], masks.rows
        masks.rows, scores = own.copy(), logits.clone()
        masks.rows[places] = masks.fill_freely(steered)
        for warper in recipe.before_mask:
            warper.apply(scores)
        scores = scores[rows]
        forbid(scores, masks.rows[places])
        masks.rows = own
        for place, sequence, token in zip(places, steered, best(scores)[0], strict=True):
            sequence.is_steered = not own[place, token >> 5] >> (token & 31) & 1

    def _recipe(self, sequences: tuple[Sequence, ...]) -> _Recipe:
        """A few are kept: the rows of a step's later positions come and go, mostly among the same sequences."""
        recipe = self._recipes.pop(sequences, None) or _Recipe(sequences, self._context)
        self._recipes[sequences] = recipe
        if len(self._recipes) > MAX_RECIPES:
            del self._recipes[next(iter(self._recipes))]
        return recipe

    def _draw(self, logits: Tensor, recipe: _Recipe) -> Tensor:
        """Inverse transform sampling with a number per row."""
        counters = np.array([sequence.num_output for sequence in recipe.drawn], dtype=np.uint64)
        points = torch.from_numpy(uniforms(recipe.seeds, counters)).to(logits.device)
        rows = logits if len(recipe.drawn) == len(recipe.sequences) else logits.index_select(0, recipe.drawn_rows)
        return draw(rows.softmax(dim=-1), points)

    def _verify(self, logits: Tensor, sequences: Seq[Sequence], proposals: Proposals, chosen: list[int]) -> None:
        """Rejection sampling of the rows that have a proposal, into `chosen`."""
        rows = [row for row, sequence in enumerate(sequences) if sequence in proposals and is_sampled(sequence)]
        if not rows:
            return
        seeds = np.array([sequences[row].seed for row in rows], dtype=np.uint64)
        counters = np.array([sequences[row].num_output for row in rows], dtype=np.uint64)
        tokens, _ = verify(
            logits[rows],
            torch.stack([proposals[sequences[row]][1] for row in rows]),
            torch.tensor([proposals[sequences[row]][0] for row in rows], device=logits.device),
            (uniforms(seeds, counters, Stream.ACCEPT), uniforms(seeds, counters)),
        )
        for row, token in zip(rows, tokens.tolist(), strict=True):
            chosen[row] = token


def best(logits: Tensor) -> tuple[list[int], list[bool]]:
    """The best token of each row, and whether its score is a number; nan counts as best, so it is found.

    On a CPU numpy searches ten times as fast as torch does (11 against 140 us for 32 rows of 4,096).
    """
    if logits.device.type == "cpu":
        scores = logits.numpy()
        ids = scores.argmax(axis=1)
        return ids.tolist(), np.isfinite(scores[np.arange(len(ids)), ids]).tolist()
    values, indices = logits.max(dim=-1)
    ids, are_finite = torch.stack((indices, values.isfinite().long())).tolist()  # one wait for the device, not two
    return ids, [bool(finite) for finite in are_finite]


def without_numbers(logits: Tensor, verified: Seq[Seq[Sequence]]) -> set[Sequence]:
    """Whose rows hold scores that are no numbers. What is nan in a row is nan in its first score, before warping.

    Shapes: logits [at least the rows, vocab_size], the rows of `verified` one after another.
    """
    rows = [sequence for sequences in verified for sequence in sequences]
    finite = logits[: len(rows), 0].isfinite()
    if not rows or bool(finite.all()):
        return set()
    return {sequence for sequence, is_finite in zip(rows, finite.tolist(), strict=True) if not is_finite}
