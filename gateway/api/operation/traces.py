"""One OpenTelemetry span per request: HTTP server attributes and those for generative models.

See: https://github.com/open-telemetry/semantic-conventions-genai (in development), and OpenTelemetry's
stable conventions for HTTP servers.
"""

from __future__ import annotations

from time import perf_counter, time_ns
from typing import Any

from opentelemetry.propagate import extract
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer
from opentelemetry.util.types import AttributeValue

from gateway.api.http.request_ids import request_id_of
from gateway.api.operation.health import UNRECORDED
from gateway.api.operation.observation import AtEnd, Reply
from gateway.audit.request_record import CANCELLED, MAX_NAME, RequestRecord
from gateway.core.verdict import Checked
from gateway.errors import RequestCancelledError

PROVIDER = "portcullis"
"""Value of `gen_ai.provider.name`."""


def trace_with(tracer: Tracer) -> AtEnd:
    """Return a call that makes the span of a request that is over; the request's `traceparent` is the parent."""

    def trace(scope: Any, record: RequestRecord, reply: Reply) -> None:
        if scope["path"] in UNRECORDED:
            return
        begin_ns = time_ns() - int((perf_counter() - reply.begin) * 1e9)
        span = tracer.start_span(scope["method"], extract(_headers(scope)), SpanKind.SERVER, start_time=begin_ns)
        if span.is_recording():
            _describe(span, scope, record, reply)
        span.end()

    return trace


def _headers(scope: Any) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _describe(span: Span, scope: Any, record: RequestRecord, reply: Reply) -> None:
    """Set the span's attributes, name, status and events."""
    route, status = scope.get("path_template") or None, None if reply.status == CANCELLED else reply.status
    error = record.error if reply.is_whole else record.error or RequestCancelledError.code
    model = None if record.model is None else record.model[:MAX_NAME]
    attributes: dict[str, AttributeValue | None] = {
        "http.request.method": scope["method"],
        "http.route": route,
        "http.response.status_code": status,
        "http.response.header.x-request-id": [request_id_of(scope)],
        "url.scheme": scope["scheme"],
        "url.path": scope["path"][:MAX_NAME],
        "error.type": error,
        "gen_ai.provider.name": PROVIDER if record.operation else None,
        "gen_ai.operation.name": record.operation,
        "gen_ai.request.model": model,
        "gen_ai.response.finish_reasons": record.finish or None,
    }
    if record.usage is not None:
        usage = record.usage()
        attributes |= {
            "gen_ai.usage.input_tokens": usage.prompt_tokens,
            "gen_ai.usage.output_tokens": usage.completion_tokens,
            "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
            "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
        }
    span.set_attributes({name: value for name, value in attributes.items() if value is not None})
    subject = model if record.operation else route
    span.update_name(" ".join(filter(None, (record.operation or scope["method"], subject))))
    # What a client did, or that it went away, is no error of the server's.
    if error not in (None, RequestCancelledError.code) and (status or 500) // 100 != 4:
        span.set_status(StatusCode.ERROR)
    for verdict in record.verdicts:
        for check in verdict.checks:
            span.add_event("gen_ai.evaluation.result", _result(check))


def _result(check: Checked) -> dict[str, AttributeValue]:
    """Return a check as an evaluation: 1 if passed, 0 if not, no value if skipped."""
    value = {} if check.result == "skipped" else {"gen_ai.evaluation.score.value": float(check.result == "passed")}
    return {
        "gen_ai.evaluation.name": check.what,
        "gen_ai.evaluation.score.label": check.result,
        "gen_ai.evaluation.explanation": f"the {check.where}, by {check.by}",
        **value,
    }
