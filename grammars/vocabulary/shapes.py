"""Tokens by shape: bytes that patterns seldom tell apart count as one.

Most patterns treat all small letters alike, all capitals, all digits. Tokens of the same shape then fare the same: a
walk over the shapes of a vocabulary of 128k tokens meets a sixteenth of the nodes of the trie.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

NO_CLASS = 0xFF
_QUOTE, _BACKSLASH, _DELETE = 0x22, 0x5C, 0x7F
# Letters and digits; then bytes above ASCII by their part in UTF-8, but for those that blanks begin with.
_RANGES = (
    (0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A), (0x80, 0x8F), (0x90, 0x9F), (0xA0, 0xBF), (0xC3, 0xDF), (0xE4, 0xEC),
    (0xF1, 0xF3),
)  # fmt: skip
_SINGLE = (0xC2, 0xE0, 0xE1, 0xE2, 0xE3, 0xED, 0xEE, 0xEF, 0xF0, 0xF4)


def byte_classes() -> NDArray[np.uint8]:
    """The lowest byte of each byte's class; `NO_CLASS` for what is written otherwise inside JSON strings, or never."""
    classes = np.full(256, NO_CLASS, dtype=np.uint8)
    alone = [byte for byte in range(0x20, _DELETE + 1) if byte not in (_QUOTE, _BACKSLASH)]
    for low, high in (*((byte, byte) for byte in (*alone, *_SINGLE)), *_RANGES):
        classes[low : high + 1] = low
    return classes


def letter_bits() -> NDArray[np.int32]:
    """A number from 0 to 61 for each letter and digit of ASCII, -1 for other bytes."""
    bits = np.full(256, -1, dtype=np.int32)
    letters = [byte for low, high in _RANGES if high <= _DELETE for byte in range(low, high + 1)]
    bits[letters] = np.arange(len(letters))
    return bits


def plain_tokens(
    order: NDArray[np.int32], start: NDArray[np.int64], shaped: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """The tokens all of whose bytes have a class, sorted by shape, and whether each is the first one of its shape.

    Those of one shape stay in their order.

    Args:
        order: tokens with bytes.
        start: where the bytes of each token begin in `shaped`.
        shaped: the class of each byte.
    """
    places = np.flatnonzero(shaped == NO_CLASS)
    others = np.searchsorted(start, places, side="right") - 1
    is_plain = np.ones(len(start) - 1, dtype=np.bool_)
    is_plain[others] = False
    data, bounds = shaped.tobytes(), start.tolist()
    pairs = [(data[bounds[t] : bounds[t + 1]], t) for t in order[is_plain[order]].tolist()]
    pairs.sort(key=itemgetter(0))
    shapes = [shape for shape, _ in pairs]
    is_first = [i == 0 or shapes[i] != shapes[i - 1] for i in range(len(shapes))]
    return np.array([token for _, token in pairs], dtype=np.int32), np.array(is_first, dtype=np.bool_)


def last_bytes(lowest: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The highest byte of the class of each lowest one."""
    highest = np.arange(256, dtype=np.uint8)
    for low, high in _RANGES:
        highest[low] = high
    return highest[lowest]
