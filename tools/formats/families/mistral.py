"""Mistral's later tokenizers: `f[CALL_ID]id[ARGS]{...}`, the id where they have one."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import Concat, JsonOptions, Regex, Tag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.json_call import JsonCall
from tools.formats.bodies.named_json import read_name, read_named
from tools.formats.ids import is_nine_characters, known_nine, nine_characters, nine_of
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.toolset import Tool, ToolSet

_ID = "[CALL_ID]"
_ARGUMENTS = "[ARGS]"


@dataclass(frozen=True, slots=True)
class MistralCall(Body):
    """An array of objects, as earlier tokenizers spell calls, is read as well.

    Attributes:
        has_id: An id is written; it is read either way.
    """

    has_id: bool = False

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{name}{_ID}{nine_of(id)}{_ARGUMENTS}" if self.has_id else name + _ARGUMENTS

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call; its id may be any."""
        content = self.content(tool, options)
        if not self.has_id:
            return Tag(tool.name + _ARGUMENTS, content)
        return Tag(tool.name + _ID, Concat((Regex("[0-9A-Za-z]{9}"), _ARGUMENTS, content)))

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call, or an array of them, and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from cursor.skip()
        if (yield from cursor.need()) in "[{":
            yield from JsonCall().read(cursor, sink, tools)
            return
        name, id = (yield from read_name(cursor)), ""
        yield from cursor.skip()
        if (yield from cursor.match(_ID)):
            id = yield from read_name(cursor)
        yield from read_marks(cursor, (_ARGUMENTS,))
        yield from read_named(cursor, sink, name, id if is_nine_characters(id) else "")


MISTRAL_V11 = Format(
    name="mistral_v11",
    native=Block(call=Frame(("[TOOL_CALLS]",)), body=MistralCall(has_id=True)),
    signs=(TemplateMarkers(("[TOOL_CALLS]", "[CALL_ID]", "[ARGS]")),),
    ids=nine_characters,
    known_id=known_nine,
)
MISTRAL_V13 = Format(
    name="mistral_v13",
    native=Block(call=Frame(("[TOOL_CALLS]",)), body=MistralCall()),
    signs=(TemplateMarkers(("[TOOL_CALLS]", "[ARGS]"), ("[CALL_ID]",)),),
    ids=nine_characters,
    known_id=known_nine,
)
