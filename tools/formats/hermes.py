"""Hermes 2 and 3, Qwen 2.5 and 3, and many that follow them: a JSON object in `<tool_call>` tags.

Step 3 VL has tags around all of them, and Delphi marks of its own in their place.
"""

from __future__ import annotations

from dataclasses import replace

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

HERMES = Format(
    name="hermes",
    native=Block(call=Frame(("<tool_call>", "\n"), ("\n", "</tool_call>")), body=JsonCall(), separator="\n"),
    aliases=("qwen", "qwen2.5", "qwen25", "qwen3", "nanbeige", "granite4", "ernie45"),
    signs=(
        TemplateMarkers(
            ("<tool_call>", "</tool_call>", "arguments"), ("<function=", "<arg_key>", "<tool_call>[", "<tool_call>\n[")
        ),
    ),
)
STEP3_VL = Format(
    name="step3_vl",
    native=replace(HERMES.native, section=Frame(("<tool_calls>", "\n"), ("\n", "</tool_calls>"))),
    signs=(TemplateMarkers(("<tool_calls>\n", "</tool_calls>", "<tool_call>\n", "arguments"), ("<arg_key>",)),),
)
EXAONE4 = Format(
    name="exaone4",
    native=Block(call=Frame(("<tool_call>",), ("</tool_call>",)), body=JsonCall(), separator="\n"),
    signs=(TemplateMarkers(('<tool_call>{"name"', "</tool_call>")),),
)
FALCON = Format(
    name="falcon",
    native=Block(
        section=Frame(("<tool_call>", "\n", "["), ("]", "\n", "</tool_call>")), body=JsonCall(), separator=", "
    ),
    variants=(Block(call=Frame(("<tool_call>",), ("</tool_call>",)), body=JsonCall()),),
    signs=(TemplateMarkers(("<tool_call>\n[", "</tool_call>")),),
)
DELPHI = Format(
    name="delphi",
    native=replace(HERMES.native, call=Frame(("<|tool_call|>", "\n"), ("\n", "<|tool_call_end|>"))),
    signs=(TemplateMarkers(("<|tool_call|>", "<|tool_call_end|>")),),
)
