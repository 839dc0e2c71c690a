"""Model text to events, in one pass."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Protocol

from tools.calls import IdFactory
from tools.events import ContentDelta, Event
from tools.formats.block import Block
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, MarkerSearch, ParserRoutine, TruncatedError
from tools.toolset import ToolSet

_SEPARATORS = re.compile(r"[ \t\n\r,;]*")


class Parser(Protocol):
    """Reads one text. `feed` any number of times, then `finish` once."""

    def feed(self, text: str) -> list[Event]:
        """Return the new events of the text with one more piece."""

    def finish(self) -> list[Event]:
        """Return the last events, after the end of the text."""


class PassThrough:
    """Parser without tools: all text is content."""

    def feed(self, text: str) -> list[Event]:
        """Return the piece as content."""
        return [ContentDelta(text)] if text else []

    def finish(self) -> list[Event]:
        """Return nothing; nothing is held back."""
        return []


class EitherParser:
    """Parser that reads calls if the text begins with a call; otherwise all text is content.

    So the markup of a call inside a constrained answer, as in a JSON string, is content.
    """

    def __init__(self, calls: Parser, beginnings: Sequence[str]) -> None:
        """Args: beginnings: Texts that calls begin with."""
        self._calls = calls
        self._beginnings = tuple(beginnings)
        self._beginning = ""
        self._is_calls: bool | None = None

    def feed(self, text: str) -> list[Event]:
        """Return the events of one more piece of the text."""
        if self._is_calls is None:
            self._beginning += text
            self._is_calls = self._beginning.startswith(self._beginnings)
            if not self._is_calls and any(each.startswith(self._beginning) for each in self._beginnings):
                self._is_calls = None
                return []
            text = self._beginning
        if self._is_calls:
            return self._calls.feed(text)
        return [ContentDelta(text)] if text else []

    def finish(self) -> list[Event]:
        """Return the remaining events at the end of the text."""
        if self._is_calls:
            return self._calls.finish()
        held = self._beginning if self._is_calls is None else ""
        return [ContentDelta(held)] if held else []


class RoutineParser(ABC):
    """Parser whose rules are a routine that waits for the next piece of the text wherever it needs one."""

    def __init__(self, tools: ToolSet, ids: IdFactory) -> None:
        self._cursor = Cursor()
        self._sink = EventSink(ids, tools)
        self._routine = self._read()

    def feed(self, text: str) -> list[Event]:
        """Return the new events of the text with one more piece."""
        self._cursor.push(text)
        next(self._routine)
        return self._sink.drain()

    def finish(self) -> list[Event]:
        """Return the last events, after the end of the text.

        A call that is not complete gives a `CallBroken`. A missing end marker after a complete call is no fault.
        """
        self._cursor.close()
        for _ in self._routine:
            raise AssertionError("a reader waits although the text has ended")
        self._sink.finish()
        return self._sink.drain()

    @abstractmethod
    def _read(self) -> ParserRoutine: ...


class StreamParser(RoutineParser):
    """Reads content and calls in one format.

    The events do not depend on how the text is cut, but for where deltas are cut. Content is held back only while it
    may be the start of a marker, or is whitespace that may belong to a call.

    Cost: linear in the text; memory for the longest head of a call (the text before its arguments).
    """

    def __init__(self, blocks: Sequence[Block], tools: ToolSet, ids: IdFactory, has_late: bool = False) -> None:
        """See the class.

        Args:
            blocks: Ways to write calls; of two that begin alike the first is read.
            has_late: Those that are read at the start are read after prose as well, where they name a tool.
        """
        super().__init__(tools, ids)
        self._tools = tools
        anywhere = {mark: block for block in reversed(blocks) if not block.at_start for mark in block.marks(tools)}
        at_start = {mark: block for block in reversed(blocks) if block.at_start for mark in block.marks(tools)}
        late = {mark: block for block in reversed(blocks) for mark in block.late_marks(tools) if has_late}
        self._blocks = {**late, **at_start, **anywhere}
        self._anywhere = MarkerSearch([*anywhere, *late])
        self._start = MarkerSearch([*at_start, *anywhere] if at_start else [])

    def _read(self) -> ParserRoutine:
        self._cursor.start_record()
        yield from self._cursor.skip()
        begun = yield from self._cursor.find(self._start)
        if begun:
            yield from self._read_block(self._blocks[begun])
        else:
            self._sink.content(self._cursor.stop_record())
        while True:
            text, anchor = yield from self._cursor.read_until(self._anywhere)
            self._sink.content(text)
            if anchor:
                self._cursor.start_record()
                yield from self._read_block(self._blocks[anchor])
            elif not text:
                return

    def _read_block(self, block: Block) -> ParserRoutine:
        """Read a section of calls, or a single call; text that is neither is content."""
        num_calls = self._sink.num_calls
        try:
            yield from self._read_call(block) if block.section is None else self._read_section(block, block.section)
            self._cursor.stop_record()
        except TruncatedError:
            self._cursor.take_rest()
            self._sink.broken("the text ended inside a tool call", self._cursor.stop_record(), truncated=True)
        except MalformedError as error:
            record = self._cursor.stop_record()
            if self._sink.is_open or self._sink.num_calls > num_calls:
                self._sink.broken(f"malformed tool call: {error}", record, truncated=False)
                yield from self._skip_block(block)
            else:
                self._sink.content(record)

    def _read_section(self, block: Block, section: Frame) -> ParserRoutine:
        yield from read_marks(self._cursor, section.begin_marks)
        num_calls = self._sink.num_calls
        if not section.end_marks:
            yield from self._read_row(block)
            return
        while True:
            yield from self._cursor.skip(_SEPARATORS)
            if (yield from self._ends_section(section, self._sink.num_calls > num_calls)):
                break
            yield from self._read_call(block)
        yield from self._read_end(section.end_marks[1:])

    def _read_row(self, block: Block) -> ParserRoutine:
        """Read a call, and those that follow it."""
        another = MarkerSearch(block.call_marks(self._tools))
        yield from self._read_call(block)
        yield from self._cursor.skip(_SEPARATORS)
        while (yield from self._cursor.find(another)):
            yield from self._read_call(block)
            yield from self._cursor.skip(_SEPARATORS)

    def _ends_section(self, section: Frame, has_calls: bool) -> Generator[None, None, bool]:
        """Read the first end marker if it follows."""
        try:
            return (yield from self._cursor.match(section.end_marks[0]))
        except TruncatedError:
            if not has_calls:
                raise
            self._cursor.take_rest()
            return True

    def _read_call(self, block: Block) -> ParserRoutine:
        yield from read_marks(self._cursor, block.call.begin_marks)
        yield from block.body.read(self._cursor, self._sink, self._tools)
        yield from self._read_end(block.call.end_marks)

    def _read_end(self, marks: tuple[str, ...]) -> ParserRoutine:
        """Read the end markers of a complete call, if present."""
        try:
            yield from read_marks(self._cursor, marks)
        except MalformedError:
            pass  # the marker is missing; what follows is read as what it is
        except TruncatedError:
            self._cursor.take_rest()

    def _skip_block(self, block: Block) -> ParserRoutine:
        """Drop the rest of a malformed call: up to its end marker, or another beginning, or the end of the text."""
        anchors = MarkerSearch([mark for mark in (*self._anywhere.literals, block.end_mark) if mark])
        while True:
            text, anchor = yield from self._cursor.read_until(anchors)
            if anchor and anchor == block.end_mark:
                self._cursor.take(len(anchor))
            if anchor or not text:
                return
