"""Held-out prompts by task, and what a right answer to each of them is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from embedded_model.data.calling import asking_back, calling, chained, foreign_calling, refusing
from embedded_model.data.chat import chat
from embedded_model.data.conversation import Conversation, Message
from embedded_model.data.copying import echo, single
from embedded_model.data.declared import HELDOUT_TOOLS, TRAIN_TOOLS
from embedded_model.data.labels import classification
from embedded_model.data.questions import question
from embedded_model.data.records import extraction, sketch
from embedded_model.data.rewriting import rewriting
from embedded_model.data.source import Source
from embedded_model.data.styles import name_parts

EVALUATION_SEED = 70_001
Kind = Literal["call", "record", "text"]

TASKS: dict[str, Callable[[Source], Conversation]] = {
    "calls": lambda source: calling(source, max_turns=1, invented=0.55, results=0.0),
    "calls, other language": foreign_calling,
    "calls, chained": chained,
    "no tool fits": refusing,
    "asking back": asking_back,
    "records": extraction,
    "records of nothing": sketch,
    "labels": classification,
    "rewriting": rewriting,
    "questions": question,
    "copying": lambda source: echo(source, turns=1),
    "copying into records": single,
    "chat": chat,
}
"""What `python -m embedded_model.evaluate` measures, each on as many prompts as it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Prompt with its reference, `calls` or `answer`, and its constraint, `schema` or `choices`."""

    kind: Kind
    group: str
    messages: list[Message]
    tools: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    answer: str = ""
    schema: dict[str, Any] | None = None
    choices: list[str] | None = None


def draw_cases(count: int, tasks: list[str] | None = None, seed: int = EVALUATION_SEED) -> list[Case]:
    """`count` cases of each task; values, and combinations of tools, are held out."""
    return [
        case_of(task, TASKS[task](Source(seed, "heldout", index))) for task in tasks or TASKS for index in range(count)
    ]


def case_of(task: str, conversation: Conversation) -> Case:
    """The conversation up to the assistant's first answer, which is the reference."""
    place = next(i for i, message in enumerate(conversation.messages) if message["role"] == "assistant")
    prompt, reference = conversation.messages[:place], conversation.messages[place]
    calls = [call["function"] for call in reference.get("tool_calls", [])]
    is_record = conversation.schema is not None and place == len(conversation.messages) - 1
    return Case(
        kind="call" if conversation.tools else "record" if is_record else "text",
        group=_group(task, prompt, calls),
        messages=prompt,
        tools=conversation.tools,
        calls=calls,
        answer=reference["content"],
        schema=conversation.schema if is_record else None,
        choices=conversation.choices,
    )


def _group(task: str, prompt: list[Message], calls: list[dict[str, Any]]) -> str:
    if task == "records":
        return "records, held-out layout" if " -> " in prompt[-1]["content"] else task
    if task != "calls" or not calls:
        return task
    parts = name_parts(calls[0]["name"])
    if any(name_parts(tool.name) <= parts for tool in HELDOUT_TOOLS):
        return "calls, held-out tool"
    return (
        "calls, known tool" if any(name_parts(tool.name) <= parts for tool in TRAIN_TOOLS) else "calls, invented tool"
    )


def value_of(text: str) -> Any:
    """The JSON value of a text, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text
