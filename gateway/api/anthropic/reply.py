"""Deltas as a message, whole or as events; both consist of the same blocks."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from msgspec import UNSET

from gateway.api.anthropic.blocks import BlockWriter, assembled
from gateway.api.anthropic.responses import (
    BlockEvent,
    BlockStart,
    DeltaUsageOut,
    Message,
    MessageDelta,
    MessageStart,
    MessageStop,
    OutputDetails,
    Ping,
    StopOut,
    StopReason,
    ToolUseBlock,
    UsageOut,
)
from gateway.api.http.sse import event, written
from gateway.api.verdict import verdict_out
from gateway.core.answer import Delta, Finish, Usage
from gateway.service.request.plan import Prepared

PING = event(Ping(), "ping")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """State of a message before its first token.

    Attributes:
        num_prompt: Tokens of its prompt.
        is_cut_by_context: The context leaves fewer tokens than were asked for.
        hides_thinking: Thoughts are not shown.
    """

    id: str
    model: str
    num_prompt: int
    is_cut_by_context: bool
    hides_thinking: bool

    @classmethod
    def of(cls, prepared: Prepared, max_tokens: int, hides_thinking: bool = False) -> Reply:
        """Return the reply to a request that is ready to run."""
        prompt = prepared.prompts[0]
        return cls(
            id=f"msg_{secrets.token_hex(12)}",
            model=prepared.model_name,
            num_prompt=len(prompt.ids),
            is_cut_by_context=prompt.sampling.max_tokens < max_tokens,
            hides_thinking=hides_thinking,
        )

    def stop(self, finish: Finish, num_calls: int) -> StopOut:
        """Why the message ends, in Anthropic's words."""
        if finish.reason == "content_filter":
            return StopOut(stop_reason="refusal")
        if num_calls and not finish.is_steered:
            return StopOut(stop_reason="tool_use")
        if isinstance(finish.stop_reason, str):
            return StopOut(stop_reason="stop_sequence", stop_sequence=finish.stop_reason)
        if finish.reason != "length":
            return StopOut(stop_reason="end_turn")
        is_full = self.is_cut_by_context and not finish.has_looped
        reason: StopReason = "model_context_window_exceeded" if is_full else "max_tokens"
        return StopOut(stop_reason=reason, budget_steered=finish.is_steered or UNSET)


async def message(reply: Reply, batches: AsyncGenerator[list[Delta], None]) -> Message:
    """Return the message, whole.

    Raises:
        GatewayError: The engine or the verification failed; there is no message then.
    """
    writer = BlockWriter(reply.hides_thinking)
    events: list[BlockEvent] = []
    async with aclosing(batches):
        async for batch in batches:
            for delta in batch:
                if isinstance(delta, Finish):
                    events += writer.finish()
                    stop = reply.stop(delta, writer.num_calls)
                elif isinstance(delta, Usage):
                    usage, verdict = _usage(delta), verdict_out(delta)
                else:
                    events += writer.feed(delta)
    return Message(
        id=reply.id,
        model=reply.model,
        # A call that was cut is none.
        content=[
            block for block in assembled(events) if stop.stop_reason != "refusal" or not isinstance(block, ToolUseBlock)
        ],
        stop_reason=stop.stop_reason,
        stop_sequence=stop.stop_sequence,
        budget_steered=stop.budget_steered,
        usage=UsageOut(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_input_tokens=usage.cache_read_input_tokens,
            output_tokens_details=usage.output_tokens_details,
        ),
        verdict=verdict,
    )


async def message_events(reply: Reply, batches: AsyncGenerator[list[Delta], None]) -> AsyncGenerator[bytes, None]:
    """Yield the message as events. The final usage says how much of the prompt was cached."""
    writer = BlockWriter(reply.hides_thinking)
    usage = UsageOut(input_tokens=reply.num_prompt, output_tokens=0, output_tokens_details=OutputDetails())
    begun = Message(id=reply.id, model=reply.model, content=[], stop_reason=None, usage=usage)
    stops: list[StopOut] = []

    def write(delta: Delta) -> bytes:
        if isinstance(delta, Usage):
            end = MessageDelta(delta=stops[0], usage=_usage(delta), verdict=verdict_out(delta))
            return event(end, "message_delta")
        if not isinstance(delta, Finish):
            return b"".join(map(_framed, writer.feed(delta)))
        stops.append(reply.stop(delta, writer.num_calls))
        return b"".join(map(_framed, writer.finish()))

    async with aclosing(written(batches, write, PING)) as pieces:
        yield event(MessageStart(message=begun), "message_start")
        async for piece in pieces:
            yield piece
        yield event(MessageStop(), "message_stop")


def _framed(told: BlockEvent) -> bytes:
    """Return an event; a ping follows the first block start, as in Anthropic's API."""
    data = event(told, told.type)
    return data + PING if isinstance(told, BlockStart) and told.index == 0 else data


def _usage(usage: Usage) -> DeltaUsageOut:
    return DeltaUsageOut(
        input_tokens=usage.prompt_tokens - usage.cached_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_input_tokens=usage.cached_tokens,
        output_tokens_details=OutputDetails(thinking_tokens=usage.reasoning_tokens),
    )
