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
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, suppress
from math import inf
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

from gateway.engine.delivery import Inbox, Requests
from gateway.engine.errors import EngineClosedError, EngineFault, EngineUnavailableError
from gateway.engine.request import EngineStats, GenerationRequest, TokenEvent

logger = logging.getLogger(__name__)


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

    @abstractmethod
    def start(self) -> Self:
        """Run; returns when requests are served."""

    @abstractmethod
    def stats(self) -> EngineStats:
        """Counters and gauges, at most a step old."""

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
