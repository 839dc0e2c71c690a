"""Cancellation of work when the client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from typing import Any, TypeVar

from litestar import Request

from gateway.errors import RequestCancelledError

T = TypeVar("T")


async def while_connected(request: Request[Any, Any, Any], work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`, which is cancelled when the client disconnects.

    A handler learns of a disconnect only by listening. Call this after the body was read.

    Raises:
        RequestCancelledError: The client disconnected.
    """
    worker = asyncio.current_task()
    assert worker is not None
    num_cancelling = worker.cancelling()
    watch = asyncio.create_task(_cancel_when_gone(request, worker))
    try:
        return await work
    except asyncio.CancelledError:
        # Cancellations from elsewhere pass through.
        if watch.done() and worker.uncancel() == num_cancelling:
            raise RequestCancelledError("the client closed the connection") from None
        raise
    finally:
        watch.cancel()


async def begun(
    request: Request[Any, Any, Any], stream: AsyncGenerator[list[T], None]
) -> AsyncGenerator[list[T], None]:
    """Return the stream after its first items: errors before them can still be sent with a status.

    Raises:
        RequestCancelledError: The client went away.
    """
    try:
        first = await while_connected(request, _first(stream))
    except BaseException:
        await stream.aclose()
        raise
    return _resumed(first, stream)


async def _first(stream: AsyncGenerator[list[T], None]) -> list[T]:
    while not (items := await anext(stream)):
        pass
    return items


async def _resumed(first: list[T], stream: AsyncGenerator[list[T], None]) -> AsyncGenerator[list[T], None]:
    try:
        yield first
        async for item in stream:
            yield item
    finally:
        await stream.aclose()


async def _cancel_when_gone(request: Request[Any, Any, Any], worker: asyncio.Task[Any]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    worker.cancel()
