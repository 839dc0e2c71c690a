"""A call whose arguments are written one by one between markers, as in `<parameter=k>v</parameter>`."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from html import unescape

from grammars import (
    ANY_TYPES,
    Arguments,
    ArgumentSpelling,
    ArgumentTypes,
    Concat,
    GrammarError,
    JsonOptions,
    JsonSchema,
    Regex,
    Tag,
    argument_types,
)
from grammars.frontends.base import Constraint
from tools.errors import UnwritableCallError
from tools.formats.bodies.base import Body, input_without
from tools.formats.reading.frame import read_marks
from tools.formats.reading.literals import Emit, Members, read_run, whole
from tools.formats.reading.respelling import json_type, members_of, text_of
from tools.formats.reading.sink import EventSink
from tools.formats.reading.tagged_value import StringValue, TypedValue, raw_is_read_back
from tools.formats.reading.text import (
    SPACE,
    WHITESPACE,
    Cursor,
    MalformedError,
    MarkerSearch,
    ParserRoutine,
    TruncatedError,
)
from tools.tool import INPUT_KEY, ORDERED, Tool
from tools.toolset import ToolSet

_MAX_HEAD = 1_000
_BARE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_STRING = "string"
_NUMBER = Regex("0|[1-9][0-9]{0,3}")
_UNKNOWN = ArgumentTypes({}, ANY_TYPES)


_MAY_END = "<?"


@cache
def _without_endings(spelling: ArgumentSpelling) -> ArgumentSpelling:
    """The spelling of a tool that has no name with such an ending: where others may be added, it costs half of all."""
    return replace(spelling, names=spelling.names.removesuffix(_MAY_END))


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedCall(Body):
    """A call whose arguments are between markers.

    A value ends at the marker after it, if the next member, the end of the call or the end of the text follows: so text
    may contain the marker. Where that was left out it ends where the next member begins, which no raw text contains.
    Values keep their whitespace but for one newline on each side, where one is written. Of members with one name the
    first counts.

    Attributes:
        begin: What is written before the arguments, with fields `name` and `index`.
        mark: Beginning of `begin`, up to the name or the text before it.
        head: Regular expression of what is read between `mark` and `head_end`, with a group `name`.
        head_end: Marker after the name; without one the name ends where whitespace or another marker begins.
        spelling: Spelling of arguments.
        member: Regular expression of what is read between `spelling.before` and `member_end`, with a group `name` and,
            where tags give the type, a group `type`.
        member_end: Marker before a value.
        raw_type: The `type` of values that are strings as they are.
        end: What is written after the arguments.
        stops: Other markers at which a call ends, which are left for others to read.
        first_index: Number of the first call, where calls are numbered.
        quote: Markers around a value that may have characters of markup, in families that know such. They are read and
            never written: text between them is raw without them as well, and does not begin so.
    """

    begin: str
    mark: str
    head: str
    head_end: str
    spelling: ArgumentSpelling
    member: str
    member_end: str
    raw_type: str = ""
    end: str = ""
    stops: tuple[str, ...] = ()
    first_index: int = 0
    quote: tuple[str, str] = ("", "")

    @property
    def mark_of_argument(self) -> str:
        """Marker before an argument, without whitespace before it."""
        return self.spelling.before.lstrip()

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return self.begin.format(name=name, index=index + self.first_index)

    def closing(self) -> str:
        """Return the text after the arguments."""
        return self.end

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what each call begins with."""
        return (self.mark,) if self.mark else ()

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call; its number, if it has one, may be any."""
        before, number, after = self.begin.partition("{index}")
        content = self.content(tool, options)
        if number:
            content = Concat((_NUMBER, after.format(name=tool.name), content))
        return Tag(before.format(name=tool.name), content, self.closing())

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the arguments."""
        if tool.kind == "custom":
            spelling = self.spelling
            before = spelling.before + INPUT_KEY + next(tag.text for tag in spelling.tags if _STRING in tag.types)
            return Concat(
                (
                    before,
                    input_without(
                        tool, tuple(filter(None, (spelling.marker, self.mark_of_argument, spelling.excluded)))
                    ),
                    spelling.after.replace("{name}", INPUT_KEY),
                )
            )
        schema, spelling = tool.arguments_schema, self.spelling
        names = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(names, dict) or not any(name.endswith("<") for name in names):
            spelling = _without_endings(spelling)
        return Arguments(JsonSchema(schema, options), spelling, f"tool {tool.name}")

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the arguments between their markers.

        Raises:
            UnwritableCallError: a name has characters of a marker in it, a string what ends it.
        """
        types = types_of(tool)
        return self.spelling.separator.join(
            self._written(name, value, types.of(name) or ANY_TYPES) for name, value in members_of(arguments)
        )

    def ends_early(self, text: str) -> bool:
        """Return whether raw text would be read as less than it is."""
        return _early_end(self).search(text + self.spelling.after) is not None

    def _written(self, name: str, value: str, types: frozenset[str]) -> str:
        spelling, text = self.spelling, text_of(value)
        written_name = name if re.fullmatch(spelling.names, name, re.ASCII) else spelling.with_entities(name)
        if written_name is None:
            raise UnwritableCallError(f"the name {name!r} cannot be written in this format")
        tags = [tag.text for tag in spelling.tags if (json_type(value) or _STRING) in tag.types]
        is_raw = text is not None and not self.ends_early(text)
        if spelling.is_tagged:
            tags = tags if is_raw or text is None else [t.text for t in spelling.tags if _STRING not in t.types]
        else:
            is_raw = is_raw and raw_is_read_back(text or "", types)
            if not is_raw and types == {_STRING}:
                raise UnwritableCallError(f"the value of {name!r} cannot be written as a string in this format")
        written = whole(text) if is_raw and text is not None else value
        return spelling.before + written_name + tags[0] + written + spelling.after.replace("{name}", written_name)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        if self.mark:
            yield from read_marks(cursor, (self.mark,))
        name = yield from self._read_name(cursor)
        cursor.stop_record()
        sink.start(name)
        yield from self.read_members(cursor, sink, types_of(tools.get(name)))
        sink.end()
        cursor.start_record()

    def read_members(self, cursor: Cursor, sink: EventSink, types: ArgumentTypes) -> ParserRoutine:
        """Read all arguments and what ends them."""
        members = Members(sink.arguments)
        while (yield from self._has_member(cursor)):
            yield from self._read_member(cursor, members, types)
        members.end()

    def _read_name(self, cursor: Cursor) -> Generator[None, None, str]:
        yield from cursor.skip()
        if not self.head_end:
            name = yield from read_run(cursor, _BARE_NAME)
            yield from cursor.skip()
            if not (yield from cursor.find(_next_marks(self))):
                if cursor.is_cut(_next_marks(self)):
                    raise TruncatedError
                raise MalformedError("the name of a tool, and nothing else, expected")
            return name
        head = yield from read_until(cursor, self.head_end)
        found = re.fullmatch(self.head, head.strip(WHITESPACE))
        if not found:
            raise MalformedError("the name of a tool expected")
        return found["name"]

    def _has_member(self, cursor: Cursor) -> Generator[None, None, bool]:
        """Read what begins a member and return True, or the end of the call and return False."""
        yield from cursor.skip()
        found = yield from cursor.find(_next_marks(self))
        if found == self.mark_of_argument:
            cursor.take(len(found))
            return True
        if found and found == self.end.strip():
            cursor.take(len(found))
        elif cursor.is_cut(_next_marks(self)):
            raise TruncatedError
        elif not found:
            raise MalformedError(f"{self.mark_of_argument} or {self.end.strip() or self.stops[0]} expected")
        return False

    def _read_member(self, cursor: Cursor, members: Members, types: ArgumentTypes) -> ParserRoutine:
        head = yield from read_until(cursor, self.member_end)
        found = re.fullmatch(self.member, head.strip(WHITESPACE))
        if not found:
            raise MalformedError("the name of an argument expected")
        name = found["name"].strip(WHITESPACE)
        if name not in types.declared and unescape(name) in types.declared:
            name = unescape(name)
        yield from self.read_value(cursor, members.begin(name), found.groupdict().get("type"), types.of(name))

    def read_value(self, cursor: Cursor, emit: Emit, kind: str | None, types: frozenset[str]) -> ParserRoutine:
        """Read a value and the marker after it.

        Args:
            kind: The `type` that its tag names.
            types: Types that the schema allows; empty: any.
        """
        admitted = types or ANY_TYPES
        if kind == self.raw_type if kind else admitted == {_STRING}:
            yield from self._read_text(cursor, StringValue(emit))
        else:
            yield from self._read_text(cursor, TypedValue(emit, ANY_TYPES if kind else admitted))

    def _read_text(self, cursor: Cursor, value: StringValue | TypedValue) -> ParserRoutine:
        mark = self.spelling.after.strip()
        if self.spelling.tags[0].text.endswith("\n"):
            yield from cursor.match("\n")
        if self.quote[0] and (yield from cursor.match(self.quote[0])):
            mark = self.quote[1] + mark
        anchors = _ends_of_value(mark, self.mark_of_argument)
        has_newline = self.spelling.after.startswith("\n")
        # The indentation of the next argument, which is no part of the value if the end marker is missing.
        indent = self.spelling.before[: -len(self.mark_of_argument)]
        lines = [f"\n{indent[:length]}" for length in range(len(indent), -1, -1)]
        held = ""
        while True:
            text, anchor = yield from cursor.read_until(anchors)
            if not text and not anchor:
                raise TruncatedError
            if anchor and anchor != mark and not text:
                # The end was left out: what begins another argument is in no raw value.
                if held or not value.in_string:
                    value.end()
                    return
                text = cursor.take(len(anchor))
            elif anchor and not text:
                if held and not has_newline:
                    value.feed(held)
                    held = ""
                text = cursor.take(len(anchor))
                if held or not value.in_string:
                    text += yield from _read_space(cursor)
                    if (yield from cursor.find(_next_marks(self))) or not (yield from cursor.peek()):
                        value.end()
                        return
            text = held + text
            held = next((line for line in lines if text.endswith(line)), "")
            value.feed(text[: len(text) - len(held)])


def read_until(cursor: Cursor, mark: str) -> Generator[None, None, str]:
    """Read up to a marker, and the marker, and return what was before it.

    Raises:
        MalformedError: that is very long.
        TruncatedError: the text ended before.
    """
    anchors = _end_of_value(mark)
    pieces: list[str] = []
    size = 0
    while True:
        text, anchor = yield from cursor.read_until(anchors)
        pieces.append(text)
        size += len(text)
        if size > _MAX_HEAD:
            raise MalformedError(f"{mark} expected")
        if anchor:
            cursor.take(len(anchor))
            return "".join(pieces)
        if not text:
            raise TruncatedError


def _read_space(cursor: Cursor) -> Generator[None, None, str]:
    pieces: list[str] = []
    while run := cursor.take_run(SPACE):
        pieces.append(run)
        yield from cursor.peek()
    if not pieces:
        yield from cursor.peek()
        if run := cursor.take_run(SPACE):
            pieces.append(run)
            pieces.append((yield from _read_space(cursor)))
    return "".join(pieces)


@lru_cache(maxsize=64)
def _end_of_value(mark: str) -> MarkerSearch:
    return MarkerSearch([mark])


@lru_cache(maxsize=64)
def _ends_of_value(mark: str, following: str) -> MarkerSearch:
    return MarkerSearch([mark, following])


@lru_cache(maxsize=64)
def _next_marks(call: TaggedCall) -> MarkerSearch:
    """Return the markers that may follow an argument."""
    return MarkerSearch([mark for mark in (call.mark_of_argument, call.end.strip(), *call.stops) if mark])


@lru_cache(maxsize=64)
def _early_end(call: TaggedCall) -> re.Pattern[str]:
    """Return the marker within a value that ends it early."""
    following = "|".join(map(re.escape, _next_marks(call).literals))
    end = re.escape(call.spelling.after.strip())
    others = "|".join(re.escape(text) for text in (call.mark_of_argument, call.spelling.excluded) if text)
    return re.compile(rf"{end}[ \t\n\r]*(?:{following})|{others}")


def types_of(tool: Tool | None) -> ArgumentTypes:
    """Return the types of a tool's arguments; any, if the tool is not declared or its schema is too complex."""
    if tool is None:
        return _UNKNOWN
    try:
        return argument_types(JsonSchema(tool.arguments_schema, ORDERED))
    except GrammarError:
        return _UNKNOWN
