"""Gemma 4 and FunctionGemma: names without quotes, strings between delimiters of their own."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.delimited_call import DelimitedCall
from tools.formats.frame import Frame

GEMMA4 = Format(
    name="gemma4",
    model_types=("gemma4", "gemma4_text"),
    native=Block(call=Frame(("<|tool_call>",), ("<tool_call|>",)), body=DelimitedCall('<|"|>')),
    signs=(TemplateMarkers(("<|tool_call>", "<tool_call|>")),),
)

FUNCTIONGEMMA = Format(
    name="functiongemma",
    native=Block(call=Frame(("<start_function_call>",), ("<end_function_call>",)), body=DelimitedCall("<escape>")),
    aliases=("function_gemma",),
    signs=(TemplateMarkers(("<start_function_call>",)),),
)
