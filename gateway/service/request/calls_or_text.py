"""Parser of an answer that is either calls or constrained text, distinguished by its beginning."""

from __future__ import annotations

from collections.abc import Sequence

from tools.events import ContentDelta, Event
from tools.formats.parser import Parser


class EitherParser:
    """Parser that reads calls if the text begins with a call; otherwise all text is content.

    So the markup of a call inside a constrained answer, as in a JSON string, is content.
    """

    def __init__(self, calls: Parser, beginnings: Sequence[str]) -> None:
        """Args: beginnings: Texts that calls begin with."""
        self._calls = calls
        self._beginnings = tuple(beginnings)
        self._beginning = ""
        self._is_calls: bool | None = None

    def feed(self, text: str) -> list[Event]:
        """Return the events of one more piece of the text."""
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
        """Return the remaining events at the end of the text."""
        if self._is_calls:
            return self._calls.finish()
        held = self._beginning if self._is_calls is None else ""
        return [ContentDelta(held)] if held else []
