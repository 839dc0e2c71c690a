"""Backends that do jobs: their interface, and one of threads. `pool` has the one of processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from gateway.config import LimitsConfig
from gateway.service.constraints.jobs import Job, JobContext
from grammars import CompiledGrammar
from grammars.frontends.base import Constraint as Spec

T = TypeVar("T")


class JobTooHeavyError(Exception):
    """A job takes more time or memory than its limit."""


class JobBackend(Protocol):
    """Backend that does jobs. The caller bounds how many run together: a job occupies its slot until `done` is called,
    which may be after its result."""

    @property
    def pids(self) -> list[int]:
        """Return the ids of its processes."""

    async def compile(self, spec: Spec, key: str, done: Callable[[], None]) -> CompiledGrammar:
        """Return the compiled constraint, cached under the key as by `Compiler.load`.

        Raises:
            GrammarError: The constraint cannot be compiled.
            JobTooHeavyError: Compiling takes too much time or memory.
            NotReadyError: No worker is available.
        """

    async def run(self, job: Job[T], done: Callable[[], None]) -> T:
        """Return the job's result.

        Raises:
            GrammarError, ConstraintError, InvalidRequestError, InvalidImageError: The job has no result.
            JobTooHeavyError: The job takes too much time or memory.
            NotReadyError: No worker is available.
        """

    def close(self) -> None:
        """End the backend's threads or processes."""


class ThreadBackend:
    """Backend of threads of this process. A job that takes too long fails, but its thread finishes it and occupies its
    slot until then. `close` ends the threads."""

    def __init__(self, context: JobContext, limits: LimitsConfig) -> None:
        self._context = context
        self._timeout_s = limits.compile_timeout_s
        self.pids: list[int] = []
        self._threads = ThreadPoolExecutor(limits.max_compilations, thread_name_prefix="constraints")

    async def compile(self, spec: Spec, key: str, done: Callable[[], None]) -> CompiledGrammar:
        """See `JobBackend`."""
        return await self._finished(lambda: self._context.compiler.compile(spec), done)

    async def run(self, job: Job[T], done: Callable[[], None]) -> T:
        """See `JobBackend`."""
        return await self._finished(lambda: job.do(self._context), done)

    async def _finished(self, call: Callable[[], T], done: Callable[[], None]) -> T:
        try:
            work = asyncio.get_running_loop().run_in_executor(self._threads, call)
        except BaseException:
            done()
            raise
        work.add_done_callback(lambda _: done())
        # Retrieved, so that asyncio reports no unhandled failure if the caller was cancelled.
        work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.shield(work)
        except TimeoutError as error:
            raise JobTooHeavyError("time") from error

    def close(self) -> None:
        """End the threads after their current jobs."""
        self._threads.shutdown(wait=True, cancel_futures=True)
