"""`tools` and `tool_choice` of Responses, in their flat form and with namespaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gateway.api.tools import is_hosted, tools_of
from gateway.core.ignored_fields import ignore_field
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.choice import ToolChoice
from tools.tool import Tool
from tools.toolset import ToolSet

KINDS = ("function", "custom")

_ECHOED = ("type", "name", "description", "parameters", "strict", "format")

_UNSERVED: dict[str, tuple[Any, ...]] = {"async": (False,), "allowed_callers": (["direct"],)}
"""Further fields of a declaration, with the values that have no effect."""

SEARCH = "tool_search"
"""Type of a search for tools, and the name under which the model calls one that the client executes."""

_QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
"""Parameters of a search whose declaration has none."""

Declared = dict[str, Any]
Placed = tuple[Declared, str]
"""Declaration of a tool, and its place in the request."""

Names = dict[str, tuple[str, str]]
"""Namespace and name of a tool, by the single name under which the model calls it."""


def response_tools_of(
    declared: Sequence[Placed], wanted: str | dict[str, Any] | None, parallel: bool | None
) -> tuple[ToolSet | None, ToolChoice | None]:
    """Return the tools of declarations and the tool choice; both None without tools.

    Raises:
        InvalidRequestError: A declaration or the choice does not hold; says where.
        UnsupportedParameterError: A tool of OpenAI's that clients run, or a hosted tool that must be called.
    """
    if isinstance(wanted, dict) and wanted.get("type") not in (*KINDS, "allowed_tools"):
        raise UnsupportedParameterError(
            f"a tool_choice of type {str(wanted.get('type'))[:64]!r} is not served", param="tool_choice.type"
        )
    return tools_of(declared, wanted, parallel, lambda placed, _: _read(*placed))


def is_client_search(declared: object) -> bool:
    """True if a declaration is that of a search for tools that the client executes."""
    return isinstance(declared, dict) and declared.get("type") == SEARCH and declared.get("execution") == "client"


def _read(declared: Declared, place: str) -> list[Tool]:
    if is_client_search(declared):
        about = declared.get("description") or "Finds tools that can be called afterwards."
        parameters = declared.get("parameters") or _QUERY
        return [_tool({"type": "function", "name": SEARCH, "description": about, "parameters": parameters}, place)]
    if declared.get("type") == SEARCH:
        ignore_field(place, f"{place}: tool_search runs in the client alone here (execution: 'client')", kind=SEARCH)
        return []
    if declared.get("type") != "namespace":
        return [] if is_hosted(declared.get("type"), place) else [_tool(declared, place)]
    namespace, about = declared.get("name"), declared.get("description")
    if not isinstance(namespace, str) or not namespace:
        raise InvalidRequestError(f"{place}.name: the namespace's name expected", param=f"{place}.name")
    if not isinstance(declared.get("tools"), list):
        raise InvalidRequestError(f"{place}.tools: a list of tools expected", param=f"{place}.tools")
    tools = [_tool(each, f"{place}.tools[{index}]", namespace) for index, each in enumerate(declared["tools"])]
    if tools and isinstance(about, str) and about:
        # Templates know no namespaces: the description goes to the first tool.
        about = f"{namespace}: {about}"
        tools[0] = replace(tools[0], description="\n\n".join(filter(None, (about, tools[0].description))))
    return tools


def _tool(declared: object, place: str, namespace: str = "") -> Tool:
    kind = declared.get("type") if isinstance(declared, dict) else None
    if kind not in KINDS:
        raise UnsupportedParameterError(
            f"{place}: tools of type {str(kind)[:64]!r} are not served, only {' and '.join(KINDS)}",
            param=f"{place}.type",
        )
    assert isinstance(declared, dict), "it has a type"
    for name, harmless in _UNSERVED.items():
        if declared.get(name) is not None and declared[name] not in harmless:
            raise UnsupportedParameterError(f"{place}.{name} is not served", param=f"{place}.{name}")
    if declared.get("defer_loading"):
        ignore_field(f"{place}.defer_loading")
    if isinstance(declared.get("name"), str):
        declared = {**declared, "name": joined(namespace, declared["name"])}
    return Tool.from_responses(declared, place)


def joined(namespace: str | None, name: str) -> str:
    """Return the single name of a tool in a namespace, in the form of MCP clients (`mcp__server__tool`)."""
    if not namespace:
        return name
    return f"{namespace}{name}" if namespace.endswith("_") or name.startswith("_") else f"{namespace}__{name}"


def namespaces_of(declared: Sequence[Declared] | None) -> Names:
    """Return the names of tools in namespaces. The declarations were checked before."""
    spaces = [tool for tool in declared or () if tool["type"] == "namespace"]
    return {
        joined(space["name"], each["name"]): (space["name"], each["name"])
        for space in spaces
        for each in space["tools"]
    }


def flat_place(text: str) -> str:
    """Return the path of a nested declaration in Responses' flat form."""
    for level in (".function", ".custom", ".allowed_tools", ".grammar"):
        text = text.replace(f"{level}.", ".")
    return text


def tool_echoes(declared: Sequence[Declared] | None) -> Iterator[Declared]:
    """Yield the declarations of served tools as the reply echoes them."""
    for tool in declared or ():
        if tool["type"] == "namespace":
            yield {"description": "", **_echo(tool), "tools": list(tool_echoes(tool["tools"]))}
        elif is_client_search(tool):
            yield {name: tool[name] for name in ("type", "execution", "description", "parameters") if tool.get(name)}
        elif tool["type"] in KINDS:
            yield {**({"parameters": None, "strict": None} if tool["type"] == "function" else {}), **_echo(tool)}


def _echo(tool: Declared) -> Declared:
    return {name: tool[name] for name in _ECHOED if tool.get(name) is not None}
