"""Labels of answers: words, letters and numbers that the model can begin its reply with."""

from __future__ import annotations

import string

YES_NO = ("yes", "no")
MAX_LETTERS = len(string.ascii_uppercase)


def letters(count: int) -> tuple[str, ...]:
    """Return labels for options: letters, or numbers of one length if there are too many."""
    return tuple(string.ascii_uppercase[:count]) if count <= MAX_LETTERS else numbers(count, 1)


def numbers(count: int, first: int = 0) -> tuple[str, ...]:
    """Return numbers of one length as labels, so that none is a prefix of another."""
    width = len(str(first + count - 1))
    return tuple(str(first + index).zfill(width) for index in range(count))
