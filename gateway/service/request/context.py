"""On which terms a request is served: whose it is, how urgent, until when."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gateway.config import LimitsConfig
from gateway.core.request import Caller, Options
from gateway.errors import DeadlineExceededError


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """What everybody who works on a request is told of it.

    Attributes:
        tenant: Whose it is; empty where there are no API keys.
        priority: Lower goes first.
        deadline: In seconds of `time.monotonic`; None has no end.
        cache_salt: What is kept of a prompt is found under the same alone: by default whose it is, and what was said.
    """

    tenant: str = ""
    priority: int = 0
    deadline: float | None = None
    cache_salt: str = ""

    @classmethod
    def of(cls, options: Options, caller: Caller, limits: LimitsConfig) -> RequestContext:
        """The terms of a request that arrives now: the shortest of the times that were said."""
        said = (options.timeout_s, caller.timeout_s, limits.request_timeout_s)
        timeout_s = min((seconds for seconds in said if seconds is not None), default=None)
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        owner = "" if limits.share_prefixes else caller.tenant
        salt = f"{owner}:{options.cache_salt}" if owner or options.cache_salt else ""
        return cls(tenant=caller.tenant, priority=options.priority, deadline=deadline, cache_salt=salt)


@asynccontextmanager
async def in_time(deadline: float | None) -> AsyncIterator[None]:
    """What is done within is cancelled when the time is over.

    Raises:
        DeadlineExceededError: It was.
    """
    try:
        # The event loop's own clock need not be the one that deadlines are on.
        async with asyncio.timeout(None if deadline is None else deadline - time.monotonic()) as scope:
            yield
    except TimeoutError:
        if not scope.expired():
            raise
        raise DeadlineExceededError("the deadline passed while the request was prepared") from None
