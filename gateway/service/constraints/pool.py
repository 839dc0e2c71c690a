"""Pool of killable processes for clients' constraints.

              job, packed                       one job at a time
event loop -- frame, frame, ... -- socket -- constraint worker     forked from the engine's forkserver
           <- answer or refusal ------------     |
           -- too long, too large: SIGKILL ------'                 and replaced when needed
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeVar, cast

from gateway.config import LimitsConfig
from gateway.errors import InternalError, NotReadyError
from gateway.service.constraints.backends import JobTooHeavyError
from gateway.service.constraints.constraint_worker import MAX_REPLY_BYTES, PREFIX, Outcome, framed
from gateway.service.constraints.jobs import CODEC, Compile, Job
from grammars import CompiledGrammar, Compiler
from grammars.frontends.base import Constraint as Spec

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_GROWN_BYTES = 96 << 20
"""A worker that has grown by more is ended after its job: its caches are not worth that memory."""

IDLE_S = 30.0
"""Seconds that workers beyond the first are kept without a job."""

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_CHUNK_BYTES = 1 << 20
_LOOK_S = 0.05
"""Seconds between measurements of a worker's memory; a shorter job is not measured until it ends."""
_LONG_S, _NICE = 0.05, 10
"""Seconds after which a job's priority is lowered; it cannot be raised again, so its worker is ended after the job."""
_LOADED_AT_ONCE_BYTES = 1 << 18


class Forks(Protocol):
    """Source of processes."""

    def fork_helper(self) -> socket.socket:
        """Return a socket to a worker that is being forked; its other end is closed if the fork fails."""

    def end_helper(self, pid: int) -> None:
        """Kill a worker, unless it ended."""


class WorkerDiedError(Exception):
    """A worker ended without a reply."""


class ConstraintPool:
    """Backend of processes, see `JobBackend`: forked when needed, and one ahead. Used by one event loop."""

    def __init__(self, forks: Forks, compiler: Compiler, limits: LimitsConfig, start_wait_s: float) -> None:
        """Args: start_wait_s: Seconds that a job waits for a process, should the forkserver be restarting."""
        self._forks = forks
        self._compiler = compiler
        self._timeout_s = limits.compile_timeout_s
        self._max_bytes = limits.max_compilation_bytes
        self._start_wait_s = start_wait_s
        # Most recently used last: it is taken first, since its caches are the most useful.
        self._idle: list[ConstraintWorker] = [ConstraintWorker(forks)]
        self._busy: set[ConstraintWorker] = set()
        self._sweep: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """Return the ids of the processes that were greeted and have not been ended."""
        return [worker.pid for worker in (*self._idle, *self._busy) if worker.pid]

    async def compile(self, spec: Spec, key: str, done: Callable[[], None]) -> CompiledGrammar:
        """See `JobBackend`."""
        data = await self.run(Compile(spec), done)
        if len(data) < _LOADED_AT_ONCE_BYTES:
            return self._compiler.load(data, key)
        return await asyncio.to_thread(self._compiler.load, data, key)

    async def run(self, job: Job[T], done: Callable[[], None]) -> T:
        """See `JobBackend`."""
        try:
            return cast(T, self._outcome(await self._reply(CODEC.pack(job))))
        finally:
            done()

    def close(self) -> None:
        """End all workers; running jobs fail with `NotReadyError`."""
        self._is_closed = True
        if self._sweep is not None:
            self._sweep.cancel()
        for worker in self._idle:
            worker.end()
        self._idle.clear()
        for worker in self._busy:
            worker.hang_up()

    async def _reply(self, payload: bytes) -> bytes:
        """Return a worker's reply; if the worker dies, that of a second one."""
        for is_last in (False, True):
            worker = self._worker()
            self._busy.add(worker)
            is_fit = False
            try:
                await worker.greet(self._start_wait_s)
                reply = await worker.ask(payload, self._timeout_s, self._max_bytes)
                is_fit = not worker.is_worn and reply[0] != Outcome.OUT_OF_MEMORY
                return reply
            except WorkerDiedError as error:
                logger.warning("a process for constraints ended at work; %s", "given up" if is_last else "once more")
                if is_last:
                    raise NotReadyError("the process that works on the constraint ended twice") from error
            finally:
                self._busy.discard(worker)
                if is_fit:
                    self._keep(worker)
                else:
                    worker.end()
                    if not self._idle and not self._is_closed:
                        with suppress(OSError):  # there is no descriptor left; the next job asks for one itself
                            self._idle.append(ConstraintWorker(self._forks))
        raise AssertionError

    def _worker(self) -> ConstraintWorker:
        """Return an idle worker, or a new one."""
        if self._is_closed:
            raise NotReadyError("the server is shutting down")
        while self._idle:
            worker = self._idle.pop()
            if not worker.is_gone:
                return worker
            worker.end()
        try:
            return ConstraintWorker(self._forks)
        except OSError as error:
            raise NotReadyError(f"no process can work on the constraint now: {error}") from error

    def _outcome(self, reply: bytes) -> object:
        outcome, found = reply[0], reply[1:]
        if outcome == Outcome.OUT_OF_MEMORY:
            raise JobTooHeavyError("memory")
        if outcome == Outcome.FAILED:
            raise InternalError("the constraint could not be worked on")
        value = CODEC.unpack(found)
        if outcome == Outcome.REFUSED:
            raise value
        return value

    def _keep(self, worker: ConstraintWorker) -> None:
        self._idle.append(worker)
        if len(self._idle) > 1 and self._sweep is None:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_S, self._end_idle)

    def _end_idle(self) -> None:
        self._sweep = None
        horizon = time.monotonic() - IDLE_S
        while len(self._idle) > 1 and self._idle[0].last_used <= horizon:
            self._idle.pop(0).end()
        if len(self._idle) > 1:
            self._sweep = asyncio.get_running_loop().call_later(IDLE_S, self._end_idle)


