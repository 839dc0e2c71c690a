"""Inkling: messages with a kind; a call is one of them, with its tool's name before and in it."""

from __future__ import annotations

from dataclasses import dataclass

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.json_call import JsonCall
from tools.formats.bodies.named_json import read_name
from tools.formats.constraint import Answer
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine, quoted
from tools.toolset import ToolSet

END, MODEL, TEXT = "<|end_message|>", "<|message_model|>", "<|content_text|>"
_CALL = "<|content_invoke_tool_json|>"


@dataclass(frozen=True, slots=True)
class InklingCall(JsonCall):
    """The tool's name, a marker, and an object without spaces between its members; or the marker of content."""

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the declared names, each with the marker, and the marker of content."""
        return (*(name + _CALL for name in tools.names), TEXT)

    def late_marks(self, name: str) -> tuple[str, ...]:
        """Return nothing: prose is a message of its own."""
        return ()

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it, or no more than the marker of content; see `Body.read`."""
        yield from cursor.skip()
        if (yield from cursor.match(TEXT)):
            return
        yield from read_name(cursor)
        yield from read_marks(cursor, (_CALL,))
        yield from JsonCall.read(self, cursor, sink, tools)

    def _parts(self, name: str) -> tuple[str, str]:
        return "", f'{name}{_CALL}{{"{self.name_key}":{quoted(name)},"{self.arguments_key}":'


_BODY = InklingCall("name", "args", ())

INKLING = Format(
    name="inkling",
    model_types=("inkling_mm_model",),
    native=Block(call=Frame((), (END,)), body=_BODY, separator=MODEL, at_start=True),
    variants=(Block(call=Frame((END + MODEL,), (END,)), body=_BODY), Block(call=Frame((MODEL,), (END,)), body=_BODY)),
    signs=(TemplateMarkers((_CALL,)),),
    answer=Answer(begin=TEXT),
)
