"""Messages, and the sentences people wrap around a request."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from embedded_model.data.source import Source

Message = dict[str, Any]

_QUESTIONS = (
    "what", "how", "where", "who", "which", "when", "why", "is ", "are ", "do ", "does ", "did ", "has ", "were ",
    "may ", "can ", "could ", "will ", "would ", "should ", "have we ", "any ", "was ",
    "until when",
)  # fmt: skip
STATEMENTS = (
    "I ", "I'", "the ", "we ", "we'", "our ", "my ", "there ", "this ", "that ", "he ", "she ", "need ", "a ", "an ",
    "for ", "in ", "on ", "from ", "as ", "pls ", "it ", "some", "nobody ", "no ", "new ", "at ", "with ", "to ",
    "into ", "if ", "by ", "every ", "before ", "after ", "looking ", "since ",
    "they ", "none ", "only ", "just ", "today", "starting ", "going ",
)  # fmt: skip
_OPENINGS = (
    "",
    "",
    "",
    "",
    "Please ",
    "please ",
    "Can you ",
    "can you ",
    "Could you ",
    "Hi, ",
    "Hello! ",
    "I need you to ",
    "Now ",
    "Hey, ",
)
_CLOSINGS = ("", "", "", "", " please", ", thanks", ", please")
_SYSTEMS = (
    "You are a helpful assistant.",
    "You are a function calling assistant.",
    "Answer briefly.",
    "Use the tools.",
    "You help people with their work.",
    "You are an assistant with tools.",
    "Be precise.",
)


@dataclass(slots=True, kw_only=True)
class Conversation:
    """Training sample: messages, and the tools in its prompt."""

    messages: list[Message]
    tools: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    """Every call in it, in order: for tests and the evaluation."""
    schema: dict[str, Any] | None = None
    """What the last answer is held to."""
    choices: list[str] | None = None
    """The labels that the last answer is one of."""
    is_shown: bool = False
    """The chat template tells the schema or the labels."""
    foretold: bool = True
    """The prompt tells the keys of the record; otherwise nobody can know them, and only a mask writes them."""


def dump_json(value: Any) -> str:
    """JSON as the model writes it."""
    return json.dumps(value, ensure_ascii=False)


def sentence(text: str, source: Source, *, begins_with_value: bool = False) -> str:
    """A request as a sentence. Values keep their spelling: only the first letter of our own words changes."""
    if text.startswith(_QUESTIONS) and not begins_with_value:
        opening, mark = source.pick(("", "", "Hi, ", "Tell me, ", "Hello! ")), source.pick("???.")
        closing = source.pick(("", "", "", "", " today", " right now", " now"))
    elif begins_with_value or text.startswith(STATEMENTS) or " pls" in text:
        opening, closing, mark = source.pick(("", "", "Hi, ", "Hello! ")), "", source.pick((".", "", "!"))
    else:
        opening, closing = source.pick(_OPENINGS), source.pick(_CLOSINGS)
        mark = (
            source.pick(("?", "")) if opening.lower().startswith(("can", "could")) else source.pick((".", ".", "", "!"))
        )
    if not opening and not begins_with_value and source.chance(0.7) and text[0].isalpha():
        text = text[0].upper() + text[1:]
    return f"{opening}{text}{closing}{mark}"


def system_message(source: Source) -> list[Message]:
    """A system message, or none."""
    return [{"role": "system", "content": source.pick(_SYSTEMS)}] if source.chance(0.3) else []


def call_message(calls: list[dict[str, Any]]) -> Message:
    """The assistant's message that holds the calls."""
    return {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": c} for c in calls]}


def say(role: str, text: str) -> Message:
    """A plain message."""
    return {"role": role, "content": text}
