"""LFM2: a list of calls as Python writes them, between markers."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyword_call import KeywordCall

LFM2 = Format(
    name="lfm2",
    native=Block(
        section=Frame(("<|tool_call_start|>", "["), ("]", "<|tool_call_end|>")), body=KeywordCall(), separator=", "
    ),
    signs=(TemplateMarkers(("<|tool_call_start|>",)), TemplateMarkers(("<|tool_list_start|>",))),
    model_types=("lfm2", "lfm2_moe", "lfm2_vl"),
)
