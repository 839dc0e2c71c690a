"""Tool choice of a client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tools.errors import InvalidToolChoiceError
from tools.toolset import ToolSet

Mode = Literal["auto", "none", "required", "named"]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Tool choice: the mode and the tools that may be called.

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

        Known are OpenAI's nested and flat spellings, those that leave `type` out, a tool's bare name, and `any` for
        `required`. Where there are no tools, nothing can be called, whatever word the client chose.

        Raises:
            InvalidToolChoiceError: with the path of the field at fault.
        """
        parallel = parallel is not False
        mode = _word(value, tools)
        if mode is not None:
            return cls(mode if len(tools) else "none", parallel=parallel)
        if isinstance(value, str) and value in tools:
            return cls("named", value, parallel, (value,))
        if not isinstance(value, Mapping):
            raise InvalidToolChoiceError("'none', 'auto', 'required', a tool or allowed tools expected", "tool_choice")
        if value.get("type") == "allowed_tools":
            return cls._narrowed(value, tools, parallel)
        name = _named(value, tools, "tool_choice")
        return cls("named", name, parallel, (name,))

    @classmethod
    def _narrowed(cls, value: Mapping[str, Any], tools: ToolSet, parallel: bool) -> ToolChoice:
        path = "tool_choice"
        if "tools" not in value:
            path = "tool_choice.allowed_tools"
            inner = value.get("allowed_tools")
            if not isinstance(inner, Mapping):
                raise InvalidToolChoiceError("an object expected", path)
            value = inner
        mode = value.get("mode")
        if mode != "auto" and mode != "required":
            raise InvalidToolChoiceError("'auto' or 'required' expected", f"{path}.mode")
        listed = value.get("tools")
        if not isinstance(listed, list) or not listed:
            raise InvalidToolChoiceError("a list of tools expected", f"{path}.tools")
        names = tuple(_named(each, tools, f"{path}.tools[{index}]") for index, each in enumerate(listed))
        return cls(mode, None, parallel, names)

    def callable_tools(self, tools: ToolSet) -> ToolSet:
        """Return the tools that may be called."""
        if self.mode == "none":
            return ToolSet()
        return tools if self.allowed is None else tools.only(self.allowed)


def _word(value: object, tools: ToolSet) -> Mode | None:
    """Return the mode that a word names, alone or as an object's type; a tool may have the same name."""
    if isinstance(value, Mapping) and set(value) == {"type"}:
        value = value["type"]
    match value:
        case None:
            return "auto"
        case "auto" | "none" | "required":
            return value
        case "any" if "any" not in tools:
            return "required"
        case _:
            return None


def _named(value: object, tools: ToolSet, path: str) -> str:
    """The tool that an object names: `{"type": "function", "function": {"name": ...}}`, or flat, or without a type."""
    if not isinstance(value, Mapping):
        raise InvalidToolChoiceError("a tool expected", path)
    kind = value.get("type")
    if kind not in (None, "function", "custom"):
        raise InvalidToolChoiceError(f"a function or a custom tool expected, not {kind!r}", f"{path}.type")
    if "name" in value:
        return _declared(value, tools, path)
    kind = kind or ("custom" if "custom" in value else "function")
    return _declared(value.get(kind), tools, f"{path}.{kind}")


def _declared(value: object, tools: ToolSet, path: str) -> str:
    name = value.get("name") if isinstance(value, Mapping) else None
    if not isinstance(name, str):
        raise InvalidToolChoiceError("a name expected", f"{path}.name")
    if name not in tools:
        raise InvalidToolChoiceError(f"no tool named {name!r} is declared", f"{path}.name")
    return name
