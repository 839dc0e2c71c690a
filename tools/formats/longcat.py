"""LongCat: a JSON object in tags of its own."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

LONGCAT = Format(
    name="longcat",
    native=Block(call=Frame(("<longcat_tool_call>", "\n"), ("\n", "</longcat_tool_call>")), body=JsonCall()),
    signs=(TemplateMarkers(("<longcat_tool_call>",), ("<longcat_arg_key>",)),),
)
