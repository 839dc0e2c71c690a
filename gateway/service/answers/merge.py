"""Merging of several streams into one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


def merged(streams: Sequence[AsyncGenerator[T, None]]) -> AsyncGenerator[T, None]:
    """Return the items of all streams in order of arrival.

    The first failure of a stream ends all of them. Closing the result closes all of them.
    """
    return streams[0] if len(streams) == 1 else _merged(streams)


async def _merged(streams: Sequence[AsyncGenerator[T, None]]) -> AsyncGenerator[T, None]:
    arrivals: asyncio.Queue[T | BaseException | None] = asyncio.Queue()
    tasks = [asyncio.create_task(_pump(stream, arrivals)) for stream in streams]
    try:
        num_open = len(tasks)
        while num_open:
            arrival = await arrivals.get()
            if isinstance(arrival, BaseException):
                raise arrival
            if arrival is None:
                num_open -= 1
            else:
                yield arrival
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def _pump(stream: AsyncGenerator[T, None], arrivals: asyncio.Queue[T | BaseException | None]) -> None:
    """Put the stream's items into the queue, then None, or its failure."""
    try:
        async for item in stream:
            arrivals.put_nowait(item)
        arrivals.put_nowait(None)
    except Exception as error:
        arrivals.put_nowait(error)
    finally:
        await stream.aclose()
