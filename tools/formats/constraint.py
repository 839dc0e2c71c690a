"""The grammar of a format's calls, from the same spec as its parser."""

from __future__ import annotations

from typing import Protocol

from grammars import JsonOptions, JsonSchema, StructuralTag, Tag
from tools.choice import ToolChoice
from tools.formats.frame import Frame
from tools.toolset import Tool, ToolSet


class Spelling(Protocol):
    """What a constraint needs to know of a format."""

    @property
    def section(self) -> Frame | None: ...

    @property
    def separator(self) -> str: ...

    @property
    def trigger(self) -> str: ...

    @property
    def closing(self) -> str: ...

    def opening(self, name: str) -> str: ...


# Fewer choices: where arguments stand in one order, the names of required ones are forced.
_ORDERED = JsonOptions(property_order="schema")


def constrain(spelling: Spelling, tools: ToolSet, choice: ToolChoice, options: JsonOptions | None) -> StructuralTag:
    """Return the grammar of text and calls to these tools."""
    free_text = choice.mode == "auto"
    tags = tuple(_tag(spelling, tool, options) for tool in tools)
    if spelling.section is None:
        return StructuralTag(
            tags,
            triggers=(spelling.trigger,),
            at_least_one=not free_text,
            stop_after_first=not choice.parallel,
            separator=spelling.separator,
            free_text=free_text,
        )
    calls = StructuralTag(
        tags,
        at_least_one=True,
        stop_after_first=not choice.parallel,
        separator=spelling.separator,
        free_text=False,
    )
    section = Tag("".join(spelling.section.begin), calls, "".join(spelling.section.end))
    return StructuralTag(
        (section,),
        triggers=(spelling.trigger,),
        at_least_one=not free_text,
        stop_after_first=True,
        free_text=free_text,
    )


def _tag(spelling: Spelling, tool: Tool, options: JsonOptions | None) -> Tag:
    schema = JsonSchema(tool.arguments_schema, options or _ORDERED)
    return Tag(spelling.opening(tool.name), schema, spelling.closing)
