"""Breaks: the characters between words, which most tokens have few of however long they are.

Letters are those and the digits of ASCII, and of the characters above it those whose first byte no blank begins with.
Every other character is a *break*, and each of its spellings, in UTF-8 or escaped in JSON, begins with a break byte.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LETTERS = (
    (0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xFFF), (0x4000, 0xD7FF), (0xE000, 0xEFFF), (0x10000, 0x10FFFF),
)  # fmt: skip


def has_letters(ranges: tuple[tuple[int, int], ...]) -> bool:
    """Whether a set of characters, as ranges of code points, has one that is no break."""
    return any(low <= last and first <= high for first, last in ranges for low, high in _LETTERS)


def break_bytes() -> NDArray[np.uint8]:
    """1 for each byte that a break may begin with, 0 for letters and for bytes within characters."""
    is_break = np.ones(256, dtype=np.uint8)
    for low, high in _LETTERS:
        is_break[chr(low).encode()[0] : chr(high).encode()[0] + 1] = 0
    is_break[0x80:0xC0] = 0
    return is_break
