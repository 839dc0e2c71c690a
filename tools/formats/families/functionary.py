"""Functionary 3.2: a recipient after `>>>`, then its text; the recipient `all` is the reader."""

from __future__ import annotations

from dataclasses import dataclass

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.named_json import read_name, read_named
from tools.formats.constraint import Answer
from tools.formats.reading.frame import Frame
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine
from tools.toolset import ToolSet

READER = "all"


@dataclass(frozen=True, slots=True)
class RecipientCall(Body):
    """`f`, a newline, arguments; where the recipient is the reader, content follows instead of arguments."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return name + "\n"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the declared names and the reader's, each as a line."""
        return tuple(name + "\n" for name in (*tools.names, READER))

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it, or no more than the reader's name.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        name = yield from read_name(cursor)
        if not (yield from cursor.match("\n")):
            raise MalformedError("a newline expected")
        if name != READER:
            yield from read_named(cursor, sink, name)


FUNCTIONARY_V32 = Format(
    name="functionary_v32",
    native=Block(body=RecipientCall(), separator=">>>", at_start=True),
    variants=(Block(call=Frame((">>>",)), body=RecipientCall()),),
    aliases=("functionary",),
    signs=(TemplateMarkers((">>>all",)), TemplateMarkers((">>>", "recipient"))),
    answer=Answer(begin="all\n"),
)
