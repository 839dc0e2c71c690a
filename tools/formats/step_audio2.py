"""Step-Audio 2 and R1: the word `function`, the tool's name and the arguments, each on a line."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson

STEP_AUDIO2 = Format(
    name="step_audio2",
    model_types=("step_audio_2",),
    native=Block(call=Frame(("<tool_call>", "function\n"), ("</tool_call>",)), body=NamedJson(("\n",))),
    aliases=("step_audio_2",),
    signs=(TemplateMarkers(("<tool_call>function\n",)),),
)
STEP_AUDIO_R1 = Format(
    name="step_audio_r1",
    native=Block(call=Frame(("<|CALL_START|>", "function\n"), ("<|CALL_END|>",)), body=NamedJson(("\n",))),
    signs=(TemplateMarkers(("<|CALL_START|>",)),),
)
