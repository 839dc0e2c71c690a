"""What stands for the answers of a question, so that the model can be told of them and begin with one."""

from __future__ import annotations

import string

YES_NO = ("yes", "no")
MAX_LETTERS = len(string.ascii_uppercase)


def letters(count: int) -> tuple[str, ...]:
    """Labels of options: letters, or numbers of one length where these do not suffice."""
    return tuple(string.ascii_uppercase[:count]) if count <= MAX_LETTERS else numbers(count, 1)


def numbers(count: int, first: int = 0) -> tuple[str, ...]:
    """Labels of levels: numbers, all of one length, so that none begins another."""
    width = len(str(first + count - 1))
    return tuple(str(first + index).zfill(width) for index in range(count))
