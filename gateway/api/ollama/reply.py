"""Deltas of an answer as Ollama's replies: one body, or lines of JSON."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal

from msgspec import UNSET, Raw

from gateway.api.http.sse import encode_line, written
from gateway.api.ollama.responses import (
    ChatReply,
    FunctionOut,
    GenerateReply,
    LogprobOut,
    MessageOut,
    ToolCallOut,
    TopLogprobOut,
)
from gateway.api.verdict import verdict_out
from gateway.core.answer import (
    ArgumentsDelta,
    CallDelta,
    Delta,
    Finish,
    ReasoningDelta,
    TextDelta,
    TokenLogprob,
    TopLogprob,
    Usage,
)

_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|[ \t\n\r]+')


@dataclass(slots=True)
class Piece:
    """Something new of an answer."""

    text: str = ""
    thinking: str = ""
    calls: list[ToolCallOut] = field(default_factory=list)
    logprobs: list[LogprobOut] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class End:
    """The answer is complete."""

    finish: Finish
    usage: Usage


@dataclass(slots=True)
class PieceWriter:
    """Writes one answer's pieces. `feed` each delta, in order."""

    _call: CallDelta | None = None
    _arguments: list[str] = field(default_factory=list)
    _logprobs: list[LogprobOut] = field(default_factory=list)
    _finish: list[Finish] = field(default_factory=list)

    def feed(self, delta: Delta) -> Iterator[Piece | End]:
        """Yield the pieces of a delta; a call when the delta after it shows that it is complete."""
        if isinstance(delta, Finish) and delta.reason == "content_filter":
            self._call = None  # it may be cut
        if not isinstance(delta, ArgumentsDelta):
            yield from self._called()
        match delta:
            case TextDelta(text=text, logprobs=logprobs):
                yield Piece(text=text, logprobs=[_logprob(entry) for entry in logprobs])
            case ReasoningDelta(text=text):
                yield Piece(thinking=text)
            case CallDelta(logprobs=logprobs):
                self._call = delta
                self._logprobs = [_logprob(entry) for entry in logprobs]
            case ArgumentsDelta(text=text, logprobs=logprobs):
                self._arguments.append(text)
                self._logprobs += [_logprob(entry) for entry in logprobs]
            case Finish():
                self._finish.append(delta)
            case Usage():
                yield End(self._finish[0], delta)

    def _called(self) -> Iterator[Piece]:
        call, arguments = self._call, "".join(self._arguments)
        self._call = None
        self._arguments.clear()
        if call is not None:
            yield Piece(calls=[_call(call, arguments)], logprobs=self._logprobs)


def joined(found: Iterable[Piece]) -> Piece:
    """Return all pieces as one."""
    whole = Piece()
    for piece in found:
        whole.text += piece.text
        whole.thinking += piece.thinking
        whole.calls += piece.calls
        whole.logprobs += piece.logprobs
    return whole


def one_line(text: str) -> str:
    """Return the JSON text without the whitespace between its tokens: lines of a stream end at line ends."""
    return _SPACE.sub(lambda match: match[1] or "", text)


def _call(call: CallDelta, arguments: str) -> ToolCallOut:
    function = FunctionOut(index=call.index, name=call.name, arguments=Raw(one_line(arguments).encode() or b"{}"))
    return ToolCallOut(id=call.id, function=function)


def _logprob(entry: TokenLogprob) -> LogprobOut:
    drawn = entry.drawn
    out = LogprobOut(token=drawn.token, logprob=drawn.logprob, bytes=list(drawn.data))
    if entry.top:
        out.top_logprobs = [_candidate(top) for top in entry.top]
    return out


def _candidate(top: TopLogprob) -> TopLogprobOut:
    return TopLogprobOut(token=top.token, logprob=top.logprob, bytes=list(top.data))


Line = ChatReply | GenerateReply


@dataclass(slots=True, kw_only=True)
class Reply:
    """A reply with its timings. Create it when the request arrives.

    Attributes:
        model: The name that the client used.
        kind: Endpoint whose format the lines have.
    """

    model: str
    kind: Literal["chat", "generate"]
    _arrived: int = field(default_factory=time.perf_counter_ns)
    _prepared: int = 0
    _begun: int = 0

    def begin(self) -> None:
        """The prompt goes to the engine."""
        self._prepared = time.perf_counter_ns()

    def line(self, piece: Piece, end: End | None = None) -> Line:
        """Return a piece, or the whole, as a body."""
        told = self._chat(piece) if self.kind == "chat" else self._generated(piece)
        if piece.logprobs:
            told.logprobs = piece.logprobs
        if end is not None:
            self._finish(told, end)
        return told

    def without_answer(self, done_reason: Literal["load", "unload"]) -> Line:
        """Return the reply to a request without anything to answer."""
        told = self.line(Piece())
        told.done, told.done_reason = True, done_reason
        return told

    async def whole(self, batches: AsyncGenerator[list[Delta], None]) -> Line:
        """Return the answer as one body.

        Raises:
            GatewayError: The engine or the verification failed.
        """
        writer = PieceWriter()
        found: list[Piece] = []
        async with aclosing(batches):
            async for batch in batches:
                self._note_begin()
                for piece in chain.from_iterable(map(writer.feed, batch)):
                    if isinstance(piece, End):
                        end = piece
                    else:
                        found.append(piece)
        return self.line(joined(found), end)

    def lines(self, batches: AsyncGenerator[list[Delta], None]) -> AsyncGenerator[bytes, None]:
        """Return the answer as lines of JSON; the last one carries the final figures."""
        writer = PieceWriter()

        def write(delta: Delta) -> bytes:
            self._note_begin()
            return b"".join(map(self._framed, writer.feed(delta)))

        return written(batches, write)

    def _framed(self, piece: Piece | End) -> bytes:
        told = self.line(Piece(), piece) if isinstance(piece, End) else self.line(piece)
        return encode_line(told) + b"\n"

    def _note_begin(self) -> None:
        self._begun = self._begun or time.perf_counter_ns()

    def _chat(self, piece: Piece) -> ChatReply:
        message = MessageOut(content=piece.text, thinking=piece.thinking or UNSET, tool_calls=piece.calls or UNSET)
        return ChatReply(model=self.model, created_at=now(), message=message, done=False)

    def _generated(self, piece: Piece) -> GenerateReply:
        return GenerateReply(
            model=self.model, created_at=now(), response=piece.text, thinking=piece.thinking or UNSET, done=False
        )

    def _finish(self, told: Any, end: End) -> None:
        """Fill in the final figures. The model is loaded before any request, so loading takes no time."""
        ended = time.perf_counter_ns()
        told.done = True
        reason = end.finish.reason
        told.done_reason = reason if reason in ("length", "content_filter") else "stop"
        if end.finish.has_looped and reason != "tool_calls":
            told.done_reason = "repetition"
        told.budget_steered = end.finish.is_steered or UNSET
        told.total_duration = ended - self._arrived
        told.load_duration = 0
        told.prompt_eval_count = end.usage.prompt_tokens
        told.prompt_eval_duration = self._begun - self._prepared
        told.eval_count = end.usage.completion_tokens
        told.eval_duration = ended - self._begun
        told.verdict = verdict_out(end.usage)


def now() -> str:
    """Return the time, as Ollama writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
