"""The text of one match, for guards to look at."""

from __future__ import annotations

import numpy as np

_FIRST_BYTES = 1024


class Written:
    """Bytes that were written so far, with room behind them that kernels write the next token into.

    Attributes:
        array: the bytes and the room. Shapes: uint8[capacity].
        size: how many bytes were written.
        version: another number for each text that this was.
    """

    __slots__ = ("_address", "_buffer", "_margin", "array", "size", "version")

    def __init__(self, margin: int, capacity: int = _FIRST_BYTES) -> None:
        self.size = self.version = self._address = 0
        self._margin = margin
        self._allocate(capacity + margin)

    def place(self) -> tuple[int, int, int, int]:
        """Address and length of the array, size and version."""
        if self._address == 0:
            self._address = int(self.array.__array_interface__["data"][0])
        return self._address, len(self._buffer), self.size, self.version

    def __bytes__(self) -> bytes:
        return bytes(self._buffer[: self.size])

    def copy(self) -> Written:
        """A text of its own with the same bytes."""
        twin = Written(self._margin, len(self._buffer))
        twin._buffer[: self.size] = self._buffer[: self.size]
        twin.size = self.size
        return twin

    def take(self, num_bytes: int) -> None:
        """The next bytes behind the text, which a kernel wrote, belong to it."""
        self.size += num_bytes
        self.version += 1
        if self.size + self._margin > len(self._buffer):
            self.reserve(0)

    def shorten(self, num_bytes: int) -> None:
        """Takes the last `num_bytes` away."""
        self.size -= num_bytes
        self.version += 1

    def reserve(self, num_bytes: int) -> None:
        """Makes sure that there is room for `num_bytes` and a token."""
        if self.size + num_bytes + self._margin > len(self._buffer):
            kept = self._buffer[: self.size]
            self._allocate(2 * (self.size + num_bytes + self._margin))
            self._buffer[: self.size] = kept

    def _allocate(self, capacity: int) -> None:
        self._buffer = memoryview(bytearray(capacity))
        self.array = np.frombuffer(self._buffer, dtype=np.uint8)
        # Found out when a batch asks for it, which many matchers never see.
        self._address = 0
