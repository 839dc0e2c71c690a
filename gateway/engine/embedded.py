"""An engine in a thread of this process."""

from __future__ import annotations

from typing import Self

from gateway.engine.engine import Engine
from gateway.engine.request import EngineStats
from gateway.engine.running import RunningEngine, add, step


class EmbeddedEngine(RunningEngine):
    """Owns an `Engine` and the one thread that touches it."""

    def __init__(self, engine: Engine) -> None:
        super().__init__("portcullis-engine")
        self._engine = engine
        self.max_model_len = engine.max_model_len
        self.vocab_size = engine.vocab_size
        self.eos_token_ids = engine.eos_token_ids

    def start(self) -> Self:
        self.trouble = ""
        self.begin()
        return self

    def stats(self) -> EngineStats:
        return self._engine.stats()

    def _serve(self) -> None:
        engine, requests = self._engine, self._requests
        while self._is_open and not engine.is_broken:
            if engine.has_work:
                self._do_posted()
            else:
                self._wait()
            for request in requests.send_off():
                fault = add(engine, request)
                if fault is not None:
                    requests.refuse(request.request_id, fault)
            if engine.has_work:
                for request_id in requests.deliver(step(engine)):
                    engine.cancel(request_id)
        if engine.is_broken:
            self._give_up("step after step has failed")
        engine.close()

    def _cancel(self, request_id: str) -> None:
        self._engine.cancel(request_id)
