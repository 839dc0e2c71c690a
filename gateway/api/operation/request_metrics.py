"""Requests by what they asked for and came to, for `/metrics`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.http.caller import key_in
from gateway.api.http.model_choice import entry_in
from gateway.api.operation.families import Labels, labelled_counter, labelled_histogram
from gateway.api.operation.observation import Reply
from gateway.audit.request_record import RequestRecord
from gateway.engine.histograms import Histogram
from gateway.service.model_pool import ModelPool

PARAMS_N = (1.0, 2.0, 5.0, 10.0, 20.0)
REQUEST_TYPES = {"/v1/chat/completions": "chat_completions", "/v1/responses": "responses"}
"""vLLM's types of requests with tools by route; `other` for further routes."""


class RequestMetrics(Collector):
    """Counts of requests when they are over: what they used, and the verdicts and policy actions on their answers.

    Args:
        pool: Models, whose names are values of the label `model_name`, and whose settings have the prices of tokens.
    """

    def __init__(self, pool: ModelPool) -> None:
        self._pool = pool
        self._params_n: defaultdict[Labels, Histogram] = defaultdict(lambda: Histogram.empty(PARAMS_N))
        self._costs: defaultdict[Labels, float] = defaultdict(float)
        self._tool_answers: Counter[Labels] = Counter()
        self._checks: Counter[Labels] = Counter()
        self._actions: Counter[Labels] = Counter()
        self._key_requests: Counter[Labels] = Counter()
        self._tokens: Counter[Labels] = Counter()
        self._cached: Counter[Labels] = Counter()
        self._num_retries = 0

    def count(self, scope: Any, record: RequestRecord, reply: Reply) -> None:
        """Count a request that is over."""
        if scope["method"] != "POST":
            return
        found, entry = key_in(scope), entry_in(scope) or self._pool.default()
        model, prices = entry.served.name, entry.config.model
        key = "" if found is None else found[0].name
        if key:
            self._key_requests[key,] += 1
        if record.usage is not None:
            usage = record.usage()
            self._tokens[key, "prompt"] += usage.prompt_tokens
            self._tokens[key, "completion"] += usage.completion_tokens
            self._costs[key, "prompt"] += usage.prompt_tokens * prices.prompt_price / 1000
            self._costs[key, "completion"] += usage.completion_tokens * prices.completion_price / 1000
        if record.n:
            self._params_n[model,].add(PARAMS_N, record.n)
        if record.has_tools:
            mode, kind = (
                "streaming" if reply.is_streamed else "non_streaming",
                REQUEST_TYPES.get(scope.get("path_template"), "other"),
            )
            self._tool_answers[model, mode, "tool_call", kind] += len(record.calling)
            self._tool_answers[model, mode, "no_tool_call", kind] += max(len(record.finish) - len(record.calling), 0)
        self._num_retries += record.num_retries
        if record.cached is not None:
            self._cached[record.cached,] += 1
        for verdict in record.verdicts:
            for check in verdict.checks:
                self._checks[check.what, check.where, check.by, check.result] += 1
        for findings in record.decisions:
            for finding in findings:
                self._actions[record.policy or "", finding.guard, finding.action] += 1

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        text = "Answers a prompt that a request asks for."
        params_n = {(entry.served.name,): self._params_n[entry.served.name,] for entry in self._pool.entries}
        yield labelled_histogram("vllm:request_params_n", text, ("model_name",), PARAMS_N, params_n)
        yield labelled_counter(
            "vllm:tool_call_parser_invocations",
            "Answers to requests with tools, streamed or not, by whether they call one.",
            ("model_name", "mode", "outcome", "request_type"),
            self._tool_answers,
        )
        yield labelled_counter(
            "portcullis_checks",
            "Checks of answers and prompts, by what was checked, by what, and with which result.",
            ("check", "where", "by", "result"),
            self._checks,
        )
        yield labelled_counter(
            "portcullis_policy_actions",
            "Findings of policies, by guard and action.",
            ("policy", "guard", "action"),
            self._actions,
        )
        yield CounterMetricFamily(
            "portcullis_policy_retries", "Answers that a policy gave up for another attempt.", self._num_retries
        )
        text = "Requests that the cache of responses was asked for, by result: hit or miss."
        yield labelled_counter("portcullis_response_cache", text, ("result",), self._cached)
        yield labelled_counter(
            "portcullis_key_requests", "Requests by name of the API key.", ("key",), self._key_requests
        )
        yield labelled_counter(
            "portcullis_key_tokens",
            "Tokens by name of the API key, empty without keys, and kind: prompt or completion.",
            ("key", "kind"),
            self._tokens,
        )
        prices = {
            (entry.served.name, kind): price
            for entry in self._pool.entries
            for kind, price in (
                ("prompt", entry.config.model.prompt_price),
                ("completion", entry.config.model.completion_price),
            )
        }
        if any(prices.values()):
            gauge = GaugeMetricFamily(
                "portcullis_price_per_1k_tokens", "Prices of the settings.", labels=["model_name", "kind"]
            )
            for labels, price in prices.items():
                gauge.add_metric(labels, price)
            yield gauge
            text = "Tokens times their price, by key and kind."
            yield labelled_counter("portcullis_cost", text, ("key", "kind"), self._costs)
