"""What holds an event loop is told, with its place; what does not is left alone."""

import asyncio
import logging
import time

from gateway.commands.loop_watch import HeldLog, LoopWatch


def hold(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


async def watched(told: list[tuple[float, str]]) -> None:
    with LoopWatch(asyncio.get_running_loop(), lambda held_s, where: told.append((held_s, where)), held_s=0.3):
        await asyncio.sleep(0.5)
        assert not told
        hold(1.5)
        while not told:
            await asyncio.sleep(0.01)


def test_what_holds_the_loop_is_told_with_its_place() -> None:
    told: list[tuple[float, str]] = []
    asyncio.run(watched(told))
    held_s, where = told[0]
    assert held_s > 0.3
    assert where.endswith("in hold")


def test_the_log_has_the_longest_and_is_not_flooded(caplog) -> None:
    log = HeldLog()
    with caplog.at_level(logging.WARNING):
        for held_s in (0.1, 0.3, 0.2):
            log(held_s, "here")
    assert [record.getMessage() for record in caplog.records] == [
        "the event loop was held 1 times, longest for 0.10 s at here"
    ]
