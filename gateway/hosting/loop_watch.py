"""Watch for stalls of the event loop, with the place in the code that blocks it."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

logger = logging.getLogger(__name__)

HELD_S = 0.05
_OURS = ("gateway", "grammars", "tools")
_TOLD_AGAIN_S = 10.0


@dataclass(frozen=True, slots=True)
class LoopStall:
    """Time for which an event loop was blocked.

    Attributes:
        seconds: Length.
        own_seconds: Time that its thread computed; in the rest it waited for the interpreter or a core.
        where: Place in the code.
    """

    seconds: float
    own_seconds: float
    where: str


class LoopWatch:
    """Thread that pings an event loop and reports each stall, with the code that its thread was executing.

    Args:
        loop: Loop of the thread that enters this.
        report: Called with each stall, in the watch's own thread; an exception ends the watch.
        held_s: Shortest stall that is reported.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, report: Callable[[LoopStall], None], held_s: float = HELD_S
    ) -> None:
        self._loop, self._report, self._held_s = loop, report, held_s
        self._closed = threading.Event()
        self._watched = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._watched)
        self._thread = threading.Thread(target=self._run, name="loop-watch", daemon=True)

    def __enter__(self) -> LoopWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.wait(self._held_s):
            sign, start, own_start = threading.Event(), time.monotonic(), time.clock_gettime(self._clock)
            try:
                self._loop.call_soon_threadsafe(sign.set)
            except RuntimeError:  # the loop is closed
                return
            if sign.wait(self._held_s):
                continue
            where = self._where()
            while not sign.wait(self._held_s):
                if self._closed.is_set():
                    return
            self._report(LoopStall(time.monotonic() - start, time.clock_gettime(self._clock) - own_start, where))

    def _where(self) -> str:
        """Return the innermost call of the loop's thread, and the innermost in our packages if that differs."""
        calls = traceback.extract_stack(sys._current_frames().get(self._watched))
        ours = [call for call in calls if any(f"/{package}/" in call.filename for package in _OURS)]
        found = dict.fromkeys(f"{call.filename}:{call.lineno} in {call.name}" for call in (*calls[-1:], *ours[-1:]))
        return ", called from ".join(found)


class StallLog(Collector):
    """Log of stalls: the first at once, then the longest of each ten seconds; their counts are metrics.

    Attributes:
        times, seconds: Number and total length of stalls since the start.
    """

    def __init__(self) -> None:
        self.times, self.seconds = 0, 0.0
        self._next, self._told = 0.0, 0
        self._worst: LoopStall | None = None

    def collect(self) -> Iterable[Metric]:
        """Return the metrics."""
        text = f"Times that the event loop served nobody for {HELD_S} seconds or more."
        yield CounterMetricFamily("portcullis_event_loop_held", text, self.times)
        text = "Seconds for which it did."
        yield CounterMetricFamily("portcullis_event_loop_held_seconds", text, self.seconds)

    def __call__(self, held: LoopStall) -> None:
        self.times += 1
        self.seconds += held.seconds
        if self._worst is None or held.seconds > self._worst.seconds:
            self._worst = held
        if time.monotonic() >= self._next:
            logger.warning(
                "the event loop was held %d times, longest for %.2f s (%.2f s of its own) at %s",
                self.times - self._told,
                self._worst.seconds,
                self._worst.own_seconds,
                self._worst.where,
            )
            self._next, self._told, self._worst = time.monotonic() + _TOLD_AGAIN_S, self.times, None
