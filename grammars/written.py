"""The text of one match, for guards to look at."""

from __future__ import annotations

import numpy as np

_FIRST_BYTES = 1024


class Written:
    """Bytes that were written so far, with room behind them that kernels may use.

    Attributes:
        array: the bytes and the room. Shapes: uint8[capacity].
        size: how many bytes were written.
        version: another number for each text that this was.
    """

    __slots__ = ("_buffer", "array", "size", "version")

    def __init__(self, capacity: int = _FIRST_BYTES) -> None:
        self.size = self.version = 0
        self._reserve(capacity)

    def __bytes__(self) -> bytes:
        return bytes(self._buffer[: self.size])

    def copy(self) -> Written:
        """A text of its own with the same bytes."""
        twin = Written(len(self._buffer))
        twin._buffer[: self.size] = self._buffer[: self.size]
        twin.size = self.size
        return twin

    def reserve(self, num_bytes: int) -> None:
        """Makes sure that there are `num_bytes` behind the text."""
        if self.size + num_bytes > len(self._buffer):
            kept = self._buffer[: self.size]
            self._reserve(2 * (self.size + num_bytes))
            self._buffer[: self.size] = kept

    def append(self, data: bytes) -> None:
        """Adds `data` at the end."""
        self.reserve(len(data))
        self._buffer[self.size : self.size + len(data)] = data
        self.size += len(data)
        self.version += 1

    def shorten(self, num_bytes: int) -> None:
        """Takes the last `num_bytes` away."""
        self.size -= num_bytes
        self.version += 1

    def _reserve(self, capacity: int) -> None:
        self._buffer = memoryview(bytearray(capacity))
        self.array = np.frombuffer(self._buffer, dtype=np.uint8)
