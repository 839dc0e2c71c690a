"""A screen for JSON text: what its escapes stand for is what is screened."""

from __future__ import annotations

import json
import re
from collections import deque

from gateway.guards.screen import Screen

_ESCAPE = re.compile(r'\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/bfnrt])')
_BEGUN = re.compile(
    r"\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)?"
)


def resolved(text: str) -> str:
    """A JSON text with its escapes read as what they stand for."""
    return _ESCAPE.sub(lambda found: str(json.loads(f'"{found[0]}"')), text)


class JsonScreen:
    """Like `Screen`, for a text in which nothing is redacted. An escape leaves whole, with what it stands for."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        # What was not read yet, since an escape may go on.
        self._begun = ""
        # How each character that is held back was written.
        self._written: deque[str] = deque()

    @property
    def num_held(self) -> int:
        """Characters that are held back."""
        return self.screen.num_held + len(self._begun)

    def feed(self, text: str) -> str:
        """Return what may leave after these characters."""
        text, at = self._begun + text, 0
        meant: list[str] = []
        while at < len(text):
            character = text[at]
            if character == "\\":
                if _BEGUN.fullmatch(text, at):
                    break
                found = _ESCAPE.match(text, at)
                if found is not None:
                    # A half of a pair that stands alone is a character of no set.
                    meant.append(json.loads(f'"{found[0]}"'))
                    self._written.append(found[0])
                    at = found.end()
                    continue
            meant.append(character)
            self._written.append(character)
            at += 1
        self._begun = text[at:]
        return self._left(self.screen.feed("".join(meant)))

    def flush(self) -> str:
        """Return all that was held back, for the text is interrupted or has ended."""
        begun, self._begun = self._begun, ""
        self._written += begun
        return self._left(self.screen.feed(begun)) + self._left(self.screen.flush())

    def _left(self, left: str) -> str:
        assert not self.screen.num_redacted, "every character that leaves is one that came"
        return "".join([self._written.popleft() for _ in left])
