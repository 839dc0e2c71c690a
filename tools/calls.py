"""Finished calls and their ids."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tools.events import ArgumentsDelta, CallBroken, CallEnd, CallStart, ContentDelta, Event, ReasoningDelta
from tools.tool import INPUT_KEY, ToolKind

IdFactory = Callable[[str, int], str]
"""Makes the id of a call from its name and its index."""

IdScheme = Callable[[int | None], IdFactory]
"""Makes such factories: one whose ids depend on the seed alone, or, without a seed, are random."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model made.

    Attributes:
        id: Joins the call to its result.
        name: The tool's name as written, declared or not.
        arguments: The JSON text of the arguments, exactly as written; the input itself where the tool is a custom one.
        kind: Of the tool.
    """

    id: str
    name: str
    arguments: str
    kind: ToolKind = "function"

    @property
    def arguments_text(self) -> str:
        """The JSON text of the arguments; of a custom tool, that of what it is written as."""
        if self.kind == "function":
            return self.arguments
        return json.dumps({INPUT_KEY: self.arguments}, ensure_ascii=False)


def random_id(name: str, index: int) -> str:
    """Return `call_` and 24 random hexadecimal digits."""
    return f"call_{secrets.token_hex(12)}"


def seeded_ids(seed: int) -> IdFactory:
    """Return a factory of the same shape of ids whose sequence depends on the seed alone."""
    source = random.Random(seed)
    return lambda name, index: f"call_{source.getrandbits(96):024x}"


def call_ids(seed: int | None) -> IdFactory:
    """Return a factory of ids of OpenAI's shape; see `IdScheme`."""
    return random_id if seed is None else seeded_ids(seed)


@dataclass(slots=True)
class Transcript:
    """Content, finished calls, broken calls and thoughts, collected from events."""

    content: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    broken: list[CallBroken] = field(default_factory=list)
    reasoning: str = ""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Transcript:
        """Return the transcript of a whole text's events."""
        content: list[str] = []
        arguments: list[str] = []
        transcript = cls()
        start = CallStart(-1, "", "")
        for event in events:
            match event:
                case ContentDelta(text):
                    content.append(text)
                case ReasoningDelta(text):
                    transcript.reasoning += text
                case CallStart():
                    start, arguments = event, []
                case ArgumentsDelta(_, text):
                    arguments.append(text)
                case CallEnd():
                    transcript.calls.append(ToolCall(start.id, start.name, "".join(arguments), start.kind))
                case CallBroken():
                    transcript.broken.append(event)
        transcript.content = "".join(content)
        return transcript
