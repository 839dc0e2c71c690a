"""Declared tools of any dialect, and the tool choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from gateway.core.ignored_fields import ignore_field
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.choice import ToolChoice
from tools.errors import ToolError
from tools.tool import Tool
from tools.toolset import ToolSet

T = TypeVar("T")

_HOSTED = re.compile(
    r"(web_search(?:_preview)?|web_fetch|code_execution|code_interpreter|file_search|image_generation"
    r"|mcp(?:_toolset)?|tool_search(?:_tool_(?:regex|bm25))?|advisor)(?:_[0-9_]+)?"
)
"""Types of tools that OpenAI or Anthropic runs for its clients, with the dates that some end in."""


def is_hosted(kind: object, place: str) -> bool:
    """True if a hosted service runs tools of this type; the tool is then noted as ignored.

    Raises:
        UnsupportedParameterError: The tool is hosted, and the server refuses such requests.
    """
    found = _HOSTED.fullmatch(kind) if isinstance(kind, str) else None
    if found is None:
        return False
    ignore_field(place, f"{place}: tools of type '{kind}' are not served", kind=found[1])
    return True


def openai_tools(declared: Any, place: str) -> list[Tool]:
    """Return the tool of a declaration as in chats; none if it is ignored.

    Raises:
        InvalidToolError: The declaration is invalid; says where.
    """
    return (
        []
        if isinstance(declared, dict) and is_hosted(declared.get("type"), place)
        else [Tool.from_openai(declared, place)]
    )


def tools_of(
    declared: Sequence[T] | None,
    wanted: str | dict[str, Any] | None,
    parallel: bool | None,
    read: Callable[[T, str], Sequence[Tool]] = openai_tools,
) -> tuple[ToolSet | None, ToolChoice | None]:
    """Return the declared tools and the tool choice; both None without tools.

    Args:
        declared: `tools`.
        wanted: `tool_choice`, as OpenAI spells it.
        parallel: `parallel_tool_calls`.
        read: Returns the tools of a declaration, given its place; none of an ignored one.

    Raises:
        InvalidRequestError: A declaration or the choice does not hold; says where.
        UnsupportedParameterError: A call is required, and all tools were left out.
    """
    placed = [(each, f"tools[{index}]") for index, each in enumerate(declared or ())]
    try:
        tools = ToolSet(tuple(tool for each, place in placed for tool in read(each, place)))
        choice = ToolChoice.parse(wanted, tools, parallel)
    except ToolError as error:
        raise InvalidRequestError(str(error), param=error.path) from None
    if len(tools):
        return tools, choice
    if placed and (wanted.get("type") if isinstance(wanted, Mapping) else wanted) in ("required", "any"):
        raise UnsupportedParameterError("tool_choice requires a call, and no tool is served", param="tool_choice")
    return None, None
