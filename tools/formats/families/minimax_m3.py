"""MiniMax M3: tags with the names of the arguments themselves, each after one mark that no text contains."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from html import unescape
from typing import Any

from grammars import ANY_TYPES, ArgumentSpelling, JsonOptions, ValueTag
from grammars.frontends.base import Constraint
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall, read_until
from tools.formats.families.nested_tags import NestedTags, resolved, value_types
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.literals import MAX_DEPTH, Emit, Members
from tools.formats.reading.sink import EventSink
from tools.formats.reading.tagged_value import StringValue, TypedValue
from tools.formats.reading.text import WHITESPACE, Cursor, MalformedError, MarkerSearch, ParserRoutine, TruncatedError
from tools.toolset import Tool, ToolSet

MARK = "]<]minimax[>["
_BEGIN, _END, _CALLS_END = MARK + "<", MARK + "</", MARK + "</tool_call>"
_MARK, _STOPS = MarkerSearch([MARK]), MarkerSearch([_CALLS_END])
_TAGS, _ITEMS = MarkerSearch([_BEGIN, _END]), MarkerSearch([f"{_BEGIN}item>"])
_STRING, _ARRAY, _OBJECT = (frozenset({name}) for name in ("string", "array", "object"))
_EMPTY = {_ARRAY: "[]", _OBJECT: "{}"}
_SPELLING = ArgumentSpelling(
    before=_BEGIN,
    tags=(ValueTag(ANY_TYPES, ">"),),
    after=f"{_END}{{name}}>",
    names=r"[^<>\s/]([^<>\n]*[^<>\s])?<?",
    marker=MARK,
    has_entities=True,
)

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedCall(TaggedCall):
    """Objects and arrays are further tags, `item` in arrays; JSON in their place is allowed and read as well."""

    def ends_early(self, text: str) -> bool:
        """Return whether the mark is in raw text, or begins in it."""
        return (text + MARK).index(MARK) < len(text)

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the arguments."""
        nested = self._nested(tool)
        if nested is None:
            return TaggedCall.content(self, tool, options)
        return nested.constraint(options, f"tool {tool.name}")

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the arguments between their tags; see `TaggedCall.write`."""
        nested = None if tool is None else self._nested(tool)
        return TaggedCall.write(self, arguments, tool) if nested is None else nested.written(arguments)

    def _nested(self, tool: Tool) -> NestedTags | None:
        """Return the nested tags of the arguments; None if the schema has no place for them."""
        root = dict(tool.arguments_schema)
        nested = NestedTags(root=root, spelling=self.spelling, tags=(_BEGIN, _END), write=self._written)
        return nested if tool.kind != "custom" and nested.is_plain else None

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it; see `Body.read`."""
        yield from read_marks(cursor, (self.mark,))
        name = yield from self._read_name(cursor)
        cursor.stop_record()
        sink.start(name)
        tool = tools.get(name)
        yield from _Reader(cursor, {} if tool is None else dict(tool.arguments_schema)).read_call(sink)
        sink.end()
        cursor.start_record()


class _Reader:
    """Reader of the members of one call, nested ones too, each by its subschema."""

    def __init__(self, cursor: Cursor, schema: Schema) -> None:
        self._cursor = cursor
        self._root = schema

    def read_call(self, sink: EventSink) -> ParserRoutine:
        yield from self._read_members(sink.arguments, self._root, "invoke", 0)

    def _read_members(self, emit: Emit, schema: Schema, parent: str, depth: int) -> ParserRoutine:
        members, declared = Members(emit), schema.get("properties", {})
        while written := (yield from self._read_tag(parent)):
            name = unescape(written) if written not in declared and unescape(written) in declared else written
            yield from self._read_value(members.begin(name), self._within(schema, name), written, depth)
        members.end()

    def _read_items(self, emit: Emit, schema: Schema, parent: str, depth: int) -> ParserRoutine:
        separator = "["
        while name := (yield from self._read_tag(parent)):
            emit(separator)
            yield from self._read_value(emit, self._within(schema, name), name, depth)
            separator = ", "
        emit("]")

    def _read_tag(self, parent: str) -> Generator[None, None, str]:
        """Read what begins a member and return its name, or the end of what it would be in and return nothing."""
        cursor = self._cursor
        yield from cursor.skip()
        if (yield from cursor.find(_STOPS)) or (yield from cursor.match(f"{_END}{parent}>")):
            return ""
        if not (yield from cursor.match(_BEGIN)):
            raise MalformedError(f"{_BEGIN} or the end of what it stands in expected")
        name = (yield from read_until(cursor, ">")).strip(WHITESPACE)
        if not name or name.startswith("/"):
            raise MalformedError("the end of what a tag stands in expected")
        return name

    def _read_value(self, emit: Emit, schema: Schema, name: str, depth: int) -> ParserRoutine:
        if depth > MAX_DEPTH:
            raise MalformedError(f"values more than {MAX_DEPTH} deep")
        cursor, types, is_blank = self._cursor, self._types(schema), True
        value = StringValue(emit) if types == _STRING else TypedValue(emit, types)
        while True:
            text, mark = yield from cursor.read_until(_MARK)
            if not text and not mark:
                raise TruncatedError
            value.feed(text)
            is_blank = is_blank and not text.strip()
            if not mark:
                continue
            if value.in_string:
                value.feed(cursor.take(len(MARK)))
            elif (yield from cursor.match(f"{_END}{name}>")):
                break
            elif (yield from cursor.find(_TAGS)) != _BEGIN:
                raise MalformedError(f"the end of a value, or {_BEGIN}, expected")
            elif is_blank and types != _STRING:
                is_array = "array" in types and ("object" not in types or bool((yield from cursor.find(_ITEMS))))
                yield from (self._read_items if is_array else self._read_members)(emit, schema, name, depth + 1)
                return
            else:
                break  # the end was left out
        if is_blank and types in _EMPTY:
            emit(_EMPTY[types])
        else:
            value.end()

    def _types(self, schema: Schema) -> frozenset[str]:
        return value_types(self._root, schema)

    def _within(self, schema: Schema, name: str) -> Schema:
        """Return the subschema that a plain schema has for a member, or for the items of an array."""
        others = schema.get("items" if name == "item" else "additionalProperties")
        return resolved(self._root, schema.get("properties", {}).get(name, others))


MINIMAX_M3 = Format(
    name="minimax_m3",
    model_types=("minimax_m3", "minimax_m3_vl"),
    native=Block(
        section=Frame((MARK + "<tool_call>", "\n"), ("\n", _CALLS_END)),
        body=MarkedCall(
            begin=f'{MARK}<invoke name="{{name}}">',
            mark=f"{MARK}<invoke name=",
            head='"(?P<name>[^<>"]+)"',
            head_end=">",
            spelling=_SPELLING,
            member="",
            member_end=">",
            end=f"{MARK}</invoke>",
            stops=(_CALLS_END,),
        ),
        separator="\n",
    ),
    aliases=("minimax-m3",),
    signs=(TemplateMarkers((MARK, "<tool_call>")),),
)
