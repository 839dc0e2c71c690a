"""The time that connections have, which passes when a test says so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from gateway.api.http import connection


class ConnectionClock:
    """Stands between connections and their loop: their timers are on its time.

    Attributes:
        connections: Those that were made, as the server has them.
    """

    def __init__(self) -> None:
        self.connections: list[Any] = []
        self._now, self._timers = 0.0, list[asyncio.TimerHandle]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def stand_before(self, made: Any) -> None:
        """Be the loop of a connection."""
        self._loop, made.loop = made.loop, self

    def call_later(self, seconds: float, call: Callable[..., Any], *arguments: Any) -> asyncio.TimerHandle:
        """See `asyncio.loop.call_later`."""
        self._timers.append(asyncio.TimerHandle(self._now + seconds, call, arguments, self))  # type: ignore[arg-type]
        return self._timers[-1]

    def _timer_handle_cancelled(self, timer: asyncio.TimerHandle) -> None:
        """Timers tell their loop."""

    def let_pass(self, seconds: float) -> None:
        """Return when that time is over, and what it ends has ended."""
        is_over = threading.Event()

        def run() -> None:
            self._now += seconds
            due = [timer for timer in self._timers if timer.when() <= self._now]
            self._timers = [timer for timer in self._timers if timer not in due]
            for timer in due:
                if not timer.cancelled():
                    timer._run()
            is_over.set()

        self._loop.call_soon_threadsafe(run)
        assert is_over.wait(60)


@contextmanager
def clocked() -> Iterator[ConnectionClock]:
    """Connections that are made meanwhile have this clock."""
    clock, real = ConnectionClock(), connection._Bounded.connection_made

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        clock.stand_before(self)
        real(self, transport)
        clock.connections.append(self)

    with patch.object(connection._Bounded, "connection_made", connection_made):
        yield clock
