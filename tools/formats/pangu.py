"""openPangu: an array of objects between two tokens; earlier models have the same between unused ones."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall


def _block(begin: str, end: str) -> Block:
    return Block(section=Frame((begin, "["), ("]", end)), body=JsonCall(), separator=", ")


PANGU = Format(
    name="pangu",
    native=_block("<|tool_call_start|>", "<|tool_call_end|>"),
    aliases=("openpangu", "openpangu_v2"),
    # LFM2 has these marks too; what is between them tells.
    signs=(TemplateMarkers(("<|tool_call_start|>", "<|tool_call_end|>", '"arguments"'), ("<|tool_list_start|>",)),),
)

PANGU_UNUSED = Format(
    name="pangu_unused",
    native=_block("[unused11]", "[unused12]"),
    signs=(TemplateMarkers(("[unused11]", "[unused12]")),),
)
