"""Arguments of a call by themselves, as a tool format writes them between the call's markers."""

from __future__ import annotations

from typing import Any

from grammars.frontends.base import Constraint
from tools.calls import Transcript
from tools.formats.reading.frame import Frame
from tools.formats.registry import get_format
from tools.tool import ORDERED, Tool
from tools.toolset import ToolSet

_NAME = "f"


def arguments_constraint(name: str, schema: dict[str, Any] | bool) -> Constraint:
    """Return the constraint on arguments of this schema in the format of this name."""
    return get_format(name).native.body.content(_tool(schema), ORDERED)


def read_arguments(name: str, schema: dict[str, Any] | bool, text: str) -> str | None:
    """Return the JSON text of what the format's parser reads as the arguments; None where it reads anything else."""
    spec = get_format(name)
    native, section = spec.native, spec.native.section or Frame()
    end = "".join((native.body.closing(), *native.call.end, *section.end))
    parser = spec.parser(ToolSet((_tool(schema),)))
    read = Transcript.of((*parser.feed(spec.opening(_NAME) + text + end), *parser.finish()))
    if len(read.calls) != 1 or read.content.strip() or read.broken:
        return None
    return read.calls[0].arguments


def _tool(schema: dict[str, Any] | bool) -> Tool:
    return Tool(_NAME, parameters={"not": {}} if schema is False else {} if schema is True else schema)
