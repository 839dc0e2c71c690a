"""GigaChat 3 and 3.1: one object after a role or a marker."""

from __future__ import annotations

from dataclasses import replace

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

_ROLE = Block(call=Frame(("function call<|role_sep|>", "\n")), body=JsonCall(), separator="\n")
_NEXT = Block(
    call=Frame(("<|message_sep|>", "\n\n", "function call<|role_sep|>", "\n")),
    body=JsonCall(),
    separator="\n",
    is_written=True,
)
_MARKER = Block(call=Frame(("<|function_call|>",)), body=JsonCall(), separator="\n")

GIGACHAT3 = Format(
    name="gigachat3",
    native=_ROLE,
    # What was said before is a message of its own.
    variants=(_NEXT, _MARKER),
    signs=(
        TemplateMarkers(("function call<|role_sep|>",)),
        TemplateMarkers(("function call", "<|role_sep|>", "<|message_sep|>")),
    ),
    is_parallel=False,
)
GIGACHAT31 = Format(
    name="gigachat31",
    native=_MARKER,
    variants=(_ROLE, replace(_NEXT, is_written=False)),
    signs=(TemplateMarkers(("<|function_call|>",), ("function call",)),),
    is_parallel=False,
)
