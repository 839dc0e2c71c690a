"""A screen for JSON text: escapes are decoded for matching, and the JSON stays valid."""

from __future__ import annotations

import json
import re

from gateway.guards.members import DistinctNames
from gateway.guards.rule import Applied, Bound
from gateway.guards.rules import Rules
from gateway.guards.screen import Screen

_ESCAPE = re.compile(r'\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/bfnrt])')
_BEGUN = re.compile(
    r"\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?)?"
)


def resolved(text: str) -> str:
    """Return a JSON text with its escapes decoded."""
    return _ESCAPE.sub(lambda found: str(json.loads(f'"{found[0]}"')), text)


class JsonScreen(Screen):
    """A `Screen` for JSON text. Escapes leave whole, replacements are escaped and stay inside one string; elsewhere a
    redaction ends the text. Names made equal by redaction are numbered."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._names = DistinctNames() if any(each.action == "redact" for each in rules.applied) else None
        # What was not read yet, since an escape may go on.
        self._begun = ""
        # How each character that is held back was written, and the number of its string; 0 outside of all.
        self._written: list[str] = []
        self._strings: list[int] = []
        self._num_strings = 0
        self._is_inside = False

    @property
    def num_held(self) -> int:
        """Characters that are held back."""
        return super().num_held + len(self._begun)

    def feed(self, text: str) -> str:
        """Return what may leave after these characters."""
        text, at = self._begun + text, 0
        meant: list[str] = []
        while at < len(text):
            written = text[at]
            if written == "\\":
                if _BEGUN.fullmatch(text, at):
                    break
                found = _ESCAPE.match(text, at)
                written = found[0] if found is not None else written
            elif written == '"':
                self._is_inside = not self._is_inside
                self._num_strings += self._is_inside
            is_content = self._is_inside and written != '"'
            # A half of a pair that stands alone is a character of no set.
            meant.append(json.loads(f'"{written}"') if len(written) > 1 else written)
            self._written.append(written)
            self._strings.append(self._num_strings if is_content else 0)
            at += len(written)
        self._begun = text[at:]
        return super().feed("".join(meant))

    def flush(self) -> str:
        """Return all that was held back, for the text is interrupted or has ended."""
        begun, self._begun = self._begun, ""
        self._written += begun
        self._strings += [0] * len(begun)
        return super().feed(begun) + super().flush()

    def _release(self, boundary: int) -> str:
        left = super()._release(boundary)
        if self._names is None or not left:
            return left
        before = self._names.num_changed
        left = self._names.feed(left)
        self.num_redacted += self._names.num_changed - before
        return left

    def _can_redact(self, rule: Applied, begin: int, end: int) -> bool:
        if isinstance(rule.rule.what, Bound):
            return False  # what comes after it cannot stay
        first, last = self._strings[begin - self._released], self._strings[end - 1 - self._released]
        return first == last != 0

    def _kept(self, text: str) -> str:
        return "".join(self._taken(len(text)))

    def _replaced(self, count: int, replacement: str) -> str:
        self._taken(count)
        return json.dumps(replacement, ensure_ascii=False)[1:-1]

    def _taken(self, count: int) -> list[str]:
        taken = self._written[:count]
        del self._written[:count], self._strings[:count]
        return taken
