"""`/metrics` for Prometheus. It needs no key and reveals nothing about requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from prometheus_client import CONTENT_TYPE_LATEST, ProcessCollector, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.engine import EngineStats
from gateway.engine.histograms import BOUNDS, Histogram
from gateway.service import Service

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog


Families = tuple[tuple[str, str, Callable[[EngineStats], float]], ...]
"""Name, help text and value of each family."""


def metrics_of(
    service: Service,
    ignored: Mapping[str, int],
    requests: Mapping[tuple[str, str, int], int],
    more: Sequence[Collector] = (),
) -> HTTPRouteHandler:
    """Return the route with the metrics of a service and of further collectors.

    Args:
        requests: HTTP requests by method, route and status.
        ignored: Requests that were served without something, by the field that asks for it.
    """
    collectors: tuple[Collector, ...] = (
        VllmMetrics(service),
        EngineMetrics(service),
        AuditMetrics(service.audit),
        IgnoredFieldMetrics(ignored),
        HttpMetrics(requests),
        ProcessCollector(registry=None),
        ProcessCollector("portcullis_engine", lambda: service.engine_pid or -1, registry=None),
        *more,
    )

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


VLLM_GAUGES: Families = (
    ("num_requests_running", "Sequences in the batch.", lambda stats: stats.num_running),
    ("num_requests_waiting", "Sequences in the queue.", lambda stats: stats.num_waiting),
    (
        "kv_cache_usage_perc",
        "Share of key and value blocks in use, from 0 to 1.",
        lambda stats: 1 - stats.num_free_blocks / stats.num_blocks if stats.num_blocks else 0,
    ),
)
VLLM_COUNTERS: Families = (
    ("prompt_tokens", "Tokens of prompts.", lambda stats: stats.num_prompt_tokens),
    ("prompt_tokens_cached", "Tokens of prompts from the prefix cache.", lambda stats: stats.num_cached_tokens),
    ("generation_tokens", "Tokens of answers.", lambda stats: stats.num_output_tokens),
    ("prefix_cache_queries", "Tokens looked up in the prefix cache.", lambda stats: stats.num_prompt_tokens),
    ("prefix_cache_hits", "Tokens found in the prefix cache.", lambda stats: stats.num_cached_tokens),
    ("num_preemptions", "Sequences that released their blocks and started over.", lambda stats: stats.num_preemptions),
    ("spec_decode_num_drafts", "Drafts that were verified.", lambda stats: stats.num_drafts),
    ("spec_decode_num_draft_tokens", "Tokens of drafts.", lambda stats: stats.num_drafted.total()),
    ("spec_decode_num_accepted_tokens", "Accepted tokens of drafts.", lambda stats: stats.num_accepted.total()),
)
VLLM_HISTOGRAMS = {
    "time_to_first_token_seconds": "Time from arrival in the engine to the first token.",
    "inter_token_latency_seconds": "Time between two outputs of a request.",
    "request_time_per_output_token_seconds": "Mean time per token after the first, by request.",
    "e2e_request_latency_seconds": "Time from arrival in the engine to the end.",
    "request_queue_time_seconds": "Time from arrival in the engine to the first step.",
    "request_prefill_time_seconds": "Time from the first step to the first token.",
    "request_decode_time_seconds": "Time from the first token to the last.",
    "request_inference_time_seconds": "Time from the first step to the last token.",
    "request_prompt_tokens": "Tokens of a prompt.",
    "request_generation_tokens": "Tokens of an answer.",
    "request_params_max_tokens": "max_tokens of a request.",
}
VLLM_REASONS = {"stop": "stop", "length": "length", "cancelled": "abort", "error": "error", "repetition": "repetition"}
"""vLLM's finish reasons by ours."""


class VllmMetrics(Collector):
    """Metrics of the engine under vLLM's names and with its buckets, for dashboards, routers and autoscalers made for
    it. All have the label `model_name`."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        stats, model = self._service.engine_stats, self._service.model.name
        for name, text, value_of in VLLM_GAUGES:
            gauge = GaugeMetricFamily(f"vllm:{name}", text, labels=["model_name"])
            gauge.add_metric([model], value_of(stats))
            yield gauge
        for name, text, value_of in VLLM_COUNTERS:
            counter = CounterMetricFamily(f"vllm:{name}", text, labels=["model_name"])
            counter.add_metric([model], value_of(stats))
            yield counter
        ended = CounterMetricFamily(
            "vllm:request_success", "Ended sequences.", labels=["model_name", "finished_reason"]
        )
        for ours, theirs in VLLM_REASONS.items():
            ended.add_metric([model, theirs], stats.finished[ours])
        yield ended
        for name, text in VLLM_HISTOGRAMS.items():
            histogram = stats.histograms[name]
            family = HistogramMetricFamily(f"vllm:{name}", text, labels=["model_name"])
            family.add_metric([model], _buckets(name, histogram), histogram.total)
            yield family


def _buckets(name: str, histogram: Histogram) -> list[tuple[str, float]]:
    """Return the upper bounds of the buckets with the number of values up to each."""
    return list(zip([*map(str, BOUNDS[name]), "+Inf"], accumulate(histogram.counts), strict=True))


class EngineMetrics(Collector):
    """Metrics of a service's engine under names of our own. Totals go on where a new engine replaces one that died."""

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


class HttpMetrics(Collector):
    """HTTP requests by method, route and status, read at each scrape."""

    def __init__(self, counts: Mapping[tuple[str, str, int], int]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        """Yield one family."""
        text = "HTTP requests that are over; status 499: the client left before a reply."
        family = CounterMetricFamily("portcullis_http_requests", text, labels=["method", "route", "status"])
        for (method, route, status), number in sorted(self._counts.items()):
            family.add_metric([method, route, str(status)], number)
        yield family
