"""Context of a request: its tenant, priority, deadline and cache salt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gateway.config import LimitsConfig
from gateway.core.model import ServedModel
from gateway.core.request import Caller, Options
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import DeadlineExceededError
from gateway.service.request.limits import MAX_PRIORITY


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """Tenant, priority, deadline and cache salt of a request.

    Attributes:
        tenant: Owner of the API key; empty where there are no keys.
        priority: Lower runs first.
        deadline: In seconds of `time.monotonic`; None sets no deadline.
        cache_salt: Prompts share cached prefixes only under the same salt: that of the request and, by default, the
            tenant.
        images: Images of the chat.
        adapter: Name of the LoRA adapter that the request's `model` names; None: the model itself.
    """

    tenant: str = ""
    priority: int = 0
    deadline: float | None = None
    cache_salt: str = ""
    images: tuple[ImagePixels, ...] = ()
    adapter: str | None = None

    @classmethod
    def of(
        cls, options: Options, caller: Caller, limits: LimitsConfig, served: ServedModel | None = None
    ) -> RequestContext:
        """Return the context of a request that arrives now, with the shortest of the configured timeouts."""
        timeouts = (options.timeout_s, caller.timeout_s, limits.request_timeout_s)
        timeout_s = min((seconds for seconds in timeouts if seconds is not None), default=None)
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        owner = "" if limits.share_prefixes else caller.tenant
        salt = f"{owner}:{options.cache_salt}" if owner or options.cache_salt else ""
        priority = MAX_PRIORITY if caller.is_batch else options.priority
        adapter = options.model if served is not None and options.model in served.adapters else None
        return cls(tenant=caller.tenant, priority=priority, deadline=deadline, cache_salt=salt, adapter=adapter)


@asynccontextmanager
async def in_time(deadline: float | None) -> AsyncIterator[None]:
    """Cancel the body at the deadline.

    Raises:
        DeadlineExceededError: The deadline passed.
    """
    try:
        # Relative: the event loop's clock may differ from that of deadlines.
        async with asyncio.timeout(None if deadline is None else deadline - time.monotonic()) as scope:
            yield
    except TimeoutError:
        if not scope.expired():
            raise
        raise DeadlineExceededError("the deadline passed while the request was prepared") from None
