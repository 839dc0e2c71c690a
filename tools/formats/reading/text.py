"""Text that arrives in pieces, for readers written as generators, and JSON in it.

A reader takes what it needs and yields where it needs more; its place in the text is its place in the code. So the
parser never looks at a character twice, wherever the pieces are cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence

ParserRoutine = Generator[None, None, None]
"""A reader that yields whenever it waits for more text."""

WHITESPACE = " \t\n\r"
"""What may stand around names and values. Other blanks, which `str.strip` takes off as well, may be part of them."""

SPACE = re.compile(f"[{WHITESPACE}]*")

BREAK = "\udead"
"""Stands within what looks like a marker and is none, so that it is not found; no text holds half a surrogate pair."""


class TruncatedError(Exception):
    """The text ended where a reader needed more."""


class MarkerSearch:
    """Literal strings to look for, all at once; of those that begin alike the longest that is there.

    Cost: linear in the text, for an alternation of literals cannot backtrack beyond the longest.
    """

    __slots__ = ("_longest", "_pattern", "literals")

    def __init__(self, literals: Sequence[str]) -> None:
        self.literals = tuple(sorted(set(literals), key=len, reverse=True))
        self._pattern = re.compile("|".join(map(re.escape, self.literals)) or "(?!)")
        self._longest = max(map(len, self.literals), default=0)

    def search(self, text: str, at: int) -> re.Match[str] | None:
        """Return the first of the strings from `at` on."""
        return self._pattern.search(text, at)

    def at(self, text: str, at: int) -> str:
        """Return the string that the text has at `at`, or an empty text."""
        match = self._pattern.match(text, at)
        return match[0] if match else ""

    def overlap(self, text: str, at: int) -> int:
        """Return how many of the last characters, from `at` on, may be the start of one of the strings."""
        longest = min(self._longest - 1, len(text) - at)
        for size in range(longest, 0, -1):
            if self.may_grow(text[len(text) - size :]):
                return size
        return 0

    def may_grow(self, text: str) -> bool:
        """Return whether the text is the start of one of the strings, and not all of it."""
        return any(literal.startswith(text) and literal != text for literal in self.literals)


class Cursor:
    """The unread text, and on request a record of what was read.

    Less than a marker's length is ever left unread while a reader waits, so pushing costs the piece's length. What is
    read is without `BREAK`.
    """

    __slots__ = ("_at", "_closed", "_keeps_breaks", "_record", "_text")

    def __init__(self, keeps_breaks: bool = False) -> None:
        """Args: keeps_breaks: What is read has them still, for another cursor."""
        self._keeps_breaks = keeps_breaks
        self._text = ""
        self._at = 0
        self._closed = False
        self._record: list[str] | None = None

    def push(self, text: str) -> None:
        """Add the next piece."""
        self._text = self._text[self._at :] + text
        self._at = 0

    def close(self) -> None:
        """Say that no piece follows."""
        self._closed = True

    def start_record(self) -> None:
        """Start to record the text that is read."""
        self._record = []

    def stop_record(self) -> str:
        """Return the text read since the record began, and drop it."""
        record, self._record = self._record or [], None
        return "".join(record)

    def take(self, size: int) -> str:
        """Read that many of the characters that have arrived."""
        piece = self._text[self._at : self._at + size]
        self._at += len(piece)
        if BREAK in piece and not self._keeps_breaks:
            piece = piece.replace(BREAK, "")
        if self._record is not None:
            self._record.append(piece)
        return piece

    def take_rest(self) -> str:
        """Read all characters that have arrived."""
        return self.take(len(self._text) - self._at)

    def take_run(self, pattern: re.Pattern[str]) -> str:
        """Read what the pattern matches of the characters that have arrived."""
        match = pattern.match(self._text, self._at)
        return self.take(match.end() - self._at) if match else ""

    def peek(self) -> Generator[None, None, str]:
        """Return the next character without reading it, or the empty text at the end."""
        while True:
            while self._text.startswith(BREAK, self._at) and not self._keeps_breaks:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._closed:
                return ""
            yield

    def need(self) -> Generator[None, None, str]:
        """Return the next character without reading it.

        Raises:
            TruncatedError: the text has ended.
        """
        char = yield from self.peek()
        if not char:
            raise TruncatedError
        return char

    def skip(self, pattern: re.Pattern[str] = SPACE) -> ParserRoutine:
        """Read all that the pattern of a character class matches, up to something else or the end."""
        self.take_run(pattern)
        while self._at >= len(self._text) and not self._closed:
            yield
            self.take_run(pattern)

    def match(self, literal: str) -> Generator[None, None, bool]:
        """Read the string, or nothing if something else follows; return which.

        Raises:
            TruncatedError: the text ended inside the string.
        """
        while True:
            arrived = self._text[self._at : self._at + len(literal)]
            if arrived == literal:
                self.take(len(literal))
                return True
            if not literal.startswith(arrived):
                return False
            if self._closed:
                raise TruncatedError
            yield

    def skip_one(self, char: str) -> ParserRoutine:
        """Read the character if it follows."""
        if (yield from self.peek()) == char:
            self.take(1)

    def find(self, anchors: MarkerSearch) -> Generator[None, None, str]:
        """Return the one of the strings that follows at once, without reading it, or the empty text if none does."""
        while not self._closed and anchors.may_grow(self._text[self._at :]):
            yield
        return anchors.at(self._text, self._at)

    def is_cut(self, anchors: MarkerSearch) -> bool:
        """Return whether the text ended within one of the strings, or before any."""
        return self._closed and anchors.may_grow(self._text[self._at :])

    def read_until(self, anchors: MarkerSearch) -> Generator[None, None, tuple[str, str]]:
        """Return text that comes before the next anchor, and the anchor, unread, if it follows at once.

        Both are empty only at the end.
        """
        while True:
            found = anchors.search(self._text, self._at)
            # Another that contains the one found may have begun before it.
            cut = len(self._text) - (0 if self._closed else anchors.overlap(self._text, self._at))
            if found and (self._closed or (found.start() < cut and not anchors.may_grow(self._text[found.start() :]))):
                return self.take(found.start() - self._at), found[0]
            size = min(found.start() if found else cut, cut) - self._at
            text = self.take(size)
            if text or self._closed:
                return text, ""
            if not size:
                yield


_OUTSIDE = re.compile(r'[^"{}\[\]]+')
_STRING_RUN = re.compile(r'[^"\\]+')
_WRITTEN_RUN = re.compile(r'(?:[^"\\]|\\.)+', re.DOTALL)
_SCALAR = re.compile(r'[^\s,:"{}\[\]]+')
_SCALAR_START = re.compile(r"[-0-9A-Za-z]")
_CLOSER = {"{": "}", "[": "]"}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = frozenset("0123456789abcdefABCDEF")

NO_ARGUMENTS = "{}"
"""What a call without arguments, with `null` or with an empty string is read as."""

quoted: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode
"""The JSON text of a string, with its characters as they are."""

Emit = Callable[[str], None]


class MalformedError(Exception):
    """The text is not what the reader expects; the message names that."""


def read_value(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read one JSON value and pass on its text.

    Only brackets and strings are followed: enough to know where the value ends. Whether it is JSON is for
    verification to say.
    """
    first = yield from cursor.need()
    if first in _CLOSER:
        yield from _read_nested(cursor, emit)
    elif first == '"':
        yield from _read_string(cursor, emit)
    else:
        scalar = False
        while run := cursor.take_run(_SCALAR):
            scalar = True
            emit(run)
            if not (yield from cursor.peek()):
                break
        if not scalar:
            raise MalformedError("a JSON value expected")


