"""What holds an event loop, so that nobody else is served meanwhile."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

logger = logging.getLogger(__name__)

HELD_S = 0.05
_OURS = ("gateway", "grammars", "tools")
_TOLD_AGAIN_S = 10.0


@dataclass(frozen=True, slots=True)
class Held:
    """A time for which a loop served nobody.

    Attributes:
        seconds: How long.
        own_seconds: As much of it as its thread computed; in the rest it waited for the interpreter or a core.
        where: In the code.
    """

    seconds: float
    own_seconds: float
    where: str


class LoopWatch:
    """Asks a loop for a sign again and again; where none comes in time, tells what its thread is at.

    Args:
        loop: the one that runs in the thread that enters this.
        tell: called with each, in a thread of the watch's own: a log, a metric; what it raises ends the watch.
        held_s: seconds from which on it is told.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[Held], None], held_s: float = HELD_S) -> None:
        self._loop, self._tell, self._held_s = loop, tell, held_s
        self._closed = threading.Event()
        self._watched = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._watched)
        self._thread = threading.Thread(target=self._run, name="loop-watch", daemon=True)

    def __enter__(self) -> LoopWatch:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
            self._tell(Held(time.monotonic() - start, time.clock_gettime(self._clock) - own_start, where))

    def _where(self) -> str:
        """The innermost call of the loop's thread, and the innermost of ours where that is another one."""
        calls = traceback.extract_stack(sys._current_frames().get(self._watched))
        ours = [call for call in calls if any(f"/{package}/" in call.filename for package in _OURS)]
        found = dict.fromkeys(f"{call.filename}:{call.lineno} in {call.name}" for call in (*calls[-1:], *ours[-1:]))
        return ", called from ".join(found)


class HeldLog(Collector):
    """Writes to the log what held the loop longest since it last did; soon after the first time, then seldom.

    Attributes:
        times, seconds: How often and how long in all it was held since the start.
    """

    def __init__(self) -> None:
        self.times, self.seconds = 0, 0.0
        self._next, self._told = 0.0, 0
        self._worst: Held | None = None

    def collect(self) -> Iterable[Metric]:
        """What Prometheus reads of it."""
        text = f"Times that the event loop served nobody for {HELD_S} seconds or more."
        yield CounterMetricFamily("portcullis_event_loop_held", text, self.times)
        text = "Seconds for which it did."
        yield CounterMetricFamily("portcullis_event_loop_held_seconds", text, self.seconds)

    def __call__(self, held: Held) -> None:
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
