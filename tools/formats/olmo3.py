"""OLMo 3: calls as Python writes them, one a line, but for literals, which are JSON."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyword_call import KeywordCall

OLMO3 = Format(
    name="olmo3",
    native=Block(
        section=Frame(("<function_calls>",), ("</function_calls>",)), body=KeywordCall(values="plain"), separator="\n"
    ),
    signs=(TemplateMarkers(("<function_calls>",), ("｜DSML｜", "<invoke")),),
)
