"""Labels of a question, and prompts that ask for one of them."""

from __future__ import annotations

import string
from collections.abc import Sequence

from gateway.core.decisions import LabelQuestion

YES_NO = ("yes", "no")
MAX_LETTERS = len(string.ascii_uppercase)


def letters(count: int) -> tuple[str, ...]:
    """Return labels for options: letters, or numbers of one length if there are too many."""
    return tuple(string.ascii_uppercase[:count]) if count <= MAX_LETTERS else numbers(count, 1)


def numbers(count: int, first: int = 0) -> tuple[str, ...]:
    """Return numbers of one length as labels, so that none is a prefix of another."""
    width = len(str(first + count - 1))
    return tuple(str(first + index).zfill(width) for index in range(count))


def question(
    about: str, instructions: str, options: Sequence[str], labels: Sequence[str], origin: str
) -> LabelQuestion:
    """Return a question with one line per described option."""
    lines = [f"{label}: {option}" for label, option in zip(labels, options, strict=True) if option]
    said = "\n".join([instructions, *lines]) if instructions else "\n".join(lines)
    names = f"{labels[0]} or {labels[1]}" if len(labels) == 2 else f"one of {labels[0]} to {labels[-1]}"
    text = f"{about}\n\n{said}\n\nReply with {names}, and nothing else."
    return LabelQuestion(text=text, labels=tuple(labels), origin=origin)
