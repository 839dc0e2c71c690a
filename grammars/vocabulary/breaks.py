"""Breaks: what separates words, of which most tokens hold few however long they are.

A break is a run of *blanks*, those of ASCII, or one *rare* character: a separator of ASCII, which some dialects of
patterns take for a blank, or one above ASCII with the same first byte as some blank there. All others count as letters.
Bytes are counted such that the spelling of a text, in UTF-8 or escaped in JSON, never has fewer breaks than the text:
an escape is one, whatever it stands for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LETTER, BLANK, RARE = range(3)
_BACKSLASH = 0x5C
_BLANKS = (0x09, 0x0D), (0x20, 0x20)
_RARE = (0x1C, 0x1F), (0x80, 0xBF), (0x1000, 0x3FFF), (0xF000, 0xFFFF)
_LETTERS = (
    (0x00, 0x08), (0x0E, 0x1B), (0x21, 0x7F), (0xC0, 0xFFF), (0x4000, 0xD7FF), (0xE000, 0xEFFF), (0x10000, 0x10FFFF),
)  # fmt: skip


def kinds_in(ranges: tuple[tuple[int, int], ...]) -> list[bool]:
    """Whether a set of characters, as ranges of code points, has a LETTER, a BLANK, a RARE one."""
    return [
        any(low <= last and first <= high for first, last in ranges for low, high in kind)
        for kind in (_LETTERS, _BLANKS, _RARE)
    ]


def kinds_of_bytes() -> NDArray[np.uint8]:
    """BLANK for blanks, RARE for bytes that rare characters and escapes begin with, LETTER for all others."""
    kinds = np.full(256, RARE, dtype=np.uint8)
    for kind, ranges in ((LETTER, _LETTERS), (BLANK, _BLANKS)):
        for low, high in ranges:
            kinds[chr(low).encode()[0] : chr(high).encode()[0] + 1] = kind
    kinds[0x80:0xC0] = LETTER
    kinds[_BACKSLASH] = RARE
    return kinds
