"""Log-probabilities of answers and prompts, as requests ask for them."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from gateway.engine.inputs import Copied
from gateway.engine.masks import MaskFiller, count_few
from gateway.engine.protocols import MaskRows
from gateway.engine.request import MaskedLogprobs, TokenDetails, TokenLogprobs
from gateway.engine.rows import Indices, SamplingRows
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, best_tokens, log_totals, sent
from gateway.engine.warpers.token_mask import forbid

ROWS_AT_ONCE = 32
"""Rows of a prompt that are ranked together: the ranking takes three times the memory of the scores."""


class Ranking:
    """Log-probabilities of each row's token, and of its best ones; `tell` waits for the device."""

    def __init__(self, logits: Tensor, totals: Tensor, tokens: Tensor, count: int) -> None:
        """Args: totals: `log_totals` of the rows. Shapes: logits [n, vocab_size], totals [n, 1], tokens [n]."""
        values, ids = best_tokens(logits, count)
        self._numbers = Copied(torch.cat((logits.gather(1, tokens[:, None]), values), dim=1) - totals)
        self._ids = Copied(ids)

    def tell(self, tokens: Seq[int], counts: Seq[int]) -> list[TokenLogprobs]:
        """Return them for each row; tokens of probability zero are left out.

        Args:
            counts: Number of best tokens to return, per row.
        """
        return [
            TokenLogprobs(
                token, own, tuple(pair for pair in zip(ids[:n], best[:n], strict=True) if pair[1] > MINUS_INFINITY)
            )
            for token, n, ids, (own, *best) in zip(tokens, counts, self._ids.wait(), self._numbers.wait(), strict=True)
        ]


class Reports:
    """Log-probabilities of the rows of a step that ask for them. Made before the chain changes scores and masks.

    Use: `begin` with the tokens on the device, `finish` with those on the host.
    """

    def __init__(self, logits: Tensor, rows: SamplingRows, owners: Indices, masks: MaskFiller) -> None:
        """Args: owners: The sequences that ask."""
        self._rows, _ = rows.rows_of(owners)
        sampling = [rows.sequences[owner].sampling for owner in rows.owners[self._rows]]
        self._counts = [each.logprobs or 0 for each in sampling]
        self._asked = [list(each.logprob_token_ids) for each in sampling]
        self._detailed = [number for number, each in enumerate(sampling) if each.logprob_details]
        self._index = sent(self._rows, logits.device)
        self._logits = logits.index_select(0, self._index)
        places = rows.mask_rows[self._rows]
        self._constrained = np.flatnonzero(places >= 0)
        if len(self._constrained):
            self._masked = self._logits.index_select(0, sent(self._constrained, logits.device))
            self._masks = masks.rows[places[self._constrained]]
            forbid(self._masked, self._masks)

    def begin(self, ids: Tensor) -> None:
        """Rank. Shapes: ids [rows of the step]."""
        device = ids.device
        ids, most = ids.index_select(0, self._index).long(), max(self._counts)
        totals = log_totals(self._logits)
        self._ranking = Ranking(self._logits, totals, ids, most)
        if any(self._asked):
            numbers = np.arange(len(self._asked)).repeat([len(each) for each in self._asked])
            own = sent(numbers, device)
            tokens = sent(np.concatenate([np.array(each, dtype=np.int64) for each in self._asked]), device)
            self._told = Copied(self._logits[own, tokens] - totals[own, 0])
        if len(self._constrained):
            index = sent(self._constrained, device)
            left, totals = log_totals(self._masked), totals.index_select(0, index)
            # Rounding may make 0 negative.
            self._removed = Copied((left - totals).expm1_().neg_().clamp_(min=0)[:, 0])
            self._masked_ranking = Ranking(self._masked, left, ids.index_select(0, index), most)

    def finish(self, chosen: list[int]) -> dict[int, TokenLogprobs]:
        """The reports, by row."""
        tokens = [chosen[row] for row in self._rows.tolist()]
        reports = self._ranking.tell(tokens, self._counts)
        if any(self._asked):
            told, start = self._told.wait(), 0
            for number, ids in enumerate(self._asked):
                reports[number] = replace(reports[number], asked=tuple(told[start : start + len(ids)]))
                start += len(ids)
        if len(self._constrained):
            own = self._constrained.tolist()
            entries = self._masked_ranking.tell([tokens[n] for n in own], [self._counts[n] for n in own])
            for number, entry, mass in zip(own, entries, self._removed.wait(), strict=True):
                masked = MaskedLogprobs(entry.logprob, entry.top, mass)
                reports[number] = replace(reports[number], masked=masked)
        if self._detailed:
            masks = dict(zip(self._constrained.tolist(), self._masks, strict=True)) if len(self._constrained) else {}
            for number in self._detailed:
                details = _details(reports[number], masks.get(number))
                reports[number] = replace(reports[number], details=details)
        return dict(zip(self._rows.tolist(), reports, strict=True))


def _details(report: TokenLogprobs, mask: MaskRows | None) -> TokenDetails:
    """Return the details that a mask gives; None: no constraint. Shapes: mask [ceil(V / 32)]."""
    if mask is None:
        return TokenDetails(is_forced=False, removed=(False,) * len(report.top))
    removed = tuple(not int(mask[token >> 5]) >> (token & 31) & 1 for token, _ in report.top)
    return TokenDetails(is_forced=count_few(mask[None]) == [1], removed=removed)


def score_prompt(logits: Tensor, sequence: Sequence) -> None:
    """Note what the model said of the next tokens of a prompt. Shapes: logits [tokens, vocab_size]."""
    count = sequence.sampling.prompt_logprobs
    assert count is not None
    assert sequence.prompt_logprobs is not None, "a prompt is scored once"
    for start in range(0, len(logits), ROWS_AT_ONCE):
        rows = logits[start : start + ROWS_AT_ONCE]
        first = sequence.num_scored + 1
        tokens = sequence.token_ids[first : first + len(rows)]
        ranking = Ranking(rows, log_totals(rows), torch.tensor(tokens, device=rows.device), count)
        sequence.prompt_logprobs += ranking.tell(tokens, [count] * len(tokens))
        sequence.num_scored += len(tokens)
