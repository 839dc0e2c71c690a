"""Functionary 3.2: recipients after `>>>`."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.constraint import Answer
from tools.formats.families.recipient_call import RecipientCall
from tools.formats.reading.frame import Frame

FUNCTIONARY_V32 = Format(
    name="functionary_v32",
    native=Block(body=RecipientCall(), separator=">>>", at_start=True),
    variants=(Block(call=Frame((">>>",)), body=RecipientCall()),),
    aliases=("functionary",),
    signs=(TemplateMarkers((">>>all",)), TemplateMarkers((">>>", "recipient"))),
    answer=Answer(begin="all\n"),
)
