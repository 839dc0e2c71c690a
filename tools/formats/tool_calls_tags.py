"""MiniMax M1, Jamba and Hunyuan A13B: objects in `<tool_calls>` tags, on lines or in an array."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

MINIMAX = Format(
    name="minimax",
    native=Block(section=Frame(("<tool_calls>", "\n"), ("\n", "</tool_calls>")), body=JsonCall(), separator="\n"),
    aliases=("minimax_m1",),
    signs=(TemplateMarkers(("<tool_calls>\n", "</tool_calls>"), ("<tool_calls>\n[", "<tool_calls>[")),),
)
JAMBA = Format(
    name="jamba",
    native=Block(
        section=Frame(("<tool_calls>", "[", "\n    "), ("\n", "]", "</tool_calls>")),
        body=JsonCall(),
        separator=",\n    ",
    ),
    signs=(TemplateMarkers(("<tool_calls>[\n",)),),
)
HUNYUAN_A13B = Format(
    name="hunyuan_a13b",
    native=Block(section=Frame(("<tool_calls>", "["), ("]", "</tool_calls>")), body=JsonCall(), separator=", "),
    aliases=("apriel",),
    signs=(
        TemplateMarkers(("<tool_calls>[",)),
        TemplateMarkers(("<tool_calls>", "</tool_calls>"), ("<tool_calls>\n",)),
    ),
)
