"""Collects events: joins neighbours, numbers calls, and strips content where it touches a call."""

from __future__ import annotations

from tools.calls import IdFactory
from tools.events import ArgumentsDelta, CallBroken, CallEnd, CallStart, ContentDelta, Event, ReasoningDelta
from tools.formats.reading.custom_input import InputReader
from tools.formats.reading.text import WHITESPACE
from tools.toolset import ToolSet


class EventSink:
    """Queue of the events that readers report.

    Whitespace at the end of content is held until other content follows; if a call follows it is dropped, and so is
    whitespace right after a call.
    """

    __slots__ = (
        "_after_call",
        "_events",
        "_held",
        "_ids",
        "_index",
        "_input",
        "_is_open",
        "_pieces",
        "_tools",
        "_used_ids",
    )

    def __init__(self, ids: IdFactory, tools: ToolSet) -> None:
        self._ids = ids
        self._tools = tools
        self._used_ids: set[str] = set()
        self._events: list[Event] = []
        self._pieces: list[str] = []
        self._held: list[str] = []
        self._after_call = False
        self._index = 0
        self._input: InputReader | None = None
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """True if a call has begun and not ended."""
        return self._is_open

    @property
    def num_calls(self) -> int:
        """Calls ended or broken."""
        return self._index

    def content(self, text: str) -> None:
        """Report text for the reader."""
        if self._after_call:
            text = text.lstrip(WHITESPACE)
        if not text:
            return
        self._after_call = False
        shown = text.rstrip(WHITESPACE)
        if shown:
            self._pieces += [*self._held, shown]
            self._held = []
        if len(shown) < len(text):
            self._held.append(text[len(shown) :])

    def thought(self, text: str) -> None:
        """Report what the model thinks."""
        self._flush()
        self._events.append(ReasoningDelta(text))

    def start(self, name: str, id: str = "") -> None:
        """Report that a call begins.

        Args:
            id: The id in the text, if any; a call gets a new one if an earlier call has it.
        """
        self._flush()
        self._held = []
        self._is_open = True
        if not id or id in self._used_ids:
            id = self._ids(name, self._index)
        self._used_ids.add(id)
        tool = self._tools.get(name)
        self._input = InputReader() if tool is not None and tool.kind == "custom" else None
        self._events.append(CallStart(self._index, id, name, tool.kind if tool is not None else "function"))

    def arguments(self, text: str) -> None:
        """Report more of the open call's arguments, as JSON text. For a custom tool, the decoded input is reported."""
        if self._input is not None:
            text = self._input.feed(text)
        if text:
            self._pieces.append(text)

    def end(self) -> None:
        """Report that the open call is complete.

        Raises:
            MalformedError: it is a custom tool's, and its arguments are not what an input is written as.
        """
        if self._input is not None:
            self._input.finish()
        self._flush()
        self._events.append(CallEnd(self._index))
        self._close()

    def broken(self, reason: str, text: str, truncated: bool) -> None:
        """Report that the open call, or one whose name is not known, broke."""
        self._flush()
        self._held = []
        self._events.append(CallBroken(self._index, reason, text, truncated))
        self._close()

    def _close(self) -> None:
        self._is_open = False
        self._after_call = True
        self._index += 1

    def finish(self) -> None:
        """Report content that was held back."""
        self._pieces += self._held
        self._held = []

    def drain(self) -> list[Event]:
        """Return the events since the last time."""
        self._flush()
        events, self._events = self._events, []
        return events

    def _flush(self) -> None:
        text = "".join(self._pieces)
        self._pieces = []
        if text:
            self._events.append(ArgumentsDelta(self._index, text) if self._is_open else ContentDelta(text))
