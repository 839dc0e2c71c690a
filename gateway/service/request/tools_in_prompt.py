"""Tools told in words, and calls as text, for chat templates that know nothing of them, or show no earlier ones."""

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
"""Requests and calls that show a small model how arguments are taken from what is said."""

_RECORDS = (
    ("room (string), floor (integer)", "Extract the data: Room Alpha is on floor 3.", '{"room": "Alpha", "floor": 3}'),
    (
        "door (string), open (boolean)",
        "Extract the data: The front door of house B-17 is closed.",
        '{"door": "front", "open": false}',
    ),
)
"""Fields, texts and records that show it how fields are."""

_LISTS = (
    "place (string), fruits (array of string)",
    "Extract the data: Market: plums, figs and limes",
    '{"place": "Market", "fruits": ["plums", "figs", "limes"]}',
)
"""One more, where the fields have an array."""


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
    declared = [json.dumps(each["function"], ensure_ascii=False) for each in tools.to_openai()]
    if spec.told:
        return spec.told.replace("{tools}", f"[{', '.join(declared)}]")
    listed = "\n".join(declared)
    return f"You can call these tools:\n{listed}\n\nTo call a tool, write only:\n{spec.render([_EXAMPLE])}"


def ask_for_call(messages: Sequence[Mapping[str, Any]], tool: Tool, spec: Format) -> list[Message]:
    """Return a conversation that ends with a request, as one that asks for the call of a tool, behind examples."""
    shown = [
        (_asked(said, example), spec.render([ToolCall("", example.name, arguments)]))
        for example, said, arguments in _EXAMPLES
    ]
    return _behind(shown, messages, _asked(text_of(messages[-1]), tool))


def ask_for_record(messages: Sequence[Mapping[str, Any]], fields: str) -> list[Message]:
    """Return a conversation that ends with a request, as one that asks for JSON with these fields, behind examples."""
    records = (*_RECORDS, _LISTS) if "array of" in fields else _RECORDS
    shown = [(_held(said, told), record) for told, said, record in records]
    return _behind(shown, messages, _held(text_of(messages[-1]), fields))


def _behind(shown: Sequence[tuple[str, str]], messages: Sequence[Mapping[str, Any]], last: str) -> list[Message]:
    """The conversation behind examples of what is said and answered, its system aside, with other last words."""
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


def _held(said: str, fields: str) -> str:
    return f"Reply in JSON: {fields}\n\n{said}"


def _asked(said: str, tool: Tool) -> str:
    arguments = fields_in_words(tool.arguments_schema) or "any"
    return f"Call {tool.name} with these arguments as JSON: {arguments}\n\nRequest: {said}"


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
