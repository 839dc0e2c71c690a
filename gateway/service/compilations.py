"""Compilation off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from weakref import WeakValueDictionary

from gateway.config import LimitsConfig
from gateway.errors import ConstraintError
from gateway.service.specs import constraint_error
from grammars import CompiledGrammar, Compiler, GrammarError
from grammars.frontends.base import Constraint


class Compilations:
    """One compiler for all requests, a few threads for its work, so that the event loop never waits for it.

    Constraints that the compiler still has are found here without a thread, so that they do not queue behind those
    that take long. Owns its threads; `close` ends them. One event loop uses it.
    """

    def __init__(self, compiler: Compiler, limits: LimitsConfig) -> None:
        self.compiler = compiler
        self._timeout_s = limits.compile_timeout_s
        self._threads = ThreadPoolExecutor(limits.max_compilations, thread_name_prefix="compile")
        # The compiler's own cache decides how long they live.
        self._known: WeakValueDictionary[bytes, CompiledGrammar] = WeakValueDictionary()

    async def compile(self, build: Callable[[], Constraint], origin: str) -> CompiledGrammar:
        """The compiled constraint that `build` specifies.

        Raises:
            ConstraintError: The compiler refuses it, or it takes longer than a request may wait.
        """
        try:
            spec = build()
            key = sha256(spec.cache_key().encode("utf-8", "surrogatepass")).digest()
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = await self._in_thread(spec)
        except GrammarError as error:
            raise constraint_error(error, origin) from error
        except TimeoutError:
            raise ConstraintError(
                f"{origin}: compiling takes longer than {self._timeout_s:g} s", kind="too_complex", param=origin
            ) from None
        return known

    async def _in_thread(self, spec: Constraint) -> CompiledGrammar:
        """What the compiler makes of it; it works on for the next one who asks, should this one stop waiting."""
        work = asyncio.get_running_loop().run_in_executor(self._threads, self.compiler.compile, spec)
        work.add_done_callback(_forget)
        async with asyncio.timeout(self._timeout_s):
            return await asyncio.shield(work)

    def close(self) -> None:
        """End the threads; what is being compiled is finished first."""
        self._threads.shutdown(wait=True, cancel_futures=True)


def _forget(work: asyncio.Future[CompiledGrammar]) -> None:
    """Look at the outcome even if nobody waits for it any more, so that no failure is reported as unhandled."""
    if not work.cancelled():
        work.exception()
