"""Messages and tool declarations of clients, adapted to a chat template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from gateway.core.images import IMAGE_MARK
from gateway.text.template_requirements import USUAL, Message, TemplateRequirements

_ROLES = {"developer": "system", "function": "tool"}
"""Roles of clients that templates know by another name."""

_BETWEEN = "\n\n"
_MARK = re.compile(f"\n?{IMAGE_MARK}\n?")
"""Mark of an image with the line feeds that join it to the texts around it."""
_SAID_KEYS = frozenset({"role", "content", "name"})
REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")
"""Names of the reasoning in clients and templates."""


def plain_messages(messages: Sequence[Mapping[str, Any]], wants: TemplateRequirements) -> list[Message]:
    """Return the messages without absent fields, adapted to the template's requirements."""
    names = _names(messages) if wants.names_results else {}
    plain = [_plain(message, wants, names) for message in messages]
    if wants.says_something:
        plain = [message for message in plain if not _is_empty(message)]
    if wants.calls_alone:
        plain = _one_by_one(plain)
    if wants.user != "optional":
        plain = _with_user(plain, wants)
    if wants.system != "anywhere":
        plain = _with_one_system(plain, wants)
    if wants.needs_system and not (plain and plain[0]["role"] == "system"):
        plain = [{"role": "system", "content": ""}, *plain]
    if wants.answers_results:
        plain = [each for index, message in enumerate(plain) for each in _answered(message, plain[index - 1 : index])]
    if wants.takes_turns:
        plain = _taking_turns(plain)
    if wants.content == "parts":
        return [_in_parts(message) for message in plain]
    is_shown = wants.shows_images and any(IMAGE_MARK in message["content"] for message in plain)
    return [_in_parts(each) if is_shown and IMAGE_MARK in each["content"] else each for each in plain]


def plain_tools(tools: Iterable[Mapping[str, Any]], wants: TemplateRequirements = USUAL) -> list[dict[str, Any]]:
    """Return the declarations with all that templates read: a description, and parameters with properties."""
    functions = [(tool, _function(tool["function"], wants)) for tool in tools]
    return [function if wants.tools == "functions" else {**tool, "function": function} for tool, function in functions]


def _function(given: Mapping[str, Any], wants: TemplateRequirements) -> dict[str, Any]:
    told = {key: value for key, value in given.items() if value is not None}
    parameters = {"type": "object", **told.get("parameters", {})}
    properties = parameters.setdefault("properties", {})
    if wants.describes and isinstance(properties, dict):
        parameters["properties"] = {name: _described(schema) for name, schema in properties.items()}
    return {"name": told.pop("name"), "description": told.pop("description", ""), **told, "parameters": parameters}


def _described(schema: Any) -> Any:
    return {"description": "", **schema} if isinstance(schema, dict) else schema


def _is_empty(message: Message) -> bool:
    return message["role"] == "assistant" and message.keys() <= _SAID_KEYS and not message["content"]


def _plain(message: Mapping[str, Any], wants: TemplateRequirements, names: Mapping[str, str]) -> Message:
    plain = {key: value for key, value in message.items() if value is not None}
    plain["role"] = _ROLES.get(plain["role"], plain["role"])
    plain["content"] = _text(plain.get("content", ""))
    if calls := plain.pop("tool_calls", None):
        plain["tool_calls"] = [_call(call, wants) for call in calls]
        if wants.thinks_or_says and (name := next((each for each in REASONING_FIELDS if plain.get(each)), None)):
            plain[name] = _BETWEEN.join(filter(None, (plain[name], plain["content"])))
            plain["content"] = ""
    elif not wants.tells_thoughts and plain["content"]:
        plain = {key: value for key, value in plain.items() if key not in REASONING_FIELDS}
    if plain["role"] == "tool" and "name" not in plain and (name := names.get(plain.get("tool_call_id", ""))):
        plain["name"] = name
    return plain


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content)


def _call(call: Mapping[str, Any], wants: TemplateRequirements) -> dict[str, Any]:
    function = call["function"]
    arguments = function.get("arguments") or {}
    if wants.arguments == "text" and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    told = {key: value for key, value in call.items() if value is not None}
    return {**told, "function": {**function, "arguments": arguments}}


def _names(messages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the tool of each call, by its id."""
    calls = [call for message in messages for call in message.get("tool_calls") or ()]
    return {call["id"]: call["function"]["name"] for call in calls if call.get("id") is not None}


def _one_by_one(messages: list[Message]) -> list[Message]:
    """Return each call in a message of its own, followed by its result. Text comes with the first call."""
    split: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        calls = message.get("tool_calls", ())
        if len(calls) < 2:
            split.append(message)
            continue
        results = []
        while at < len(messages) and messages[at]["role"] == "tool":
            results.append(messages[at])
            at += 1
        for index, call in enumerate(calls):
            said = message if index == 0 else {"role": message["role"], "content": ""}
            split.append({**said, "tool_calls": [call]})
            mine = [each for each in results if each.get("tool_call_id") == call.get("id")] or results[:1]
            split += mine
            results = [each for each in results if all(each is not other for other in mine)]
        split += results
    return split


def _with_one_system(messages: list[Message], wants: TemplateRequirements) -> list[Message]:
    """Return the messages with all system text in one message at the start, or before the first user message."""
    said = _BETWEEN.join(each["content"] for each in messages if each["role"] == "system" and each["content"])
    others = [each for each in messages if each["role"] != "system"]
    if len(others) == len(messages):
        return others
    if wants.system == "first":
        return [{"role": "system", "content": said}, *others]
    at = next((index for index, each in enumerate(others) if each["role"] == "user"), None)
    if at is None:
        return [{"role": "user", "content": said}, *others]
    head = {**others[at], "content": _BETWEEN.join(filter(None, (said, others[at]["content"])))}
    return [*others[:at], head, *others[at + 1 :]]


def _with_user(messages: list[Message], wants: TemplateRequirements) -> list[Message]:
    """Return the messages with a user message, first if required: the system's text if there is nothing else, or an
    empty one."""
    first = next((index for index, each in enumerate(messages) if each["role"] != "system"), None)
    if first is None:
        return [*messages[:-1], {**messages[-1], "role": "user"}]
    roles = [each["role"] for each in messages]
    if "user" in roles if wants.user == "needed" else roles[first] == "user":
        return messages
    return [*messages[:first], {"role": "user", "content": ""}, *messages[first:]]


def _answered(message: Message, before: list[Message]) -> list[Message]:
    """Return the message, with an empty answer before it if a user message follows a tool's result."""
    is_open = message["role"] == "user" and before and before[0]["role"] == "tool"
    return [{"role": "assistant", "content": ""}, message] if is_open else [message]


def _taking_turns(messages: list[Message]) -> list[Message]:
    """Return the messages with neighbours of one role joined, if they hold only text."""
    merged: list[Message] = []
    for key, run in groupby(messages, key=_speaker):
        group = list(run)
        if key is None or len(group) == 1:
            merged += group
        else:
            merged.append({"role": key, "content": _BETWEEN.join(each["content"] for each in group)})
    return merged


def _speaker(message: Message) -> str | None:
    is_text = message.keys() <= _SAID_KEYS and message["role"] != "tool"
    return str(message["role"]) if is_text else None


def _in_parts(message: Message) -> Message:
    """Return the message with its text and the images in it as parts."""
    parts: list[Message] = []
    texts = _MARK.split(message["content"])
    for index, text in enumerate(texts):
        if index:
            parts.append({"type": "image"})
        if text or len(texts) == 1:
            parts.append({"type": "text", "text": text})
    return {**message, "content": parts}
