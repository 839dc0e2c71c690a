"""Kimi K2: a call is known by its id, `functions.f:0`, which counts all calls of a conversation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grammars import Concat, JsonOptions, Tag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.json_call import INDEX
from tools.formats.bodies.named_json import read_name, read_named
from tools.formats.ids import kimi_id, kimi_ids
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.toolset import Tool, ToolSet

_PREFIX = "functions."
_ARGUMENTS = "<|tool_call_argument_begin|>"
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class KimiCall(Body):
    """`functions.f:0<|tool_call_argument_begin|>{...}`; a name without the rest of an id is read as well."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return kimi_id(name, index, id) + _ARGUMENTS

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call; its number may be any."""
        return Tag(f"{_PREFIX}{tool.name}:", Concat((INDEX, _ARGUMENTS, self.content(tool, options))))

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        name, id = (yield from read_name(cursor)), ""
        name = name.removeprefix(_PREFIX)
        if (yield from cursor.match(":")):
            number = ""
            while (yield from cursor.need()) and (run := cursor.take_run(_DIGITS)):
                number += run
            id = f"{_PREFIX}{name}:{number}" if number else ""
        yield from read_marks(cursor, (_ARGUMENTS,))
        yield from read_named(cursor, sink, name, id)


KIMI_K2 = Format(
    name="kimi_k2",
    native=Block(
        section=Frame(("<|tool_calls_section_begin|>",), ("<|tool_calls_section_end|>",)),
        call=Frame(("<|tool_call_begin|>",), ("<|tool_call_end|>",)),
        body=KimiCall(),
    ),
    variants=(
        Block(
            section=Frame(("<|tool_call_section_begin|>",), ("<|tool_call_section_end|>",)),
            call=Frame(("<|tool_call_begin|>",), ("<|tool_call_end|>",)),
            body=KimiCall(),
        ),
    ),
    signs=(TemplateMarkers(("<|tool_calls_section_begin|>",)),),
    ids=kimi_ids,
    known_id=kimi_id,
)
