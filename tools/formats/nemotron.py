"""Nemotron: an array of objects in `<TOOLCALL>` tags."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

NEMOTRON = Format(
    name="nemotron",
    native=Block(section=Frame(("<TOOLCALL>", "["), ("]", "</TOOLCALL>")), body=JsonCall(), separator=", "),
    aliases=("nemotron_json",),
    signs=(TemplateMarkers(("<TOOLCALL>",)),),
)
