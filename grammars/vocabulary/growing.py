"""Arrays that grow while others read them."""

from __future__ import annotations

import math
import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingArray:
    """An array that grows at its end; growing makes a new one, so that readers of the old one are undisturbed.

    Args:
        dtype: of the elements.
        width: of a row, for two dimensions.
        capacity: elements or rows that fit before it has to grow; address space until they are used.
    """

    def __init__(self, dtype: Any, width: int | None = None, capacity: int = 4096) -> None:
        self._shape = () if width is None else (width,)
        self._data = _zeros((capacity, *self._shape), np.dtype(dtype))
        self.used = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Adds `values` at the end."""
        self.add(len(values))[:] = values

    def add(self, count: int) -> NDArray[Any]:
        """Adds so many zeros or rows of zeros at the end, to be written to before others read them; these."""
        needed = self.used + count
        if needed > len(self._data):
            larger = _zeros((max(needed, 2 * len(self._data)), *self._shape), self._data.dtype)
            larger[: self.used] = self._data[: self.used]
            self._data = larger
        added = self._data[self.used : needed]
        self.used = needed
        return added

    @property
    def array(self) -> NDArray[Any]:
        """What was added, and room behind it."""
        return self._data

    @property
    def num_bytes(self) -> int:
        """Bytes in use."""
        return int(self.used * self._data[0].nbytes)


def _zeros(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Zeros in pages of their own: numpy asks for huge ones from 4 MB on, each of which may take milliseconds."""
    memory = mmap.mmap(-1, max(math.prod(shape) * dtype.itemsize, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, dtype=dtype, count=math.prod(shape)).reshape(shape)
