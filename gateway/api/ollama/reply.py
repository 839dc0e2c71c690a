"""Pieces of an answer to a body, or to lines of a stream."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Literal

from msgspec import UNSET

from gateway.api.ollama.pieces import End, Piece, PieceWriter, joined
from gateway.api.ollama.responses import ChatReply, GenerateReply, MessageOut
from gateway.api.sse import encode_line, written
from gateway.api.verdict import verdict_out
from gateway.core.answer import Delta

Line = ChatReply | GenerateReply


@dataclass(slots=True, kw_only=True)
class Reply:
    """One reply, and how long it takes. Create it when its request has arrived.

    Attributes:
        model: The name that the client used.
        kind: Which endpoint's lines it has.
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
        """A piece, or the whole, as a body."""
        told = self._chat(piece) if self.kind == "chat" else self._generated(piece)
        if piece.logprobs:
            told.logprobs = piece.logprobs
        if end is not None:
            self._finish(told, end)
        return told

    def loaded(self) -> Line:
        """The reply to a request without anything to answer."""
        told = self.line(Piece())
        told.done, told.done_reason = True, "load"
        return told

    async def whole(self, batches: AsyncGenerator[list[Delta], None]) -> Line:
        """The answer as one body.

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
        """The answer as lines of JSON, the last of which tells its end."""
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
        """Enter what is known at the end. The model is there before any request: loading it takes none of the time."""
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
    """The time, as Ollama writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
