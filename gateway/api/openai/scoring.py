"""A prompt that is only read (`echo` with `max_tokens: 0`): one token is written, and nothing is told of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from gateway.api.openai.requests import CompletionBody
from gateway.core.answer import Answers, Delta, Finish, TextDelta, Usage


def is_scoring(body: CompletionBody) -> bool:
    """Whether the echo is all that is asked for."""
    return bool(body.echo) and body.max_tokens == 0


def without_answers(answers: Answers) -> Answers:
    """The answers, empty."""
    empty = (
        replace(answer, text="", logprobs=(), rest=(), finish_reason="length", stop_reason=None)
        for answer in answers.choices
    )
    return Answers(tuple(empty), _unwritten(answers.usage))


async def without_text(batches: AsyncGenerator[list[Delta], None]) -> AsyncGenerator[list[Delta], None]:
    """The deltas of a stream whose answers are empty."""
    async with aclosing(batches):
        async for deltas in batches:
            yield [_emptied(delta) for delta in deltas if not isinstance(delta, TextDelta)]


def _emptied(delta: Delta) -> Delta:
    if isinstance(delta, Finish):
        return replace(delta, reason="length", stop_reason=None, rest=())
    return _unwritten(delta) if isinstance(delta, Usage) else delta


def _unwritten(usage: Usage) -> Usage:
    return replace(usage, completion_tokens=0)
