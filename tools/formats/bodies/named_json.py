"""A call spelled as a name, a marker, and the arguments as JSON: `f[ARGS]{...}`."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from tools.formats.bodies.base import Body
from tools.formats.reading.frame import read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine, read_arguments
from tools.toolset import ToolSet

_NAME = re.compile(r"[^\s<>\[\]{}()\"'`|｜,;:=]+")


@dataclass(frozen=True, slots=True)
class NamedJson(Body):
    """A name, a marker, and arguments as JSON.

    Attributes:
        between: Text between them, in pieces as those of a `Frame`; what follows the name at once comes first.
    """

    between: tuple[str, ...]

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return name + "".join(self.between)

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the declared names, with what follows each."""
        return tuple(name + self.between[0] for name in tools.names)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        name = yield from read_name(cursor)
        yield from read_marks(cursor, tuple(filter(None, map(str.strip, self.between))))
        yield from read_named(cursor, sink, name)


def read_name(cursor: Cursor) -> Generator[None, None, str]:
    """Read a name without quotes.

    Raises:
        MalformedError: there is none.
        TruncatedError: the text ended in it.
    """
    yield from cursor.skip()
    name = ""
    while True:
        yield from cursor.need()
        run = cursor.take_run(_NAME)
        if not run:
            break
        name += run
    if not name:
        raise MalformedError("a name expected")
    return name


def read_named(cursor: Cursor, sink: EventSink, name: str, id: str = "", closer: str = "") -> ParserRoutine:
    """Report a call of this name, and read its arguments, which follow as JSON, and what closes them."""
    yield from cursor.skip()
    yield from cursor.need()
    cursor.stop_record()
    sink.start(name, id)
    yield from read_arguments(cursor, sink.arguments)
    if closer:
        yield from read_marks(cursor, (closer,))
    sink.end()
    cursor.start_record()
