"""Compilation off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gateway.config import LimitsConfig
from gateway.errors import ConstraintError
from gateway.service.specs import constraint_error
from grammars import CompiledGrammar, Compiler, GrammarError


class Compilations:
    """One compiler for all requests, a few threads for its work, so that the event loop never waits for it.

    Owns its threads; `close` ends them.
    """

    def __init__(self, compiler: Compiler, limits: LimitsConfig) -> None:
        self.compiler = compiler
        self._timeout_s = limits.compile_timeout_s
        self._threads = ThreadPoolExecutor(limits.max_compilations, thread_name_prefix="compile")

    async def compile(self, build: Callable[[], Any], origin: str) -> CompiledGrammar:
        """The compiled constraint that `build` specifies; both run in a thread.

        Raises:
            ConstraintError: The compiler refuses it, or it takes longer than a request may wait.
        """
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._threads, lambda: self.compiler.compile(build()))
        try:
            async with asyncio.timeout(self._timeout_s):
                return await asyncio.shield(work)
        except GrammarError as error:
            raise constraint_error(error, origin) from error
        except TimeoutError:
            work.add_done_callback(_forget)
            raise ConstraintError(
                f"{origin}: compiling takes longer than {self._timeout_s:g} s", kind="too_complex", param=origin
            ) from None

    def close(self) -> None:
        """End the threads; what is being compiled is finished first."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def _forget(work: asyncio.Future[CompiledGrammar]) -> None:
    """Take the result nobody waits for any more, so that a late failure is not reported as unhandled."""
    if not work.cancelled():
        work.exception()
