"""A screen for JSON text: escapes are decoded for matching, and the JSON stays valid."""

from __future__ import annotations

import json
import re

from gateway.guards.rule import Applied, Bound
from gateway.guards.rules import Rules
from gateway.guards.screen import Screen

_PIECE = re.compile(r'[^"\\{}\[\],:]+|\\.?|.', re.DOTALL)


class DistinctNames:
    """Passes JSON text on; a name that its object already has gets a number: `"[EMAIL]"`, `"[EMAIL]_2"`.

    Attributes:
        num_changed: Names that got one.
    """

    def __init__(self) -> None:
        self.num_changed = 0
        # Names of each open object; None for an array.
        self._open: list[set[str] | None] = []
        self._awaits_name = self._is_string = self._is_name = False
        self._escape = ""
        self._name: list[str] = []

    def feed(self, text: str) -> str:
        """Return the text, with numbers."""
        return "".join(map(self._passed, _PIECE.findall(self._escape + text))) if text else ""

    def _passed(self, piece: str) -> str:
        if piece == "\\":
            self._escape = piece  # it goes on
            return ""
        self._escape = ""
        if self._is_string:
            if piece != '"':
                if self._is_name:
                    self._name.append(piece)
                return piece
            self._is_string = False
            return (self._number() if self._is_name else "") + piece
        match piece:
            case '"':
                self._is_string, self._is_name, self._awaits_name = True, self._awaits_name, False
                self._name.clear()
            case "{":
                self._open.append(set())
                self._awaits_name = True
            case "[":
                self._open.append(None)
                self._awaits_name = False
            case "}" | "]":
                if self._open:
                    self._open.pop()
                self._awaits_name = False
            case ",":
                self._awaits_name = bool(self._open) and self._open[-1] is not None
        return piece

    def _number(self) -> str:
        """Return the suffix for the name that ends here, and add the name to its object's."""
        names = self._open[-1] if self._open else None
        written = "".join(self._name)
        if names is None:
            return ""
        try:
            name = str(json.loads(f'"{written}"', strict=False))
        except ValueError:
            name = written  # no JSON, which is found elsewhere
        number, added = 1, ""
        while name + added in names:
            number += 1
            added = f"_{number}"
        names.add(name + added)
        self.num_changed += bool(added)
        return added


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
            # A lone surrogate belongs to no character set.
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
