"""Input of a custom tool that is written without quotes."""

from __future__ import annotations

from dataclasses import replace

from grammars import JsonSchema, RawString, Regex
from grammars.frontends.base import Constraint
from tools.tool import Tool

_ANY = JsonSchema({"type": "string"})


def input_without(tool: Tool, markers: tuple[str, ...]) -> Constraint:
    """Return the constraint on the input of a custom tool, which contains none of the markers that end it.

    Of a grammar in Lark's language the markers are not taken out.
    """
    if tool.grammar is None:
        return RawString(_ANY, markers)
    constraint = tool.input
    return replace(constraint, without=markers) if isinstance(constraint, Regex) else constraint
