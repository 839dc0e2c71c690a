"""OpenTelemetry's spans and metrics of requests, made when they are over. `conventions` has the names."""

from __future__ import annotations

from time import perf_counter, time_ns
from typing import Any

from opentelemetry.metrics import Meter
from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, StatusCode, Tracer, set_span_in_context

from gateway.api.operation import conventions
from gateway.api.operation.health import UNRECORDED
from gateway.api.operation.observation import AtEnd, Reply
from gateway.audit.request_record import CANCELLED, RequestRecord
from gateway.errors import RequestCancelledError


def trace_with(tracer: Tracer) -> AtEnd:
    """Return a call that makes the span of a request that is over, with its stages as children; the request's
    `traceparent` is the parent."""

    def trace(scope: Any, record: RequestRecord, reply: Reply) -> None:
        if scope["path"] in UNRECORDED:
            return
        offset_ns = time_ns() - int(perf_counter() * 1e9)

        def ns(at: float) -> int:
            return int(at * 1e9) + offset_ns

        name = conventions.span_name(scope, record)
        span = tracer.start_span(name, extract(_headers(scope)), SpanKind.SERVER, start_time=ns(reply.begin))
        if span.is_recording():
            span.set_attributes(conventions.span_attributes(scope, record, reply))
            # What a client did, or that it went away, is no error of the server's.
            error, status = conventions.error_of(record, reply), 500 if reply.status == CANCELLED else reply.status
            if error not in (None, RequestCancelledError.code) and status // 100 != 4:
                span.set_status(StatusCode.ERROR)
            for verdict in record.verdicts:
                for check in verdict.checks:
                    span.add_event(conventions.EVALUATION, conventions.evaluation(check))
            context = set_span_in_context(span)
            for stage, begin, end in record.stages or ():
                child = tracer.start_span(conventions.stage_name(stage), context, start_time=ns(begin))
                child.end(ns(end))
        span.end()

    return trace


def measure_with(meter: Meter) -> AtEnd:
    """Return a call that records the metrics of a request that is over."""
    histograms = {
        name: meter.create_histogram(name, "s", explicit_bucket_boundaries_advisory=bounds)
        for name, bounds in conventions.BOUNDS.items()
    }

    def measure(scope: Any, record: RequestRecord, reply: Reply) -> None:
        for name, value in conventions.measurements(record, reply, perf_counter()).items():
            histograms[name].record(value, conventions.metric_attributes(record, reply))

    return measure


def _headers(scope: Any) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
