"""`/metrics` for Prometheus. It needs no key and reveals nothing about requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.service import Service

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog


def metrics_of(service: Service, ignored: Mapping[str, int], more: Sequence[Collector] = ()) -> HTTPRouteHandler:
    """Return the route with the metrics of a service and of further collectors.

    Args:
        ignored: Requests that were served without something, by the field that asks for it.
    """
    collectors = (EngineMetrics(service), AuditMetrics(service.audit), IgnoredFieldMetrics(ignored), *more)

    @get(
        "/metrics",
        summary="Return metrics for Prometheus",
        tags=["Operation"],
        media_type="text/plain",
        sync_to_thread=False,
    )
    def metrics() -> Response[bytes]:
        """Return the metrics of engine, audit log and server."""
        return Response(b"".join(map(generate_latest, collectors)), media_type=CONTENT_TYPE_LATEST)

    return metrics


class EngineMetrics(Collector):
    """Metrics of a service's engine; they restart with it."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        stats = self._service.engine_stats
        gauges = (
            ("requests_running", "Sequences in the batch.", stats.num_running),
            ("requests_waiting", "Sequences in the queue.", stats.num_waiting),
            ("kv_blocks", "Key and value blocks in all.", stats.num_blocks),
            ("kv_blocks_free", "Blocks that a new sequence could get, cached ones included.", stats.num_free_blocks),
        )
        counters = (
            ("steps", "Forward passes.", stats.num_steps),
            ("prompt_tokens", "Tokens of prompts.", stats.num_prompt_tokens),
            ("prompt_tokens_cached", "Of those, found in the prefix cache.", stats.num_cached_tokens),
            ("output_tokens", "Tokens of answers.", stats.num_output_tokens),
            ("output_tokens_forced", "Of those, left without a choice by a constraint.", stats.num_forced),
            ("draft_tokens", "Tokens that were drafted.", stats.num_drafted.total()),
            ("draft_tokens_accepted", "Of those, that became part of an answer.", stats.num_accepted.total()),
            ("masks_short", "Masks that took too long, and lacked tokens of several bytes.", stats.num_short_masks),
            ("preemptions", "Sequences that gave their blocks back and started over.", stats.num_preemptions),
            ("engine_restarts", "Times that the engine was started again.", self._service.num_restarts),
        )
        yield from (GaugeMetricFamily(f"portcullis_{name}", text, value) for name, text, value in gauges)
        yield from (CounterMetricFamily(f"portcullis_{name}", text, value) for name, text, value in counters)
        ended = CounterMetricFamily("portcullis_requests", "Sequences that ended.", labels=["finish_reason"])
        for reason, number in sorted(stats.finished.items()):
            ended.add_metric([reason], number)
        yield ended


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


class IgnoredFieldMetrics(Collector):
    """The counts of what requests were served without, read when they are asked for."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        """Yield one family, by field."""
        text = "Requests that were served without what a field of theirs asks for."
        family = CounterMetricFamily("portcullis_ignored_fields", text, labels=["field"])
        for name, number in sorted(self._counts.items()):
            family.add_metric([name], number)
        yield family
