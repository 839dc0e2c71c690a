"""Functionary 3.1, functions in angle brackets, and 3.2, recipients after `>>>`."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.constraint import Answer
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson
from tools.formats.recipient_call import RecipientCall

FUNCTIONARY_V31 = Format(
    name="functionary_v31",
    native=Block(call=Frame(("<function=",), ("</function>",)), body=NamedJson((">",))),
    signs=(TemplateMarkers(("<function=", "</function>"), ("<parameter=", "<tool_call>")),),
)
FUNCTIONARY_V32 = Format(
    name="functionary_v32",
    native=Block(body=RecipientCall(), separator=">>>", at_start=True),
    variants=(Block(call=Frame((">>>",)), body=RecipientCall()),),
    aliases=("functionary",),
    signs=(TemplateMarkers((">>>all",)), TemplateMarkers((">>>", "recipient"))),
    answer=Answer(begin="all\n"),
)
