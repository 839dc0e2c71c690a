"""Values of a JSON text while it is generated."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_BLANKS = re.compile(r"[ \t\n\r]*")
_IN_STRING = re.compile(r'[^"\\]*')
_IN_WORD = re.compile(r"[-+.0-9A-Za-z]*")


@dataclass(frozen=True, slots=True)
class Field:
    """A complete value.

    Attributes:
        path: JSON pointer to it; empty for the whole text.
        begin: Offset of its first character.
        end: Offset after the last character. The character that completes a number comes later.
        is_leaf: The value is a scalar, or empty.
    """

    path: str
    value: Any
    begin: int
    end: int
    is_leaf: bool


@dataclass(slots=True)
class _Open:
    """An object or array in progress."""

    value: dict[str, Any] | list[Any]
    path: str
    begin: int
    name: str | None = None

    @property
    def wants_name(self) -> bool:
        """True if a name comes next."""
        return isinstance(self.value, dict) and self.name is None

    def path_of_next(self) -> str:
        name = len(self.value) if isinstance(self.value, list) else self.name
        return f"{self.path}/{str(name).replace('~', '~0').replace('/', '~1')}"

    def add(self, value: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            assert self.name is not None, "a value has a name before it"
            self.value[self.name], self.name = value, None


class FieldReader:
    """Reads a JSON text piece by piece and returns each value when it is complete; inner ones come first.

    It does not verify: of malformed JSON it returns the values before the error.

    Cost: linear in the text, and what its value takes in memory.
    """

    __slots__ = ("_at", "_begin", "_is_broken", "_is_escaped", "_open", "_pieces")

    def __init__(self) -> None:
        self._at = 0
        self._open: list[_Open] = []
        self._pieces: list[str] = []  # of the string, number or word that has begun
        self._begin = 0
        self._is_escaped = False
        self._is_broken = False

    def feed(self, text: str) -> list[Field]:
        """Return the values that this piece completes."""
        found: list[Field] = []
        place = 0
        while place < len(text) and not self._is_broken:
            before = place
            if self._pieces:
                place = self._read_on(text, place, found)
            elif (after := _end(_BLANKS, text, place)) > place:
                place = after
            else:
                self._begin_at(text[place], found)
                place += 1
            self._at += place - before
        return found

    def finish(self) -> list[Field]:
        """Return the value that the text's end completes: a top-level number or word."""
        found: list[Field] = []
        if self._pieces and not self._is_broken and self._pieces[0][0] != '"':
            self._complete(found, self._at)
        return found

    def _begin_at(self, mark: str, found: list[Field]) -> None:
        """Take a character that begins a value or separates values."""
        if mark in "{[" and self._open and self._open[-1].wants_name:
            self._is_broken = True
        elif mark in "{[":
            path = self._open[-1].path_of_next() if self._open else ""
            self._open.append(_Open({} if mark == "{" else [], path, self._at))
        elif mark in "}]":
            if not self._open:
                self._is_broken = True
                return
            closed = self._open.pop()
            self._tell(Field(closed.path, closed.value, closed.begin, self._at + 1, not closed.value), found)
        elif mark not in ",:":
            self._pieces, self._begin = [mark], self._at

    def _read_on(self, text: str, place: int, found: list[Field]) -> int:
        """Go on with a string, number or word; where it, or the text, ends."""
        if self._pieces[0][0] != '"':
            end = _end(_IN_WORD, text, place)
            self._pieces.append(text[place:end])
            if end < len(text):
                self._complete(found, self._at + end - place)
            return end
        end = place + 1 if self._is_escaped else _end(_IN_STRING, text, place)
        self._pieces.append(text[place:end])
        self._is_escaped = not self._is_escaped and text[end : end + 1] == "\\"
        if end < len(text) and (self._is_escaped or text[end] == '"'):
            self._pieces.append(text[end])
            end += 1
            if not self._is_escaped:
                self._complete(found, self._at + end - place)
        return end

    def _complete(self, found: list[Field], end: int) -> None:
        literal, self._pieces = "".join(self._pieces), []
        try:
            value = json.loads(literal)
        except ValueError:
            self._is_broken = True
            return
        around = self._open[-1] if self._open else None
        if around is not None and around.wants_name:
            if isinstance(value, str):
                around.name = value
            self._is_broken = not isinstance(value, str)
            return
        self._tell(Field("" if around is None else around.path_of_next(), value, self._begin, end, True), found)

    def _tell(self, field: Field, found: list[Field]) -> None:
        found.append(field)
        if self._open:
            self._open[-1].add(field.value)


def leaf_paths(text: str) -> set[str]:
    """Return the JSON pointers to all values of a JSON text that are no objects and no arrays, or empty ones."""
    reader = FieldReader()
    return {field.path for field in (*reader.feed(text), *reader.finish()) if field.is_leaf}


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    assert match is not None, "it matches the empty text too"
    return match.end()
