"""Blanks in one token with what must follow them, as tokenizers write them.

A mask allows every way to cut a text into tokens. Behind `"number":` a model that would write a number takes the blank
alone, and where only a string may stand it is then held to a quote that it never saw behind a blank of its own: what it
writes into the string is noise. Without that token it takes the blank with the quote. No text is lost.

Where the tokenizer itself leaves the blank alone, as before a digit or the last blank of two, so may the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grammars import Vocabulary
from grammars.matcher import Matcher
from grammars.vocabulary.spelling import without_begun

Row = NDArray[np.uint32]
_BLANK = b" "
_MOST_AHEAD = 16
"""Bytes behind a blank that are looked at: enough to see how the tokenizer begins, whatever is forced behind them."""


def join_blanks(matchers: Sequence[Matcher], rows: Row) -> None:
    """Take the blank alone out of masks where one byte must follow, and the mask has both in one token.

    It stays where the tokenizer would write it.

    Args:
        matchers: Of one vocabulary.

    Shapes: rows [matchers, words].
    """
    if not matchers:
        return
    vocabulary = matchers[0].compiled.vocabulary
    blank, joined = _tokens(vocabulary)
    left = _allowed(rows, joined)
    # Elsewhere there is none to take instead, or more than one byte may follow.
    for place in np.flatnonzero(_allowed(rows, blank)[:, 0] & (left.sum(axis=1) == 1)).tolist():
        ahead = matchers[place].fork()
        token = vocabulary.tokens[joined[left[place]].item()]
        forced = ahead.forced_bytes(_MOST_AHEAD) if ahead.accept(blank.item()) else b""
        if token is None or forced[:1] != token[1:]:
            continue
        if vocabulary.encode(without_begun(_BLANK + forced))[:1] != [blank.item()]:
            rows[place, blank >> 5] &= ~(np.uint32(1) << (blank & 31).astype(np.uint32))


def _allowed(rows: Row, tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether masks have these tokens. Shapes: [n, words], [k] -> [n, k]."""
    bits: Row = rows[:, tokens >> 5] >> (tokens & 31).astype(np.uint32)
    return (bits & np.uint32(1)).astype(np.bool_)


@lru_cache(maxsize=4)
def _tokens(vocabulary: Vocabulary) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The blank alone, and tokens of it and one sign of ASCII that is none; no such where there is no blank alone."""
    ids = {token: at for at, token in enumerate(vocabulary.tokens) if token is not None and len(token) <= 2}
    pairs = [(token[1:], at) for token, at in ids.items() if len(token) == 2 and token[:1] == _BLANK]
    joined = [at for byte, at in pairs if byte.isascii() and not byte.isspace()]
    return np.array([ids.get(_BLANK, 0)]), np.array(joined if _BLANK in ids else [], dtype=np.int64)
