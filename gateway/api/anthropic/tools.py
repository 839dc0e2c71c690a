"""`tools` and `tool_choice`."""

from __future__ import annotations

from typing import Any

from gateway.api import tools as declarations
from gateway.api.anthropic.requests import PromptFields, ToolChoiceIn, ToolIn
from gateway.core.left_out import leave_out, tell_left_out
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.choice import ToolChoice
from tools.tool import Tool
from tools.toolset import ToolSet

_WORDS = {"auto": "auto", "any": "required", "none": "none"}


def tools_of(body: PromptFields) -> tuple[ToolSet | None, ToolChoice | None]:
    """The declared tools and what may be done with them; both None when there are none.

    Raises:
        InvalidRequestError: A declaration or the choice does not hold; says where.
        UnsupportedParameterError: A tool whose shape only Anthropic's models know, or a call that no tool is left for.
    """
    parallel = not (body.tool_choice and body.tool_choice.disable_parallel_tool_use)
    return declarations.tools_of(body.tools, _choice(body.tool_choice), parallel, _read)


def _read(tool: ToolIn, place: str) -> list[Tool]:
    """The tool. Examples of inputs become the schema's own: the model reads them there."""
    if declarations.is_hosted(tool.type, place):
        return []
    if tool.type not in (None, "custom"):
        raise UnsupportedParameterError(f"{place}: tools of type '{tool.type[:100]}' are not served", param=place)
    if tool.defer_loading:
        leave_out(f"{place}.defer_loading")
    if tool.allowed_callers not in (None, ["direct"]):
        raise UnsupportedParameterError(
            f"{place}.allowed_callers: only 'direct' is served", param=f"{place}.allowed_callers"
        )
    if tool.cache_control is not None:
        tell_left_out("cache_control")
    if tool.input_schema is None:
        raise InvalidRequestError(f"the field {place}.input_schema is missing", param=f"{place}.input_schema")
    schema = {**tool.input_schema, "examples": tool.input_examples} if tool.input_examples else tool.input_schema
    function = {"name": tool.name, "description": tool.description, "parameters": schema, "strict": tool.strict}
    return [Tool.from_openai({"type": "function", "function": function}, place)]


def _choice(given: ToolChoiceIn | None) -> str | dict[str, Any] | None:
    """The choice as OpenAI spells it."""
    if given is None:
        return None
    if given.type in _WORDS:
        return _WORDS[given.type]
    if given.type != "tool":
        raise InvalidRequestError(
            f"tool_choice.type must be auto, any, tool or none, not '{given.type[:100]}'", param="tool_choice.type"
        )
    return {"type": "function", "function": {"name": given.name}}
