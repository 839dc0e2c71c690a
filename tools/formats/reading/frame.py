"""Markers around something, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass

from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine


@dataclass(frozen=True, slots=True)
class Frame:
    """Markers before and after something.

    Each side is written as its pieces joined, and read as the same pieces with any or no whitespace between them; a
    piece of whitespace alone is optional.

    Example: `Frame(("<tool_call>", "\\n"), ("\\n", "</tool_call>"))`
    """

    begin: tuple[str, ...] = ()
    end: tuple[str, ...] = ()

    @property
    def begin_marks(self) -> tuple[str, ...]:
        """The pieces of the beginning that are not whitespace."""
        return _marks(self.begin)

    @property
    def end_marks(self) -> tuple[str, ...]:
        """The pieces of the end that are not whitespace."""
        return _marks(self.end)


def _marks(pieces: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(piece.strip() for piece in pieces if piece.strip())


def read_marks(cursor: Cursor, marks: tuple[str, ...]) -> ParserRoutine:
    """Read the marks and any whitespace before each.

    Raises:
        MalformedError: something else follows.
        TruncatedError: the text ended before.
    """
    for mark in marks:
        yield from cursor.skip()
        if not (yield from cursor.match(mark)):
            raise MalformedError(f"{mark} expected")
