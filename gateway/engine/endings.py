"""Ends of constrained texts: how soon one may end, and whether it may go on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gateway.engine.protocols import TokenConstraint


def shortest_end(constraint: TokenConstraint, tokens_left: int, num_words: int) -> int:
    """Return the tokens within which the text can end; a check may need more of them than the constraint says.

    Args:
        num_words: Of a mask.
    """
    needed, row = constraint.tokens_to_complete, np.zeros(num_words, np.uint32)
    while needed < tokens_left:
        row.fill(0)
        constraint.fill_mask(row, needed)
        if row.any():
            return needed
        needed += max(needed, 1)
    return tokens_left


def goes_on(constraint: TokenConstraint, eos_token_ids: Iterable[int], num_words: int) -> bool:
    """Return whether a token other than an end of sequence may come next.

    Args:
        num_words: Of a mask.
    """
    row = np.zeros(num_words, np.uint32)
    constraint.fill_mask(row)
    for token in eos_token_ids:
        row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
    return bool(row.any())
