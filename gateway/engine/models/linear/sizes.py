"""For how many rows products are computed: a few numbers of rows stand for all.

oneDNN makes machine code for each number of rows and each form of weight, and keeps the last 1,024: half a millisecond
and 0.3 to 0.6 MB each, measured. Steps have any number of rows, so after a while there would be a gigabyte of it, and
still now and then a step that waits for more. There are 22 sizes for steps of 512 tokens, which take 70 MB for a small
model. Rows that are there for nothing cost little where they are few: a processor computes up to sixteen in one piece.
"""

from __future__ import annotations

import torch
from torch import Tensor

MAX_FEW = 64
"""Up to here there are two sizes between a power of two and the next, and up to 8 none; steps that mostly decode."""

SIZES_AN_OCTAVE = 4
"""Beyond it: less than a quarter of the rows is there for nothing, on the mean 8 %."""


def num_computed_rows(num_rows: int) -> int:
    """The smallest size that holds so many rows."""
    octave = 1 << max(num_rows - 1, 0).bit_length()  # the next power of two
    if num_rows <= 8:
        return octave if num_rows else 0
    step = octave // (4 if num_rows <= MAX_FEW else 2 * SIZES_AN_OCTAVE)
    return -(-num_rows // step) * step


def padded(rows: Tensor) -> Tensor:
    """The rows, and behind them the first ones once more, up to one of the sizes."""
    count = rows.shape[0]
    num_computed = num_computed_rows(count)
    return rows if num_computed == count else torch.cat((rows, rows[: num_computed - count]))
