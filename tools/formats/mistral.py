"""Mistral: one array of calls up to tokenizer 7, then a marker and a name before each call's arguments."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.ids import known_nine, nine_characters
from tools.formats.json_call import JsonCall
from tools.formats.mistral_call import MistralCall

MISTRAL = Format(
    name="mistral",
    native=Block(section=Frame(("[TOOL_CALLS]", " ", "["), ("]",)), body=JsonCall(), separator=", "),
    aliases=("mistral_v3", "mistral_v7"),
    signs=(TemplateMarkers(("[TOOL_CALLS]",), ("[ARGS]",)),),
    ids=nine_characters,
    known_id=known_nine,
)
# The tokenizers from Nemo on write no space.
MISTRAL_TEKKEN = Format(
    name="mistral_tekken",
    native=Block(section=Frame(("[TOOL_CALLS]", "["), ("]",)), body=JsonCall(), separator=", "),
    aliases=("mistral_nemo",),
    signs=MISTRAL.signs,
    ids=nine_characters,
    known_id=known_nine,
)
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
