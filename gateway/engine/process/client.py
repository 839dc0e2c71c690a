"""An engine in a process of its own: it may die, hang or run out of memory, and this process serves on.

event loop                       supervisor thread                    worker
stream() -- posted, a bell -->   hold, send off -- frames -->         add, cancel
         <-- once a frame and loop, call_soon_threadsafe -- <-- one frame a step -- step()
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from gateway.engine.errors import EngineClosedError, EngineFault
from gateway.engine.process.child import Forkserver
from gateway.engine.process.messages import Setup
from gateway.engine.process.portable import TakenApart
from gateway.engine.process.restarts import Supervision
from gateway.engine.process.supervisor import Supervisor
from gateway.engine.request import GenerationRequest
from gateway.engine.running import RunningEngine, Sink
from gateway.engine.stats import EngineStats


class EngineProcess(RunningEngine):
    """Requests that run when it dies end with `EngineDiedError`; those that come before it is back wait for it, for a
    bounded time, or are refused with `EngineUnavailableError`."""

    def __init__(
        self,
        command: Sequence[str],
        setup: Setup,
        taken_apart: TakenApart,
        supervision: Supervision | None = None,
        spare: Forkserver | None = None,
    ) -> None:
        """Nothing is started yet.

        Args:
            command: Starts a process that calls `serve_forks`.
            setup: What its workers are made of.
            taken_apart: How constraints and stop criteria become data.
            spare: Started by the same command before, to be used for the first worker; whoever started it closes it.
        """
        supervision = supervision or Supervision()
        self._supervisor = Supervisor(command, setup, taken_apart, supervision, spare)
        self._thread = threading.Thread(target=self._supervisor.run, name="portcullis-supervisor", daemon=True)

    def begin(self) -> None:
        """Have the process load the model, and wait for nothing."""
        self._thread.start()

    def start(self) -> Self:
        """Start the process, unless it was begun; returns when the model is loaded.

        Raises:
            EngineFault: It cannot be.
        """
        if self._thread.ident is None:
            self.begin()
        self._supervisor.settled.wait()
        if self._supervisor.failure is not None:
            raise self._supervisor.failure
        ready = self._supervisor.ready
        if ready is None:
            raise EngineClosedError("the engine was closed")
        self.max_model_len = ready.max_model_len
        self.vocab_size = ready.vocab_size
        self.eos_token_ids = ready.eos_token_ids
        return self

    def close(self) -> None:
        with suppress(EngineFault):
            self._supervisor.stop()
        if self._thread.ident is not None:
            self._thread.join()

    @property
    def trouble(self) -> str:
        return self._supervisor.trouble

    @property
    def is_given_up(self) -> bool:
        return self._supervisor.is_lost

    @property
    def pid(self) -> int | None:
        """Of the process that computes; None while there is none."""
        return self._supervisor.pid

    @property
    def num_restarts(self) -> int:
        """How often it was started again."""
        return self._supervisor.num_restarts

    def fork_helper(self) -> socket.socket:
        """A socket at whose other end a helper is, soon; see `forkserver.Forks`. Where none ever is, that end is
        closed."""
        return self._supervisor.fork_helper()

    def end_helper(self, pid: int) -> None:
        """Have a helper killed, unless it ended."""
        self._supervisor.end_helper(pid)

    def stats(self) -> EngineStats:
        """As of the last step. They begin anew with each process."""
        return self._supervisor.stats

    def _submit(self, request: GenerationRequest, sink: Sink) -> None:
        if self._thread.ident is None:
            raise EngineClosedError("the engine is not running")
        self._supervisor.submit(request, sink)

    def _withdraw(self, request_id: str, sink: Sink) -> None:
        with suppress(EngineFault):
            self._supervisor.withdraw(request_id, sink)
