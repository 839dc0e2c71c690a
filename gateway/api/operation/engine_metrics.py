"""Metrics of the engine and of constraints: under vLLM's names where the meaning is the same, else under our own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.operation.families import labelled_counter, labelled_histogram
from gateway.engine import EngineStats
from gateway.engine.histograms import BOUNDS
from gateway.engine.request import sum_of
from gateway.service.constraints.compilations import COMPILE_S
from gateway.service.model.memory import resident_bytes
from gateway.service.model_pool import ModelPool
from gateway.service.service import Service

Families = tuple[tuple[str, str, Callable[[EngineStats], float]], ...]
"""Name, help text and value of each family."""

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
    "iteration_tokens_total": "Tokens computed in a step.",
}
VLLM_REASONS = {"stop": "stop", "length": "length", "cancelled": "abort", "error": "error", "repetition": "repetition"}
"""vLLM's finish reasons by ours."""


class VllmMetrics(Collector):
    """Metrics of the engine under vLLM's names and with its buckets, for dashboards, routers and autoscalers made for
    it. All have the label `model_name`."""

    def __init__(self, pool: ModelPool) -> None:
        self._pool = pool

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        by_model = {(entry.served.name,): entry.stats for entry in self._pool.entries}
        for name, text, value_of in VLLM_GAUGES:
            gauge = GaugeMetricFamily(f"vllm:{name}", text, labels=["model_name"])
            for labels, stats in by_model.items():
                gauge.add_metric(labels, value_of(stats))
            yield gauge
        for name, text, value_of in VLLM_COUNTERS:
            values = {labels: value_of(stats) for labels, stats in by_model.items()}
            yield labelled_counter(f"vllm:{name}", text, ("model_name",), values)
        ended = {
            (*labels, theirs): stats.finished[ours]
            for labels, stats in by_model.items()
            for ours, theirs in VLLM_REASONS.items()
        }
        yield labelled_counter("vllm:request_success", "Ended sequences.", ("model_name", "finished_reason"), ended)
        for name, text in VLLM_HISTOGRAMS.items():
            histograms = {labels: stats.histograms[name] for labels, stats in by_model.items()}
            yield labelled_histogram(f"vllm:{name}", text, ("model_name",), BOUNDS[name], histograms)
        names = ("model_name", "block_size", "num_gpu_blocks", "enable_prefix_caching")
        info = GaugeMetricFamily("vllm:cache_config_info", "Sizes of the cache of keys and values.", labels=names)
        for entry in self._pool.entries:
            stats = entry.stats
            if stats.num_blocks:
                is_caching = str(entry.config.engine.prefix_caching)
                info.add_metric([entry.served.name, str(stats.block_size), str(stats.num_blocks), is_caching], 1)
        if info.samples:
            yield info


class EngineMetrics(Collector):
    """Metrics of all engines together under names of our own. Totals go on where an engine replaces one that died."""

    def __init__(self, pool: ModelPool) -> None:
        self._pool = pool

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        stats = sum_of(entry.stats for entry in self._pool.entries)
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
            (
                "masks_narrowed",
                "Masks from which max_tokens left tokens out, of answers that it has not yet decided.",
                stats.num_narrowed_masks,
            ),
            ("preemptions", "Sequences that gave their blocks back and started over.", stats.num_preemptions),
            (
                "engine_restarts",
                "Times that the engine was started again.",
                sum(entry.num_restarts for entry in self._pool.entries),
            ),
        )
        yield from (GaugeMetricFamily(f"portcullis_{name}", text, value) for name, text, value in gauges)
        yield from (CounterMetricFamily(f"portcullis_{name}", text, value) for name, text, value in counters)
        hits = {(tier,): number for tier, number in stats.offload_hits.items()}
        text = "Tokens of prompts whose keys and values were copied back from the second tier."
        yield labelled_counter("portcullis_kv_offload_hits", text, ("tier",), hits)
        text = "Keys and values in the second tier."
        held = GaugeMetricFamily("portcullis_kv_offload_bytes", text, labels=["tier"])
        for tier, size in sorted(stats.offload_bytes.items()):
            held.add_metric([tier], size)
        yield held
        ended = {(reason,): number for reason, number in stats.finished.items()}
        yield labelled_counter("portcullis_requests", "Sequences that ended.", ("finish_reason",), ended)
        mask_times = {(): stats.histograms["mask_row_seconds"]}
        text = "CPU time that filling a mask took, by row."
        yield labelled_histogram("portcullis_mask_row_seconds", text, (), BOUNDS["mask_row_seconds"], mask_times)


class ConstraintMetrics(Collector):
    """Compilations of constraints, and the memory of the server's processes."""

    def __init__(self, pool: ModelPool) -> None:
        self._pool = pool

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        counts = self._pool.shared.compilation_counts
        backends = [service.compilations for service in self._pool.services if isinstance(service, Service)]
        seconds = {(kind,): times for kind, times in counts.seconds.items()}
        text = "Time of a compilation without the wait for it, by kind of constraint."
        yield labelled_histogram("portcullis_compile_seconds", text, ("kind",), COMPILE_S, seconds)
        lookups = {(result,): number for result, number in counts.lookups.items()}
        text = "Lookups of compiled constraints: hit, shared (another request compiles it) or miss."
        yield labelled_counter("portcullis_constraint_lookups", text, ("result",), lookups)
        text = "Jobs on constraints that wait for a process."
        waiting = sum(each.queue.num_waiting for each in backends)
        yield GaugeMetricFamily("portcullis_constraints_waiting", text, waiting)
        text = "Resident memory of the server's process, the engines', and of all that work on constraints."
        memory = GaugeMetricFamily("portcullis_resident_memory_bytes", text, labels=["process"])
        pids = {
            "api": [os.getpid()],
            "engine": engine_pids(self._pool),
            "constraints": [pid for each in backends for pid in each.pids],
        }
        for name, those in pids.items():
            memory.add_metric([name], sum(map(resident_bytes, those)))
        yield memory


def engine_pids(pool: ModelPool) -> list[int]:
    """Return the ids of the engines' processes."""
    return [service.engine_pid for service in pool.services if service.engine_pid is not None]
