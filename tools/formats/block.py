"""Calls of one text, and the markers around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.formats.bodies.base import Body
from tools.formats.reading.frame import Frame
from tools.toolset import ToolSet

_OPENERS = ("{", "[", "`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One way to write calls: `section.begin call separator call ... section.end`.

    Each call is `call.begin body call.end`.

    Attributes:
        body: How a call is spelled between its markers.
        call: Markers around each call.
        section: Markers around all calls, for families that have them. Without a marker at its end it ends where no
            call follows. A section without any markers is calls in a row.
        separator: What is written between two calls.
        at_start: It is read only where the text begins with it, whitespace aside; for markers that are too common to
            mean a call anywhere, or for none.
        is_written: As a variant, it may be written as well as the native form. It has no section.
    """

    body: Body
    call: Frame = field(default_factory=Frame)
    section: Frame | None = None
    separator: str = ""
    at_start: bool = False
    is_written: bool = False

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the texts with one of which the block begins."""
        begin = self.section.begin_marks if self.section else ()
        return begin[:1] or self.call_marks(tools)

    def late_marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the texts with one of which a block that is read at the start is read after prose as well."""
        begin = "".join((*(self.section.begin if self.section else ()), *self.call.begin))
        marks = (mark for name in tools.names for mark in self.body.late_marks(name))
        # A name with a parenthesis is too common in prose to mean a call.
        return tuple(begin + mark for mark in marks if (begin + mark)[:1] in _OPENERS) if self.at_start else ()

    def call_marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return the texts with one of which each of its calls begins."""
        return self.call.begin_marks[:1] or self.body.marks(tools)

    @property
    def end_mark(self) -> str:
        """The last marker at its end, or nothing."""
        marks = (self.section or self.call).end_marks
        return marks[-1] if marks else ""
