"""`POST /api/chat` and `POST /api/generate`: bodies to requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.api.ollama.options import options_of
from gateway.api.ollama.requests import AnswerFields, ChatBody, GenerateBody, MessageIn
from gateway.api.tools import tools_of
from gateway.core.ignored_fields import placeholder
from gateway.core.images import IMAGE_MARK, ImageInput
from gateway.core.parts import in_parts
from gateway.core.request import ChatRequest, CompletionRequest
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service import Service

REFUSED_FIELDS: dict[str, tuple[Any, ...]] = {
    "suffix": ("",),
    "template": ("",),
    "context": ([],),
    "width": (0,),
    "height": (0,),
    "steps": (0,),
}
"""Refused fields, with the values that are accepted because they ask for nothing."""


def asks_to_load(body: ChatBody | GenerateBody) -> bool:
    """True if the body only asks to load the model, or with `keep_alive` 0 to unload it."""
    return not (body.messages if isinstance(body, ChatBody) else body.prompt)


def chat_request(body: ChatBody, service: Service) -> ChatRequest:
    """Return the conversation that a body asks to continue.

    Raises:
        GatewayError: The request cannot be served; names the field.
    """
    declared = [{**tool, "type": tool.get("type") or "function"} for tool in body.tools or ()]
    tools, tool_choice = tools_of(declared, None, None)
    return ChatRequest(
        messages=_messages(body.messages or []), tools=tools, tool_choice=tool_choice, options=options_of(body, service)
    )


def generate_request(body: GenerateBody, service: Service) -> ChatRequest | CompletionRequest:
    """Return the prompt of a body: as a chat of one turn, or unchanged if it is raw.

    Raises:
        GatewayError: The request cannot be served; names the field.
    """
    _refuse_unserved(body)
    options = options_of(body, service)
    if body.raw or service.description.template is None:
        if body.system and body.raw:
            raise InvalidRequestError("system: raw mode does not support template, system, or context", param="system")
        if body.system:
            raise UnsupportedParameterError("system is not served: the model has no chat template", param="system")
        left_out = [placeholder("image", f"images[{index}]") for index in range(len(body.images or ()))]
        return CompletionRequest(prompts=("\n".join([body.prompt or "", *left_out]),), options=options)
    system = [{"role": "system", "content": body.system}] if body.system else []
    turn = {"role": "user", **_content(body.prompt or "", body.images, "images")}
    return ChatRequest(messages=(*system, turn), options=options)


def _refuse_unserved(body: AnswerFields) -> None:
    for name, harmless in REFUSED_FIELDS.items():
        value = getattr(body, name)
        if value is not None and value not in harmless:
            raise UnsupportedParameterError(f"{name} is not served", param=name)


def _content(text: str | None, images: Sequence[Any] | None, place: str) -> dict[str, Any]:
    """Return the content of a message, with its images, which are base64."""
    if not images:
        return {"content": text or ""}
    sources = [f"data:;base64,{data}" if isinstance(data, str) else None for data in images]
    found = [ImageInput.of("image", f"{place}[{index}]", "", source) for index, source in enumerate(sources)]
    return {"content": in_parts(filter(None, (text, *[IMAGE_MARK] * len(found)))), "images": found}


def _messages(given: Sequence[MessageIn]) -> tuple[dict[str, Any], ...]:
    """Return the messages as templates read them.

    Ollama's clients drop the ids of calls, which many templates need: each call without one gets its number, and a
    result without one is that of the first call of its tool that has none yet.

    Raises:
        InvalidRequestError: A result is that of no call; says which.
    """
    plain: list[dict[str, Any]] = []
    waiting: list[tuple[str, str]] = []
    num_calls = 0
    for index, message in enumerate(given):
        place = f"messages[{index}]"
        turn = {"role": message.role, **_content(message.content, message.images, f"{place}.images")}
        if message.thinking is not None:
            turn["reasoning_content"] = message.thinking
        if message.tool_calls:
            turn["tool_calls"] = []
            for call in message.tool_calls:
                num_calls += 1
                id = call.id or f"{num_calls:09d}"
                waiting.append((id, call.function.name))
                function = {"name": call.function.name, "arguments": call.function.arguments or {}}
                turn["tool_calls"].append({"id": id, "type": "function", "function": function})
        if message.role == "tool":
            turn |= _answered(message, waiting, place)
        plain.append(turn)
    return tuple(plain)


def _answered(message: MessageIn, waiting: list[tuple[str, str]], place: str) -> dict[str, str]:
    """Return id and name of the call that a result answers, and remove it from those waiting."""
    for call in waiting:
        id, name = call
        if message.tool_call_id in (None, id) and message.tool_name in (None, name):
            waiting.remove(call)
            return {"tool_call_id": id, "name": name}
    field, given = ("tool_call_id", message.tool_call_id) if message.tool_call_id else ("tool_name", message.tool_name)
    if given is None:
        raise InvalidRequestError(f"{place}: no earlier call waits for a result", param=place)
    place = f"{place}.{field}"
    raise InvalidRequestError(
        f"{place}: no call that waits for its result has the {field} {given[:100]!r}", param=place
    )
