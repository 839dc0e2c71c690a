"""Solar Open: calls with an id, a name and JSON, each after a marker of its own, in a message of calls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grammars import Concat, JsonOptions, Regex, Tag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.named_json import read_name, read_named
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.toolset import Tool, ToolSet

NEXT = "<|end|><|begin|>assistant"
"""What stands between two messages of one answer; the first begins behind a header that the prompt has begun."""

_NAME, _ARGUMENTS = "<|tool_call:name|>", "<|tool_call:args|>"
_ID = Regex("[0-9A-Za-z_-]{1,64}")


@dataclass(frozen=True, slots=True)
class IdentifiedCall(Body):
    """An id, then the tool's name, then the arguments."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{id or index}{_NAME}{name}{_ARGUMENTS}"

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call; its id may be any."""
        return Tag("", Concat((_ID, f"{_NAME}{tool.name}{_ARGUMENTS}", self.content(tool, options))))

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it; see `Body.read`."""
        id = yield from read_name(cursor)
        yield from read_marks(cursor, (_NAME,))
        name = yield from read_name(cursor)
        yield from read_marks(cursor, (_ARGUMENTS,))
        yield from read_named(cursor, sink, name, id)


_CALLS = Block(
    section=Frame(("<|tool_calls|>",)),
    call=Frame(("<|tool_call:begin|>",), ("<|tool_call:end|>",)),
    body=IdentifiedCall(),
)

SOLAR_OPEN = Format(
    name="solar_open",
    model_types=("solar_open",),
    native=_CALLS,
    # What was said before is a message of its own.
    variants=tuple(
        replace(_CALLS, section=Frame((before + "<|tool_calls|>",))) for before in (NEXT, "<|begin|>assistant")
    ),
    signs=(TemplateMarkers(("<|tool_call:begin|>", _NAME)),),
)
