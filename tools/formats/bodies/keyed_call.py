"""A call spelled as an object with one member, its key the tool's name: `{"f": {...}}`."""

from __future__ import annotations

from dataclasses import dataclass

from tools.formats.bodies.base import Body
from tools.formats.bodies.named_json import read_named
from tools.formats.reading.frame import read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine, quoted, read_text
from tools.toolset import ToolSet


@dataclass(frozen=True, slots=True)
class KeyedCall(Body):
    """Arguments as the value of the name."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{{{quoted(name)}: "

    def closing(self) -> str:
        """Return the text after the arguments."""
        return "}"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what an object begins with."""
        return ("{",)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from read_marks(cursor, ("{",))
        yield from cursor.skip()
        name = yield from read_text(cursor)
        if not name:
            raise MalformedError("the name is empty")
        yield from read_marks(cursor, (":",))
        yield from read_named(cursor, sink, name, closer="}")
