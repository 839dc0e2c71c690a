"""`/metrics` for Prometheus. It needs none of the API keys, and reveals nothing about single requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from prometheus_client import CONTENT_TYPE_LATEST, ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.http.caller import require_operator_key
from gateway.api.operation.engine_metrics import ConstraintMetrics, EngineMetrics, VllmMetrics, engine_pids
from gateway.api.operation.families import labelled_counter
from gateway.service.model_pool import ModelPool

if TYPE_CHECKING:
    from gateway.api.openai.batches.worker import BatchWorker
    from gateway.audit.log import AuditLog

_ENDS = ("completed", "failed", "expired", "cancelled")
"""Ends of batches, and of their lines."""


def metrics_of(
    pool: ModelPool,
    ignored: Mapping[str, int],
    requests: Mapping[tuple[str, str, int], int],
    more: Sequence[Collector] = (),
) -> HTTPRouteHandler:
    """Return the route with the metrics of models and of further collectors.

    Args:
        requests: HTTP requests by method, route and status.
        ignored: Requests that were served without something, by the field that asks for it.
    """
    key = pool.config.server.metrics_key
    collectors: tuple[Collector, ...] = (
        VllmMetrics(pool),
        EngineMetrics(pool),
        ConstraintMetrics(pool),
        AuditMetrics(pool.shared.audit),
        IgnoredFieldMetrics(ignored),
        HttpMetrics(requests),
        ProcessCollector(registry=None),
        ProcessCollector("portcullis_engine", lambda: next(iter(engine_pids(pool)), -1), registry=None),
        *more,
    )

    @get(
        "/metrics",
        summary="Return metrics for Prometheus",
        tags=["Operation"],
        media_type="text/plain",
        guards=[] if key is None else [require_operator_key(key, "server.metrics_key")],
        sync_to_thread=False,
    )
    def metrics() -> Response[bytes]:
        """Return the metrics of engine, audit log and server."""
        return Response(b"".join(map(generate_latest, collectors)), media_type=CONTENT_TYPE_LATEST)

    return metrics


class AuditMetrics(Collector):
    """The counts of an audit log, read when they are asked for."""

    def __init__(self, log: AuditLog | None) -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        log = self._log
        if log is None:
            return
        yield CounterMetricFamily("portcullis_audit_records", "Records that were committed.", log.num_records)
        missing = CounterMetricFamily(
            "portcullis_audit_missing_requests",
            "Requests that have no record: there was no room (audit.backpressure), or it could not be written.",
            labels=["reason"],
        )
        missing.add_metric(["no_room"], log.num_dropped)
        missing.add_metric(["not_written"], log.num_lost)
        yield missing
        failures = "Commits that failed; the log says why."
        yield CounterMetricFamily("portcullis_audit_write_failures", failures, log.num_failures)
        waiting = "Requests whose records wait to be committed, at most audit.max_waiting."
        yield GaugeMetricFamily("portcullis_audit_waiting_requests", waiting, log.num_waiting)


class BatchMetrics(Collector):
    """The counts of a server's batches, read at each scrape."""

    def __init__(self, batches: BatchWorker) -> None:
        self._batches = batches

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        for name, text, label, numbers in (
            ("portcullis_batches", "Batches that ended, by status.", "status", self._batches.num_ended),
            ("portcullis_batch_lines", "Lines of batches, by result.", "result", self._batches.num_lines),
        ):
            yield labelled_counter(name, text, (label,), {(value,): numbers[value] for value in _ENDS})
        text = "Batches that have not ended."
        yield GaugeMetricFamily("portcullis_batches_unfinished", text, self._batches.num_unfinished)


class IgnoredFieldMetrics(Collector):
    """The counts of what requests were served without, read when they are asked for."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        """Yield one family, by field."""
        text = "Requests that were served without what a field of theirs asks for."
        counts = {(name,): number for name, number in self._counts.items()}
        yield labelled_counter("portcullis_ignored_fields", text, ("field",), counts)


class HttpMetrics(Collector):
    """HTTP requests by method, route and status, read at each scrape."""

    def __init__(self, counts: Mapping[tuple[str, str, int], int]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        """Yield one family."""
        text = "HTTP requests that are over; status 499: the client left before a reply."
        counts = {(method, route, str(status)): number for (method, route, status), number in self._counts.items()}
        yield labelled_counter("portcullis_http_requests", text, ("method", "route", "status"), counts)
