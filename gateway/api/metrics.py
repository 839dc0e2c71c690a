"""`/metrics`, as Prometheus reads it: how keeping records goes. No key is needed; nothing is told of anybody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.di import NamedDependency
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.service import Service

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog


@get("/metrics", summary="Metrics", tags=["Operation"], media_type="text/plain", sync_to_thread=False)
def metrics(service: NamedDependency[Service]) -> Response[bytes]:
    """What is counted since the start; nothing where there is no audit log."""
    return Response(generate_latest(AuditMetrics(service.audit)), media_type=CONTENT_TYPE_LATEST)


class AuditMetrics(Collector):
    """The counts of an audit log, read when they are asked for."""

    def __init__(self, log: AuditLog | None) -> None:
        self._log = log

    def collect(self) -> Iterable[Metric]:
        """Each with its name and its help."""
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
