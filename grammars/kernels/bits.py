"""Bits of mask rows."""

from __future__ import annotations

import numpy as np

from grammars.kernels.options import i64, kernel


@kernel
def set_tokens(v, row, token):
    """Sets the bits of `token` and of the tokens with the same bytes."""
    while token >= 0:
        row[token >> 5] |= np.uint32(1) << np.uint32(token & 31)
        token = i64(v.next_same[token])


@kernel
def clear_tokens(v, row, token):
    """Clears them."""
    while token >= 0:
        row[token >> 5] &= ~(np.uint32(1) << np.uint32(token & 31))
        token = i64(v.next_same[token])


@kernel
def add_row(row, source):
    """Sets the bits that `source` has."""
    for w in range(len(row)):
        row[w] |= source[w]
