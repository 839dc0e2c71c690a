"""Compilation of clients' constraints off the event loop: each once, in a fair queue; too heavy ones are refused."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from gateway.audit.request_record import stage
from gateway.config import LimitsConfig
from gateway.core.constraints import Constraint as Asked
from gateway.engine.histograms import Histogram
from gateway.errors import ConstraintError, DeadlineExceededError, GatewayError, OverloadedError
from gateway.service.constraints.backends import JobBackend, JobTooHeavyError
from gateway.service.constraints.fair_queue import FairQueue
from gateway.service.constraints.jobs import CODEC, Check, Job, JobContext
from gateway.service.constraints.specs import constraint_error
from grammars import CompiledGrammar, GrammarError, TooComplexError
from grammars.frontends.base import Constraint

T = TypeVar("T")

REFUSED_S = 600.0
"""Seconds in which a constraint that was too heavy is refused without another try. Not kept over a restart."""

COMPILE_S = (*(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5), *(1.0, 2.5, 5.0, 10.0, 30.0))
"""Bounds of the histogram of compile times."""

_MAX_REFUSED = 1024


class CompilationCounts:
    """Lookups of compiled constraints, and times of compilations.

    Attributes:
        lookups: By result: `hit`, `shared` (its compilation was under way) or `miss`.
        seconds: Times of compilations that ended, failed ones included, by kind of constraint. Waiting is not included.
    """

    def __init__(self) -> None:
        self.lookups: Counter[str] = Counter()
        self.seconds: dict[str, Histogram] = {}

    async def timed(self, spec: Constraint, compiling: Coroutine[Any, Any, T]) -> T:
        """Return what a compilation does, and count its time."""
        begin = time.perf_counter()
        try:
            return await compiling
        finally:
            kind = re.sub("(?<=[a-z])(?=[A-Z])", "_", type(spec).__name__).lower()
            self.seconds.setdefault(kind, Histogram.empty(COMPILE_S)).add(COMPILE_S, time.perf_counter() - begin)


class Compilations:
    """Jobs on constraints, run by a backend with a few slots that a fair queue gives to tenants.

    A cached constraint needs no slot, so it does not wait for slow ones; requests for a constraint that is being
    compiled share its result. Owns the backend; `close` ends it. Used by one event loop.
    """

    def __init__(
        self, backend: JobBackend, context: JobContext, limits: LimitsConfig, counts: CompilationCounts
    ) -> None:
        """Args: context: For light jobs, which run in threads of this process."""
        self.backend = backend
        self._context = context
        self._limits = limits
        self.queue = FairQueue(
            limits.max_compilations,
            limits.max_waiting_compilations,
            "constraints",
            # The jobs ahead end within that time, unless other tenants take the other slots.
            2 * limits.compile_timeout_s,
        )
        # Weak: the compiler's cache decides how long constraints live.
        self._known: WeakValueDictionary[bytes, CompiledGrammar] = WeakValueDictionary()
        self._digests: WeakKeyDictionary[CompiledGrammar, bytes] = WeakKeyDictionary()
        self.counts = counts
        self._under_way: dict[bytes, asyncio.Task[CompiledGrammar]] = {}
        self._refused: OrderedDict[bytes, float] = OrderedDict()

    @property
    def pids(self) -> list[int]:
        """Return the ids of the processes that work on constraints."""
        return self.backend.pids

    async def compile(self, build: Callable[[], Constraint], origin: str, tenant: str = "") -> CompiledGrammar:
        """Return the compiled constraint that `build` specifies.

        Raises:
            ConstraintError: The compiler refuses it, or compiling takes too much time or memory.
            OverloadedError: The queue is full, for all tenants or for this one; or compiled constraints take all their
                memory.
            NotReadyError: No worker is available.
        """
        try:
            spec = build()
            key = sha256(spec.cache_key().encode("utf-8", "surrogatepass")).digest()
            known = self._known.get(key)
            self.counts.lookups["hit" if known is not None else "shared" if key in self._under_way else "miss"] += 1
            if known is not None:
                return known
            with stage("compile"):
                return await self._compiled(key, spec, tenant)
        except (GrammarError, JobTooHeavyError) as error:
            raise self._client_error(error, origin) from error

    def digest(self, compiled: CompiledGrammar) -> str:
        """Return the SHA-256 of the specification that a constraint was compiled from."""
        return self._digests[compiled].hex()

    async def work(self, job: Job[T], origin: str, tenant: str) -> T:
        """Return the result of a job, queued for the tenant.

        Raises:
            ConstraintError: The job fails, or takes too much time or memory.
            OverloadedError: The queue is full.
            NotReadyError: No worker is available.
        """
        try:
            return await self.attempt(job, tenant)
        except (GrammarError, JobTooHeavyError) as error:
            raise self._client_error(error, origin) from error

    async def check(self, constraint: Asked, tenant: str) -> None:
        """Return if texts can be verified under a constraint.

        Raises:
            ConstraintError: They cannot, or the check takes too much time or memory.
            OverloadedError: The queue is full.
            NotReadyError: No worker is available.
        """
        job = Check(constraint)
        if await self._done_here(job) is None:
            await self.work(job, constraint.origin, tenant)

    async def verify(self, job: Job[T], tenant: str) -> T:
        """Return the result of a job on a finished answer.

        Raises:
            DeadlineExceededError: The job takes too much time or memory.
            NotReadyError: No worker is available.
        """
        found = await self._done_here(job)
        if found is not None:
            return found[0]
        try:
            return await self.attempt(job, tenant, is_admitted=True)
        except JobTooHeavyError as error:
            raise DeadlineExceededError(
                f"the answer was written, but verifying it takes longer than {self._limits.compile_timeout_s:g} s"
            ) from error

    async def _done_here(self, job: Job[T]) -> tuple[T] | None:
        """Return the result, from a thread, if the job is light. `is_light` runs there too: it serializes schemas."""
        return await asyncio.to_thread(lambda: (job.do(self._context),) if job.is_light else None)

    async def attempt(self, job: Job[T], tenant: str, *, is_admitted: bool = False) -> T:
        """Return the result of a job as `work` does, with the errors of the backend.

        Args:
            is_admitted: See `FairQueue.take`.
        """
        key = sha256(CODEC.pack(job)).digest()
        self._check(key)
        await self.queue.take(tenant, is_admitted=is_admitted)
        return await asyncio.shield(self._begun(key, self.backend.run(job, partial(self.queue.give_back, tenant))))

    async def _compiled(self, key: bytes, spec: Constraint, tenant: str) -> CompiledGrammar:
        """Return the compiled specification. Compilation goes on for later requests if this one is cancelled."""
        if key not in self._under_way:
            self._check(key)
            await self.queue.take(tenant)
            # Another request may have compiled the same constraint meanwhile.
            known = self._known.get(key)
            if known is not None or key in self._under_way:
                self.queue.give_back(tenant)
            else:
                working = self.backend.compile(spec, key.hex(), partial(self.queue.give_back, tenant))
                self._under_way[key] = self._begun(key, self.counts.timed(spec, working))
                self._under_way[key].add_done_callback(partial(self._end, key))
            if known is not None:
                return known
        return await asyncio.shield(self._under_way[key])

    def _begun(self, key: bytes, working: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(working)
        task.add_done_callback(partial(self._note, key))
        return task

    def _note(self, key: bytes, task: asyncio.Task[Any]) -> None:
        """Retrieve the outcome, so that asyncio reports no failure as unhandled, and remember too heavy jobs."""
        if not task.cancelled() and isinstance(task.exception(), JobTooHeavyError):
            self._refused[key] = time.monotonic() + REFUSED_S
            while len(self._refused) > _MAX_REFUSED:
                self._refused.popitem(last=False)

    def _end(self, key: bytes, task: asyncio.Task[CompiledGrammar]) -> None:
        del self._under_way[key]
        if not task.cancelled() and task.exception() is None:
            self._known[key] = compiled = task.result()
            self._digests[compiled] = key

    def _check(self, key: bytes) -> None:
        until = self._refused.get(key)
        if until is None:
            return
        if until > time.monotonic():
            raise JobTooHeavyError("it did before")
        del self._refused[key]

    def _client_error(self, error: GrammarError | JobTooHeavyError, origin: str) -> GatewayError:
        if isinstance(error, TooComplexError) and error.limit == "max_held_bytes":
            return OverloadedError("constraints in use take all the memory reserved for them", param=origin)
        if isinstance(error, GrammarError):
            return constraint_error(error, origin)
        return ConstraintError(
            f"{origin}: working on it takes longer than {self._limits.compile_timeout_s:g} s, or more than "
            f"{self._limits.max_compilation_bytes >> 20} MB; for {REFUSED_S / 60:g} minutes it is refused at once",
            kind="too_complex",
            param=origin,
        )

    def close(self) -> None:
        """End the backend's threads or processes."""
        self.backend.close()
