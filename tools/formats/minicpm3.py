"""MiniCPM 3 and 4: calls as Python writes them, one a line, in a fence between two tokens."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyword_call import KeywordCall

MINICPM3 = Format(
    name="minicpm3",
    model_types=("minicpm3",),
    native=Block(
        section=Frame(("<|tool_call_start|>", "\n", "```python", "\n"), ("\n", "```", "\n", "<|tool_call_end|>")),
        body=KeywordCall(separator=","),
        separator="\n",
    ),
    aliases=("minicpm4",),
    signs=(TemplateMarkers(("<|tool_call_start|>", "```python")),),
)
