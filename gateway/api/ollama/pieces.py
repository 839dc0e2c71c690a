"""Deltas of an answer as Ollama tells them: text and thoughts as they come, calls whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from msgspec import Raw

from gateway.api.ollama.responses import FunctionOut, LogprobOut, ToolCallOut, TopLogprobOut
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
        """What a delta adds; a call is told when what follows it shows that it is complete."""
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
    """All of them as one."""
    whole = Piece()
    for piece in found:
        whole.text += piece.text
        whole.thinking += piece.thinking
        whole.calls += piece.calls
        whole.logprobs += piece.logprobs
    return whole


def one_line(text: str) -> str:
    """The JSON text without the whitespace between its tokens: lines of a stream end at line ends."""
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
