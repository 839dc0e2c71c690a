"""Requests of the engine's that are no client's answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, cast

from gateway.engine import GenerationRequest, RunningEngine, TokenEvent
from gateway.engine.errors import EngineFault
from gateway.errors import EngineError
from gateway.service.faults import as_gateway_error

T = TypeVar("T")


async def last_event(engine: RunningEngine, request: GenerationRequest) -> TokenEvent:
    """The event with which a request ends.

    Raises:
        GatewayError: It failed, or was given up.
    """
    try:
        stream = cast(AsyncGenerator[TokenEvent, None], engine.stream(request))
        async with aclosing(stream) as events:
            async for event in events:
                if event.finish_reason in ("error", "cancelled"):
                    raise as_gateway_error(event.error)
                if event.finish_reason is not None:
                    return event
    except EngineFault as fault:
        raise as_gateway_error(fault) from fault
    raise EngineError("the engine gave no answer")


async def together(work: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The outcomes of all; the first failure ends the others."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
