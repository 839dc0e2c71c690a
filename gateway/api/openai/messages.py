"""Messages from the wire to what chat templates read."""

from __future__ import annotations

from typing import Any

from gateway.api.decode import read_json
from gateway.api.openai.requests import ContentPart, MessageIn, ToolCallIn
from gateway.errors import GatewayError, InvalidRequestError, UnsupportedParameterError
from tools.tool import INPUT_KEY

_TEXTS = ("text", "input_text", "output_text", "refusal")


def template_message(message: MessageIn, place: str) -> dict[str, Any]:
    """One message as templates read it: content is text, arguments of calls are objects.

    Raises:
        UnsupportedParameterError: A content part is not text.
        InvalidRequestError: A call is incomplete or its arguments are not a JSON object.
    """
    # "developer" is what newer clients call the system role; templates know only the latter.
    role = "system" if message.role == "developer" else message.role
    plain: dict[str, Any] = {"role": role, "content": _content(message.content, f"{place}.content") or ""}
    if message.name is not None:
        plain["name"] = message.name
    if message.tool_call_id is not None:
        plain["tool_call_id"] = message.tool_call_id
    reasoning = message.reasoning if message.reasoning_content is None else message.reasoning_content
    if reasoning is not None:
        plain["reasoning_content"] = reasoning
    if message.tool_calls:
        calls = enumerate(message.tool_calls)
        plain["tool_calls"] = [_call(call, f"{place}.tool_calls[{index}]") for index, call in calls]
    return plain


def _content(content: str | list[ContentPart] | None, place: str) -> str | None:
    if content is None or isinstance(content, str):
        return content
    texts: list[str] = []
    for part in content:
        text = (part.refusal or "") if part.type == "refusal" else part.text
        if text is None or part.type not in _TEXTS:
            raise _refusal(part, f"{place}[{len(texts)}]")
        texts.append(text)
    return "\n".join(texts)


def _refusal(part: ContentPart, place: str) -> GatewayError:
    if part.type in _TEXTS:
        return InvalidRequestError(f"the field {place}.text is missing", param=f"{place}.text")
    return UnsupportedParameterError(
        f"{place}: content of type '{part.type}' is not served, only text", param=f"{place}.type"
    )


def _call(call: ToolCallIn, place: str) -> dict[str, Any]:
    if call.custom is not None:
        # Templates know functions alone; this is how a custom tool's call is written.
        function = {"name": call.custom.name, "arguments": {INPUT_KEY: call.custom.input}}
    elif call.function is not None:
        arguments = call_arguments(call.function.arguments, f"{place}.function.arguments")
        function = {"name": call.function.name, "arguments": arguments}
    else:
        kind = call.type if call.type == "custom" else "function"
        raise InvalidRequestError(f"the field {place}.{kind} is missing", param=f"{place}.{kind}")
    return {"id": call.id, "type": "function", "function": function}


def call_arguments(given: str | dict[str, Any] | None, place: str) -> dict[str, Any]:
    """The arguments of an earlier call, as templates read them.

    Raises:
        InvalidRequestError: They are no JSON object.
    """
    arguments = given
    if isinstance(given, str):
        arguments = read_json(given, place) if given.strip() else {}
    if not isinstance(arguments, dict | None):
        raise InvalidRequestError(f"{place} must be a JSON object", param=place)
    return arguments or {}
