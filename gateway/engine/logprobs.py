"""Log-probabilities of answers and prompts, as requests ask for them."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from torch import Tensor

from gateway.engine.request import MaskedLogprobs, TokenLogprobs
from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import MINUS_INFINITY, best_tokens, log_totals

ROWS_AT_ONCE = 32
"""Rows of a prompt that are ranked together: the ranking takes three times the memory of the scores."""


def logprobs_of(logits: Tensor, totals: Tensor, tokens: Seq[int], counts: Seq[int]) -> list[TokenLogprobs]:
    """What each row of scores says of its token, and of its best ones.

    Shapes: logits [n, vocab_size], totals [n, 1]; the others have n entries.

    Args:
        totals: `log_totals` of these rows.
        tokens: One per row.
        counts: How many of the best are told, per row. None of them is told that has no chance at all.
    """
    own = logits.gather(1, logits.new_tensor(tokens).long()[:, None]).sub_(totals)[:, 0].tolist()
    values, ids = best_tokens(logits, max(counts))
    values = values - totals
    return [
        TokenLogprobs(token, logprob, _possible(row_ids[:count], row_values[:count]))
        for token, logprob, count, row_ids, row_values in zip(
            tokens, own, counts, ids.tolist(), values.tolist(), strict=True
        )
    ]


def masked_logprobs_of(masked: Tensor, totals: Tensor, tokens: Seq[int], counts: Seq[int]) -> list[MaskedLogprobs]:
    """The same of masked scores, and the probability that the mask removed.

    Args:
        totals: Of the same rows without the mask.
    """
    left = log_totals(masked)
    # Rounding may make 0 negative.
    removed = (left - totals).expm1_().neg_().clamp_(min=0)[:, 0].tolist()
    entries = logprobs_of(masked, left, tokens, counts)
    return [MaskedLogprobs(e.logprob, e.top, mass) for e, mass in zip(entries, removed, strict=True)]


def score_prompt(logits: Tensor, sequence: Sequence) -> None:
    """Note what the model said of the next tokens of a prompt. Shapes: logits [tokens, vocab_size]."""
    count = sequence.sampling.prompt_logprobs
    assert count is not None
    assert sequence.prompt_logprobs is not None, "a prompt is scored once"
    for start in range(0, len(logits), ROWS_AT_ONCE):
        rows = logits[start : start + ROWS_AT_ONCE]
        first = sequence.num_scored + 1
        tokens = sequence.token_ids[first : first + len(rows)]
        sequence.prompt_logprobs += logprobs_of(rows, log_totals(rows), tokens, [count] * len(tokens))
        sequence.num_scored += len(tokens)


def _possible(ids: list[int], values: list[float]) -> tuple[tuple[int, float], ...]:
    return tuple((token, value) for token, value in zip(ids, values, strict=True) if value > MINUS_INFINITY)
