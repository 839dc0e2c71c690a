"""A call spelled as a JSON object: `{"name": "f", "arguments": {...}}`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from grammars import Concat, JsonOptions, Regex, Tag
from tools.formats.bodies.base import Body
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import (
    NO_ARGUMENTS,
    Cursor,
    MalformedError,
    ParserRoutine,
    TruncatedError,
    quoted,
    read_arguments,
    read_text,
    read_value,
)
from tools.toolset import Tool, ToolSet

INDEX = Regex("0|[1-9][0-9]{0,3}")
"""The number of a call among those of its conversation."""

_key = lru_cache(maxsize=256)(json.dumps)
_WRAPPER = "function"
_FENCE = re.compile(r"[`a-z \t\n\r]*")
_SURPLUS = re.compile(r"[ \t\n\r}]*")


@dataclass(frozen=True, slots=True)
class JsonCall(Body):
    """A call as a JSON object; tolerated keys are read and never written.

    Attributes:
        name_key: Key of the tool's name, first when written.
        arguments_key: Key of the arguments, last when written.
        tolerated_arguments_keys: Other keys read as the arguments.
        index_key: Key of the call's number, a string of digits, before the name when written; empty: it has none.
        nothing: Name of a call that means that nothing is called; empty: there is no such name.
        reads_none: An array without calls is read, and dropped.
    """

    name_key: str = "name"
    arguments_key: str = "arguments"
    tolerated_arguments_keys: tuple[str, ...] = ("parameters",)
    index_key: str = ""
    nothing: str = ""
    reads_none: bool = False

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        number, rest = self._parts(name)
        return f"{number}{index}{rest}" if number else rest

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call; its number may be any."""
        number, rest = self._parts(tool.name)
        if not number:
            return Tag(rest, self.content(tool, options), self.closing())
        return Tag(number, Concat((INDEX, rest, self.content(tool, options))), self.closing())

    def _parts(self, name: str) -> tuple[str, str]:
        """Return the texts before the call's number, if any, and between it and the arguments."""
        key, arguments_key = _key(self.name_key), _key(self.arguments_key)
        named = f"{key}: {quoted(name)}, {arguments_key}: "
        return (f'{{{_key(self.index_key)}: "', f'", {named}') if self.index_key else ("", "{" + named)

    def closing(self) -> str:
        """Return the text after the arguments."""
        return "}"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what an object begins with."""
        return ("{",)

    def late_marks(self, name: str) -> tuple[str, ...]:
        """Return the beginning of an object up to the name, as it is written and without a space."""
        if self.index_key:
            return ()
        key, name = _key(self.name_key), quoted(name)
        return (f"{{{key}: {name}", f"{{{key}:{name}")

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call, or an array of them, and report them.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from cursor.skip()
        is_fenced = (yield from cursor.need()) == "`"
        if is_fenced:
            yield from cursor.skip(_FENCE)
        if (yield from cursor.need()) == "[":
            yield from self._read_array(cursor, sink)
        else:
            yield from _Object(self, cursor, sink).read()
        yield from cursor.skip(_SURPLUS)
        if is_fenced:
            yield from cursor.skip(_FENCE)

    def _read_array(self, cursor: Cursor, sink: EventSink) -> ParserRoutine:
        cursor.take(1)
        before = sink.num_calls
        while True:
            yield from cursor.skip()
            char = yield from cursor.peek()
            if char == "{":
                yield from _Object(self, cursor, sink).read()
            elif char == ",":
                cursor.take(1)
            elif (char == "]" and self.reads_none) or (char in ("]", "") and sink.num_calls > before):
                cursor.take(1)
                return
            elif not char:
                raise TruncatedError
            else:
                raise MalformedError("a call, a comma or a closing bracket expected")


class _Object:
    """Reads one object. The call starts as soon as both its name and the beginning of its arguments are known."""

    __slots__ = ("_cursor", "_has_arguments", "_held", "_is_started", "_is_within", "_name", "_sink", "_spelling")

    def __init__(self, spelling: JsonCall, cursor: Cursor, sink: EventSink) -> None:
        self._spelling = spelling
        self._cursor = cursor
        self._sink = sink
        self._name = ""
        self._held: list[str] = []
        self._has_arguments = False
        self._is_started = False
        self._is_within = False

    def read(self) -> ParserRoutine:
        yield from self._read_members()
        self._end()
        self._cursor.take(1)

    def _read_members(self) -> ParserRoutine:
        """Read up to the closing brace."""
        cursor = self._cursor
        if (yield from cursor.need()) != "{":
            raise MalformedError("an opening brace expected")
        cursor.take(1)
        while True:
            yield from cursor.skip()
            char = yield from cursor.need()
            if char == "}":
                return
            if char == ",":
                cursor.take(1)
            else:
                yield from self._read_member()

    def _read_member(self) -> ParserRoutine:
        cursor, spelling = self._cursor, self._spelling
        key = yield from read_text(cursor)
        yield from cursor.skip()
        if (yield from cursor.need()) != ":":
            raise MalformedError("a colon expected")
        cursor.take(1)
        yield from cursor.skip()
        if key == spelling.name_key and not self._name:
            yield from self._read_name()
        elif key in (spelling.arguments_key, *spelling.tolerated_arguments_keys) and not self._has_arguments:
            yield from self._read_arguments()
            self._has_arguments = True
        elif key == _WRAPPER and not (self._name or self._has_arguments or self._is_within):
            self._is_within = True
            yield from self._read_wrapped()
        else:
            yield from read_value(cursor, lambda text: None)

    def _read_wrapped(self) -> ParserRoutine:
        """Read the member that OpenAI's clients have around name and arguments."""
        if (yield from self._cursor.need()) == "{":
            yield from self._read_members()
            self._cursor.take(1)
        else:
            yield from read_value(self._cursor, lambda text: None)

    def _read_name(self) -> ParserRoutine:
        self._name = yield from read_text(self._cursor)
        if not self._name:
            raise MalformedError("the name is empty")
        if self._has_arguments:
            self._start()

    def _read_arguments(self) -> ParserRoutine:
        yield from self._cursor.need()
        if self._name:
            self._start()
        yield from read_arguments(self._cursor, self._emit)

    def _emit(self, text: str) -> None:
        if self._is_started:
            self._sink.arguments(text)
        else:
            self._held.append(text)

    def _start(self) -> None:
        if self._name == self._spelling.nothing:
            return
        self._cursor.stop_record()
        self._sink.start(self._name)
        self._is_started = True
        self._sink.arguments("".join(self._held))

    def _end(self) -> None:
        if not self._name:
            raise MalformedError("the call has no name")
        if self._name == self._spelling.nothing:
            return
        if not self._is_started:
            self._start()
        if not self._has_arguments:
            self._sink.arguments(NO_ARGUMENTS)
        self._sink.end()
        self._cursor.start_record()
