"""`RunningEngine`: the interface of an engine in a thread or a process, and the streams of its events.

event loop                                         the engine's thread
stream() -- posted, and a bell rung -->            hold, withdraw; compute, or talk to the process that does
         <-- call_soon_threadsafe, once for all events that come together, and loop --
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from concurrent.futures import Future, InvalidStateError
from contextlib import aclosing, suppress
from math import inf
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

from gateway.engine.errors import DuplicateRequestError, EngineClosedError, EngineFault, EngineUnavailableError
from gateway.engine.request import AdapterFile, EngineStats, GenerationRequest, TokenEvent

logger = logging.getLogger(__name__)

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


class RunningEngine(ABC):
    """Interface of a running engine to the service: streams of events, from any number of event loops and threads.

    Each accepted request gets events up to one with a finish reason; each refused one a fault instead. An engine starts
    once; a closed one stays closed. One thread does all the work; the others post what it is to do.

    Attributes:
        max_model_len: Most tokens of prompt and answer together. Known once the engine was started.
        vocab_size: Ids beyond it are never chosen.
        eos_token_ids: End of sequence.
        trouble: Why requests are not served now, in a few words; empty while they are.
        is_given_up: True if it will never serve again, without having been closed.
        num_restarts: Times that it was started again after it had died.
    """

    max_model_len: int
    vocab_size: int
    eos_token_ids: tuple[int, ...]
    trouble: str = "the engine is not running"
    is_given_up: bool = False
    num_restarts: int = 0

    def __init__(self, name: str, hold_s: float = inf) -> None:
        """Nothing is started yet.

        Args:
            name: Of the thread.
            hold_s: For how long a request waits while there is trouble.
        """
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._hold_s = hold_s
        self._requests = Requests()
        self._is_open = True
        self._posted: deque[Callable[[], None]] = deque()
        self._bell = Event()
        self._lock = Lock()
        self._refusal: EngineFault | None = EngineClosedError("the engine is not running")
        self._adapting: set[Future[None]] = set()

    @abstractmethod
    def start(self) -> Self:
        """Run; returns when requests are served."""

    @abstractmethod
    def stats(self) -> EngineStats:
        """Counters and gauges, at most a step old."""

    def load_adapter(self, file: AdapterFile) -> Future[None]:
        """Load a LoRA adapter; done once requests may name it, or failed with an `EngineFault`."""
        return self._adapt(lambda future: self._load_adapter(file, future))

    def unload_adapter(self, name: str) -> Future[None]:
        """Unload a LoRA adapter: no new request may name it. Done once those under way have ended."""
        return self._adapt(lambda future: self._unload_adapter(name, future))

    @abstractmethod
    def _load_adapter(self, file: AdapterFile, future: Future[None]) -> None:
        """In the engine's thread: load an adapter, and settle the future then."""

    @abstractmethod
    def _unload_adapter(self, name: str, future: Future[None]) -> None:
        """In the engine's thread: unload an adapter, and settle the future then."""

    @abstractmethod
    def _serve(self) -> None:
        """In the engine's thread: serve while it is open, or until it is given up; then release what that needed."""

    @abstractmethod
    def _cancel(self, request_id: str) -> None:
        """In the engine's thread: end a request that is under way."""

    def begin(self) -> None:
        """Start the thread, and wait for nothing."""
        self._refusal = None
        self._thread.start()

    def close(self) -> None:
        """Stop. Requests under way end with `EngineClosedError`. Closing twice is harmless."""
        self._is_open = False
        with suppress(EngineFault):  # it has ended, or never began
            self._post(lambda: None)
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def is_running(self) -> bool:
        """True if requests are served."""
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
        """Yield the same events in batches, so that a slow reader catches up.

        Args:
            tick_s: An empty list is yielded after this many seconds without an event; None: never.

        Raises:
            EngineFault: As for `stream`.
        """
        inbox = Inbox(asyncio.get_running_loop())
        deadline = time.monotonic() + self._hold_s
        self._post(lambda: self._requests.hold(request, inbox, deadline))
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
                with suppress(EngineFault):  # it has ended
                    self._post(lambda: self._withdraw(request.request_id, inbox))

    def generate(self, requests: list[GenerationRequest]) -> list[list[int]]:
        """Run requests to their ends and return the answers, in order; blocks. For scripts and benches.

        Raises:
            EngineFault: Of the first request that failed.
        """

        async def answer(request: GenerationRequest) -> list[int]:
            tokens: list[int] = []
            async for event in self.stream(request):
                if event.error is not None:
                    raise event.error
                tokens += event.token_ids
            return tokens

        async def answers() -> list[list[int]]:
            return await asyncio.gather(*map(answer, requests))

        return asyncio.run(answers())

    def _adapt(self, command: Callable[[Future[None]], None]) -> Future[None]:
        future = Future[None]()
        self._adapting.add(future)
        future.add_done_callback(self._adapting.discard)
        try:
            self._post(lambda: command(future))
        except EngineFault as fault:
            settle(future, fault)
        return future

    def _post(self, command: Callable[[], None]) -> None:
        """Have the engine's thread do it.

        Raises:
            EngineFault: That thread does nothing yet, or any more.
        """
        with self._lock:
            if self._refusal is not None:
                raise type(self._refusal)(str(self._refusal))
            self._posted.append(command)
            self._ring()

    def _ring(self) -> None:
        """Wake the engine's thread if it waits."""
        self._bell.set()  # does not release the GIL, so that commands posted together are found together

    # Everything below is for the engine's thread.

    def _run(self) -> None:
        try:
            self._serve()
        except Exception:
            logger.exception("the thread of the engine failed")
            self._give_up("the thread of the engine failed")
        if not self.is_given_up:
            self.trouble = "the engine is not running"
        fault = EngineUnavailableError(self.trouble) if self.is_given_up else EngineClosedError("the engine was closed")
        with self._lock:
            self._refusal = fault
        self._do_posted()
        self._requests.end_under_way(fault)
        self._requests.expire(inf, fault)
        for future in list(self._adapting):
            settle(future, fault)

    def _wait(self) -> None:
        """Return when something was posted."""
        self._bell.wait()
        self._bell.clear()

    def _do_posted(self) -> None:
        while self._posted:
            self._posted.popleft()()

    def _withdraw(self, request_id: str, inbox: Inbox) -> None:
        if self._requests.withdraw(request_id, inbox):
            self._cancel(request_id)

    def _give_up(self, trouble: str) -> None:
        self.is_given_up, self.trouble = True, trouble


def settle(future: Future[None], fault: EngineFault | None) -> None:
    """End what a future is for: with a fault, or, for None, well. One that was cancelled stays so."""
    with suppress(InvalidStateError):
        if fault is None:
            future.set_result(None)
        else:
            future.set_exception(fault)
