"""Step-Audio 2: the word `function`, the tool's name and the arguments, each on a line."""

from __future__ import annotations

from tools.formats.base import Format, Signs
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson

STEP_AUDIO2 = Format(
    name="step_audio2",
    model_types=("step_audio_2",),
    native=Block(call=Frame(("<tool_call>", "function\n"), ("</tool_call>",)), body=NamedJson(("\n",))),
    aliases=("step_audio_2",),
    signs=(Signs(("<tool_call>function\n",)),),
)
