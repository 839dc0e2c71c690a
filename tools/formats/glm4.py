"""GLM 4 of 2024: the name on a line of its own, the arguments on the next."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson

GLM4 = Format(
    name="glm4",
    native=Block(section=Frame(("\n",)), body=NamedJson(("\n",)), at_start=True, separator="\n"),
    aliases=("chatglm4",),
    signs=(
        TemplateMarkers(("<|observation|>", "metadata"), ("<arg_key>", "<tool_call>")),
        TemplateMarkers(("[gMASK]<sop>", "['metadata']"), ("<arg_key>", "<tool_call>")),
    ),
    is_parallel=False,
)
