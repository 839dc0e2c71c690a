"""Held-out prompts, and what a right answer to each of them is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from gateway.embedded.data.calling import calling
from gateway.embedded.data.conversation import Conversation, Message
from gateway.embedded.data.domains import HELDOUT_TOOLS, TRAIN_TOOLS
from gateway.embedded.data.labels import classification
from gateway.embedded.data.records import extraction
from gateway.embedded.data.source import Source

EVALUATION_SEED = 70_001
Kind = Literal["call", "record", "label"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One prompt. `calls` or `answer` is the reference; `schema` constrains a record or a label given as JSON."""

    kind: Kind
    group: str
    messages: list[Message]
    tools: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    answer: str = ""
    schema: dict[str, Any] | None = None


def draw_cases(count: int, seed: int = EVALUATION_SEED) -> list[Case]:
    """`count` cases: two thirds calls, the rest records and labels; values and tool combinations are held out."""
    cases = []
    for index in range(count):
        source = Source(seed, "heldout", index)
        if index % 6 < 4:
            cases.append(_call_case(calling(source, max_turns=1)))
        else:
            cases.append(_text_case(extraction(source)) if index % 6 == 4 else _label_case(classification(source)))
    return cases


def _first_answer(conversation: Conversation) -> int:
    return next(i for i, message in enumerate(conversation.messages) if message["role"] == "assistant")


def _call_case(conversation: Conversation) -> Case:
    place = _first_answer(conversation)
    calls = [call["function"] for call in conversation.messages[place]["tool_calls"]]
    name = calls[0]["name"]
    group = "trained tool" if any(tool.name == name for tool in TRAIN_TOOLS) else "invented tool"
    group = "held-out tool" if any(tool.name == name for tool in HELDOUT_TOOLS) else group
    return Case(kind="call", group=group, messages=conversation.messages[:place], tools=conversation.tools, calls=calls)


def _text_case(conversation: Conversation) -> Case:
    place = _first_answer(conversation)
    prompt, answer = conversation.messages[:place], str(conversation.messages[place]["content"])
    return Case(
        kind="record", group="record", messages=prompt, tools=[], calls=[], answer=answer, schema=find_schema(prompt)
    )


def _label_case(conversation: Conversation) -> Case:
    place = _first_answer(conversation)
    answer = str(conversation.messages[place]["content"])
    return Case(kind="label", group="label", messages=conversation.messages[:place], tools=[], calls=[], answer=answer)


def find_schema(messages: list[Message]) -> dict[str, Any]:
    """The JSON schema that stands in a prompt: the object that starts with a type."""
    text = "\n".join(message["content"] for message in messages)
    schema, _ = json.JSONDecoder().raw_decode(text, text.index('{"type": "object"'))
    assert isinstance(schema, dict)
    return schema
