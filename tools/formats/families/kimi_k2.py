"""Kimi K2: calls known by ids, `functions.f:0`, that count all calls of a conversation."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.families.kimi_call import KimiCall
from tools.formats.ids import kimi_id, kimi_ids
from tools.formats.reading.frame import Frame

KIMI_K2 = Format(
    name="kimi_k2",
    native=Block(
        section=Frame(("<|tool_calls_section_begin|>",), ("<|tool_calls_section_end|>",)),
        call=Frame(("<|tool_call_begin|>",), ("<|tool_call_end|>",)),
        body=KimiCall(),
    ),
    variants=(
        Block(
            section=Frame(("<|tool_call_section_begin|>",), ("<|tool_call_section_end|>",)),
            call=Frame(("<|tool_call_begin|>",), ("<|tool_call_end|>",)),
            body=KimiCall(),
        ),
    ),
    signs=(TemplateMarkers(("<|tool_calls_section_begin|>",)),),
    ids=kimi_ids,
    known_id=kimi_id,
)
