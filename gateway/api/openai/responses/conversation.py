"""Items as messages for chat templates, and conversations cut to fit the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gateway.api.openai.messages import call_arguments
from gateway.api.openai.responses.items import Item
from gateway.api.openai.responses.tool_search import found_text
from gateway.api.openai.responses.tools import SEARCH, joined
from gateway.core.images import IMAGE_MARK, ImageInput
from gateway.core.parts import in_parts
from gateway.core.request import Caller, ChatRequest
from gateway.errors import ContextLengthError
from gateway.service import Service
from gateway.service.request.plan import Prepared
from tools.tool import INPUT_KEY

Message = dict[str, Any]


def messages_of(instructions: str | None, items: Sequence[Item], num_earlier: int) -> list[Message]:
    """Return the conversation; reasoning, text and calls of one turn are one message.

    Args:
        num_earlier: Items of the responses that are continued; the others are those of `input`.

    Raises:
        InvalidRequestError: The arguments of a call are no JSON object; says where.
    """
    messages: list[Message] = []
    if instructions:
        messages.append({"role": "system", "content": instructions})
    for index, item in enumerate(items):
        number = index - num_earlier
        place = f"input[{number}]" if number >= 0 else f"previous_response_id.items[{index}]"
        match item["type"]:
            case "message":
                _add_message(messages, item["role"], _said(item["content"], f"{place}.content"))
            case "reasoning":
                _add_reasoning(messages, item)
            case "function_call" | "tool_search_call" if item.get("status") == "incomplete":
                pass  # a policy ended the answer inside it
            case "function_call":
                _add_call(messages, item, call_arguments(item["arguments"], "input"))
            case "custom_tool_call":
                _add_call(messages, item, {INPUT_KEY: item["input"]})
            case "tool_search_call":
                _add_call(messages, {**item, "name": SEARCH}, item["arguments"])
            case "tool_search_output":
                content = found_text(item["tools"])
                messages.append({"role": "tool", "tool_call_id": item["call_id"], "content": content})
            case _:
                said = _said(item["output"], f"{place}.output")
                messages.append({"role": "tool", "tool_call_id": item["call_id"], **said})
    return messages


def _said(content: str | list[Item], place: str) -> Message:
    """Return the text of an item's parts, and the images in it, as fields of a message."""
    if isinstance(content, str):
        return {"content": content}
    images = [
        ImageInput.of(part["type"], f"{place}[{index}]", ".image_url", part["image_url"])
        for index, part in enumerate(content)
        if part["type"] == "input_image"
    ]
    said: Message = {"content": in_parts(map(_text, content))}
    return said | {"images": images} if images else said


def _text(part: Item) -> str:
    kind = part["type"]
    text: str = IMAGE_MARK if kind == "input_image" else part["refusal"] if kind == "refusal" else part["text"]
    return text


def _add_message(messages: list[Message], role: str, said: Message) -> None:
    if role == "assistant":
        _turn(messages, "content", "tool_calls").update(said)
        return
    role = "system" if role == "developer" else role
    if role == "system" and len(messages) == 1 and messages[0]["role"] == "system":
        # Most templates have room for one system message, at the beginning.
        messages[0]["content"] += "\n\n" + said["content"]
        if "images" in said:
            messages[0]["images"] = [*messages[0].get("images", ()), *said["images"]]
        return
    messages.append({"role": role, **said})


def _add_reasoning(messages: list[Message], item: Item) -> None:
    # What other servers thought comes back as its summary alone.
    text = in_parts(part["text"] for part in item["content"] or item["summary"])
    if text:
        _turn(messages, "reasoning_content", "content", "tool_calls")["reasoning_content"] = text


def _add_call(messages: list[Message], item: Item, arguments: dict[str, Any]) -> None:
    function = {"name": joined(item.get("namespace"), item["name"]), "arguments": arguments}
    call = {"id": item["call_id"], "type": "function", "function": function}
    _turn(messages).setdefault("tool_calls", []).append(call)


def _turn(messages: list[Message], *later: str) -> Message:
    """Return the assistant's current message, or a new one if the last is not its own or already has a field in
    `later`."""
    last = messages[-1] if messages else None
    if last is None or last["role"] != "assistant" or any(last.get(name) for name in later):
        messages.append({"role": "assistant", "content": ""})
    return messages[-1]


async def fitted(service: Service, chat: ChatRequest, caller: Caller, *, may_drop: bool) -> Prepared:
    """Return the plan of the conversation; if it is too long and may be cut, of its latest turns that fit.

    System messages at the beginning stay. The rest begins with a user message, so that no result is without its call.

    Cost: as many renderings as it takes to search the turns by halves.

    Raises:
        ContextLengthError: Not even the last turn fits, or nothing may be dropped.
    """
    try:
        return await service.prepare_chat(chat, caller)
    except ContextLengthError:
        if not may_drop:
            raise
        roles = [message["role"] for message in chat.messages]
        num_head = next((index for index, role in enumerate(roles) if role != "system"), len(roles))
        cuts = [index for index, role in enumerate(roles) if role == "user" and index > num_head]
        if not cuts:
            raise
    low, high = 0, len(cuts) - 1
    best = await service.prepare_chat(_without(chat, num_head, cuts[high]), caller)
    while low < high:
        middle = (low + high) // 2
        try:
            best, high = await service.prepare_chat(_without(chat, num_head, cuts[middle]), caller), middle
        except ContextLengthError:
            low = middle + 1
    return best


def _without(chat: ChatRequest, begin: int, end: int) -> ChatRequest:
    """Return the chat without some of its messages and their images."""
    first, last = (sum(each["content"].count(IMAGE_MARK) for each in chat.messages[:stop]) for stop in (begin, end))
    return replace(
        chat, messages=chat.messages[:begin] + chat.messages[end:], images=chat.images[:first] + chat.images[last:]
    )
