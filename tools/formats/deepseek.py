"""DeepSeek V3, R1 and V3.1: named calls between markers of full-width bars."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson

_SECTION = Frame(("<｜tool▁calls▁begin｜>",), ("<｜tool▁calls▁end｜>",))

DEEPSEEK_V3 = Format(
    name="deepseek_v3",
    native=Block(
        section=_SECTION,
        call=Frame(("<｜tool▁call▁begin｜>", "function", "<｜tool▁sep｜>"), ("\n", "```", "<｜tool▁call▁end｜>")),
        body=NamedJson(("\n", "```json", "\n")),
        separator="\n",
    ),
    aliases=("deepseekv3", "deepseek_r1"),
    signs=(TemplateMarkers(("<｜tool▁calls▁begin｜>", "```json")),),
)
DEEPSEEK_V31 = Format(
    name="deepseek_v31",
    native=Block(
        section=_SECTION,
        call=Frame(("<｜tool▁call▁begin｜>",), ("<｜tool▁call▁end｜>",)),
        body=NamedJson(("<｜tool▁sep｜>",)),
    ),
    aliases=("deepseekv31",),
    signs=(TemplateMarkers(("<｜tool▁calls▁begin｜>",), ("```json",)),),
)
