"""Thoughts of a model, trimmed while they arrive."""

from __future__ import annotations

from tools.formats.reading.text import WHITESPACE


class Thoughts:
    """One section of thoughts, without whitespace at its beginning and end."""

    __slots__ = ("_has_begun", "_held")

    def __init__(self) -> None:
        self._has_begun = False
        self._held = ""

    def add(self, text: str) -> str:
        """Add a piece; return the text that is now certain."""
        whole = self._held + (text if self._has_begun else text.lstrip(WHITESPACE))
        certain = whole.rstrip(WHITESPACE)
        self._held = whole[len(certain) :]
        self._has_begun = self._has_begun or bool(certain)
        return certain
