"""What the input of a custom tool must be."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.core.constraints import GrammarConstraint, RegexConstraint
from tools.tool import Tool
from tools.toolset import ToolSet


def input_constraint(tool: Tool, origin: str = "tools") -> GrammarConstraint | RegexConstraint | None:
    """The constraint on a custom tool's input; None where it may be any text, and for a function."""
    grammar = tool.grammar
    if grammar is None:
        return None
    if grammar.syntax == "regex":
        return RegexConstraint(pattern=grammar.definition, origin=origin)
    return GrammarConstraint(text=grammar.definition, origin=origin, syntax="lark")


def inputs_of(tools: ToolSet) -> Iterator[tuple[str, GrammarConstraint | RegexConstraint]]:
    """Name and constraint of each of the tools whose input is constrained."""
    for tool in tools:
        constraint = input_constraint(tool, f"{tool.place}.custom.format")
        if constraint is not None:
            yield tool.name, constraint