class ConstraintWorker:
    """Handle on one process: its fork is requested at once, and awaited before its first job.

    Attributes:
        pid: Id of the process; 0 until it is greeted.
        last_used: On the monotonic clock.
        is_worn: The worker gets no further job: it uses much memory, or its priority was lowered.
    """

    def __init__(self, forks: Forks) -> None:
        self._forks = forks
        self._socket = forks.fork_helper()
        self._socket.setblocking(False)
        self.pid = 0
        self._first_bytes = 0
        self.last_used = time.monotonic()
        self.is_worn = False

    @property
    def is_gone(self) -> bool:
        """The process ended while idle."""
        try:
            return not self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    async def greet(self, wait_s: float) -> None:
        """Return when the process has started.

        Raises:
            NotReadyError: It does not start in time.
            WorkerDiedError: It ended.
        """
        if self.pid:
            return
        try:
            async with asyncio.timeout(wait_s):
                (self.pid,) = PREFIX.unpack(await self._read())
        except TimeoutError as error:
            raise NotReadyError("the process that works on constraints is starting again") from error
        except (OSError, EOFError) as error:
            raise WorkerDiedError(repr(error)) from error
        self._first_bytes = self._own_bytes()

    async def ask(self, payload: bytes, timeout_s: float, max_bytes: int) -> bytes:
        """Return the reply to a job. After an exception the worker must be ended.

        Args:
            max_bytes: Bytes by which the process may grow.

        Raises:
            JobTooHeavyError: The job takes too long, or the process grew by more.
            WorkerDiedError: The process ended.
        """
        try:
            await asyncio.get_running_loop().sock_sendall(self._socket, framed(payload))
            reading = asyncio.ensure_future(self._read())
            try:
                await self._watch(reading, timeout_s, max_bytes)
                return reading.result()
            finally:
                # The socket must not be closed while the loop still reads from it.
                reading.cancel()
                await asyncio.wait((reading,))
        except (OSError, EOFError) as error:
            raise WorkerDiedError(repr(error)) from error
        finally:
            self.last_used = time.monotonic()

    def hang_up(self) -> None:
        """End the connection, so that its waiter ends the worker. Closing the socket would not wake the waiter."""
        self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Kill the process."""
        if self.pid:
            self._forks.end_helper(self.pid)
        self._socket.close()

    async def _read(self) -> bytes:
        (size,) = PREFIX.unpack(await self._exactly(PREFIX.size))
        if size > MAX_REPLY_BYTES:
            raise EOFError(f"{size} bytes are more than any reply has")
        return await self._exactly(size)

    async def _exactly(self, size: int) -> bytes:
        loop, data = asyncio.get_running_loop(), bytearray()
        while len(data) < size:
            part = await loop.sock_recv(self._socket, min(size - len(data), _CHUNK_BYTES))
            if not part:
                raise EOFError("it ended")
            data += part
        return bytes(data)

    async def _watch(self, reading: asyncio.Future[bytes], timeout_s: float, max_bytes: int) -> None:
        """Return when there is a reply; raise if the job takes too much time or memory."""
        begun = time.monotonic()
        while not reading.done():
            passed = time.monotonic() - begun
            if passed >= timeout_s:
                raise JobTooHeavyError("time")
            if passed > _LOOK_S and self._grown_bytes() > max_bytes:
                raise JobTooHeavyError("memory")
            if passed > _LONG_S and not self.is_worn:
                self.is_worn = True
                with suppress(OSError):  # it ended
                    os.setpriority(os.PRIO_PROCESS, self.pid, _NICE)
            await asyncio.wait((reading,), timeout=min(_LOOK_S, timeout_s - passed))
        self.is_worn |= self._grown_bytes() > MAX_GROWN_BYTES

    def _grown_bytes(self) -> int:
        return self._own_bytes() - self._first_bytes

    def _own_bytes(self) -> int:
        """Return the process's resident memory without that of files; 0 if the process ended."""
        with suppress(OSError):
            _, resident, shared, *_ = map(int, Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split())
            return (resident - shared) * _PAGE_BYTES
        return 0
