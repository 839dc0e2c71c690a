"""An engine in a thread of this process, for asyncio.

event loop                         engine thread
stream() -- commands (deque) -->   apply them, step(), sort the events by loop
         <-- call_soon_threadsafe, once a step and loop --
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from gateway.engine.engine import Engine
from gateway.engine.errors import EngineClosedError, EngineFault, StepFailedError
from gateway.engine.request import GenerationRequest, TokenEvent
from gateway.engine.stats import EngineStats

logger = logging.getLogger(__name__)

Item = TokenEvent | EngineFault
Delivery = tuple[Callable[[Item], None], Item]


class _Sink:
    """Where the events of one request go: to a loop's queue, or straight to a thread's."""

    __slots__ = ("loop", "put")

    def __init__(self, put: Callable[[Item], None], loop: asyncio.AbstractEventLoop | None = None) -> None:
        self.put = put
        self.loop = loop


class EmbeddedEngine:
    """Owns an `Engine` and the one thread that touches it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._commands: deque[Callable[[], None]] = deque()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._is_open = False
        self._sinks: dict[str, _Sink] = {}
        self._thread = threading.Thread(target=self._run, name="portcullis-engine", daemon=True)
        self.max_model_len = engine.max_model_len
        self.vocab_size = engine.vocab_size
        self.eos_token_ids = engine.eos_token_ids

    def start(self) -> Self:
        """Start the thread. An engine starts once; a closed one stays closed."""
        self._is_open = True
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop the thread. Requests under way end with `EngineClosedError`. Closing twice is harmless."""
        with self._lock:
            was_open, self._is_open = self._is_open, False
        if was_open:
            self._wake.set()
            self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether requests are served."""
        return self._is_open and self._thread.is_alive()

    def stats(self) -> EngineStats:
        """Counters and gauges; a reading from another thread, at most a step old."""
        return self._engine.stats()

    async def stream(self, request: GenerationRequest) -> AsyncIterator[TokenEvent]:
        """The events of one request, up to and including the one with a finish reason. Closing the iterator cancels.

        Raises:
            EngineFault: The request was not accepted. A request that fails later ends with an event instead.
        """
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[Item] = asyncio.Queue()
        sink = _Sink(inbox.put_nowait, loop)
        self._post(lambda: self._add(request, sink))
        is_finished = False
        try:
            while not is_finished:
                item = await inbox.get()
                is_finished = isinstance(item, EngineFault) or item.finish_reason is not None
                if isinstance(item, EngineFault):
                    raise item
                yield item
        finally:
            if not is_finished and self.is_running:
                self._post(lambda: self._cancel(request.request_id, sink))

    def generate(self, requests: list[GenerationRequest]) -> list[list[int]]:
        """Run requests to their ends and return the answers, in order; blocks. For scripts and benches.

        Raises:
            EngineFault: Of the first request that failed.
        """
        inbox: SimpleQueue[Item] = SimpleQueue()
        answers: dict[str, list[int]] = {request.request_id: [] for request in requests}
        sink = _Sink(inbox.put)
        for request in requests:
            self._post(partial(self._add, request, sink))
        num_open = len(requests)
        while num_open:
            item = inbox.get()
            if isinstance(item, EngineFault):
                raise item
            if item.error is not None:
                raise item.error
            answers[item.request_id] += item.token_ids
            num_open -= item.finish_reason is not None
        return [answers[request.request_id] for request in requests]

    def _post(self, command: Callable[[], None]) -> None:
        with self._lock:
            if not self._is_open:
                raise EngineClosedError("the engine is not running")
            self._commands.append(command)
        self._wake.set()

    # Everything below runs in the engine thread.

    def _run(self) -> None:
        while self._is_open:
            if not (self._engine.has_work or self._commands):
                self._wake.wait()
                self._wake.clear()
            while self._commands:
                self._commands.popleft()()
            if self._engine.has_work:
                self._deliver(self._step())
        while self._commands:
            self._commands.popleft()()
        self._deliver(self._engine.fail_all(EngineClosedError("the engine was closed")))
        self._engine.close()

    def _step(self) -> list[TokenEvent]:
        try:
            return self._engine.step()
        except Exception as error:
            # Not a fault of a forward pass (`step` turns those into events) but of the engine's own bookkeeping.
            logger.exception("the engine's bookkeeping failed; every request ends")
            fault = StepFailedError("the engine's bookkeeping failed")
            fault.__cause__ = error
            return self._engine.fail_all(fault)

    def _add(self, request: GenerationRequest, sink: _Sink) -> None:
        try:
            self._engine.add(request)
        except EngineFault as fault:
            self._send([(sink, fault)])
        else:
            self._sinks[request.request_id] = sink

    def _cancel(self, request_id: str, sink: _Sink) -> None:
        # The id may belong to a later request by now.
        if self._sinks.get(request_id) is sink:
            self._engine.cancel(request_id)

    def _deliver(self, events: Iterable[TokenEvent]) -> None:
        outgoing: list[tuple[_Sink, Item]] = []
        for event in events:
            sink = self._sinks[event.request_id] if event.finish_reason is None else self._sinks.pop(event.request_id)
            outgoing.append((sink, event))
        self._send(outgoing)

    def _send(self, outgoing: list[tuple[_Sink, Item]]) -> None:
        """Hand items over; waking a loop is expensive, so each is woken once."""
        by_loop: dict[asyncio.AbstractEventLoop, list[Delivery]] = {}
        for sink, item in outgoing:
            if sink.loop is None:
                sink.put(item)
            else:
                by_loop.setdefault(sink.loop, []).append((sink.put, item))
        for loop, deliveries in by_loop.items():
            try:
                loop.call_soon_threadsafe(_put_all, deliveries)
            except RuntimeError:  # the loop is closed: nobody listens any more
                self._cancel_all_of(loop)

    def _cancel_all_of(self, loop: asyncio.AbstractEventLoop) -> None:
        for request_id, sink in self._sinks.items():
            if sink.loop is loop:
                self._engine.cancel(request_id)


def _put_all(deliveries: list[Delivery]) -> None:
    for put, item in deliveries:
        put(item)
