"""Llama 3: bare JSON objects as the whole answer, or after a tag; also functions in angle brackets."""

from __future__ import annotations

from dataclasses import dataclass

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.json_call import JsonCall
from tools.formats.bodies.keyword_call import KeywordCall
from tools.formats.bodies.named_json import NamedJson
from tools.formats.reading.frame import Frame
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.toolset import ToolSet

_BUILT_IN = KeywordCall(method=".call")


@dataclass(frozen=True, slots=True)
class TaggedLlamaCall(JsonCall):
    """After the tag tools that the model was trained on may be called in their own way: `f.call(a="x")`."""

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """See `Body.read`."""
        yield from cursor.skip()
        is_object = (yield from cursor.need()) == "{"
        yield from (JsonCall.read(self, cursor, sink, tools) if is_object else _BUILT_IN.read(cursor, sink, tools))


LLAMA3_JSON = Format(
    name="llama3_json",
    native=Block(section=Frame(), body=JsonCall("name", "parameters", ("arguments",)), separator="; ", at_start=True),
    variants=(
        Block(section=Frame(("<|python_tag|>",)), body=TaggedLlamaCall("name", "parameters", ("arguments",))),
        Block(call=Frame(("<function=",), ("</function>",)), body=NamedJson((">",))),
    ),
    aliases=("llama3", "llama4_json"),
    signs=(TemplateMarkers(('"parameters": dictionary of argument name',)),),
)
