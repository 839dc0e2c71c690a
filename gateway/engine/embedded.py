"""An engine in a thread of this process.

event loop                         engine thread
stream() -- commands (deque) -->   apply them, step(), sort the events by loop
         <-- call_soon_threadsafe, once a step and loop --
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Self

from gateway.engine.engine import Engine
from gateway.engine.errors import EngineClosedError, EngineUnavailableError
from gateway.engine.guarded import add, step
from gateway.engine.request import GenerationRequest, TokenEvent
from gateway.engine.running import Item, RunningEngine, Sink, hand_over
from gateway.engine.stats import EngineStats


class EmbeddedEngine(RunningEngine):
    """Owns an `Engine` and the one thread that touches it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._commands: deque[Callable[[], None]] = deque()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._is_open = False
        self._sinks: dict[str, Sink] = {}
        self._thread = threading.Thread(target=self._run, name="portcullis-engine", daemon=True)
        self.max_model_len = engine.max_model_len
        self.vocab_size = engine.vocab_size
        self.eos_token_ids = engine.eos_token_ids

    def start(self) -> Self:
        self._is_open = True
        self._thread.start()
        return self

    def close(self) -> None:
        with self._lock:
            was_open, self._is_open = self._is_open, False
        if was_open:
            self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def trouble(self) -> str:
        return "" if self._is_open and self._thread.is_alive() else "the engine is not running"

    @property
    def is_given_up(self) -> bool:
        return self._engine.is_broken

    def stats(self) -> EngineStats:
        return self._engine.stats()

    def _submit(self, request: GenerationRequest, sink: Sink) -> None:
        self._post(lambda: self._add(request, sink))

    def _withdraw(self, request_id: str, sink: Sink) -> None:
        with suppress(EngineClosedError):
            self._post(lambda: self._cancel(request_id, sink))

    def _post(self, command: Callable[[], None]) -> None:
        with self._lock:
            if not self._is_open:
                raise EngineClosedError("the engine is not running")
            self._commands.append(command)
        self._wake.set()

    # Everything below runs in the engine thread.

    def _run(self) -> None:
        while self._is_open and not self._engine.is_broken:
            if not (self._engine.has_work or self._commands):
                self._wake.wait()
                self._wake.clear()
            while self._commands:
                self._commands.popleft()()
            if self._engine.has_work:
                self._deliver(step(self._engine))
        with self._lock:
            self._is_open = False
        while self._commands:
            self._commands.popleft()()
        is_broken = self._engine.is_broken
        end = (
            EngineUnavailableError("step after step failed")
            if is_broken
            else EngineClosedError("the engine was closed")
        )
        self._deliver(self._engine.fail_all(end))
        self._engine.close()

    def _add(self, request: GenerationRequest, sink: Sink) -> None:
        fault = add(self._engine, request)
        if fault is None:
            self._sinks[request.request_id] = sink
        else:
            self._send([(sink, fault)])

    def _cancel(self, request_id: str, sink: Sink) -> None:
        # The id may belong to a later request by now.
        if self._sinks.get(request_id) is sink:
            self._engine.cancel(request_id)

    def _deliver(self, events: Iterable[TokenEvent]) -> None:
        outgoing: list[tuple[Sink, Item]] = []
        for event in events:
            sink = self._sinks[event.request_id] if event.finish_reason is None else self._sinks.pop(event.request_id)
            outgoing.append((sink, event))
        self._send(outgoing)

    def _send(self, outgoing: list[tuple[Sink, Item]]) -> None:
        for loop in hand_over(outgoing):
            for request_id, sink in self._sinks.items():
                if sink.loop is loop:
                    self._engine.cancel(request_id)
