"""Access log: one record a request, without texts and keys."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Send

from gateway.api.http.caller import tenant_if_brought
from gateway.api.http.request_ids import set_log_request_id
from gateway.api.operation.health import UNRECORDED
from gateway.audit.request_record import CANCELLED, MAX_NAME, RequestRecord, begin_record
from gateway.errors import RequestCancelledError

logger = logging.getLogger("gateway.access")


def access_logged(app: ASGIApp) -> ASGIApp:
    """Return the app with one log record for every request when it is over, health probes and metrics excepted.

    Cost: about 0.15 ms of CPU a request (`tests/bench/bench_telemetry.py`); none above level INFO.
    """

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNRECORDED or not logger.isEnabledFor(logging.INFO):
            return await app(scope, receive, send)
        begin = perf_counter()
        set_log_request_id(scope)
        record, reply = begin_record(scope), _Reply(send)
        try:
            await app(scope, receive, reply.send)
        finally:
            # `logger.info` would look for its caller on the stack first.
            line = logging.LogRecord(logger.name, logging.INFO, __file__, 0, "request", (), None)
            vars(line)["fields"] = _fields(scope, record, reply, begin)
            logger.handle(line)

    return serve


class _Reply:
    """Observer of a reply on its way to the client."""

    __slots__ = ("_send", "is_streamed", "is_whole", "status")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = CANCELLED
        self.is_streamed = False
        self.is_whole = False

    async def send(self, message: Message) -> None:
        """Send a part of the reply."""
        await self._send(message)
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.is_whole = not message.get("more_body")
            self.is_streamed |= not self.is_whole


def _fields(scope: Any, record: RequestRecord, reply: _Reply, begin: float) -> dict[str, Any]:
    end = perf_counter()
    usage = record.usage() if record.usage is not None else None
    error = record.error or (None if reply.is_whole else RequestCancelledError.code)
    first = record.first_output_at
    return {
        "method": scope["method"],
        "route": scope.get("path_template") or None,
        "status": reply.status,
        "key": record.tenant or tenant_if_brought(Request(scope)) or None,
        "model": None if record.model is None else record.model[:MAX_NAME],
        "prompt_tokens": None if usage is None else usage.prompt_tokens,
        "completion_tokens": None if usage is None else usage.completion_tokens,
        "ttft_ms": None if first is None else round((first - begin) * 1e3, 1),
        "duration_ms": round((end - begin) * 1e3, 1),
        "outcome": error or ",".join(dict.fromkeys(record.finish)) or "ok",
        "streamed": reply.is_streamed,
    }
