"""Documentation of settings, read from the docstrings of their dataclasses."""

from __future__ import annotations

import inspect
import re
from typing import Any

_ENTRY = re.compile(r"^ {4}(\w+): ", re.MULTILINE)


def documentation_of(section: type[Any]) -> dict[str, str]:
    """Return each field's entry under `Attributes:`, base classes first. Empty where Python strips docstrings (-OO)."""
    found: dict[str, str] = {}
    for kind in reversed(section.__mro__):
        _, _, attributes = inspect.cleandoc(kind.__doc__ or "").partition("\nAttributes:\n")
        _, *parts = _ENTRY.split(attributes)
        found |= {name: " ".join(text.split()) for name, text in zip(parts[::2], parts[1::2], strict=True)}
    return found


def title_of(section: type[Any]) -> str:
    """Return the first paragraph of a dataclass's docstring."""
    return " ".join(inspect.cleandoc(section.__doc__ or "").split("\n\n")[0].split())


def summary(text: str) -> str:
    """Return a text's first sentence, with the one that says what None or an empty value means."""
    first, *others = re.split(r"\.(?:\s+|$)", text)
    return ". ".join([first, *(each for each in others if each.startswith(("None:", "Empty:", "0:")))])
