"""An engine in a thread of this process, and the guards around `Engine.add` and `Engine.step`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, cast

from gateway.engine.errors import EngineFault, EngineMemoryError, StepFailedError, is_out_of_memory
from gateway.engine.request import AdapterFile, EngineStats, GenerationRequest, TokenEvent
from gateway.engine.running import RunningEngine, settle

if TYPE_CHECKING:
    from gateway.engine.engine import Engine

logger = logging.getLogger(__name__)

T = TypeVar("T")


class SteppedEngine(Protocol):
    """An engine that a step loop runs: `Engine`, or `EncoderEngine`. One thread calls everything."""

    is_broken: bool
    max_model_len: int
    vocab_size: int
    eos_token_ids: tuple[int, ...]

    @property
    def has_work(self) -> bool:
        """True if a step would bring anything."""

    def add(self, request: GenerationRequest) -> None:
        """Queue a request, or raise an `EngineFault`."""

    def cancel(self, request_id: str) -> bool:
        """End a request; False if it is not in the engine."""

    def step(self) -> list[TokenEvent]:
        """Run one step and return its events."""

    def stats(self, histograms: Iterable[str] = ...) -> EngineStats:
        """Return counters, gauges and the histograms of these names."""

    def fail_all(self, fault: EngineFault) -> list[TokenEvent]:
        """End every request with the same fault."""

    def close(self) -> None:
        """End threads of the engine's own."""


def generating(engine: SteppedEngine) -> Engine:
    """Return an engine that takes adapters. Nobody loads one for an encoder."""
    return cast("Engine", engine)


class InProcessEngine(RunningEngine):
    """An engine in a thread of this process: owns an `Engine`, which that thread alone touches."""

    def __init__(self, engine: SteppedEngine) -> None:
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

    def _load_adapter(self, file: AdapterFile, future: Future[None]) -> None:
        def post(command: Callable[[], None]) -> None:
            try:
                self._post(command)
            except EngineFault as fault:
                settle(future, fault)

        read_and_add(generating(self._engine), file, post, partial(settle, future))

    def _unload_adapter(self, name: str, future: Future[None]) -> None:
        fault = guarded(lambda: generating(self._engine).remove_adapter(name, lambda: settle(future, None)))
        if fault is not None:
            settle(future, fault)


def safe_add(engine: SteppedEngine, request: GenerationRequest) -> EngineFault | None:
    """Queue a request; return the fault if it was refused."""
    try:
        engine.add(request)
    except EngineFault as fault:
        return fault
    except Exception as error:
        return _defect("the engine could not take the request", error)
    return None


def read_and_add(
    engine: Engine,
    file: AdapterFile,
    post: Callable[[Callable[[], None]], None],
    tell: Callable[[EngineFault | None], None],
) -> None:
    """Read an adapter in a thread of its own, so that steps go on, and add it in the engine's.

    Args:
        post: Has the engine's thread call something.
        tell: Called there at the end, with the fault if the adapter was not added.
    """

    def read() -> None:
        found = guarded(lambda: engine.adapters.read(file))
        if isinstance(found, EngineFault):
            post(lambda: tell(found))
        else:
            post(lambda: tell(guarded(lambda: engine.adapters.add(file.name, found))))

    Thread(target=read, name="portcullis-adapter", daemon=True).start()


def guarded(call: Callable[[], T]) -> T | EngineFault:
    """Return the result of a call about adapters, or the fault that it raised."""
    try:
        return call()
    except EngineFault as fault:
        return fault
    except Exception as error:
        if is_out_of_memory(error):
            return EngineMemoryError("there is no memory for the adapter")
        return _defect("an adapter could not be loaded", error)


def safe_step(engine: SteppedEngine) -> list[TokenEvent]:
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
