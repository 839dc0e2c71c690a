"""Requests of a batch on their way to a server: several at a time, repeated while it is busy or restarting."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

MAX_WAIT_S = 30.0
"""Longest pause before a request is sent again, whatever the server asks for."""
MAX_DEATHS = 3
"""Times that a request may be under way when the engine dies: it may be the cause."""

_BUSY = frozenset({429, 502, 503})
_DEATHS = frozenset({"engine_died", "engine_out_of_memory"})


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of a server.

    Attributes:
        body: JSON.
        retry_after_s: Pause that a busy server asks for.
    """

    status: int
    request_id: str
    body: bytes
    retry_after_s: float = 1.0

    @property
    def is_ok(self) -> bool:
        """True if the request was answered."""
        return self.status == 200

    @property
    def code(self) -> str | None:
        """Return the code of the error, if the body has one."""
        try:
            return str(json.loads(self.body)["error"]["code"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return None


Send = Callable[[str, bytes], Awaitable[Reply]]
"""Sends a JSON body to a path."""


async def answered(send: Send, url: str, body: bytes, patience_s: float) -> Reply:
    """Return the reply to a request, which is sent again while the server is busy or restarting.

    Args:
        patience_s: Time after which an error of a busy server is returned.
    """
    end, num_deaths = time.monotonic() + patience_s, 0
    while True:
        reply = await send(url, body)
        if reply.status not in _BUSY:
            return reply
        num_deaths += reply.code in _DEATHS
        wait_s = min(reply.retry_after_s, MAX_WAIT_S)
        if num_deaths >= MAX_DEATHS or time.monotonic() + wait_s > end:
            return reply
        await asyncio.sleep(wait_s)


T = TypeVar("T")


async def for_each(items: Iterator[T], do: Callable[[T], Awaitable[None]], concurrency: int) -> None:
    """Call `do` for each item, at most `concurrency` at a time. The first error ends the others and is raised."""

    async def work() -> None:
        for item in items:
            await do(item)

    workers = [asyncio.create_task(work()) for _ in range(concurrency)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
