"""`tools`, `tool_choice` and `parallel_tool_calls`."""

from __future__ import annotations

from typing import Any

from gateway.api.openai.requests import ChatCompletionRequest
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from tools.choice import ToolChoice
from tools.errors import ToolError
from tools.toolset import ToolSet


def tools_of(body: ChatCompletionRequest) -> tuple[ToolSet | None, ToolChoice | None]:
    """The declared tools and what may be done with them; both None when there are none.

    Raises:
        InvalidRequestError: A declaration or the choice does not hold; says where.
        UnsupportedParameterError: A tool or a choice of a kind that is not served.
    """
    _refuse_custom(body.tools or [], body.tool_choice)
    try:
        tools = ToolSet.from_openai(body.tools or [])
        if not len(tools) and isinstance(body.tool_choice, str):
            # Agents keep sending "required" after they dropped their tools; there is nothing it could require.
            return None, None
        choice = ToolChoice.parse(_spelled_out(body.tool_choice, tools), tools, body.parallel_tool_calls)
    except ToolError as error:
        raise InvalidRequestError(str(error), param=error.path) from None
    return (tools, choice) if len(tools) else (None, None)


def _spelled_out(value: str | dict[str, Any] | None, tools: ToolSet) -> str | dict[str, Any] | None:
    """The choice in OpenAI's full form; some clients leave `type` out, others send the bare name."""
    if isinstance(value, dict) and "type" not in value and "function" in value:
        return {"type": "function", **value}
    if isinstance(value, str) and value not in ("auto", "none", "required") and value in tools:
        return {"type": "function", "function": {"name": value}}
    return value


def _refuse_custom(declarations: list[dict[str, Any]], choice: str | dict[str, Any] | None) -> None:
    for index, declaration in enumerate(declarations):
        if declaration.get("type") == "custom":
            raise UnsupportedParameterError("custom tools are not served", param=f"tools[{index}].type")
    if isinstance(choice, dict) and choice.get("type") == "custom":
        raise UnsupportedParameterError("custom tools are not served", param="tool_choice.type")
