"""xLAM and Hammer: an array of objects as the whole answer, bare or fenced."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

_BARE = Block(section=Frame(("[",), ("]",)), body=JsonCall(), separator=", ", at_start=True)
_FENCED = Block(section=Frame(("```", "\n", "["), ("]", "\n", "```")), body=JsonCall(), separator=", ", at_start=True)
_LABELLED = Block(section=Frame(("```json", "["), ("]", "```")), body=JsonCall(), at_start=True)
_OBJECTS = Block(section=Frame(), body=JsonCall(), separator="; ", at_start=True)
_TAGGED = Block(section=Frame(("<tool_call>", "["), ("]", "</tool_call>")), body=JsonCall())
_MARKED = Block(section=Frame(("[TOOL_CALLS]", "["), ("]",)), body=JsonCall())

XLAM = Format(
    name="xlam",
    native=_BARE,
    variants=(_FENCED, _LABELLED, _OBJECTS, _TAGGED, _MARKED),
    signs=(TemplateMarkers(('[{"name": "tool_call_name"',)), TemplateMarkers(("xLAM",))),
)
HAMMER = Format(
    name="hammer",
    native=_FENCED,
    variants=(_BARE, _LABELLED, _OBJECTS, _TAGGED, _MARKED),
    signs=(TemplateMarkers(("[BEGIN OF FORMAT INSTRUCTION]",)), TemplateMarkers(("[BEGIN OF AVAILABLE TOOLS]",))),
)
