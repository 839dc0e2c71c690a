"""The value of a member between markers: raw text or JSON, by its tag or the schema."""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.formats.reading.literals import Literals, json_text
from tools.formats.reading.respelling import json_type
from tools.formats.reading.text import WHITESPACE, Cursor, MalformedError, TruncatedError

Emit = Callable[[str], None]

_STRINGS = frozenset({"string"})
_STEPS = re.compile(r'\\|["\n{}\[\]]')
_PYTHON = {"True": "true", "False": "false", "None": "null"}
# Beyond this a value that is no JSON is not tried as anything else.
_MAX_LITERAL = 100_000


class Nesting:
    """Follows the strings of what may be JSON text, so that a marker within one is not taken for its end.

    What turns out not to be JSON is in no string.
    """

    __slots__ = ("_begun", "_closers", "_escaped", "_in_string", "_over")

    def __init__(self) -> None:
        self._begun = self._over = self._in_string = self._escaped = False
        self._closers: list[str] = []

    @property
    def in_string(self) -> bool:
        """True if the text so far ends within a string."""
        return self._in_string and not self._over

    def feed(self, text: str) -> None:
        """Go on with more of the text."""
        if self._over or not text:
            return
        if not self._begun:
            text = text.lstrip(WHITESPACE)
            self._begun = bool(text)
            self._over = bool(text) and text[0] not in '"{['
        at = 0
        while not self._over and at < len(text):
            if self._escaped:
                self._escaped, at = False, at + 1
                continue
            found = _STEPS.search(text, at)
            if found is None:
                return
            self._step(found[0])
            at = found.end()

    def _step(self, char: str) -> None:
        if self._in_string:
            self._escaped = char == "\\"
            self._over = char == "\n"
            self._in_string = char != '"'
        elif char == '"':
            self._in_string = True
        elif char in "{[":
            self._closers.append("}" if char == "{" else "]")
            return
        elif char in "}]":
            self._over = not self._closers or self._closers.pop() != char
        else:
            self._over = char == "\\"
            return
        # A value that has no more brackets to close is at its end.
        self._over = self._over or not (self._closers or self._in_string)


class StringValue:
    """A string, passed on as it comes."""

    in_string = False

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        emit('"')

    def feed(self, text: str) -> None:
        """Go on with more of the text."""
        self._emit(json_text(text))

    def end(self) -> None:
        """Say that the value is complete."""
        self._emit('"')


class TypedValue:
    """JSON of some types, or else a string; which of both is known at its end."""

    def __init__(self, emit: Emit, types: frozenset[str]) -> None:
        self._emit = emit
        self._types = types
        self._pieces: list[str] = []
        self._nesting = Nesting()

    @property
    def in_string(self) -> bool:
        """True if the text so far ends within a string of JSON."""
        return self._nesting.in_string

    def feed(self, text: str) -> None:
        """Go on with more of the text."""
        self._pieces.append(text)
        self._nesting.feed(text)

    def end(self) -> None:
        """Say that the value is complete."""
        self._emit(json_of("".join(self._pieces), self._types))


def json_of(text: str, types: frozenset[str]) -> str:
    """Return the JSON of a value's text, where values may be of these types.

    Text that is JSON of one of the types is that, as it is written. Else it is the string of this text if there may be
    strings; if not, other JSON and literals of Python are taken for what they are.
    """
    kind = json_type(text)
    if types == _STRINGS or (kind not in types and "string" in types):
        return f'"{json_text(text)}"'
    if kind is not None:
        return text.strip(WHITESPACE)
    return _python(text.strip(WHITESPACE)) or f'"{json_text(text)}"'


def raw_is_read_back(text: str, types: frozenset[str]) -> bool:
    """Return whether a string as it is, where values may be of these types, is read as this string."""
    if types == _STRINGS:
        return True
    looks_like_json = text.lstrip(WHITESPACE)[:1] in ('"', "{", "[")
    return "string" in types and json_type(text) is None and not looks_like_json


def _python(text: str) -> str:
    """Return the JSON of a literal of Python, or an empty text for others."""
    if text in _PYTHON:
        return _PYTHON[text]
    if len(text) > _MAX_LITERAL or text[:1] not in ("{", "[", "("):
        return ""
    cursor, pieces = Cursor(), list[str]()
    cursor.push(text)
    cursor.close()
    try:
        for _ in Literals().read(cursor, pieces.append):
            raise AssertionError("a reader waits although the text has ended")
    except (MalformedError, TruncatedError):
        return ""
    found = "".join(pieces)
    return "" if cursor.take_rest() or json_type(found) is None else found
