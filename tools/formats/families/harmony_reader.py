"""Reader of messages of the harmony format, by their headers."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Literal

from tools.calls import IdFactory
from tools.formats.parser import RoutineParser
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, MarkerSearch, ParserRoutine, TruncatedError, read_value
from tools.formats.reading.thoughts import Thoughts
from tools.toolset import ToolSet

_CHANNEL = re.compile(r"<\|channel\|>\s*([A-Za-z_]+)")
_RECIPIENT = re.compile(r"(?:^|[\s>])to=([^\s<]+)")
_FUNCTIONS = "functions."
_BEGIN = MarkerSearch(["<|start|>", "<|channel|>", "<|message|>", "to="])
_MESSAGE = MarkerSearch(["<|message|>", "<|end|>", "<|call|>", "<|return|>"])
_END = MarkerSearch(["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"])
_CONSUMED = ("<|end|>", "<|call|>", "<|return|>")
_BREAK = "\n\n"


def read_arguments(cursor: Cursor, sink: EventSink) -> ParserRoutine:
    """Read the arguments of a call that has been started, and end it.

    Raises:
        MalformedError: they are no JSON object.
        TruncatedError: the text ended inside them.
    """
    yield from cursor.skip()
    if (yield from cursor.need()) == "{":
        yield from read_value(cursor, sink.arguments)
    elif not (yield from cursor.find(_END)):
        raise MalformedError("an object expected")
    else:
        sink.arguments("{}")
    sink.end()


class HarmonyReader(RoutineParser):
    """Reads thoughts (channel `analysis`), calls (any message with a recipient) and content (all others).

    The text begins within a header, as prompts end, or with one. Content of several messages, and thoughts of several,
    are reported with an empty line between them. A message ends at its end marker, the next header or the end of the
    text.

    Attributes:
        state: See `Thinker`.
        num_passed: See `Thinker`.
    """

    def __init__(self, tools: ToolSet, ids: IdFactory) -> None:
        super().__init__(tools, ids)
        self._has_content = self._has_thoughts = False
        self.state: Literal["undecided", "thinking", "answering"] = "undecided"
        self.num_passed = 0

    def _read(self) -> ParserRoutine:
        while True:
            self.state = "undecided"
            self._cursor.start_record()
            yield from self._cursor.skip()
            if not (yield from self._cursor.peek()):
                return
            if (yield from self._cursor.find(_BEGIN)):
                self._cursor.stop_record()
                yield from self._read_message()
            else:
                yield from self._read_content(self._cursor.stop_record())

    def _read_message(self) -> ParserRoutine:
        header, is_whole = yield from self._read_header()
        channel, recipient = _CHANNEL.search(header), _RECIPIENT.search(header)
        if not is_whole:
            if recipient is not None:
                self._sink.broken("the text ended inside a tool call", header, truncated=True)
        elif recipient is not None:
            yield from self._read_call(recipient[1].removeprefix(_FUNCTIONS))
        elif channel is not None and channel[1] == "analysis":
            yield from self._read_thoughts()
        else:
            yield from self._read_content("")

    def _read_header(self) -> Generator[None, None, tuple[str, bool]]:
        """Read up to the beginning of the message; the header, and whether there is a message."""
        pieces: list[str] = []
        while True:
            text, anchor = yield from self._cursor.read_until(_MESSAGE)
            pieces.append(text)
            if anchor:
                self._cursor.take(len(anchor))
            if anchor or not text:
                return "".join(pieces), anchor == "<|message|>"

    def _read_thoughts(self) -> ParserRoutine:
        self.state = "thinking"
        thoughts = Thoughts()
        is_first = self._has_thoughts
        while True:
            text, anchor = yield from self._cursor.read_until(_END)
            certain = thoughts.add(text)
            if certain:
                self._sink.thought(_BREAK + certain if is_first else certain)
                self._has_thoughts, is_first = True, False
            if self._ends(text, anchor):
                return

    def _read_content(self, before: str) -> ParserRoutine:
        """Read text for the reader; `before` was read of it already."""
        self.state = "answering"
        is_first = self._has_content
        while True:
            text, anchor = yield from self._cursor.read_until(_END)
            content = before + text
            if content:
                self.num_passed += len(content)
                self._sink.content(_BREAK + content if is_first else content)
                self._has_content, is_first, before = True, False, ""
            if self._ends(text, anchor):
                return

    def _read_call(self, name: str) -> ParserRoutine:
        self.state = "answering"
        self._sink.start(name)
        try:
            yield from read_arguments(self._cursor, self._sink)
        except TruncatedError:
            self._sink.broken("the text ended inside a tool call", "", truncated=True)
        except MalformedError as error:
            self._sink.broken(f"malformed tool call: {error}", "", truncated=False)
        while True:
            text, anchor = yield from self._cursor.read_until(_END)
            if self._ends(text, anchor):
                return

    def _ends(self, text: str, anchor: str) -> bool:
        """Read an end marker; return true if there is one."""
        if anchor in _CONSUMED:
            self._cursor.take(len(anchor))
        return bool(anchor) or not text
