"""What a custom tool takes, where it stands as it is."""

from __future__ import annotations

from dataclasses import replace

from grammars import JsonSchema, RawString, Regex
from grammars.frontends.base import Constraint
from tools.tool import Tool

_ANY = JsonSchema({"type": "string"})


def input_without(tool: Tool, marker: str) -> Constraint:
    """Return the constraint on the input of a custom tool, which does not contain the marker that ends it.

    Of a grammar in Lark's language the marker is not taken out.
    """
    if tool.grammar is None:
        return RawString(_ANY, (marker,))
    constraint = tool.input
    return replace(constraint, without=(marker,)) if isinstance(constraint, Regex) else constraint
