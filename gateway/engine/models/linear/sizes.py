"""For how many rows products are computed: a few numbers of rows stand for all.

oneDNN makes machine code for each number of rows and each form of weight, and keeps the last 1,024: half a millisecond
and 0.3 to 0.6 MB each, measured. Steps have any number of rows, so after a while there would be a gigabyte of it, and
still now and then a step that waits for more. There are 48 sizes for steps of 512 tokens; the 40 of up to 64 rows take
120 MB for a small model in float32, measured.
"""

from __future__ import annotations

import torch
from torch import Tensor

MAX_EXACT = 32
"""Up to here rows are computed as they come. Steps that decode are of so many, with their drafts, and rows that are
there for nothing, and copying them behind the others, were 5 % of such a step.
"""

SIZES_AN_OCTAVE = 4
"""Beyond it: so many sizes between a power of two and the next. Less than a quarter of the rows is there for nothing,
on the mean 8 %.
"""


def num_computed_rows(num_rows: int) -> int:
    """The smallest size that holds so many rows."""
    if num_rows <= MAX_EXACT:
        return num_rows
    step = (1 << (num_rows - 1).bit_length()) // (2 * SIZES_AN_OCTAVE)
    return -(-num_rows // step) * step


def padded(rows: Tensor) -> Tensor:
    """The rows, and behind them the first ones once more, up to one of the sizes."""
    count = rows.shape[0]
    num_computed = num_computed_rows(count)
    return rows if num_computed == count else torch.cat((rows, rows[: num_computed - count]))
