"""Formats of tool calls: one spec per family of models, in `families.toml` or in a file with its code."""

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.json_call import JsonCall
from tools.formats.bodies.named_json import NamedJson
from tools.formats.constraint import Answer
from tools.formats.parser import Parser
from tools.formats.reading.frame import Frame
from tools.formats.registry import FALLBACK, detect_format, format_names, get_format

__all__ = [
    "FALLBACK",
    "Answer",
    "Block",
    "Body",
    "Format",
    "Frame",
    "JsonCall",
    "NamedJson",
    "Parser",
    "TemplateMarkers",
    "detect_format",
    "format_names",
    "get_format",
]
