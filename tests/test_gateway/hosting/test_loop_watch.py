"""What holds an event loop is told, with its place; what does not is left alone."""

import asyncio
import logging
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

from gateway.hosting.loop_watch import LoopStall, LoopWatch, StallLog


def hold(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def wait(seconds: float) -> None:
    time.sleep(seconds)


async def told_of(hold: Callable[[float], None]) -> LoopStall:
    """What is told of a loop that this holds. On a busy machine a loop may be held by nothing, and a watch may look too
    late: that is another matter."""
    told: list[LoopStall] = []
    with LoopWatch(asyncio.get_running_loop(), told.append, held_s=0.3):
        while True:
            hold(1.5)
            for _ in range(100):
                await asyncio.sleep(0.01)
                for held in told:
                    if held.where.endswith(f"in {hold.__name__}"):
                        return held


def test_what_holds_the_loop_is_told_with_its_place() -> None:
    held = asyncio.run(told_of(hold))
    assert held.seconds > 0.3
    assert 0 < held.own_seconds <= held.seconds + 0.1


def test_what_waits_has_held_the_loop_without_work_of_its_own() -> None:
    held = asyncio.run(told_of(wait))
    assert held.seconds > 0.3
    assert held.own_seconds < 0.1


def test_a_loop_that_gives_a_sign_at_once_is_left_alone() -> None:
    signs: list[Callable[[], None]] = []

    def call(sign: Callable[[], None]) -> None:
        sign()
        signs.append(sign)

    told: list[LoopStall] = []
    with LoopWatch(cast(asyncio.AbstractEventLoop, SimpleNamespace(call_soon_threadsafe=call)), told.append, 0.01):
        while len(signs) < 10:
            time.sleep(0.01)
    assert not told


def test_the_log_has_the_longest_and_is_not_flooded(caplog) -> None:
    log = StallLog()
    with caplog.at_level(logging.WARNING):
        for held_s in (0.1, 0.3, 0.2):
            log(LoopStall(held_s, held_s / 2, "here"))
    assert [record.getMessage() for record in caplog.records] == [
        "the event loop was held 1 times, longest for 0.10 s (0.05 s of its own) at here"
    ]
    assert (log.times, round(log.seconds, 6)) == (3, 0.6)
