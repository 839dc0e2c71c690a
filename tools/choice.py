"""What the client allows the model to do with the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tools.errors import InvalidToolChoiceError
from tools.toolset import ToolSet

Mode = Literal["auto", "none", "required", "named"]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Whether and what to call.

    Attributes:
        mode: `auto`: text or calls; `none`: text only; `required`: at least one call; `named`: this one tool.
        name: The tool under `named`.
        parallel: More than one call is allowed.
        allowed: Names that may be called, where the client narrowed them; None means all.
    """

    mode: Mode = "auto"
    name: str | None = None
    parallel: bool = True
    allowed: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, value: object, tools: ToolSet, parallel: bool | None = True) -> ToolChoice:
        """Return the choice that a request's `tool_choice` spells; without one, `auto` if there are tools.

        Raises:
            InvalidToolChoiceError: with the path of the field at fault.
        """
        parallel = parallel is not False
        if value is None:
            return cls("auto" if len(tools) else "none", parallel=parallel)
        if value == "none":
            return cls("none", parallel=parallel)
        if not len(tools):
            raise InvalidToolChoiceError("a tool choice needs tools", "tool_choice")
        if value == "auto":
            return cls("auto", parallel=parallel)
        if value == "required":
            return cls("required", parallel=parallel)
        if isinstance(value, Mapping) and value.get("type") == "function":
            name = _declared(value.get("function"), tools, "tool_choice.function")
            return cls("named", name, parallel, (name,))
        if isinstance(value, Mapping) and value.get("type") == "allowed_tools":
            return cls._narrowed(value.get("allowed_tools"), tools, parallel)
        raise InvalidToolChoiceError("'none', 'auto', 'required', a function or allowed tools expected", "tool_choice")

    @classmethod
    def _narrowed(cls, value: object, tools: ToolSet, parallel: bool) -> ToolChoice:
        path = "tool_choice.allowed_tools"
        if not isinstance(value, Mapping):
            raise InvalidToolChoiceError("an object expected", path)
        mode = value.get("mode")
        if mode not in ("auto", "required"):
            raise InvalidToolChoiceError("'auto' or 'required' expected", f"{path}.mode")
        listed = value.get("tools")
        if not isinstance(listed, list) or not listed:
            raise InvalidToolChoiceError("a list of tools expected", f"{path}.tools")
        names = tuple(_allowed(each, tools, f"{path}.tools[{index}]") for index, each in enumerate(listed))
        return cls(mode, None, parallel, names)

    def callable_tools(self, tools: ToolSet) -> ToolSet:
        """Return the tools that may be called."""
        if self.mode == "none":
            return ToolSet()
        return tools if self.allowed is None else tools.only(self.allowed)


def _allowed(value: Any, tools: ToolSet, path: str) -> str:
    if not isinstance(value, Mapping) or value.get("type") != "function":
        raise InvalidToolChoiceError("a function expected", path)
    return _declared(value.get("function"), tools, f"{path}.function")


def _declared(value: object, tools: ToolSet, path: str) -> str:
    name = value.get("name") if isinstance(value, Mapping) else None
    if not isinstance(name, str):
        raise InvalidToolChoiceError("a name expected", f"{path}.name")
    if name not in tools:
        raise InvalidToolChoiceError(f"no tool named {name!r} is declared", f"{path}.name")
    return name
