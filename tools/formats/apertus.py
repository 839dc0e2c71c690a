"""Apertus: an array of objects whose one key is the tool's name."""

from __future__ import annotations

from tools.formats.base import Format, Signs
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyed_call import KeyedCall

APERTUS = Format(
    name="apertus",
    model_types=("apertus",),
    native=Block(section=Frame(("<|tools_prefix|>", "["), ("]", "<|tools_suffix|>")), body=KeyedCall(), separator=", "),
    aliases=("apertus2509",),
    signs=(Signs(("<|tools_prefix|>",)),),
)
