"""Phi-4 mini and FireFunction 2: an array between markers, or after the word `functools`."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

_TAGGED = Block(section=Frame(("<|tool_call|>", "["), ("]", "<|/tool_call|>")), body=JsonCall(), separator=", ")
_WORD = Block(section=Frame(("functools[",), ("]",)), body=JsonCall(), separator=", ")

PHI4_MINI = Format(
    name="phi4_mini_json",
    native=_TAGGED,
    variants=(_WORD,),
    aliases=("phi4_mini", "phi4"),
    signs=(TemplateMarkers(("<|/tool_call|>",)), TemplateMarkers(("<|tool|>", "<|/tool|>"))),
)
FUNCTOOLS = Format(
    name="functools",
    native=_WORD,
    aliases=("firefunction", "firefunction_v2"),
    signs=(TemplateMarkers(("functools[",)),),
)
