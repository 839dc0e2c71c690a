"""Access log: one record a request, without texts and keys."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

from litestar import Request

from gateway.api.http.caller import tenant_if_brought
from gateway.api.http.request_ids import set_log_request_id
from gateway.api.operation.health import UNRECORDED
from gateway.api.operation.observation import Reply
from gateway.audit.request_record import MAX_NAME, RequestRecord
from gateway.errors import RequestCancelledError

logger = logging.getLogger("gateway.access")


def log_access(scope: Any, record: RequestRecord, reply: Reply) -> None:
    """Write the log record of a request that is over, health probes and metrics excepted.

    Cost: about 0.15 ms of CPU a request (`tests/bench/bench_telemetry.py`); none above level INFO.
    """
    if scope["path"] in UNRECORDED or not logger.isEnabledFor(logging.INFO):
        return
    set_log_request_id(scope)
    # `logger.info` would look for its caller on the stack first.
    line = logging.LogRecord(logger.name, logging.INFO, __file__, 0, "request", (), None)
    vars(line)["fields"] = _fields(scope, record, reply)
    logger.handle(line)


def _fields(scope: Any, record: RequestRecord, reply: Reply) -> dict[str, Any]:
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
        "ttft_ms": None if first is None else round((first - reply.begin) * 1e3, 1),
        "duration_ms": round((perf_counter() - reply.begin) * 1e3, 1),
        "outcome": error or ",".join(dict.fromkeys(record.finish)) or "ok",
        "streamed": reply.is_streamed,
    }
