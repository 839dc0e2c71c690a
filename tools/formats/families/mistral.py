"""Mistral from tokenizer 11 on: a marker and a name before the arguments of each call."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.families.mistral_call import MistralCall
from tools.formats.ids import known_nine, nine_characters
from tools.formats.reading.frame import Frame

MISTRAL_V11 = Format(
    name="mistral_v11",
    native=Block(call=Frame(("[TOOL_CALLS]",)), body=MistralCall(has_id=True)),
    signs=(TemplateMarkers(("[TOOL_CALLS]", "[CALL_ID]", "[ARGS]")),),
    ids=nine_characters,
    known_id=known_nine,
)
MISTRAL_V13 = Format(
    name="mistral_v13",
    native=Block(call=Frame(("[TOOL_CALLS]",)), body=MistralCall()),
    signs=(TemplateMarkers(("[TOOL_CALLS]", "[ARGS]"), ("[CALL_ID]",)),),
    ids=nine_characters,
    known_id=known_nine,
)
