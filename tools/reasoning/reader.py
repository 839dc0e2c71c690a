"""Reader that separates thoughts from the answer in one pass."""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal, Protocol, runtime_checkable

from tools.events import Event, ReasoningDelta
from tools.formats.parser import Parser
from tools.formats.reading.frame import Frame
from tools.formats.reading.text import Cursor, MarkerSearch, ParserRoutine, TruncatedError
from tools.formats.reading.thoughts import Thoughts

Gap = Literal["any", "lines", "none"]
"""What may stand between thoughts and answer and belongs to neither: whitespace, `MOST_LINES` line feeds, nothing."""

MOST_LINES = 2

State = Literal["undecided", "thinking", "answering"]


@runtime_checkable
class Thinker(Protocol):
    """State of a parser that separates thoughts from the answer.

    Attributes:
        state: Part of the answer that the next text belongs to; markers and whitespace after thoughts belong to them.
        num_passed: Characters so far that belong to the answer, markers of calls included.
    """

    @property
    def state(self) -> State: ...

    @property
    def num_passed(self) -> int: ...


class ReasoningReader:
    """Reads thoughts, and gives what follows them to another parser.

    The events do not depend on how the text is cut, but for where deltas are cut. A text that does not begin with the
    marker, whitespace aside, holds no thoughts, unless its prompt began them; then the marker may come once more.
    Thoughts also end where a call begins.
    """

    def __init__(
        self,
        begin: str,
        end: str,
        answer: Frame,
        rest: Parser,
        *,
        state: State,
        gap: Gap,
        calls: tuple[str, ...] = (),
        tail: str = "",
    ) -> None:
        """Args: state: State at the end of the prompt; tail: text that is dropped after an answer."""
        self._begin = begin
        self._end = end
        self._thought_ends = MarkerSearch([end, *calls])
        self._calls = MarkerSearch(calls)
        self._tail = tail
        self._answer = answer
        self._rest = rest
        self._gap = gap
        self._cursor = Cursor(keeps_breaks=True)
        self._events: list[Event] = []
        self.state: State = state
        self.num_passed = 0
        self._routine = self._read()

    def feed(self, text: str) -> list[Event]:
        """Return the new events of the text with one more piece."""
        self._cursor.push(text)
        next(self._routine)
        return self._drain()

    def finish(self) -> list[Event]:
        """Return the last events, after the end of the text."""
        self._cursor.close()
        for _ in self._routine:
            raise AssertionError("a reader waits although the text has ended")
        self._events += self._rest.finish()
        return self._drain()

    def _drain(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _read(self) -> ParserRoutine:
        if self.state == "answering":
            yield from self._read_answer(has_begun=True)
            return
        cursor = self._cursor
        cursor.start_record()
        yield from cursor.skip()
        if (self._begin and (yield from self._match(self._begin))) or self.state == "thinking":
            cursor.stop_record()
            self.state = "thinking"
            if not (yield from self._read_thoughts()):
                return
            yield from self._skip_gap()
        else:
            before = cursor.stop_record()
            if not self._answer.begin_marks:
                self._pass(before)
        yield from self._read_answer()

    def _read_thoughts(self) -> Generator[None, None, bool]:
        """Read up to the end marker, and that, or up to a call; whether there is one."""
        thoughts = Thoughts()
        while True:
            text, anchor = yield from self._cursor.read_until(self._thought_ends)
            if certain := thoughts.add(text):
                self._events.append(ReasoningDelta(certain))
            if anchor:
                self._cursor.take(len(anchor) if anchor == self._end else 0)
                return True
            if not text:
                return False

    def _skip_gap(self) -> ParserRoutine:
        if self._gap == "any":
            yield from self._cursor.skip()
        elif self._gap == "lines":
            for _ in range(MOST_LINES):
                yield from self._match("\n")

    def _read_answer(self, has_begun: bool = False) -> ParserRoutine:
        is_framed = has_begun or bool(self._answer.begin_marks)
        for piece in () if has_begun else self._answer.begin:
            found = yield from self._match(piece)
            is_framed = is_framed and (found or not piece.strip())
            if not is_framed:
                break
        ends = ("".join(self._answer.end), *self._answer.end_marks[:1]) if is_framed else ()
        anchors = MarkerSearch([end for end in (*ends, self._tail) if end])
        while True:
            if (yield from self._cursor.peek()):
                self.state = "answering"
            text, anchor = yield from self._cursor.read_until(anchors)
            self._pass(text)
            if anchor:
                yield from self._read_end(anchor)
            elif not text:
                return

    def _read_end(self, mark: str) -> ParserRoutine:
        """Read what may be the end of an answer. A constrained one ends with the text, whatever it quotes before; where
        calls follow it, it is empty."""
        self._cursor.take(len(mark))
        if self._gap == "any" or (not self.num_passed and (yield from self._cursor.find(self._calls))):
            return
        self._cursor.start_record()
        yield from self._cursor.skip()
        if self._tail and mark != self._tail:
            yield from self._match(self._tail)
            yield from self._cursor.skip()
        after = self._cursor.stop_record()
        if (yield from self._cursor.peek()):
            self._pass(mark + after)

    def _pass(self, text: str) -> None:
        if text:
            self.state = "answering"
            self.num_passed += len(text)
            self._events += self._rest.feed(text)

    def _match(self, literal: str) -> Generator[None, None, bool]:
        """Read the literal if it follows; a part of it at the end of the text is something else."""
        try:
            return (yield from self._cursor.match(literal))
        except TruncatedError:
            return False
