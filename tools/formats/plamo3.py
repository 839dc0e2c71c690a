"""PLaMo 3: a name and JSON, each between marks of its own, within two more."""

from __future__ import annotations

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.named_json import NamedJson


def _begin(what: str) -> str:
    return f"<|plamo:begin_{what}:plamo|>"


def _end(what: str) -> str:
    return f"<|plamo:end_{what}:plamo|>"


PLAMO3 = Format(
    name="plamo3",
    model_types=("plamo3",),
    native=Block(
        section=Frame((_begin("tool_requests"),), (_end("tool_requests"),)),
        call=Frame((_begin("tool_request"), _begin("tool_name")), (_end("tool_arguments"), _end("tool_request"))),
        body=NamedJson((_end("tool_name"), _begin("tool_arguments") + "<|plamo:constrain|>json<|plamo:msg|>")),
    ),
    signs=(TemplateMarkers(("<|plamo:begin_tool_request",)), TemplateMarkers(("begin_tool_request", "plamo"))),
)
