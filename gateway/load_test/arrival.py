"""Arrival of requests: a number of clients that each wait for their answer, or a rate that waits for none."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")


class Load(NamedTuple):
    """Load of one run.

    Attributes:
        kind: `concurrency`: requests under way (closed loop). `rate`: requests a second that arrive as a Poisson
            process (open loop).
    """

    kind: Literal["concurrency", "rate"]
    value: float

    def __str__(self) -> str:
        return f"{self.kind} {self.value:g}"


async def send_all(items: Iterable[T], load: Load, ask: Callable[[T, float], Awaitable[None]], seed: int) -> None:
    """Call `ask` with each item and the time at which it is due, and wait for the last."""
    async with asyncio.TaskGroup() as tasks:
        if load.kind == "concurrency":
            waiting = iter(items)

            async def work() -> None:
                for item in waiting:
                    await ask(item, monotonic())

            for _ in range(int(load.value)):
                tasks.create_task(work())
            return
        gaps, due_s = random.Random(seed), monotonic()
        for item in items:
            await asyncio.sleep(max(due_s - monotonic(), 0))
            tasks.create_task(_await(ask(item, due_s)))
            due_s += gaps.expovariate(load.value)


async def _await(asked: Awaitable[None]) -> None:
    await asked
