"""Positions of a prompt whose images are rotated by their rows and columns (M-RoPE of Qwen2-VL).

    token        0 1 2 | image of 2 x 3 | after it
    time         0 1 2   3 3 3 3 3 3      6 7 ...
    row          0 1 2   3 3 3 4 4 4      6 7 ...
    column       0 1 2   3 4 5 3 4 5      6 7 ...

An image takes as many positions as its longer side has squares. So all tokens after the last image, those of the answer
too, have their place in the text and one shift.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]


class GridPositions:
    """Positions on the three axes of a prompt's tokens, and of those that follow."""

    def __init__(self, pieces: Iterable[tuple[int, int]], grids: Iterable[tuple[int, int]]) -> None:
        """
        Args:
            pieces: First token, and the one after the last, of each image.
            grids: Rows and columns of each.
        """
        parts, token, position = list[Positions](), 0, 0
        for (start, stop), (rows, columns) in zip(pieces, grids, strict=True):
            text = np.arange(position, position + start - token)
            position += len(text)
            places = np.indices((rows, columns)).reshape(2, -1)
            parts += np.stack((text,) * 3), np.stack((np.zeros(rows * columns, np.int64), *places)) + position
            token, position = stop, position + max(rows, columns)
        self._shift = position - token
        self._table: Positions = np.concatenate(parts, axis=1)

    def of(self, places: Positions) -> Positions:
        """Return the positions of tokens at these places of the text. Shapes: [n] -> [3, n]."""
        last = self._table.shape[1] - 1
        return np.where(places > last, places + self._shift, self._table[:, np.minimum(places, last)])
