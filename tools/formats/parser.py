"""Model text to events, in one pass."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Protocol

from tools.calls import IdFactory
from tools.events import ContentDelta, Event
from tools.formats.cursor import Anchors, Cursor, TruncatedError, Wait
from tools.formats.frame import Frame, read_marks
from tools.formats.json_text import MalformedError
from tools.formats.sink import Sink

_SEPARATORS = re.compile(r"[ \t\n\r,;]*")


class Body(Protocol):
    """How one call is spelled between its markers: what is written around the arguments, and how all is read."""

    def opening(self, name: str) -> str:
        """Return what is written before the arguments."""

    def closing(self) -> str:
        """Return what is written after the arguments."""

    def read(self, cursor: Cursor, sink: Sink) -> Wait:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """


class Parser(Protocol):
    """Reads one text. `feed` any number of times, then `finish` once."""

    def feed(self, text: str) -> list[Event]:
        """Return what the text so far, now one piece longer, newly says."""

    def finish(self) -> list[Event]:
        """Return what remains to be said now that the text has ended."""


class PassThrough:
    """All text is content."""

    def feed(self, text: str) -> list[Event]:
        """Return the piece as content."""
        return [ContentDelta(text)] if text else []

    def finish(self) -> list[Event]:
        """Return nothing; nothing is held back."""
        return []


class StreamParser:
    """Reads content and calls in one format.

    The events do not depend on how the text is cut, but for where deltas are cut. Content is held back only while it
    may be the start of a marker, or is whitespace that may belong to a call.

    Cost: linear in the text; memory for the longest head of a call (what stands before its arguments).
    """

    def __init__(self, call: Frame, section: Frame | None, body: Body, ids: IdFactory) -> None:
        self._call = call
        self._section = section
        self._body = body
        outer = section or call
        self._begin = Anchors(outer.begin_marks[:1])
        self._end_mark = outer.end_marks[-1] if outer.end_marks else ""
        self._cursor = Cursor()
        self._sink = Sink(ids)
        self._routine = self._read()

    def feed(self, text: str) -> list[Event]:
        """Return what the text so far, now one piece longer, newly says."""
        self._cursor.push(text)
        next(self._routine)
        return self._sink.drain()

    def finish(self) -> list[Event]:
        """Return what remains to be said now that the text has ended.

        A call that is not complete gives a `CallBroken`. A missing end marker after a complete call is no fault.
        """
        self._cursor.close()
        for _ in self._routine:
            raise AssertionError("a reader waits although the text has ended")
        self._sink.finish()
        return self._sink.drain()

    def _read(self) -> Wait:
        while True:
            text, anchor = yield from self._cursor.before(self._begin)
            self._sink.content(text)
            if anchor:
                yield from self._read_block()
            elif not text:
                return

    def _read_block(self) -> Wait:
        """Read a section of calls, or a call that stands alone; text that is neither is content."""
        num_calls = self._sink.num_calls
        self._cursor.start_record()
        try:
            yield from self._read_section(self._section) if self._section else self._read_call()
        except TruncatedError:
            self._sink.broken("the text ended inside a tool call", self._cursor.stop_record(), truncated=True)
        except MalformedError as error:
            record = self._cursor.stop_record()
            if self._sink.is_open or self._sink.num_calls > num_calls:
                self._sink.broken(f"malformed tool call: {error}", record, truncated=False)
                yield from self._skip_block()
            else:
                self._sink.content(record)

    def _read_section(self, section: Frame) -> Wait:
        yield from read_marks(self._cursor, section.begin_marks)
        num_calls = self._sink.num_calls
        while not (yield from self._ends_section(section, self._sink.num_calls > num_calls)):
            yield from self._read_call()
        yield from self._read_end(section.end_marks[1:])

    def _ends_section(self, section: Frame, has_calls: bool) -> Generator[None, None, bool]:
        """Read what may stand between calls, and the first end marker if it follows."""
        yield from self._cursor.skip(_SEPARATORS)
        try:
            return (yield from self._cursor.match(section.end_marks[0]))
        except TruncatedError:
            if not has_calls:
                raise
            self._cursor.take_rest()
            return True

    def _read_call(self) -> Wait:
        yield from read_marks(self._cursor, self._call.begin_marks)
        yield from self._body.read(self._cursor, self._sink)
        yield from self._read_end(self._call.end_marks)

    def _read_end(self, marks: tuple[str, ...]) -> Wait:
        """Read the end markers of a complete call, as far as they are there."""
        try:
            yield from read_marks(self._cursor, marks)
        except MalformedError:
            pass  # the marker is missing; what follows is read as what it is
        except TruncatedError:
            self._cursor.take_rest()

    def _skip_block(self) -> Wait:
        """Drop the rest of a malformed call: up to its end marker, or another beginning, or the end of the text."""
        anchors = Anchors([mark for mark in (*self._begin.literals, self._end_mark) if mark])
        while True:
            text, anchor = yield from self._cursor.before(anchors)
            if anchor == self._end_mark:
                self._cursor.take(len(anchor))
            if anchor or not text:
                return
