"""Texts to tokens off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from gateway.config import LimitsConfig
from gateway.service.turns import Turns

T = TypeVar("T")

LONG = 50_000
"""Characters that take some ten milliseconds to be read."""


class Reading:
    """Reads texts in threads. For long ones tenants take turns: as many are read together as constraints are worked on.
    One event loop uses it."""

    def __init__(self, limits: LimitsConfig) -> None:
        self.turns = Turns(limits.max_compilations, limits.max_waiting_compilations, "long texts")

    async def read(self, call: Callable[[], T], num_characters: int, tenant: str) -> T:
        """What `call` makes of texts of so many characters.

        Raises:
            OverloadedError: Too many long ones wait already, of all tenants or of this one.
        """
        if num_characters < LONG:
            return await asyncio.to_thread(call)
        await self.turns.take(tenant)
        # Whoever stops waiting leaves the thread at work, and in its place.
        work = asyncio.ensure_future(asyncio.to_thread(call))
        work.add_done_callback(lambda _: self.turns.give_back(tenant))
        work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return await asyncio.shield(work)
