"""TGI: `{"function": {"_name": "f", ...}}`, the name and the arguments in one object."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import ANY_TYPES, Arguments, ArgumentSpelling, Concat, JsonOptions, JsonSchema, JsonString, ValueTag
from grammars.frontends.base import Constraint
from tools.formats.base import Format
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.constraint import Answer
from tools.formats.families.generic import read_reply
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine, quoted, read_members, read_text
from tools.tool import INPUT_KEY
from tools.toolset import Tool, ToolSet

_ANY_STRING = JsonSchema({"type": "string"})
_NAME = "_name"
_NOTHING = "no_tool"
_SPELLING = ArgumentSpelling(
    before=', "',
    tags=(ValueTag(ANY_TYPES, '": '),),
    after="",
    names=rf'(?!{_NAME}$)[^"\\\u0000-\u001f]+',
    values="plain",
)


_INSTRUCTIONS = """You can call these tools:
{tools}

If one of them helps, write a JSON object with "function": an object with the name of the tool as "_name", and its \
arguments. If none of them helps, "_name" is "no_tool", and "content" the text that you say to the user."""


@dataclass(frozen=True, slots=True)
class TgiCall(Body):
    """A call of TGI; the tool `no_tool` is an answer, its `content` for the reader."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f'{{"function": {{"{_NAME}": {quoted(name)}'

    def closing(self) -> str:
        """Return the text after the arguments."""
        return "}}"

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the arguments' members, a comma before them."""
        members = arguments.strip()[1:-1].strip()
        return f", {members}" if members else ""

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the arguments' members, a comma before each."""
        if tool.kind == "custom":
            return Concat((f', "{INPUT_KEY}": ', JsonString(tool.input)))
        return Arguments(JsonSchema(tool.arguments_schema, options), _SPELLING, f"tool {tool.name}")

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what the object begins with."""
        return ("{",)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """
        yield from read_marks(cursor, ("{", '"function"', ":", "{", f'"{_NAME}"', ":"))
        yield from cursor.skip()
        name = yield from read_text(cursor)
        yield from cursor.skip()
        if (yield from cursor.need()) not in ",}":
            raise MalformedError("a comma or a brace expected")
        if name == _NOTHING:
            yield from read_marks(cursor, (",", '"content"', ":"))
            yield from read_reply(cursor, sink)
            yield from cursor.skip()
            yield from cursor.skip_one("}")
        else:
            cursor.stop_record()
            sink.start(name)
            sink.arguments("{")
            yield from cursor.skip_one(",")
            yield from cursor.skip()
            yield from read_members(cursor, sink.arguments)
            sink.end()
            cursor.start_record()
        yield from cursor.skip()
        yield from cursor.skip_one("}")


TGI = Format(
    name="tgi",
    native=Block(section=Frame(), body=TgiCall(), separator="\n", at_start=True),
    is_parallel=False,
    answer=Answer(begin='{"function": {"_name": "no_tool", "content": ', end="}}", content=_ANY_STRING),
    instructions=_INSTRUCTIONS,
)
