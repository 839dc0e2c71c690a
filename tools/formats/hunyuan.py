"""Hunyuan's dense models: the name on a line, and the arguments in a fence, in tags of two kinds."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson

HUNYUAN = Format(
    name="hunyuan_dense",
    model_types=("hunyuan_v1_dense",),
    native=Block(
        section=Frame(("<tool_calls>",), ("</tool_calls>",)),
        call=Frame(("<tool_call>",), ("\n", "```", "</tool_call>")),
        body=NamedJson(("\n", "```json", "\n")),
        separator="\n",
    ),
    aliases=("hunyuan_v1_dense",),
    signs=(TemplateMarkers(("<tool_calls>", "<tool_call>", "```json\n")),),
)
