"""A call as Python writes it: `f(a=1, b='x')`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from grammars import ANY_TYPES, Arguments, ArgumentSpelling, Concat, JsonOptions, JsonSchema, JsonString, ValueTag
from grammars.frontends.base import Constraint
from tools.errors import UnwritableCallError
from tools.formats.bodies.base import Body
from tools.formats.reading.literals import Literals, Members, json_text, read_run, whole
from tools.formats.reading.respelling import members_of, respelled, text_of
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import WHITESPACE, Cursor, MalformedError, ParserRoutine
from tools.tool import INPUT_KEY, Tool
from tools.toolset import ToolSet

_NAME = re.compile(r"[^\s()\[\]{}=,:'\"<>]+")
_KEYWORD = re.compile(r"[^=,;(){}'\"*\n]+")
_NAMES = re.compile(r"[^\s=,;(){}'\"*]([^=,;(){}'\"*\n]*[^\s=,;(){}'\"*])?", re.ASCII)
_PLAIN = re.compile(r"[^'\\\x00-\x1f\x7f]*")
_WORDS = {"null": "None", "true": "True", "false": "False"}
_LITERALS = Literals()


@dataclass(frozen=True, slots=True)
class KeywordCall(Body):
    """A call with keyword arguments, each a literal. Literals are read by a reader of our own; nothing is evaluated.

    Attributes:
        method: Text between the tool's name and the parenthesis, as in `search.call(query="x")`.
        separator: What is written between two arguments.
        values: Literals are written as Python has them, or as JSON has them.
    """

    method: str = ""
    separator: str = ", "
    values: Literal["python", "plain"] = "python"

    @property
    def spelling(self) -> ArgumentSpelling:
        """Spelling of arguments."""
        return ArgumentSpelling(
            before="",
            tags=(ValueTag(ANY_TYPES, "="),),
            after="",
            separator=self.separator,
            # More than Python takes: names of other languages are read unchanged.
            names=_NAMES.pattern,
            values=self.values,
        )

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{name}{self.method}("

    def closing(self) -> str:
        """Return the text after the arguments."""
        return ")"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the names of the tools each with the parenthesis."""
        return tuple(f"{name}{self.method}(" for name in tools.names)

    def late_marks(self, name: str) -> tuple[str, ...]:
        """Return the name with the parenthesis."""
        return (f"{name}{self.method}(",)

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the arguments."""
        if tool.kind == "custom":
            return Concat((f"{INPUT_KEY}=", JsonString(tool.input)))
        return Arguments(JsonSchema(tool.arguments_schema, options), self.spelling, f"tool {tool.name}")

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the arguments as keywords.

        Raises:
            UnwritableCallError: a name is none for a keyword.
        """
        is_custom = tool is not None and tool.kind == "custom"
        spell = _as_it_is if self.values == "plain" else _quoted_literal if is_custom else _literal
        return self.separator.join(f"{_keyword(name)}={spell(value)}" for name, value in members_of(arguments))

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from cursor.skip()
        name = yield from read_run(cursor, _NAME)
        yield from cursor.skip()
        if not (yield from cursor.match("(")) or not name.endswith(self.method):
            raise MalformedError("an opening parenthesis expected")
        cursor.stop_record()
        sink.start(name.removesuffix(self.method))
        members = Members(sink.arguments)
        is_first = True
        while True:
            yield from cursor.skip()
            if (yield from cursor.match(")")):
                break
            if not is_first:
                if not (yield from cursor.match(",")):
                    raise MalformedError("a comma or a closing parenthesis expected")
                yield from cursor.skip()
                if (yield from cursor.match(")")):
                    break
            is_first = False
            yield from _read_argument(cursor, members)
        members.end()
        sink.end()
        cursor.start_record()


def _read_argument(cursor: Cursor, members: Members) -> ParserRoutine:
    name = (yield from read_run(cursor, _KEYWORD)).strip(WHITESPACE)
    if not (yield from cursor.match("=")):
        raise MalformedError("an equals sign expected")
    yield from cursor.skip()
    yield from _LITERALS.read(cursor, members.begin(name))


def _keyword(name: str) -> str:
    if not _NAMES.fullmatch(name):
        raise UnwritableCallError(f"the name {name!r} cannot be written as a keyword")
    return name


def _as_it_is(value: str) -> str:
    return value


def _literal(value: str) -> str:
    text = text_of(value)
    if text is not None:
        return f"'{text}'" if _PLAIN.fullmatch(text) and text == whole(text) else _quoted(text)
    return _quoted_literal(value)


def _quoted_literal(value: str) -> str:
    return respelled(value, _WORDS, _quoted, _quoted)


def _quoted(text: str) -> str:
    return f'"{json_text(text)}"'
