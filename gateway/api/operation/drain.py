"""Route that drains the server, for a hook that an orchestrator calls before it ends the process."""

from __future__ import annotations

import asyncio
import time

from litestar import route
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler

from gateway.api.http.caller import require_operator_key
from gateway.service.gate import IdleWatch
from gateway.service.model_pool import ModelPool

_LOOK_S = 0.1


def drain_of(key: str) -> HTTPRouteHandler:
    """Return the route, which only requests with this key may call."""

    # Kubernetes' `httpGet` hooks cannot POST.
    @route(
        "/drain",
        http_method=["GET", "POST"],
        summary="Drain the server",
        tags=["Operation"],
        status_code=200,
        guards=[require_operator_key(key, "server.drain_key")],
    )
    async def drain(pool: NamedDependency[ModelPool]) -> dict[str, int]:
        """Refuse new requests (503), and return when those under way have ended or their time is over.

        `under_way` counts the requests that are left. The server goes on refusing; SIGTERM ends it.
        """
        pool.drain()
        deadline, idle_watch = time.monotonic() + pool.config.graceful_s, IdleWatch(lambda: pool.num_under_way)
        while not idle_watch.look() and time.monotonic() < deadline:
            await asyncio.sleep(_LOOK_S)
        return {"under_way": pool.num_under_way}

    return drain
