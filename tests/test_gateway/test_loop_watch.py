"""What holds an event loop is told, with its place; what does not is left alone."""

import asyncio
import logging
import time
from collections.abc import Callable

from gateway.commands.loop_watch import Held, HeldLog, LoopWatch


def hold(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


async def watched(told: list[Held], hold: Callable[[float], None]) -> None:
    with LoopWatch(asyncio.get_running_loop(), told.append, held_s=0.3):
        await asyncio.sleep(0.5)
        assert not told
        hold(1.5)
        while not told:
            await asyncio.sleep(0.01)


def test_what_holds_the_loop_is_told_with_its_place() -> None:
    told: list[Held] = []
    asyncio.run(watched(told, hold))
    assert told[0].seconds > 0.3
    assert 0 < told[0].own_seconds <= told[0].seconds + 0.1
    assert told[0].where.endswith("in hold")


def test_what_waits_has_held_the_loop_without_work_of_its_own() -> None:
    told: list[Held] = []
    asyncio.run(watched(told, time.sleep))
    assert told[0].seconds > 0.3
    assert told[0].own_seconds < 0.1


def test_the_log_has_the_longest_and_is_not_flooded(caplog) -> None:
    log = HeldLog()
    with caplog.at_level(logging.WARNING):
        for held_s in (0.1, 0.3, 0.2):
            log(Held(held_s, held_s / 2, "here"))
    assert [record.getMessage() for record in caplog.records] == [
        "the event loop was held 1 times, longest for 0.10 s (0.05 s of its own) at here"
    ]
    assert (log.times, round(log.seconds, 6)) == (3, 0.6)
