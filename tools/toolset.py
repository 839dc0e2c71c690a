"""The tools that a client declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tools.errors import InvalidToolError
from tools.tool import Tool


@dataclass(frozen=True, slots=True)
class ToolSet:
    """Declared tools, in order, each name once."""

    tools: tuple[Tool, ...] = ()

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for tool in self.tools:
            if tool.name in seen:
                raise InvalidToolError(f"the name {tool.name!r} is taken", f"{tool.place}.{tool.kind}.name")
            seen.add(tool.name)

    @classmethod
    def from_openai(cls, declarations: Sequence[object]) -> ToolSet:
        """Return the set that a request's `tools` declares.

        Raises:
            InvalidToolError: with the path of the field at fault, as in `tools[3].function.name`.
        """
        return cls(tuple(Tool.from_openai(each, f"tools[{index}]") for index, each in enumerate(declarations)))

    def to_openai(self) -> list[dict[str, Any]]:
        """Return the declarations, as chat templates expect them."""
        return [tool.to_openai() for tool in self.tools]

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def only(self, names: Sequence[str]) -> ToolSet:
        """Return the tools of these names, in declared order."""
        wanted = set(names)
        return ToolSet(tuple(tool for tool in self.tools if tool.name in wanted))

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(tool.name for tool in self.tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: object) -> bool:
        return name in self.names


__all__ = ["Tool", "ToolSet"]
