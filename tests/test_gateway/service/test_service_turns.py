"""Turns for a few places: nobody is kept from them by another who wants many."""

import asyncio
from types import SimpleNamespace

import pytest

from gateway.errors import OverloadedError
from gateway.service.constraints.fair_queue import FairQueue


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Crowd:
    """Tasks that take a turn each, and the order in which they got it."""

    def __init__(self, turns):
        self.turns = turns
        self.order = []
        self.tasks = {}

    async def add(self, *names):
        """Names begin with their tenant; `-` is nobody."""
        for name in names:
            self.tasks[name] = asyncio.create_task(self._take(name))
        await self.settle()

    async def _take(self, name):
        await self.turns.take(name[0].replace("-", ""))
        self.order.append(name)

    async def end(self, name):
        self.turns.give_back(name[0].replace("-", ""))
        await self.settle()

    async def cancel(self, name):
        self.tasks[name].cancel()
        await self.settle()

    async def settle(self):
        for _ in range(5):
            await asyncio.sleep(0)

    async def drain(self):
        ended = 0
        while ended < len(self.order):
            await self.end(self.order[ended])
            ended += 1
        return self.order


@pytest.mark.anyio
async def test_without_names_all_places_are_taken_in_order():
    crowd = Crowd(FairQueue(3, 10, "things"))
    await crowd.add("-0", "-1", "-2", "-3", "-4")
    assert crowd.order == ["-0", "-1", "-2"]
    assert crowd.turns.num_waiting == 2
    await crowd.end("-1")
    assert crowd.order == ["-0", "-1", "-2", "-3"]


@pytest.mark.anyio
async def test_one_tenant_leaves_a_place_to_others():
    crowd = Crowd(FairQueue(3, 20, "things"))
    await crowd.add("a0", "a1", "a2", "a3")
    assert crowd.order == ["a0", "a1"]
    await crowd.add("b0", "b1")
    assert crowd.order == ["a0", "a1", "b0"]
    await crowd.end("a0")
    assert crowd.order[3:] == ["a2"] or crowd.order[3:] == ["b1"]


@pytest.mark.anyio
async def test_tenants_alternate_however_many_wait():
    crowd = Crowd(FairQueue(1, 40, "things"))
    await crowd.add("-x", *(f"a{i}" for i in range(6)), "b0", "b1", "c0")
    await crowd.end("-x")
    crowd.order.remove("-x")
    order = await crowd.drain()
    assert order == ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4", "a5"]


@pytest.mark.anyio
async def test_who_has_fewest_places_is_next():
    crowd = Crowd(FairQueue(4, 40, "things"))
    await crowd.add("a0", "a1", "b0", "b1", "a2", "b2", "c0")
    assert crowd.order == ["a0", "a1", "b0", "b1"]
    await crowd.end("b0")
    assert crowd.order[4:] == ["c0"]
    await crowd.end("b1")
    assert crowd.order[5:] == ["b2"]


@pytest.mark.anyio
async def test_cancelled_ones_lose_their_place_in_the_queue_or_pass_it_on():
    crowd = Crowd(FairQueue(1, 40, "things"))
    await crowd.add("a0", "a1", "b0", "b1")
    await crowd.cancel("b0")
    assert crowd.turns.num_waiting == 2
    # The turn comes, and in the same moment its owner goes.
    crowd.turns.give_back("a")
    crowd.tasks["a1"].cancel()
    await crowd.settle()
    assert crowd.order == ["a0", "b1"]
    await crowd.end("b1")
    await crowd.add("c0")
    assert crowd.order == ["a0", "b1", "c0"]
    assert crowd.turns.num_waiting == 0


@pytest.mark.anyio
async def test_waiting_is_bounded_for_all_and_for_each():
    turns = FairQueue(1, 4, "things")
    crowd = Crowd(turns)
    await crowd.add("-x", "a0", "a1")
    with pytest.raises(OverloadedError, match="2 of your things"):
        await turns.take("a")
    await crowd.add("b0", "b1")
    with pytest.raises(OverloadedError, match="4 things"):
        await turns.take("c")
    with pytest.raises(OverloadedError, match="4 things"):
        await turns.take("")
    await crowd.end("-x")
    await crowd.add("c0")
    assert turns.num_waiting == 4


@pytest.mark.anyio
async def test_who_waits_too_long_is_refused_and_who_was_admitted_is_not():
    turns = FairQueue(1, 4, "things", max_wait_s=0.05)
    await turns.take("a")
    admitted = asyncio.create_task(turns.take("b", is_admitted=True))
    with pytest.raises(OverloadedError, match="ahead"):
        await turns.take("b")
    assert turns.num_waiting == 1
    turns.give_back("a")
    await admitted


@pytest.mark.anyio
async def test_when_to_come_back_follows_from_what_is_ahead(monkeypatch):
    now = 0.0
    monkeypatch.setattr("gateway.service.constraints.fair_queue.time", SimpleNamespace(monotonic=lambda: now))
    turns = FairQueue(2, 2, "things")
    for _ in range(10):
        await turns.take("")
        now += 6
        turns.give_back("")
    crowd = Crowd(turns)
    await crowd.add("-0", "-1", "-2", "-3")
    with pytest.raises(OverloadedError) as caught:
        await turns.take("")
    assert caught.value.retry_after_s == 9, "two wait, each of two places takes 6 s"
    now += 20
    with pytest.raises(OverloadedError) as caught:
        await turns.take("")
    assert caught.value.retry_after_s == 30, "those that are at it take longer"
    now += 1000
    with pytest.raises(OverloadedError) as caught:
        await turns.take("")
    assert caught.value.retry_after_s == 60


@pytest.mark.anyio
@pytest.mark.parametrize("leaving", [("-1",), ("-1", "-2")])
async def test_who_is_cancelled_as_a_place_comes_free_harms_nobody(leaving):
    crowd = Crowd(FairQueue(1, 10, "things"))
    await crowd.add("-0", "-1", "-2", "-3")
    for name in leaving:
        crowd.tasks[name].cancel()
    await crowd.end("-0")  # before the tasks have heard of it
    assert all(crowd.tasks[name].cancelled() for name in leaving)
    left = [name for name in ("-1", "-2", "-3") if name not in leaving]
    for number, name in enumerate(left, 1):
        assert crowd.order == ["-0", *left[:number]]
        await crowd.end(name)
    assert crowd.turns.num_waiting == 0
    await crowd.add("-4")
    assert crowd.order[-1] == "-4"
