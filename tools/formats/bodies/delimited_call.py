"""A call whose strings are between delimiters of their own: `call:f{k:<escape>v<escape>}`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grammars import ANY_TYPES, Arguments, ArgumentSpelling, Concat, JsonOptions, JsonSchema, ValueTag
from grammars.byte_bounded_cache import remembered
from grammars.frontends.base import Constraint
from grammars.frontends.json.document.decoding import DECODER
from tools.errors import UnwritableCallError
from tools.formats.bodies.base import Body, input_without
from tools.formats.reading.frame import read_marks
from tools.formats.reading.literals import Literals, read_run, whole
from tools.formats.reading.respelling import in_order, members_of, rank_of, respelled
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine
from tools.tool import INPUT_KEY, Tool
from tools.toolset import ToolSet

_VALUES = ("const", "default", "enum", "examples")
_PLAIN = frozenset((str, int, Decimal, bool, type(None)))
_NAMES = re.compile(r"[^\s:,{}\[\]\"'<>]([^:,{}\[\]\"'<>\n]*[^\s:,{}\[\]\"'<>])?", re.ASCII)
_NAME = re.compile(r"[^\s{}\[\]:,<>]+")


@dataclass(frozen=True, slots=True)
class DelimitedCall(Body):
    """A name and an object, of which names have no quotes and strings no escapes.

    Members are sorted by name, as chat templates of the families do.

    Attributes:
        delimiter: Stands before and after a string.
        mark: Stands before the name.
    """

    delimiter: str
    mark: str = "call:"

    @property
    def spelling(self) -> ArgumentSpelling:
        """Spelling of arguments."""
        return ArgumentSpelling(
            before="",
            tags=(ValueTag(ANY_TYPES, ":"),),
            after="",
            separator=",",
            names=_NAMES.pattern,
            values="delimited",
            delimiter=self.delimiter,
        )

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{self.mark}{name}{{"

    def closing(self) -> str:
        """Return the text after the arguments."""
        return "}"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what each call begins with."""
        return (self.mark,)

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the arguments."""
        if tool.kind == "custom":
            text = input_without(tool, (self.delimiter,))
            return Concat((f"{INPUT_KEY}:{self.delimiter}", text, self.delimiter))
        schema = JsonSchema(_text_in_order(JsonSchema(tool.arguments_schema).text), options)
        return Arguments(schema, self.spelling, f"tool {tool.name}")

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the members of the object.

        Raises:
            UnwritableCallError: a name or a string has the delimiter in it.
        """
        return ",".join(
            f"{self._name(name)}:{respelled(value, {}, self._text, self._name, is_compact=True)}"
            for name, value in members_of(in_order(arguments))
        )

    def _name(self, name: str) -> str:
        return name if _NAMES.fullmatch(name) else self._text(name)

    def _text(self, text: str) -> str:
        if self.delimiter in text:
            raise UnwritableCallError(f"a string with {self.delimiter} in it cannot be written in this format")
        return self.delimiter + whole(text) + self.delimiter

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from read_marks(cursor, (self.mark,))
        yield from cursor.skip()
        name = yield from read_run(cursor, _NAME)
        yield from cursor.skip()
        if (yield from cursor.need()) != "{":
            raise MalformedError("an opening brace expected")
        cursor.stop_record()
        sink.start(name)
        yield from Literals(self.delimiter).read(cursor, sink.arguments)
        sink.end()
        cursor.start_record()


@remembered()
def _text_in_order(text: str) -> str:
    """The JSON text of the schema with the properties of each object in the order in which they are written."""
    try:
        return JsonSchema(_in_order(DECODER.decode(text))).text
    except (ValueError, RecursionError):
        return text  # its compilation reports what is wrong


def _in_order(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_in_order(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    ordered = {
        key: value if type(value) in _PLAIN or key in _VALUES else _in_order(value) for key, value in schema.items()
    }
    if isinstance(properties := ordered.get("properties"), dict):
        ordered["properties"] = {name: properties[name] for name in sorted(properties, key=rank_of)}
    return ordered
