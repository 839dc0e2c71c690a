"""Names of OpenTelemetry's conventions for HTTP servers and for generative models: of spans, attributes and metrics.

The conventions for generative models are in development and know no server's spans: attributes are those of the
client's, and spans of a request's stages have names of our own.

See: https://github.com/open-telemetry/semantic-conventions-genai
"""

from __future__ import annotations

from typing import Any

from gateway.api.http.request_ids import request_id_of
from gateway.api.operation.observation import Reply
from gateway.audit.request_record import CANCELLED, MAX_NAME, RequestRecord
from gateway.core.verdict import Checked
from gateway.errors import RequestCancelledError

PROVIDER = "portcullis"
"""Value of `gen_ai.provider.name`."""

EVALUATION = "gen_ai.evaluation.result"
"""Event of a check."""

DURATION, FIRST_TOKEN, PER_TOKEN = (
    f"gen_ai.server.{name}" for name in ("request.duration", "time_to_first_token", "time_per_output_token")
)
BOUNDS = {
    DURATION: tuple(0.01 * 2**power for power in range(14)),
    FIRST_TOKEN: (0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
    PER_TOKEN: (0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5),
}
"""Bounds of the buckets of each metric, in seconds."""

Attributes = dict[str, Any]


def error_of(record: RequestRecord, reply: Reply) -> str | None:
    """Return the code of what went wrong; None if nothing did."""
    return record.error if reply.is_whole else record.error or RequestCancelledError.code


def span_name(scope: Any, record: RequestRecord) -> str:
    """Return the name of a request's span."""
    subject = _model(record) if record.operation else scope.get("path_template")
    return " ".join(filter(None, (record.operation or scope["method"], subject)))


def stage_name(stage: str) -> str:
    """Return the name of the span of a request's stage."""
    return f"{PROVIDER}.{stage}"


def span_attributes(scope: Any, record: RequestRecord, reply: Reply) -> Attributes:
    """Return the attributes of a request's span."""
    attributes: Attributes = {
        "http.request.method": scope["method"],
        "http.route": scope.get("path_template") or None,
        "http.response.status_code": None if reply.status == CANCELLED else reply.status,
        "http.response.header.x-request-id": [request_id_of(scope)],
        "url.scheme": scope["scheme"],
        "url.path": scope["path"][:MAX_NAME],
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
    return _given(attributes) | metric_attributes(record, reply)


def metric_attributes(record: RequestRecord, reply: Reply) -> Attributes:
    """Return the attributes of a request's measurements."""
    return _given(
        {
            "error.type": error_of(record, reply),
            "gen_ai.provider.name": PROVIDER if record.operation else None,
            "gen_ai.operation.name": record.operation,
            "gen_ai.request.model": _model(record),
        }
    )


def measurements(record: RequestRecord, reply: Reply, end: float) -> dict[str, float]:
    """Return the values of the metrics by name, for a request that ended at this time; none without generation."""
    if record.operation is None:
        return {}
    found, first = {DURATION: end - reply.begin}, record.first_output_at
    if first is not None:
        found[FIRST_TOKEN] = first - reply.begin
        num_tokens = 0 if record.usage is None else record.usage().completion_tokens
        if num_tokens > 1:
            found[PER_TOKEN] = (end - first) / (num_tokens - 1)
    return found


def evaluation(check: Checked) -> Attributes:
    """Return a check as an evaluation: 1 if passed, 0 if not, no value if skipped."""
    value = {} if check.result == "skipped" else {"gen_ai.evaluation.score.value": float(check.result == "passed")}
    return {
        "gen_ai.evaluation.name": check.what,
        "gen_ai.evaluation.score.label": check.result,
        "gen_ai.evaluation.explanation": f"the {check.where}, by {check.by}",
        **value,
    }


def _model(record: RequestRecord) -> str | None:
    return None if record.model is None else record.model[:MAX_NAME]


def _given(attributes: Attributes) -> Attributes:
    return {name: value for name, value in attributes.items() if value is not None}
