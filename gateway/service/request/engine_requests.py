"""Requests to the engine for scores and the like, and its faults as the client's errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, cast

from gateway.engine import GenerationRequest, RunningEngine, TokenEvent
from gateway.engine import errors as faults
from gateway.errors import (
    AdapterError,
    ContextLengthError,
    DeadEndError,
    DeadlineExceededError,
    EngineDiedError,
    EngineError,
    EngineMemoryError,
    GatewayError,
    InvalidRequestError,
    ModelNotFoundError,
    NotReadyError,
    OverloadedError,
)

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def last_event(engine: RunningEngine, request: GenerationRequest) -> TokenEvent:
    """Return the last event of a request.

    Raises:
        GatewayError: The request failed, or was cancelled.
    """
    try:
        stream = cast(AsyncGenerator[TokenEvent, None], engine.stream(request))
        async with aclosing(stream) as events:
            async for event in events:
                if event.finish_reason in ("error", "cancelled"):
                    raise as_gateway_error(event.error)
                if event.finish_reason is not None:
                    return event
    except faults.EngineFault as fault:
        raise as_gateway_error(fault) from fault
    raise EngineError("the engine gave no answer")


async def together(work: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Return the results of all; the first failure cancels the others."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def as_gateway_error(fault: BaseException | None) -> GatewayError:
    """Return the client's error for a fault; internal details are only logged."""
    match fault:
        case faults.QueueFullError():
            return OverloadedError(str(fault), retry_after_s=fault.retry_after_s)
        case faults.AdaptationsFullError():
            return OverloadedError(str(fault))
        case faults.DeadlineExceededError():
            return DeadlineExceededError(str(fault))
        case faults.ContextLengthExceededError():
            return ContextLengthError(str(fault))
        case faults.InvalidAdapterError():
            return AdapterError(str(fault))
        case faults.AdapterNotFoundError():
            return ModelNotFoundError(str(fault), param="model")
        case faults.InvalidSamplingError():
            return InvalidRequestError(str(fault), param=fault.parameter)
        case faults.DeadMaskError():
            logger.error("an answer came to a dead end", exc_info=fault)
            return DeadEndError("the answer came to where the constraint lets nothing follow; it was withheld")
        case faults.EngineClosedError() | faults.EngineUnavailableError():
            return NotReadyError(str(fault))
        case faults.EngineDiedError():
            return EngineDiedError("the engine died while this request ran; its other requests ended with it")
        case faults.EngineMemoryError():
            logger.error("memory ran out in the engine", exc_info=fault)
            return EngineMemoryError("memory ran out while this request was computed")
    logger.error("the engine gave up on a request", exc_info=fault)
    code = fault.code if isinstance(fault, faults.EngineFault) else "unknown"
    message = f"the engine gave up on this request ({code}); others are not affected"
    return EngineError(message, is_retryable=isinstance(fault, faults.EngineFault) and fault.retryable)
