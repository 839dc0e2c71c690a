"""A service that serves: its drain, its end, and what is due every tenth of a second, under any ASGI server."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from gateway.hosting.loop_watch import LoopWatch, StallLog
from gateway.service.gate import IdleWatch
from gateway.service.model.memory import HeapTrimmer

if TYPE_CHECKING:
    from gateway.hosting.reloading import Reloading
    from gateway.service.model_pool import ModelPool

TICK_S = 0.1
TRIM_TICKS = 20
"""Ticks between looks at the memory."""
LAST_WORDS_S = 2
"""Seconds that the last answers get to reach their clients, at least."""


class RunningService:
    """A loaded service on the event loop of a server, which calls `tick` every `TICK_S` seconds.

    Args:
        reloading: Keys and policies that a signal may have read again.
        progress: Called with each line about a state that changed.

    Attributes:
        stalls: Log of times for which the event loop was blocked, and their metrics.
        deadline: Time (`time.monotonic`) at which answers under way are ended; None until the drain begins.
    """

    def __init__(self, pool: ModelPool, reloading: Reloading, progress: Callable[[str], None]) -> None:
        self.pool = pool
        self.stalls = StallLog()
        self.deadline: float | None = None
        self._reloading = reloading
        self._progress = progress
        self._trim_heap = HeapTrimmer()
        self._ticks = itertools.count(1)
        self._idle_watch = IdleWatch(lambda: pool.num_under_way)
        self._is_failure_logged = False

    def watch(self) -> LoopWatch:
        """Return a watch of the running event loop, to be entered while it serves."""
        return LoopWatch(asyncio.get_running_loop(), self.stalls)

    def begin_drain(self) -> None:
        """Refuse new requests; those under way have `Config.graceful_s` to finish. A signal handler may call it."""
        graceful_s = self.pool.config.graceful_s
        self.deadline = time.monotonic() + graceful_s
        self.pool.drain()
        self._progress(f"finishing {self.pool.num_under_way} requests, for {graceful_s:g} s at most")

    @property
    def last_words_s(self) -> int:
        """Return the seconds for which connections may stay open to write what is finished."""
        left_s = 0.0 if self.deadline is None else self.deadline - time.monotonic()
        return max(LAST_WORDS_S, ceil(left_s))

    async def tick(self) -> bool:
        """Do what is due. True if the server should end: the drain is over, or the engine died for good."""
        should_end = False
        if self.pool.is_given_up:
            if not self._is_failure_logged:
                self._is_failure_logged = True
                self._progress(self.pool.trouble)
            # The supervisor of this process sees that it ended, and can start another.
            should_end = True
        if self.deadline is None:
            self._reloading.go_on(self.pool)
        else:
            should_end = await self._is_drained(self.deadline) or should_end
        if next(self._ticks) % TRIM_TICKS == 0:
            await asyncio.to_thread(self._trim_heap)
        return should_end

    async def _is_drained(self, deadline: float) -> bool:
        pool, is_late = self.pool, time.monotonic() >= deadline
        if is_late and pool.num_under_way:
            what = f"ending {pool.num_under_way} requests that are not finished after {pool.config.graceful_s:g} s"
            self._progress(f"{what} (server.graceful_timeout_s)")
            await asyncio.to_thread(pool.end_answers)
        return self._idle_watch.look() or is_late
