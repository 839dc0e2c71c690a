"""Kimi K3: tags between special tokens, each argument with its type."""

from __future__ import annotations

from dataclasses import dataclass

from grammars import JSON_TYPES, ArgumentSpelling, ArgumentTypes, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.frame import Frame, read_marks
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine, read_arguments

_SPELLING = ArgumentSpelling(
    before='<|open|>argument key="',
    tags=tuple(ValueTag(frozenset({name}), f'" type="{name}"<|sep|>') for name in JSON_TYPES),
    after="<|close|>argument<|sep|>",
    names=r'[^"&|\s]([^"&|\n]*[^"&|\s])?',
    has_entities=True,
    marker="<|close|>",
)

_JSON, _JSON_END = '<|open|>json type="object"<|sep|>', "<|close|>json<|sep|>"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCall(TaggedCall):
    """Arguments one by one; one object of JSON with all of them is read too."""

    def read_members(self, cursor: Cursor, sink: EventSink, types: ArgumentTypes) -> ParserRoutine:
        """Read all arguments and what ends them."""
        yield from cursor.skip()
        if not (yield from cursor.match(_JSON)):
            yield from TaggedCall.read_members(self, cursor, sink, types)
            return
        yield from cursor.skip()
        yield from read_arguments(cursor, sink.arguments)
        yield from read_marks(cursor, (_JSON_END, self.end))


KIMI_K3 = Format(
    name="kimi_k3",
    model_types=("kimi_k3",),
    native=Block(
        section=Frame(("<|open|>tools<|sep|>",), ("<|close|>tools<|sep|>",)),
        body=TypedCall(
            begin='<|open|>call tool="{name}" index="{index}"<|sep|>',
            mark="<|open|>call",
            head=r'tool="(?P<name>[^"]+)"(?:\s+index="[0-9]*")?',
            head_end="<|sep|>",
            spelling=_SPELLING,
            member=r'(?P<name>[^"]+)"(?:\s+type="(?P<type>[a-z]+)")?',
            member_end="<|sep|>",
            raw_type="string",
            end="<|close|>call<|sep|>",
            stops=("<|close|>tools<|sep|>",),
            first_index=1,
        ),
    ),
    signs=(TemplateMarkers(("<|open|>", "<|close|>", "<|sep|>")),),
)
