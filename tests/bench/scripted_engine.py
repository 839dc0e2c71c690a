"""An engine that writes a text that is known beforehand: what is left to measure is the gateway."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future
from typing import Self

from gateway.engine import EngineStats, RunningEngine, TokenEvent
from gateway.engine.request import AdapterFile


class ScriptedEngine(RunningEngine):
    """Each step brings each request one token of the script, or ends it when it has all of it.

    Like the real one it has a thread of its own, wakes the event loop once a step, and does not wait for it.

    Attributes:
        seconds: Time in the engine of each request that is done, from its arrival to its last token.
        step_s: Seconds that a step takes; 0: as fast as it can.
    """

    def __init__(self, real: RunningEngine, script: list[int]) -> None:
        super().__init__("scripted-engine")
        self._script = script
        self._stats = real.stats()
        self.max_model_len = real.max_model_len
        self.vocab_size = real.vocab_size
        self.eos_token_ids = real.eos_token_ids
        self.seconds: deque[float] = deque(maxlen=10_000)
        self.step_s = 0.0

    def start(self) -> Self:
        self.trouble = ""
        self.begin()
        return self

    def stats(self) -> EngineStats:
        return self._stats

    def _load_adapter(self, file: AdapterFile, future: Future[None]) -> None:
        raise NotImplementedError("it has no adapters")

    def _unload_adapter(self, name: str, future: Future[None]) -> None:
        raise NotImplementedError("it has no adapters")

    def _cancel(self, request_id: str) -> None:
        """Nothing is lost by finishing it."""

    def _serve(self) -> None:
        active: dict[str, tuple[int, float]] = {}
        while self._is_open:
            if not active:
                self._wait()
            self._do_posted()
            for request in self._requests.take_held():
                active[request.request_id] = (0, time.perf_counter())
            if self.step_s:
                time.sleep(self.step_s)
            events = []
            for name, (place, begun) in list(active.items()):
                is_last = place == len(self._script)
                token = self._script[place : place + 1]
                events.append(TokenEvent(name, token, finish_reason="stop" if is_last else None))
                if is_last:
                    del active[name]
                    self.seconds.append(time.perf_counter() - begun)
                else:
                    active[name] = (place + 1, begun)
            self._requests.deliver(events)
