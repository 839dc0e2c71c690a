"""Tool calls in model text: declared, constrained, parsed while streaming, rendered. Knows no model and no HTTP."""

from tools.calls import IdFactory, ToolCall, Transcript, random_id, seeded_ids
from tools.choice import ToolChoice
from tools.errors import (
    InvalidFormatError,
    InvalidToolChoiceError,
    InvalidToolError,
    ToolError,
    UnknownFormatError,
    UnknownReasoningError,
    UnwritableCallError,
)
from tools.events import ArgumentsDelta, CallBroken, CallEnd, CallStart, ContentDelta, Event, ReasoningDelta
from tools.formats import Format, Parser, detect_format, format_names, get_format
from tools.toolset import Tool, ToolSet

__all__ = [
    "ArgumentsDelta",
    "CallBroken",
    "CallEnd",
    "CallStart",
    "ContentDelta",
    "Event",
    "Format",
    "IdFactory",
    "InvalidFormatError",
    "InvalidToolChoiceError",
    "InvalidToolError",
    "Parser",
    "ReasoningDelta",
    "Tool",
    "ToolCall",
    "ToolChoice",
    "ToolError",
    "ToolSet",
    "Transcript",
    "UnknownFormatError",
    "UnknownReasoningError",
    "UnwritableCallError",
    "detect_format",
    "format_names",
    "get_format",
    "random_id",
    "seeded_ids",
]
