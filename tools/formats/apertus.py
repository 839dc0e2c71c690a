"""Apertus and, with tokens that have numbers, Apertus 1.1: an array of objects whose one key is the tool's name."""

from __future__ import annotations

from dataclasses import replace

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.keyed_call import KeyedCall

APERTUS = Format(
    name="apertus",
    model_types=("apertus",),
    native=Block(section=Frame(("<|tools_prefix|>", "["), ("]", "<|tools_suffix|>")), body=KeyedCall(), separator=", "),
    aliases=("apertus2509",),
    signs=(TemplateMarkers(("<|tools_prefix|>",)),),
)

APERTUS11 = replace(
    APERTUS,
    name="apertus11",
    model_types=(),
    native=Block(section=Frame(("<SPECIAL_71>", "["), ("]", "<SPECIAL_72>")), body=KeyedCall(), separator=", "),
    aliases=("apertus1.1",),
    signs=(TemplateMarkers(("tool_calls_token", "<SPECIAL_71>", "<SPECIAL_72>")),),
)
