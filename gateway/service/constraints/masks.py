"""Masks of a batch: without the single-blank token where the tokenizer would join the blank with the next byte.

A mask allows every tokenization of a text. After `"number":` a model that expects a number samples the blank alone. If
only a string is allowed, it must then sample a quote, which never follows a single blank in its training data, and the
string that it writes is noise. Without that token it samples the blank and the quote in one token. No text is lost.

Where the tokenizer itself writes the blank alone, as before a digit or as the last of two, the mask allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gateway.service.constraints.section_budget import BoundedMatcher
from grammars import Vocabulary
from grammars import fill_masks as fill_plain
from grammars.matcher import Matcher
from grammars.vocabulary.spelling import without_begun

Row = NDArray[np.uint32]
_BLANK = b" "
_MOST_AHEAD = 16
"""Forced bytes after a blank that are tokenized: enough to determine the tokenizer's first token."""


def fill_masks(constraints: Sequence[Matcher | BoundedMatcher], rows: Row, tokens_left: Sequence[int | None]) -> None:
    """Fill the masks of a batch; see `grammars.fill_masks` and `join_blanks`."""
    matchers = [each.matcher if isinstance(each, BoundedMatcher) else each for each in constraints]
    left = [
        each.limit(tokens) if isinstance(each, BoundedMatcher) else tokens
        for each, tokens in zip(constraints, tokens_left, strict=True)
    ]
    fill_plain(matchers, rows, left)
    join_blanks(matchers, rows)
    for each, row, tokens in zip(constraints, rows, tokens_left, strict=True):
        if isinstance(each, BoundedMatcher):
            each.force_message(row, tokens)


def join_blanks(matchers: Sequence[Matcher], rows: Row) -> None:
    """Remove the single blank from masks where one byte must follow it and the mask allows both in one token.

    It is kept where the tokenizer would write it.

    Args:
        matchers: All of one vocabulary.

    Shapes: rows [matchers, words].
    """
    if not matchers:
        return
    vocabulary = matchers[0].compiled.vocabulary
    blank, joined = _tokens(vocabulary)
    left = _allowed(rows, joined)
    # Other masks have no joined token, or more than one byte may follow.
    for place in np.flatnonzero(_allowed(rows, blank)[:, 0] & (left.sum(axis=1) == 1)).tolist():
        ahead = matchers[place].fork()
        token = vocabulary.tokens[joined[left[place]].item()]
        forced = ahead.forced_bytes(_MOST_AHEAD) if ahead.accept(blank.item()) else b""
        if token is None or forced[:1] != token[1:]:
            continue
        if vocabulary.encode(without_begun(_BLANK + forced))[:1] != [blank.item()]:
            rows[place, blank >> 5] &= ~(np.uint32(1) << (blank & 31).astype(np.uint32))


def _allowed(rows: Row, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each mask allows each token. Shapes: [n, words], [k] -> [n, k]."""
    bits: Row = rows[:, tokens >> 5] >> (tokens & 31).astype(np.uint32)
    return (bits & np.uint32(1)).astype(np.bool_)


@lru_cache(maxsize=4)
def _tokens(vocabulary: Vocabulary) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the single blank, and the tokens of a blank and one other ASCII character; none without a single blank."""
    ids = {token: at for at, token in enumerate(vocabulary.tokens) if token is not None and len(token) <= 2}
    pairs = [(token[1:], at) for token, at in ids.items() if len(token) == 2 and token[:1] == _BLANK]
    joined = [at for byte, at in pairs if byte.isascii() and not byte.isspace()]
    return np.array([ids.get(_BLANK, 0)]), np.array(joined if _BLANK in ids else [], dtype=np.int64)
