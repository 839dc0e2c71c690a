"""Glimmer of Muse: each message names whom it is for, and a call is a message to its tool."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall, read_until
from tools.formats.constraint import Answer
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.toolset import ToolSet

READER = "user"
NEXT = "<|eom|><|start|>assistant"
"""What stands between two messages of one answer; the first begins behind a header that the prompt has begun."""

_BODY = "<|message|>"
_CALLS = "<atem:function_calls>"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressedCall(TaggedCall):
    """The header from the recipient on, and the call; where the recipient is the reader, content follows."""

    def marks(self, tools: ToolSet) -> tuple[str, ...]:
        """Return what a header begins with."""
        return ("to=",)

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read one call and report it, or no more than the header of a message to the reader; see `Body.read`."""
        yield from cursor.skip()
        if (yield from read_until(cursor, _BODY)) != f"to={READER}":
            yield from read_marks(cursor, (_CALLS,))
            yield from TaggedCall.read(self, cursor, sink, tools)


_CALL = AddressedCall(
    begin=f' to={{name}}{_BODY}{_CALLS}\n<atem:invoke name="{{name}}">\n',
    mark="<atem:invoke name=",
    head='"(?P<name>[^<>"]+)"',
    head_end=">",
    spelling=ArgumentSpelling(
        before='<atem:parameter name="',
        tags=(ValueTag(ANY_TYPES, '">'),),
        after="</atem:parameter>\n",
        names=r"""[^<>"'\s]([^<>"'\n]*[^<>"'\s])?""",
        has_entities=True,
        marker="</atem:parameter>",
    ),
    member='(?P<name>[^<>"]+)"',
    member_end=">",
    end="</atem:invoke>",
    stops=("</atem:function_calls>",),
)
_END = ("\n", "</atem:function_calls>")

GLIMMER = Format(
    name="glimmer",
    native=Block(call=Frame((), _END), body=_CALL, separator=NEXT, at_start=True),
    variants=(Block(call=Frame((NEXT,), _END), body=_CALL),),
    aliases=("muse", "muse_glimmer"),
    signs=(TemplateMarkers(("<atem:invoke",)),),
    answer=Answer(begin=f" to={READER}{_BODY}"),
)
