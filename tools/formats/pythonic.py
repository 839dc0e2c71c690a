"""Calls as Python writes them: Llama 3.2 and 4, OLMo 3, LFM2 and others."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyword_call import KeywordCall

_BODY = KeywordCall()
_LIST = Block(section=Frame(("[",), ("]",)), body=_BODY, separator=", ", at_start=True)

PYTHONIC = Format(
    name="pythonic",
    native=_LIST,
    aliases=("llama3.2", "llama3_pythonic"),
    signs=(
        TemplateMarkers(("[func_name1(params_name1",), ("<|python_start|>",)),
        TemplateMarkers(("[func1(params_name=",), ("<|python_start|>",)),
        TemplateMarkers(("[func_name1(param1=value1",), ("<|python_start|>",)),
    ),
)

LLAMA4_PYTHONIC = Format(
    name="llama4_pythonic",
    model_types=("llama4", "llama4_text"),
    native=_LIST,
    variants=(Block(section=Frame(("<|python_start|>", "["), ("]", "<|python_end|>")), body=_BODY, separator=", "),),
    aliases=("llama4",),
    signs=(TemplateMarkers(("<|python_start|>",)),),
)
