"""An engine that runs elsewhere, in a thread or in a process, and the streams that its events become."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from gateway.engine.errors import EngineFault
from gateway.engine.request import GenerationRequest, TokenEvent, gather
from gateway.engine.stats import EngineStats

Item = TokenEvent | EngineFault
Delivery = tuple[Callable[[Item], None], Item]


class Sink:
    """Where the events of one request go: to a loop's queue, or straight to a thread's."""

    __slots__ = ("loop", "put")

    def __init__(self, put: Callable[[Item], None], loop: asyncio.AbstractEventLoop | None = None) -> None:
        self.put = put
        self.loop = loop


class Inbox:
    """What has come for one request and was not taken yet. One reader; touched on its loop alone."""

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
        """All that is there, once there is something; nothing after `tick_s` seconds without."""
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


class RunningEngine(ABC):
    """What the service asks for: streams of events, from any number of event loops and threads.

    Each accepted request gets events up to one with a finish reason; each refused one a fault instead. An engine starts
    once; a closed one stays closed.

    Attributes:
        max_model_len: Most tokens of prompt and answer together. Known once the engine was started.
        vocab_size: Ids beyond it are never chosen.
        eos_token_ids: End of sequence.
    """

    max_model_len: int
    vocab_size: int
    eos_token_ids: tuple[int, ...]

    @abstractmethod
    def start(self) -> Self:
        """Run; returns when requests are served."""

    @abstractmethod
    def close(self) -> None:
        """Stop. Requests under way end with `EngineClosedError`. Closing twice is harmless."""

    @property
    @abstractmethod
    def trouble(self) -> str:
        """Why requests are not served now, in a few words; empty while they are."""

    @property
    def is_given_up(self) -> bool:
        """Whether it will never serve again, without having been closed."""
        return False

    @property
    def num_restarts(self) -> int:
        """Times that it was started again after it had died."""
        return 0

    @abstractmethod
    def stats(self) -> EngineStats:
        """Counters and gauges, at most a step old."""

    @abstractmethod
    def _submit(self, request: GenerationRequest, sink: Sink) -> None:
        """Have the request served.

        Raises:
            EngineClosedError: The engine was not started, or was closed.
        """

    @abstractmethod
    def _withdraw(self, request_id: str, sink: Sink) -> None:
        """Nobody waits for this request any more."""

    @property
    def is_running(self) -> bool:
        """Whether requests are served."""
        return not self.trouble

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def stream(self, request: GenerationRequest) -> AsyncIterator[TokenEvent]:
        """The events of one request, up to and including the one with a finish reason. Closing the iterator cancels.

        Raises:
            EngineFault: The request was not accepted. A request that fails later ends with an event instead.
        """
        async with aclosing(self.batches(request)) as batches:
            async for batch in batches:
                for event in batch:
                    yield event

    async def batches(
        self, request: GenerationRequest, tick_s: float | None = None
    ) -> AsyncGenerator[list[TokenEvent], None]:
        """The same events; those that are there at once come at once, so that whoever is behind catches up.

        Args:
            tick_s: After so many seconds without an event comes an empty list; None: never.

        Raises:
            EngineFault: As for `stream`.
        """
        inbox = Inbox(asyncio.get_running_loop())
        sink = Sink(inbox.put, inbox.loop)
        self._submit(request, sink)
        is_finished = False
        try:
            while not is_finished:
                events: list[TokenEvent] = []
                for item in await inbox.take(tick_s):
                    if isinstance(item, EngineFault):
                        is_finished = True
                        raise item
                    is_finished = is_finished or item.finish_reason is not None
                    events.append(item)
                yield events
        finally:
            if not is_finished:
                self._withdraw(request.request_id, sink)

    def generate(self, requests: list[GenerationRequest]) -> list[list[int]]:
        """Run requests to their ends and return the answers, in order; blocks. For scripts and benches.

        Raises:
            EngineFault: Of the first request that failed.
        """
        inbox: SimpleQueue[Item] = SimpleQueue()
        sink = Sink(inbox.put)
        for request in requests:
            self._submit(request, sink)
        return gather(requests, iter(inbox.get, None))


def hand_over(outgoing: Iterable[tuple[Sink, Item]]) -> list[asyncio.AbstractEventLoop]:
    """Give each item to its sink. Waking a loop is expensive, so each is woken once.

    Returns:
        Loops that are closed: nobody listens there any more.
    """
    by_loop: dict[asyncio.AbstractEventLoop, list[Delivery]] = {}
    for sink, item in outgoing:
        if sink.loop is None:
            sink.put(item)
        else:
            by_loop.setdefault(sink.loop, []).append((sink.put, item))
    closed = []
    for loop, deliveries in by_loop.items():
        try:
            loop.call_soon_threadsafe(_put_all, deliveries)
        except RuntimeError:
            closed.append(loop)
    return closed


def _put_all(deliveries: list[Delivery]) -> None:
    for put, item in deliveries:
        put(item)
