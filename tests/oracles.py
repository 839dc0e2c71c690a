"""Slow, obvious references that the fast code is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from grammars.compiled import CompiledGrammar
from grammars.matcher import Matcher


def allowed(row: NDArray[np.uint32], size: int) -> set[int]:
    """The token ids whose bits are set in a mask row."""
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")[:size]).tolist())


def brute_force_mask(matcher: Matcher, tokens_left: int | None = None) -> set[int]:
    """The mask of a matcher, each token tried byte by byte from its configuration."""
    compiled = matcher.compiled
    vocabulary = compiled.vocabulary
    expected: set[int] = set()
    for token_id, data in enumerate(vocabulary.spelled):
        if token_id in vocabulary.eos_token_ids:
            if matcher.is_complete and not matcher.is_ended:
                expected.add(token_id)
        elif data and not matcher.is_ended and matcher.allowed_prefix(data) == len(data):
            twin = matcher.fork()
            assert twin.accept(token_id)
            if tokens_left is None or twin.tokens_to_complete <= tokens_left - 1:
                expected.add(token_id)
    return expected


def with_budgets(
    compiled: CompiledGrammar, budgets: Iterable[int], choose: Callable[[Matcher, set[int]], int | None]
) -> Iterator[tuple[Matcher, int, set[int]]]:
    """Matchers along texts of at most so many tokens each: with the tokens left, and the mask by brute force.

    Args:
        choose: the next token, of those allowed; None ends the text.
    """
    for budget in budgets:
        matcher = compiled.matcher()
        for left in range(budget, -1, -1):
            # What is kept for any budget must not serve one that is too small for it.
            mask_of(matcher)
            expected = brute_force_mask(matcher, left)
            yield matcher, left, expected
            token = choose(matcher, expected)
            if token is None or not matcher.accept(token):
                break


def mask_of(matcher: Matcher, tokens_left: int | None = None) -> set[int]:
    """The mask of a matcher as the kernels fill it, into a row of garbage."""
    vocabulary = matcher.compiled.vocabulary
    row = np.full(vocabulary.tables.num_words, 0xDEADBEEF, dtype=np.uint32)
    matcher.fill_mask(row, tokens_left)
    return allowed(row, len(vocabulary))
