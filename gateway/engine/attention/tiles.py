"""How the rows of a step are cut into tiles, and the keys of a tile into parts, for programs that run side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.attention.layout import Layout, Numbers
from gateway.engine.rows import ranges

MAX_PARTS = 16
"""Of the keys of one tile."""
MIN_KEYS = 64
"""Of a part: for fewer a program takes longer to start."""
MAX_SIZE = 256
"""Numbers of a head."""


@dataclass(frozen=True, slots=True)
class Form:
    """The size of the tiles of one launch.

    Attributes:
        rows: Of a sequence, in a tile.
        heads: Rows of a tile times heads that share a key head, rounded up to what is multiplied at once.
        keys: Looked at in one turn of the loop.
        warps: Of 32 threads, that compute a tile.
        stages: Keys and values that are on their way at a time.
    """

    rows: int
    heads: int
    keys: int
    warps: int
    stages: int


FORMS: dict[tuple[int, bool], tuple[tuple[int, int, int, int], ...]] = {
    (2, True): ((16, 64, 4, 3), (64, 64, 8, 3), (128, 64, 8, 5)),
    (2, False): ((16, 32, 8, 3), (64, 32, 8, 3)),
    (4, True): ((16, 32, 8, 2), (32, 32, 8, 2)),
    (4, False): ((16, 16, 8, 2),),
}
"""`heads`, `keys`, `warps` and `stages` of forms, by bytes of a number and whether a head has up to 128 of them: larger
ones do not fit into registers. Of three stages two look up pages; with five, the next keys are on their way too."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of one launch, on the device.

    Attributes:
        work: Of each program its sequence, first row, part, number of parts, and the place of its first row among those
            that have parts. Shapes: [programs, 5], int32.
        shared: Of each row that has parts its number in the step, and that of its parts. Shapes: [rows, 2], int32.
        num_shared: Rows that have parts.
    """

    form: Form
    work: Tensor
    shared: Tensor
    num_shared: int


def forms_for(group: int, size: int, item_bytes: int, *, is_roomy: bool = True) -> tuple[Form, ...]:
    """Tiles for a row or few, for drafts, for chunks of prompts: the smallest first; none where no tile fits.

    Args:
        group: Heads that share a key head.
        size: Numbers of a head, the larger of keys and values.
        item_bytes: Of a number.
        is_roomy: The GPU has 160 KB or more of shared memory for a program, as data center cards have.
    """
    found = FORMS.get((item_bytes, size <= 128), ()) if size <= MAX_SIZE else ()
    return tuple(
        Form(heads // group, heads, keys, warps, stages if is_roomy else min(stages, 3))
        for heads, keys, warps, stages in found
        if heads >= group
    )


def cut(layout: Layout, forms: tuple[Form, ...], programs: int) -> list[tuple[Form, Numbers, Numbers]]:
    """`Tiles.work` and `Tiles.shared` of each launch: one for what decodes and one for prompts, or one for both.

    Args:
        programs: That run side by side, for each key head: with fewer tiles keys are shared out.
    """
    num_sequences, num_decodes = len(layout.starts), layout.num_decodes
    groups: dict[Form, list[int]] = {}
    for numbers in (range(num_decodes), range(num_decodes, num_sequences)):
        if numbers:
            most = int(layout.counts[numbers].max())
            form = next((form for form in forms if form.rows >= most), forms[-1])
            groups.setdefault(form, []).extend(numbers)
    return [(form, *_tiles(layout, np.array(numbers), form.rows, programs)) for form, numbers in groups.items()]


def _tiles(layout: Layout, numbers: Numbers, rows: int, programs: int) -> tuple[Numbers, Numbers]:
    counts = layout.counts[numbers]
    tiles = -(-counts // rows)
    owner = numbers.repeat(tiles)
    inside = _places(tiles) * rows  # of the first row, in its sequence
    height = np.minimum(layout.counts[owner] - inside, rows)
    seen = layout.contexts[owner] + inside + height
    # A part has as many keys as each program would have if all had as many.
    parts = np.clip(-(-seen // max(MIN_KEYS, -(-int(seen.sum()) // programs))), 1, MAX_PARTS)
    first = layout.starts[owner] + inside
    is_shared = parts > 1
    height[~is_shared] = 0
    place = height.cumsum() - height
    each = np.arange(len(owner)).repeat(parts)
    work = np.stack((owner[each], first[each], _places(parts), parts[each], place[each]), axis=1)
    shared = np.stack((ranges(first, height), parts.repeat(height)), axis=1)
    return work, shared


def _places(counts: NDArray[np.int64]) -> Numbers:
    """[2, 0, 3] -> 0, 1, 0, 1, 2."""
    return ranges(np.zeros_like(counts), counts)