def read_arguments(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read a call's arguments and pass on their JSON text: what a string spells, and `{}` where there are none."""
    has_text = False

    def pass_on(text: str) -> None:
        nonlocal has_text
        has_text = has_text or bool(text)
        emit(text)

    first = yield from cursor.need()
    if first == '"':
        yield from read_text_into(cursor, pass_on)
    elif first in _CLOSER:
        yield from read_value(cursor, pass_on)
    elif _SCALAR_START.match(first):
        scalar: list[str] = []
        yield from read_value(cursor, scalar.append)
        text = "".join(scalar)
        pass_on("" if text == "null" else text)
    if not has_text:
        emit(NO_ARGUMENTS)


def read_members(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read the rest of an object whose opening brace was read, and pass on its text."""
    yield from _read_nested(cursor, emit, "}")


def _read_nested(cursor: Cursor, emit: Emit, open_closers: str = "") -> ParserRoutine:
    closers = list(open_closers)
    while True:
        char = yield from cursor.need()
        if char == '"':
            yield from _read_string(cursor, emit)
        elif char in _CLOSER:
            closers.append(_CLOSER[char])
            emit(cursor.take(1))
        elif char in "}]":
            if closers.pop() != char:
                raise MalformedError("brackets that do not match")
            emit(cursor.take(1))
            if not closers:
                return
        else:
            emit(cursor.take_run(_OUTSIDE))


def _read_string(cursor: Cursor, emit: Emit) -> ParserRoutine:
    emit(cursor.take(1))
    while True:
        char = yield from cursor.need()
        if char == '"':
            emit(cursor.take(1))
            return
        run = cursor.take_run(_WRITTEN_RUN)
        if run:
            emit(run)
        else:
            # The rest of an escape is still to come.
            emit(cursor.take(1))
            yield from cursor.need()
            emit(cursor.take(1))


def read_text(cursor: Cursor) -> Generator[None, None, str]:
    """Read one JSON string and return the text it spells."""
    pieces: list[str] = []
    yield from read_text_into(cursor, pieces.append)
    return "".join(pieces)


def read_text_into(cursor: Cursor, emit: Emit) -> ParserRoutine:
    """Read one JSON string and pass on the text it spells; half a surrogate pair becomes U+FFFD."""
    if (yield from cursor.need()) != '"':
        raise MalformedError("a string expected")
    cursor.take(1)
    high = 0
    while True:
        char = yield from cursor.need()
        unit = 0
        text = ""
        if char == "\\":
            unit, text = yield from _read_escape(cursor)
        elif char == '"':
            cursor.take(1)
        else:
            text = cursor.take_run(_STRING_RUN)
        if high and 0xDC00 <= unit <= 0xDFFF:
            text = chr(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
            high = unit = 0
        if high:
            emit("\ufffd")
        high = unit if 0xD800 <= unit <= 0xDBFF else 0
        emit("\ufffd" if 0xDC00 <= unit <= 0xDFFF else text)
        if char == '"':
            return


def _read_escape(cursor: Cursor) -> Generator[None, None, tuple[int, str]]:
    """Read one escape: a UTF-16 unit if it is half a surrogate pair, else the character."""
    cursor.take(1)
    char = yield from cursor.need()
    cursor.take(1)
    if char != "u":
        if char not in _ESCAPES:
            raise MalformedError("an escape that JSON does not know")
        return 0, _ESCAPES[char]
    digits = ""
    while len(digits) < 4:
        if (yield from cursor.need()) not in _HEX:
            raise MalformedError("four hexadecimal digits expected")
        digits += cursor.take(1)
    unit = int(digits, 16)
    return (unit, "") if 0xD800 <= unit <= 0xDFFF else (0, chr(unit))
