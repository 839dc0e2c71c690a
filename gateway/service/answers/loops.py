"""Repetition in the reasoning of an answer: it is ended, and the answer continued after it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from gateway.engine import GenerationRequest, RunningEngine, TokenEvent
from gateway.service.answers.answer_writer import AnswerWriter


async def events_of(
    engine: RunningEngine, request: GenerationRequest, writer: AnswerWriter, tick_s: float | None
) -> AsyncGenerator[list[TokenEvent], None]:
    """Yield the engine's events of an answer. A free answer whose reasoning became a loop continues after it.

    Under a constraint the engine itself ends the reasoning.

    Args:
        writer: Must be fed each batch before the next is requested.
    """
    reasoning_end_ids, written = writer.reasoning_end_ids, list[int]()
    loop: TokenEvent | None = None
    # What a policy forbids stays forbidden after the reasoning.
    constraint = request.constraint.fork() if reasoning_end_ids and request.constraint is not None else None
    async with aclosing(engine.batches(request, tick_s)) as batches:
        async for batch in batches:
            written += [token for event in batch for token in event.token_ids]
            if not reasoning_end_ids or not batch or batch[-1].finish_reason != "repetition":
                yield batch
                continue
            *before, loop = batch
            yield [*before, replace(loop, finish_reason=None)]
            num_left = request.sampling.max_tokens - len(written) - len(reasoning_end_ids)
            if not writer.is_thinking or num_left < 1:
                yield [replace(loop, token_ids=[], logprobs=None)]
                loop = None
    if loop is not None:
        yield [replace(loop, token_ids=list(reasoning_end_ids), logprobs=None, finish_reason=None)]
        written += reasoning_end_ids
        if constraint is not None and not all(map(constraint.accept, written)):
            yield [replace(loop, token_ids=[], logprobs=None)]
            return
        least = max(request.sampling.min_tokens - len(written), 0)
        onward = replace(
            request,
            request_id=f"on-{request.request_id}",
            prompt_ids=[*request.prompt_ids, *written],
            sampling=replace(request.sampling, max_tokens=num_left, min_tokens=least, prompt_logprobs=None),
            group=None,
            constraint=constraint,
        )
        async with aclosing(engine.batches(onward, tick_s)) as batches:
            async for batch in batches:
                yield [replace(event, num_cached_tokens=loop.num_cached_tokens) for event in batch]
