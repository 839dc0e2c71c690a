"""Harmony, of gpt-oss: messages on channels, each with a header; thoughts, calls and answers all are such messages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grammars import JsonOptions, StructuralTag, Tag
from grammars.frontends.base import Constraint, Kept, Once
from grammars.frontends.combined import Either
from tools.calls import IdFactory
from tools.choice import ToolChoice
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.families.harmony_reader import HarmonyReader, read_arguments
from tools.formats.parser import Parser
from tools.formats.reading.frame import Frame
from tools.formats.reading.sink import EventSink
from tools.formats.reading.text import Cursor, ParserRoutine
from tools.tool import ORDERED
from tools.toolset import ToolSet

NEXT = "<|end|><|start|>assistant"
"""What stands between two messages of one answer; the first begins behind a header that the prompt has begun."""

FINAL = "<|channel|>final<|message|>"
_COMMENTARY = "<|channel|>commentary"
_RECIPIENT = " to=functions."
MARKS = ("<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|end|>", "<|call|>", "<|return|>")


@dataclass(frozen=True, slots=True)
class HarmonyCall(Body):
    """The header from the tool's name on, and the arguments."""

    def opening(self, name: str, index: int = 0, id: str = "") -> str:
        """Return the text before the arguments."""
        return f"{name} <|constrain|>json<|message|>"

    def read(self, cursor: Cursor, sink: EventSink, tools: ToolSet) -> ParserRoutine:
        """Read the arguments of a call whose header was read; see `Body.read`."""
        return read_arguments(cursor, sink)


class Harmony(Format):
    """Calls are messages to a recipient. One ends the answer: `<|call|>` is an end token, like `<|return|>`.

    Neither is part of the constraint, which therefore holds whichever of them a deployment lists as end tokens.
    """

    __slots__ = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Markers of the format."""
        return MARKS

    def parser(self, tools: ToolSet | None, choice: ToolChoice | None = None, ids: IdFactory | None = None) -> Parser:
        """Return a parser of one text, thoughts included; without tools calls are reported nevertheless."""
        return HarmonyReader(tools or ToolSet(), ids or self.ids(None))

    def constraint(
        self, tools: ToolSet, choice: ToolChoice, options: JsonOptions | None = None, without: tuple[str, ...] = ()
    ) -> Constraint | None:
        """Return what may be written after the thoughts; see `Format.constraint`."""
        allowed = choice.callable_tools(tools)
        if not allowed:
            return None
        begin, body = "".join(self.native.call.begin), self.native.body
        each = (body.tag(tool, options or ORDERED) for tool in allowed)
        tags = [replace(tag, content=Kept(tag.content)) for tag in each]
        written = (Tag(begin + tag.begin, tag.content, tag.end) for tag in tags)
        # As chat templates render past calls: the recipient comes before the channel.
        rendered = (
            Tag(f"{_RECIPIENT}{tool.name}{_COMMENTARY}{kind}<|message|>", tag.content, tag.end)
            for tool, tag in zip(allowed, tags, strict=True)
            for kind in (" json", " <|constrain|>json")
        )
        calls = Once(_one_of(*written, *rendered))
        if choice.mode != "auto":
            return calls
        preamble = StructuralTag((Tag(NEXT, calls),), triggers=MARKS, at_least_one=True, stop_after_first=True)
        final = StructuralTag((), triggers=MARKS)
        return Either((calls, _one_of(Tag(f"{_COMMENTARY}<|message|>", preamble), Tag(FINAL, final))))


def _one_of(*tags: Tag) -> StructuralTag:
    return StructuralTag(tags, at_least_one=True, stop_after_first=True, free_text=False)


HARMONY = Harmony(
    name="harmony",
    model_types=("gpt_oss",),
    native=Block(
        body=HarmonyCall(), call=Frame((f"{_COMMENTARY}{_RECIPIENT}",), ("<|call|>",)), separator="<|start|>assistant"
    ),
    aliases=("gpt-oss", "gpt_oss", "openai", "openai_gptoss"),
    signs=(TemplateMarkers(("<|channel|>", "<|message|>", "<|start|>")),),
    is_parallel=False,
    separates_answers=True,
)
