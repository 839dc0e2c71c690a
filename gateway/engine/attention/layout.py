"""Which rows of a step are whose, and where their keys and values are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.sequence import Sequence

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Layout:
    """What attention knows of a step. Arrays are on the host, tensors on the device.

        rows       0 ......... num_decode_rows ............................ T
                   | a | b b b | c | ...  |  chunk 0  |  chunk 1  | ...     |
        sequences  0   1       2   ...    num_decodes ...

    Attributes:
        decoding: The sequences at the front; they may share one attention call.
        starts: The first row of each sequence. Shapes: [sequences], as the next two.
        counts: Its rows.
        contexts: Its tokens before them.
        owners: Which sequence each row belongs to. Shapes: [T].
        tables: The blocks of each sequence; behind the last, its first again: nothing foreign is ever read. Shapes:
            [sequences, at least `width`], int32, contiguous.
        block_size: Slots of a block.
        host_positions: Of each row's token in its sequence. Shapes: [T].
        positions: The same. Shapes: [T].
        slot_mapping: Where the keys and values of each row are. Shapes: [T].
    """

    decoding: list[Sequence]
    starts: Numbers
    counts: Numbers
    contexts: Numbers
    owners: Numbers
    tables: NDArray[np.int32]
    block_size: int
    host_positions: Numbers
    positions: Tensor
    slot_mapping: Tensor

    @property
    def num_decodes(self) -> int:
        """Sequences that decode."""
        return len(self.decoding)

    @property
    def num_decode_rows(self) -> int:
        """Their rows: pending tokens, and drafts behind them."""
        return int(self.starts[self.num_decodes]) if self.num_decodes < len(self.starts) else len(self.owners)

    @property
    def lengths(self) -> Numbers:
        """Tokens that the last row of each sequence sees. Shapes: [sequences]."""
        return self.contexts + self.counts

    @property
    def width(self) -> int:
        """Blocks of the longest sequence."""
        return -(-int(self.lengths.max()) // self.block_size)
