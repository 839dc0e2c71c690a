"""Where jobs are done: an interface, and threads. `constraint_pool` does them in processes."""

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
    """A job takes more time or memory than one may."""


class JobBackend(Protocol):
    """Does jobs. How many it does together is for whoever calls to bound: each has its place until `done` is called,
    which may be later than the answer."""

    async def compile(self, spec: Spec, key: str, done: Callable[[], None]) -> CompiledGrammar:
        """The constraint, compiled, and kept under the key as `Compiler.load` keeps it.

        Raises:
            GrammarError: It cannot be.
            TooHeavyError: It takes too much.
            NotReadyError: Nobody can do it now.
        """

    async def run(self, job: Job[T], done: Callable[[], None]) -> T:
        """The answer.

        Raises:
            GrammarError, ConstraintError, InvalidRequestError: There is none.
            TooHeavyError: It takes too much.
            NotReadyError: Nobody can do it now.
        """

    def close(self) -> None:
        """Ends its threads or processes."""


class ThreadBackend:
    """Does jobs in threads of this process. What takes too long is given up, but its thread works on, and has its place
    until then. `close` ends the threads."""

    def __init__(self, bench: JobContext, limits: LimitsConfig) -> None:
        self._context = bench
        self._timeout_s = limits.compile_timeout_s
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
        # Taken note of, should nobody wait any more.
        work.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.shield(work)
        except TimeoutError as error:
            raise JobTooHeavyError("time") from error

    def close(self) -> None:
        """End the threads; what is being done is finished first."""
        self._threads.shutdown(wait=True, cancel_futures=True)
