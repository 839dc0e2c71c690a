"""Spelling of one call between its markers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from grammars import JsonOptions, JsonSchema, RawString, Regex, Tag
from grammars.frontends.base import Constraint
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.tool import Tool
from tools.toolset import ToolSet

_ANY = JsonSchema({"type": "string"})


class Body(ABC):
    """Texts around the arguments of one call, spelling of the arguments, and reader of both.

    An implementation is a frozen dataclass of markers and keys. `opening`, `closing`, `content` and `write` are one
    spelling, the native one; `read` also takes what is tolerated beside it.
    """

    __slots__ = ()

    @abstractmethod
    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments.

        Args:
            index: of the call in its text.
            id: of the call, for families that write it.
        """

    def closing(self) -> str:
        """Return the text after the arguments."""
        return ""

    def content(self, tool: Tool, options: JsonOptions) -> Constraint:
        """Return the constraint on the text between opening and closing."""
        return tool.arguments(options)

    def tag(self, tool: Tool, options: JsonOptions) -> Tag:
        """Return the constraint on the whole call: opening, content, closing.

        To be overridden where the opening is no fixed text, for it holds an id.
        """
        return Tag(self.opening(tool.name), self.content(tool, options), self.closing())

    def write(self, arguments: str, tool: Tool | None) -> str:
        """Return the arguments, given as JSON text, as the body spells them.

        Args:
            tool: The declaration, where it is known.
        """
        return arguments

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return texts of which each call begins with one, for calls without markers around them."""
        return ()

    def late_marks(self, name: str) -> tuple[str, ...]:
        """Return texts with one of which a call of a tool begins, and which mean nothing else even amid prose.

        For calls that usually are the whole text; none leaves prose before a call to be content, call and all.
        """
        return ()

    @abstractmethod
    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call, from after the marker before it to before the marker after it, and report it.

        `sink.start` as soon as the name is known and arguments are certain to follow, `sink.arguments` with JSON text
        as early as it is certain, `sink.end`. The cursor records what is read while it may turn out to be content:
        `cursor.stop_record()` goes with `sink.start`, `cursor.start_record()` with `sink.end`.

        Raises:
            MalformedError: the text is no call.
            TruncatedError: the text ended inside it.
        """


def input_without(tool: Tool, markers: tuple[str, ...]) -> Constraint:
    """Return the constraint on the input of a custom tool, without the markers that end it.

    Of a grammar in Lark's language the markers are not taken out.
    """
    if tool.grammar is None:
        return RawString(_ANY, markers)
    constraint = tool.input
    return replace(constraint, without=markers) if isinstance(constraint, Regex) else constraint
