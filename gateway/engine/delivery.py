"""Requests and their readers: events are delivered to the event loop of each reader."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from math import inf

from gateway.engine.errors import DuplicateRequestError, EngineFault
from gateway.engine.request import GenerationRequest, TokenEvent

Item = TokenEvent | EngineFault


class Inbox:
    """Events of one request that were not read yet. One reader; used on its event loop only."""

    __slots__ = ("_items", "_waiter", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._items: list[Item] = []
        self._waiter: asyncio.Future[None] | None = None

    def put(self, item: Item) -> None:
        """Add an item and wake the reader."""
        self._items.append(item)
        self._wake()

    async def take(self, tick_s: float | None) -> list[Item]:
        """Return all items, once there is one; an empty list after `tick_s` seconds without."""
        if not self._items:
            self._waiter = self.loop.create_future()
            timer = self.loop.call_later(tick_s, self._wake) if tick_s is not None else None
            try:
                await self._waiter
            finally:
                self._waiter = None
                if timer is not None:
                    timer.cancel()
        items, self._items = self._items, []
        return items

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def hand_over(outgoing: Iterable[tuple[Inbox, Item]]) -> list[asyncio.AbstractEventLoop]:
    """Put each item into its inbox. Waking a loop is expensive, so each is woken once.

    Returns:
        Loops that are closed: there are no readers any more.
    """
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Inbox, Item]]] = {}
    for inbox, item in outgoing:
        by_loop.setdefault(inbox.loop, []).append((inbox, item))
    closed = []
    for loop, deliveries in by_loop.items():
        try:
            loop.call_soon_threadsafe(_put_all, deliveries)
        except RuntimeError:
            closed.append(loop)
    return closed


def _put_all(deliveries: list[tuple[Inbox, Item]]) -> None:
    for inbox, item in deliveries:
        inbox.put(item)


class Requests:
    """Every request is held, then under way, and ends once. Not thread-safe: the engine's thread alone calls it."""

    def __init__(self) -> None:
        self._inboxes: dict[str, Inbox] = {}
        self._held: dict[str, tuple[GenerationRequest, float]] = {}
        # Requests that were cancelled: their ends are still to come, and have no reader. By then the same id may be
        # under way again; the old one's end comes first.
        self._withdrawn: Counter[str] = Counter()

    @property
    def next_deadline(self) -> float:
        """Time at which the first of the held requests expires."""
        return min((deadline for _, deadline in self._held.values()), default=inf)

    def hold(self, request: GenerationRequest, inbox: Inbox, deadline: float = inf) -> None:
        """Keep it until it can be sent off, or to the deadline, in seconds of the monotonic clock."""
        name = request.request_id
        if name in self._inboxes:
            hand_over([(inbox, DuplicateRequestError(f"request {name!r} is in the engine already"))])
        else:
            self._inboxes[name] = inbox
            self._held[name] = request, deadline

    def take_held(self) -> list[GenerationRequest]:
        """Return all held requests, which are under way from now on."""
        held, self._held = self._held, {}
        return [request for request, _ in held.values()]

    def withdraw(self, name: str, inbox: Inbox) -> bool:
        """Forget a request; returns whether it is under way, and to be cancelled."""
        if self._inboxes.get(name) is not inbox:  # the id may belong to a later request by now
            return False
        del self._inboxes[name]
        if self._held.pop(name, None) is not None:
            return False
        self._withdrawn[name] += 1
        return True

    def deliver(self, events: Iterable[TokenEvent]) -> list[str]:
        """Put events into their inboxes; returns the requests that are to be cancelled: their event loop is closed."""
        outgoing: list[tuple[Inbox, Item]] = []
        for event in events:
            inbox = self._take(event.request_id, event.finish_reason is not None)
            if inbox is not None:
                outgoing.append((inbox, event))
        closed = hand_over(outgoing)
        abandoned = [(name, inbox) for name, inbox in self._inboxes.items() if inbox.loop in closed] if closed else []
        return [name for name, inbox in abandoned if self.withdraw(name, inbox)]

    def refuse(self, name: str, fault: EngineFault) -> None:
        """End a request that was not accepted."""
        inbox = self._take(name, is_end=True)
        if inbox is not None:
            hand_over([(inbox, fault)])

    def expire(self, now: float, fault: EngineFault) -> None:
        """Refuse those that were held too long."""
        late = [name for name, (_, deadline) in self._held.items() if deadline <= now]
        for name in late:
            del self._held[name]
        hand_over([(self._inboxes.pop(name), fault) for name in late])

    def end_under_way(self, fault: EngineFault) -> int:
        """End all requests that are under way, of which there are no more events; return their number."""
        ended = [name for name in self._inboxes if name not in self._held]
        ends = (TokenEvent(name, [], finish_reason="error", error=fault) for name in ended)
        hand_over([(self._inboxes.pop(end.request_id), end) for end in ends])
        self._withdrawn.clear()
        return len(ended)

    def _take(self, name: str, is_end: bool) -> Inbox | None:
        """Return the reader of this event."""
        if self._withdrawn[name]:
            if is_end:
                self._withdrawn[name] -= 1
                self._withdrawn += Counter()  # drops zeros
            return None
        return self._inboxes.pop(name, None) if is_end else self._inboxes.get(name)
