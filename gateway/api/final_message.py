"""Answers that continue the last message of a conversation."""

from __future__ import annotations

from dataclasses import replace

from gateway.core.request import ChatRequest
from gateway.errors import InvalidRequestError


def continuing_last(request: ChatRequest) -> ChatRequest:
    """Return the request with its last message as the prefix of the answer, which is returned without it.

    Raises:
        InvalidRequestError: The last message is not the assistant's, or has more than text.
    """
    place = f"messages[{len(request.messages) - 1}]"
    last = request.messages[-1] if request.messages else {}
    content = last.get("content")
    if last.get("role") != "assistant":
        raise InvalidRequestError("the last message must be the assistant's, to be continued", param="messages")
    if not isinstance(content, str) or last.get("tool_calls") or last.get("reasoning_content"):
        raise InvalidRequestError(f"{place}: a message is continued only if it is text alone", param="messages")
    options = replace(request.options, answer_prefix=content, answer_prefix_origin="messages", returns_prefix=False)
    return replace(request, messages=request.messages[:-1], options=options)
