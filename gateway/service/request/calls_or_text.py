"""An answer that is either calls or text under a constraint, told apart by how it begins."""

from __future__ import annotations

from collections.abc import Sequence

from tools.events import ContentDelta, Event
from tools.formats.parser import Parser


class EitherParser:
    """Reads calls if the text begins as calls do; else all of it is content, whatever it contains.

    A constrained answer may well quote the markup of a call (inside a JSON string, say); it is none there.
    """

    def __init__(self, calls: Parser, beginnings: Sequence[str]) -> None:
        """Args: beginnings: Of a text that is calls, one of them."""
        self._calls = calls
        self._beginnings = tuple(beginnings)
        self._beginning = ""
        self._is_calls: bool | None = None

    def feed(self, text: str) -> list[Event]:
        """Return what the text so far, now one piece longer, newly says."""
        if self._is_calls is None:
            self._beginning += text
            self._is_calls = self._beginning.startswith(self._beginnings)
            if not self._is_calls and any(each.startswith(self._beginning) for each in self._beginnings):
                self._is_calls = None
                return []
            text = self._beginning
        if self._is_calls:
            return self._calls.feed(text)
        return [ContentDelta(text)] if text else []

    def finish(self) -> list[Event]:
        """Return what remains to be said now that the text has ended."""
        if self._is_calls:
            return self._calls.finish()
        held = self._beginning if self._is_calls is None else ""
        return [ContentDelta(held)] if held else []
