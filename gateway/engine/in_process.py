"""An engine in a thread of this process, and the guards around `Engine.add` and `Engine.step`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from gateway.engine.errors import EngineFault, StepFailedError
from gateway.engine.request import EngineStats, GenerationRequest, TokenEvent
from gateway.engine.running import RunningEngine

if TYPE_CHECKING:
    from gateway.engine.engine import Engine

logger = logging.getLogger(__name__)


class InProcessEngine(RunningEngine):
    """An engine in a thread of this process: owns an `Engine`, which that thread alone touches."""

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
            if not engine.has_work:
                self._wait()
            if self._posted:
                self._do_posted()
            for request in requests.take_held():
                fault = safe_add(engine, request)
                if fault is not None:
                    requests.refuse(request.request_id, fault)
            for request_id in requests.deliver(safe_step(engine)):
                engine.cancel(request_id)
        if engine.is_broken:
            self._give_up("step after step has failed")
        engine.close()

    def _cancel(self, request_id: str) -> None:
        self._engine.cancel(request_id)


def safe_add(engine: Engine, request: GenerationRequest) -> EngineFault | None:
    """Queue a request; return the fault if it was refused."""
    try:
        engine.add(request)
    except EngineFault as fault:
        return fault
    except Exception as error:
        return _defect("the engine could not take the request", error)
    return None


def safe_step(engine: Engine) -> list[TokenEvent]:
    """Run one step. An error of the engine's own bookkeeping ends every request; a failed forward pass is
    `Engine.step`'s to handle."""
    try:
        return engine.step()
    except Exception as error:
        return engine.fail_all(_defect("the engine's bookkeeping failed; every request ends", error))


def _defect(what: str, error: Exception) -> StepFailedError:
    logger.exception("%s", what)
    fault = StepFailedError(what)
    fault.__cause__ = error
    return fault
