"""Characters that arrive in pieces, for readers written as generators.

A reader takes what it needs and yields where it needs more; its place in the text is its place in the code. So the
parser never looks at a character twice, wherever the pieces are cut.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

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
