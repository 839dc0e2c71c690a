"""Tools that a client's `tool_search` finds: deferred ones are shown to the model once they are found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from gateway.api.openai.responses.items import Item
from gateway.api.openai.responses.tools import Declared, Placed, is_client_search, joined

Keeps = Callable[[str, Declared], bool]
"""Returns whether a tool is kept, given its single name."""


def shown_tools(declared: Sequence[Declared] | None, items: Iterable[Item]) -> list[Placed]:
    """Return the tools that the model is shown: those declared, and those that searches in `items` have found.

    With a search of the client's, declared tools with `defer_loading` are shown only once they are found.
    """
    placed = [(tool, f"tools[{index}]") for index, tool in enumerate(declared or ())]
    if any(is_client_search(tool) for tool, _ in placed):
        placed = [
            (kept, place) for tool, place in placed for kept in _with(tool, lambda _, each: not _is_deferred(each))
        ]
    seen = {name for tool, _ in placed for name in _names(tool)}
    for item in items:
        for index, tool in enumerate(item["tools"] if item["type"] == "tool_search_output" else ()):
            for fresh in _with(tool, lambda name, _: not name or name not in seen):
                placed.append((_loaded(fresh), f"tool_search_output.tools[{index}]"))
                seen.update(_names(fresh))
    return placed


def found_text(tools: Sequence[Declared]) -> str:
    """Return the result of a search as the model reads it. The tools themselves are among those of the prompt."""
    return json.dumps({"loaded": [name for tool in tools for name in _names(tool)]})


def _with(tool: Declared, keeps: Keeps) -> list[Declared]:
    """Return a declaration if it is kept; a namespace with those of its tools that are, if any."""
    if not _is_space(tool):
        return [tool] if keeps(_name(None, tool), tool) else []
    kept = [each for each in tool["tools"] if keeps(_name(tool, each), each)]
    return [{**tool, "tools": kept}] if kept or not tool["tools"] else []


def _loaded(tool: Declared) -> Declared:
    """Return a declaration without `defer_loading`."""
    if _is_space(tool):
        return {**tool, "tools": [_loaded(each) for each in tool["tools"]]}
    return {name: value for name, value in tool.items() if name != "defer_loading"} if isinstance(tool, dict) else tool


def _names(tool: Declared) -> list[str]:
    return [_name(tool, each) for each in tool["tools"]] if _is_space(tool) else [_name(None, tool)]


def _name(space: Declared | None, tool: object) -> str:
    """Return the single name of a tool; that of a malformed one, which is refused later, is empty."""
    own = tool.get("name") if isinstance(tool, dict) else None
    outer = None if space is None else space.get("name")
    return joined(outer if isinstance(outer, str) else None, own) if isinstance(own, str) else ""


def _is_space(tool: object) -> bool:
    return isinstance(tool, dict) and tool.get("type") == "namespace" and isinstance(tool.get("tools"), list)


def _is_deferred(tool: object) -> bool:
    return isinstance(tool, dict) and bool(tool.get("defer_loading"))
