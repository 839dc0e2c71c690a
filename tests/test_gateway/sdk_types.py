"""Replies read as OpenAI's SDK types say, and not as forgivingly as the SDK itself reads them."""

import json
from collections.abc import Iterator
from typing import Any

import pydantic
from openai.types import Completion, CompletionUsage, Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseItemList, ResponseStreamEvent
from openai.types.responses.input_token_count_response import InputTokenCountResponse

OURS = frozenset(
    {
        "choices[].message.reasoning",
        "choices[].message.reasoning_content",
        "choices[].delta.reasoning",
        "choices[].delta.reasoning_content",
        "choices[].stop_reason",
        "choices[].budget_steered",
        "incomplete_details.budget_steered",
        "response.incomplete_details.budget_steered",
        "choices[].verified_by",
        "choices[].prompt_logprobs",
        "prompt_logprobs",
        "obfuscation",
        "verified_by",
        "response.verified_by",
        "verdict",
        "response.verdict",
        "root",
        "max_model_len",
        "parent",
        # Of the end of a call's arguments, as version 2 of the SDK demands; version 3 does not have it.
        "name",
        # Told by OpenAI's own server, and not in its types.
        "store",
        "response.store",
        "logprobs[].bytes",
        "logprobs[].top_logprobs[].bytes",
    }
)
"""What is told beyond the types: extensions that the documentation names."""

KINDS = {
    "chat": ChatCompletion,
    "chat_chunk": ChatCompletionChunk,
    "completion": Completion,
    "usage": CompletionUsage,
    "model": Model,
    "response": Response,
    "event": ResponseStreamEvent,
    "items": ResponseItemList,
    "input_tokens": InputTokenCountResponse,
}


def is_whole(choice: dict[str, Any]) -> bool:
    """True if a constrained answer ended by itself, or is told to have been steered to its end."""
    return choice["finish_reason"] == ("length" if choice.get("budget_steered") else "stop")


def strictly(kind: str, body: bytes | str | dict[str, Any]) -> Any:
    """The body as the SDK's type: every required field there, no value converted, no field unknown."""
    text = body if isinstance(body, bytes | str) else json.dumps(body)
    read = pydantic.TypeAdapter(KINDS[kind]).validate_json(text, strict=True)
    unknown = set(_extras(read, "")) - OURS
    assert not unknown, f"fields that {kind} does not have: {sorted(unknown)}"
    return read


def _extras(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, pydantic.BaseModel):
        yield from (f"{path}{name}" for name in value.model_extra or ())
        for name in value.model_fields_set - set(value.model_extra or ()):
            yield from _extras(getattr(value, name), f"{path}{name}.")
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _extras(item, f"{path.removesuffix('.')}[].")


def sse(text: str) -> list[tuple[str | None, str]]:
    """The events of a body: the name, and the data of each."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if lines:
            found.append((lines.get("event"), lines["data"]))
    return found
