"""Events of a parser, in the order of the text."""

from __future__ import annotations

from dataclasses import dataclass

from tools.tool import ToolKind


@dataclass(frozen=True, slots=True)
class ContentDelta:
    """Further text for the reader, without markup of calls."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Further thoughts of the model, without markup."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStart:
    """A call begins. Calls are numbered from 0 and never interleave."""

    index: int
    id: str
    name: str
    kind: ToolKind = "function"


@dataclass(frozen=True, slots=True)
class ArgumentsDelta:
    """More of the text of the call's arguments, as the model wrote it; of a custom tool's call, more of its input."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CallEnd:
    """The call is complete."""

    index: int


@dataclass(frozen=True, slots=True)
class CallBroken:
    """The text of a call stopped making sense, or stopped.

    A `CallStart` of the same index came before iff the name was known; no `CallEnd` follows, and no index is reused.

    Attributes:
        index: Number of the call.
        reason: One sentence for a person.
        text: What was read of the call and reported by no other event.
        truncated: The text ended; otherwise it was malformed.
    """

    index: int
    reason: str
    text: str
    truncated: bool


Event = ContentDelta | ReasoningDelta | CallStart | ArgumentsDelta | CallEnd | CallBroken
