"""Tools described in the prompt, and calls as text, for chat templates that do not support them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gateway.service.request.schema_in_words import fields_in_words
from tools.calls import ToolCall
from tools.formats.base import Format
from tools.tool import Tool
from tools.toolset import ToolSet

Message = dict[str, Any]

_EXAMPLE = ToolCall("", "tool_name", '{"argument": "value"}')
_EXAMPLES = (
    (
        Tool("set_volume", "Set the volume.", {"properties": {"percent": {"type": "integer"}}}),
        "Set the volume to 30 percent.",
        '{"percent": 30}',
    ),
    (
        Tool("lock_door", "Lock a door.", {"properties": {"door": {"type": "string"}, "wait": {"type": "boolean"}}}),
        "Lock the front door now.",
        '{"door": "front", "wait": false}',
    ),
)
"""Examples of tools, requests and calls for a small model."""

_RECORDS = (
    ("room (string), floor (integer)", "Extract the data: Room Alpha is on floor 3.", '{"room": "Alpha", "floor": 3}'),
    (
        "door (string), open (boolean)",
        "Extract the data: The front door of house B-17 is closed.",
        '{"door": "front", "open": false}',
    ),
)
"""Examples of fields, texts and records for a small model."""

_LISTS = (
    "place (string), fruits (array of string)",
    "Extract the data: Market: plums, figs and limes",
    '{"place": "Market", "fruits": ["plums", "figs", "limes"]}',
)
"""Further example, for fields with an array."""


def with_tools_as_text(messages: Sequence[Mapping[str, Any]], tools: ToolSet | None, spec: Format) -> list[Message]:
    """Return the conversation for any template: tools, calls and results are text.

    The tools are described in the first system message, or, since some templates support none, at the beginning of the
    user's first message. Results of calls are user messages.

    Raises:
        UnwritableCallError: A call cannot be written in the format.
    """
    plain = with_calls_as_text(messages, tools, spec)
    if not tools:
        return plain
    described = instructions(tools, spec)
    at = next((index for index, each in enumerate(plain) if each["role"] == "system"), None)
    if at is not None:
        plain[at]["content"] = f"{plain[at]['content'] or ''}\n\n{described}".lstrip()
        return plain
    at = next((index for index, each in enumerate(plain) if each["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": described}, *plain]
    plain[at]["content"] = f"{described}\n\n{plain[at]['content'] or ''}"
    return plain


def with_calls_as_text(
    messages: Sequence[Mapping[str, Any]],
    tools: ToolSet | None,
    spec: Format,
    *,
    shows_calls: bool = False,
    shows_results: bool = False,
) -> list[Message]:
    """Return the conversation with calls as text in the content, and results as user messages.

    Args:
        shows_calls: The template shows calls: they are not changed.
        shows_results: The template shows results: they are not changed.

    Raises:
        UnwritableCallError: A call cannot be written in the format.
    """
    shown = messages if shows_calls else [_with_calls_in_content(message, tools, spec) for message in messages]
    plain = [dict(each) if shows_results else _with_result_as_user(each, messages) for each in shown]
    return _merged(plain)


def instructions(tools: ToolSet, spec: Format) -> str:
    """Return the description of the tools and of the format of calls."""
    declared = [json.dumps(each["function"], ensure_ascii=False) for each in tools.to_openai()]
    if spec.instructions:
        return spec.instructions.replace("{tools}", f"[{', '.join(declared)}]")
    listed = "\n".join(declared)
    return f"You can call these tools:\n{listed}\n\nTo call a tool, write only:\n{spec.render([_EXAMPLE])}"


def ask_for_call(messages: Sequence[Mapping[str, Any]], tool: Tool, spec: Format) -> list[Message]:
    """Return the conversation, with its last message asking for a call of the tool, after examples of calls."""
    shown = [
        (_with_arguments(said, example), spec.render([ToolCall("", example.name, arguments)]))
        for example, said, arguments in _EXAMPLES
    ]
    return _after_examples(shown, messages, _with_arguments(text_of(messages[-1]), tool))


def ask_for_record(messages: Sequence[Mapping[str, Any]], fields: str) -> list[Message]:
    """Return the conversation, with its last message asking for JSON with the fields, after examples of records."""
    records = (*_RECORDS, _LISTS) if "array of" in fields else _RECORDS
    shown = [(_with_fields(said, shown_fields), record) for shown_fields, said, record in records]
    return _after_examples(shown, messages, _with_fields(text_of(messages[-1]), fields))


def _after_examples(
    shown: Sequence[tuple[str, str]], messages: Sequence[Mapping[str, Any]], last: str
) -> list[Message]:
    """Return the conversation with examples inserted after its system messages, and its last text replaced."""
    begin = next((at for at, each in enumerate(messages) if each["role"] not in ("system", "developer")), 0)
    roles = ("user", "assistant")
    examples = [{"role": role, "content": text} for pair in shown for role, text in zip(roles, pair, strict=True)]
    words = {**messages[-1], "content": last}
    return [*map(dict, messages[:begin]), *examples, *map(dict, messages[begin:-1]), words]


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message, its parts on lines of their own."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _with_fields(said: str, fields: str) -> str:
    return f"Reply in JSON: {fields}\n\n{said}"


def _with_arguments(said: str, tool: Tool) -> str:
    arguments = fields_in_words(tool.arguments_schema) or "any"
    return f"Call {tool.name} with these arguments as JSON: {arguments}\n\nRequest: {said}"


def _with_calls_in_content(message: Mapping[str, Any], tools: ToolSet | None, spec: Format) -> Message:
    plain = dict(message)
    if calls := plain.pop("tool_calls", None):
        made = [ToolCall(each.get("id") or "", each["function"]["name"], _text(each)) for each in calls]
        plain["content"] = "\n".join(filter(None, (plain.get("content"), spec.render(made, tools).strip())))
    return plain


def _with_result_as_user(message: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> Message:
    if message["role"] != "tool":
        return dict(message)
    id = message.get("tool_call_id")
    name = next((each["function"]["name"] for each in _calls(messages) if each.get("id") == id), "")
    content = f"Result of {name or 'the call'}:\n{message.get('content') or ''}"
    return {"role": "user", "content": content, "is_result": True}


def _merged(messages: Sequence[Message]) -> list[Message]:
    """Return the messages with results merged into adjacent user messages: many templates require alternating roles."""
    merged: list[Message] = []
    was_result = False
    for message in messages:
        is_result = message.pop("is_result", False)
        if merged and merged[-1]["role"] == message["role"] == "user" and (is_result or was_result):
            merged[-1]["content"] = f"{merged[-1]['content']}\n\n{message['content']}"
        else:
            merged.append(message)
        was_result = is_result
    return merged


def _calls(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [call for message in messages for call in message.get("tool_calls") or ()]


def _text(call: Mapping[str, Any]) -> str:
    arguments = call["function"].get("arguments") or "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
