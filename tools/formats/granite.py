"""Granite 3, an array after a marker, and Granite 20B for function calling, an object after one."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

GRANITE = Format(
    name="granite",
    native=Block(section=Frame(("<|tool_call|>", "["), ("]",)), body=JsonCall(), separator=", "),
    variants=(Block(section=Frame(("<tool_call>", "["), ("]",)), body=JsonCall()),),
    aliases=("granite3",),
    signs=(
        TemplateMarkers(("<|start_of_role|>", "<|tool_call|>")),
        TemplateMarkers(("<|start_of_role|>", "<tool_call>["), ("</tool_call>",)),
    ),
)
GRANITE_20B_FC = Format(
    name="granite-20b-fc",
    native=Block(call=Frame(("<function_call>", " ")), body=JsonCall(nothing="no_function"), separator="\n"),
    signs=(TemplateMarkers(("<function_call>",), ("<start_function_call>",)),),
)
