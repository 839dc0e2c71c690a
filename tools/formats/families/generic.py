"""Models of no known family: one JSON object, calls or a response, described in the prompt."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import JsonSchema
from tools.formats.base import Format
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.json_call import JsonCall
from tools.formats.constraint import Answer
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import (
    Cursor,
    MalformedError,
    ParserRoutine,
    TruncatedError,
    read_text,
    read_text_into,
    read_value,
)
from tools.toolset import ToolSet

_CALL = JsonCall()


def read_reply(cursor: Cursor, sink: EventSink) -> ParserRoutine:
    """Read a JSON value that is meant for the reader: what a string spells, else its text. It may be cut off."""
    yield from cursor.skip()
    cursor.stop_record()
    try:
        if (yield from cursor.need()) == '"':
            yield from read_text_into(cursor, sink.content)
        else:
            yield from read_value(cursor, sink.content)
    except TruncatedError:
        cursor.take_rest()


@dataclass(frozen=True, slots=True)
class GenericCall(Body):
    """`{"tool_calls": [...]}`, `{"tool_call": {...}}` or `{"response": "..."}`; the object is all of the text."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return '{"tool_call": ' + _CALL.opening(name)

    def closing(self) -> str:
        """Return the text after the arguments."""
        return _CALL.closing() + "}"

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what the object begins with."""
        return ("{",)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read the object and report its calls or response.

        Raises:
            MalformedError: the text is neither calls nor a response.
            TruncatedError: the text ended inside it.
        """
        yield from read_marks(cursor, ("{",))
        yield from cursor.skip()
        key = yield from read_text(cursor)
        yield from read_marks(cursor, (":",))
        match key:
            case "tool_call" | "tool_calls":
                yield from _CALL.read(cursor, sink, tools)
            case "response":
                yield from read_reply(cursor, sink)
            case _:
                raise MalformedError("calls or a response expected")
        yield from cursor.skip()
        yield from cursor.skip_one("}")


_TEXT = JsonSchema({"type": "string"})

_INSTRUCTIONS = """You can call these tools:
{tools}

To call a tool, write only:
{"tool_calls": [{"name": ..., "arguments": {...}}]}
To answer without a tool, write only:
{"response": ...}"""

GENERIC = Format(
    name="generic",
    native=Block(section=Frame(('{"tool_calls": [',), ("]", "}")), body=JsonCall(), separator=", ", at_start=True),
    variants=(Block(body=GenericCall(), at_start=True),),
    answer=Answer(begin='{"response": ', end="}", content=_TEXT),
    instructions=_INSTRUCTIONS,
)
