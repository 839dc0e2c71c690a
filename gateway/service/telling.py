"""Tools told in words, and calls as text, for chat templates that know nothing of them, or show no earlier ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tools.calls import ToolCall
from tools.formats.base import Format
from tools.toolset import ToolSet

Message = dict[str, Any]

_EXAMPLE = ToolCall("", "tool_name", '{"argument": "value"}')


def tell(messages: Sequence[Mapping[str, Any]], tools: ToolSet | None, spec: Format) -> list[Message]:
    """Return the conversation as any template reads it: no message is of a tool, and none has calls but in its text.

    The tools stand in the first system message, or, since some templates know none, at the head of the first message
    of the user. Results of calls are the user's.

    Raises:
        UnwritableCallError: A call cannot be written in the format.
    """
    plain = tell_calls(messages, tools, spec)
    if not tools:
        return plain
    told = instructions(tools, spec)
    at = next((index for index, each in enumerate(plain) if each["role"] == "system"), None)
    if at is not None:
        plain[at]["content"] = f"{plain[at]['content'] or ''}\n\n{told}".lstrip()
        return plain
    at = next((index for index, each in enumerate(plain) if each["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": told}, *plain]
    plain[at]["content"] = f"{told}\n\n{plain[at]['content'] or ''}"
    return plain


def tell_calls(
    messages: Sequence[Mapping[str, Any]],
    tools: ToolSet | None,
    spec: Format,
    *,
    shows_calls: bool = False,
    shows_results: bool = False,
) -> list[Message]:
    """Return the conversation with calls in the content, and results as the user's.

    Args:
        shows_calls: They stay calls.
        shows_results: They stay results.

    Raises:
        UnwritableCallError: A call cannot be written in the format.
    """
    told = messages if shows_calls else [_with_calls_told(message, tools, spec) for message in messages]
    plain = [dict(each) if shows_results else _with_result_told(each, messages) for each in told]
    return _merged(plain)


def instructions(tools: ToolSet, spec: Format) -> str:
    """Return what a model is told of the tools and of how it calls them."""
    declared = "\n".join(json.dumps(each["function"], ensure_ascii=False) for each in tools.to_openai())
    text = f"You can call these tools:\n{declared}\n\nTo call a tool, write only:\n{spec.render([_EXAMPLE])}"
    if spec.answer is not None and spec.answer.content is not None:
        text += f'\nTo answer without a tool, write only:\n{spec.answer.begin}"your answer"{spec.answer.end}'
    return text


def _with_calls_told(message: Mapping[str, Any], tools: ToolSet | None, spec: Format) -> Message:
    plain = dict(message)
    if calls := plain.pop("tool_calls", None):
        made = [ToolCall(each.get("id") or "", each["function"]["name"], _text(each)) for each in calls]
        plain["content"] = "\n".join(filter(None, (plain.get("content"), spec.render(made, tools).strip())))
    return plain


def _with_result_told(message: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> Message:
    if message["role"] != "tool":
        return dict(message)
    id = message.get("tool_call_id")
    name = next((each["function"]["name"] for each in _calls(messages) if each.get("id") == id), "")
    content = f"Result of {name or 'the call'}:\n{message.get('content') or ''}"
    return {"role": "user", "content": content, "is_told": True}


def _merged(messages: Sequence[Message]) -> list[Message]:
    """Results join what the user says before and after them, for many templates want speakers to take turns."""
    merged: list[Message] = []
    was_told = False
    for message in messages:
        is_told = message.pop("is_told", False)
        if merged and merged[-1]["role"] == message["role"] == "user" and (is_told or was_told):
            merged[-1]["content"] = f"{merged[-1]['content']}\n\n{message['content']}"
        else:
            merged.append(message)
        was_told = is_told
    return merged


def _calls(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [call for message in messages for call in message.get("tool_calls") or ()]


def _text(call: Mapping[str, Any]) -> str:
    arguments = call["function"].get("arguments") or "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
