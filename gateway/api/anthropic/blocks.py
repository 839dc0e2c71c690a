"""Deltas of an answer as content blocks: streamed events, and blocks assembled from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec import Raw

from gateway.api.anthropic.chat import signature_of
from gateway.api.anthropic.documents import location
from gateway.api.anthropic.messages import to_wire
from gateway.api.anthropic.responses import (
    Block,
    BlockDelta,
    BlockEvent,
    BlockStart,
    BlockStop,
    CitationDeltaOut,
    InputDeltaOut,
    SignatureDeltaOut,
    TextBlock,
    TextDeltaOut,
    ThinkingBlock,
    ThinkingDeltaOut,
    ToolUseBlock,
)
from gateway.core.answer import ArgumentsDelta, CallDelta, CitationDelta, PromptDelta, ReasoningDelta, TextDelta

NO_INPUT = Raw(b"{}")


@dataclass(slots=True)
class BlockWriter:
    """Writes one message's blocks, one after the other. `feed` each delta, then `finish`.

    Attributes:
        hides_thinking: Thinking blocks are sent without their text.
        num_calls: Calls so far.
    """

    hides_thinking: bool = False
    num_calls: int = 0
    _index: int = -1
    _open: type[Block] | None = None
    _thought: list[str] = field(default_factory=list)
    _is_cited: bool = False

    def feed(
        self, delta: PromptDelta | TextDelta | ReasoningDelta | CallDelta | ArgumentsDelta | CitationDelta
    ) -> Iterator[BlockEvent]:
        """Yield the events of one delta."""
        match delta:
            case TextDelta(text=text):
                if self._is_cited:
                    yield from self.finish()
                yield from self._opened(TextBlock(text=""))
                yield self._delta(TextDeltaOut(text=text))
            case CitationDelta(citation=citation):
                yield self._delta(CitationDeltaOut(citation=location(citation)))
                self._is_cited = True
            case ReasoningDelta(text=text):
                yield from self._opened(ThinkingBlock(thinking="", signature=""))
                self._thought.append(text)
                if not self.hides_thinking:
                    yield self._delta(ThinkingDeltaOut(thinking=text))
            case CallDelta(id=id, name=name):
                self.num_calls += 1
                yield from self.finish()
                yield from self._opened(ToolUseBlock(id=to_wire(id), name=name, input=NO_INPUT))
            case ArgumentsDelta(text=text):
                yield self._delta(InputDeltaOut(partial_json=text))
            case PromptDelta():
                pass  # no field of the dialect asks for it

    def finish(self) -> Iterator[BlockEvent]:
        """Yield the events that close the block that is open, if one is."""
        if self._open is ThinkingBlock:
            yield self._delta(SignatureDeltaOut(signature=signature_of("".join(self._thought))))
            self._thought.clear()
        self._is_cited = False
        if self._open is not None:
            self._open = None
            yield BlockStop(index=self._index)

    def _opened(self, block: Block) -> Iterator[BlockEvent]:
        """Yield the events after which a block of this kind is open."""
        if self._open is not type(block):
            yield from self.finish()
            self._index += 1
            self._open = type(block)
            yield BlockStart(index=self._index, content_block=block)

    def _delta(
        self, delta: TextDeltaOut | ThinkingDeltaOut | SignatureDeltaOut | InputDeltaOut | CitationDeltaOut
    ) -> BlockDelta:
        return BlockDelta(index=self._index, delta=delta)


def assembled(events: Iterable[BlockEvent]) -> list[Block]:
    """Return the blocks that these events describe."""
    blocks: list[Block] = []
    pieces: list[str] = []
    for event in events:
        match event:
            case BlockStart(content_block=block):
                blocks.append(block)
                pieces = []
            case BlockDelta(delta=SignatureDeltaOut(signature=signature)):
                block = blocks[-1]
                assert isinstance(block, ThinkingBlock), "only what was thought is signed"
                block.signature = signature
            case BlockDelta(delta=CitationDeltaOut(citation=citation)):
                block = blocks[-1]
                assert isinstance(block, TextBlock), "only text is cited for"
                block.citations = [*(block.citations or ()), citation]
            case BlockDelta(delta=TextDeltaOut(text=text) | ThinkingDeltaOut(thinking=text)):
                pieces.append(text)
            case BlockDelta(delta=InputDeltaOut(partial_json=text)):
                pieces.append(text)
            case BlockStop():
                _fill(blocks[-1], "".join(pieces))
    return blocks


def _fill(block: Block, text: str) -> None:
    match block:
        case TextBlock():
            block.text = text
        case ThinkingBlock():
            block.thinking = text
        case ToolUseBlock() if text:
            block.input = Raw(text.encode())
