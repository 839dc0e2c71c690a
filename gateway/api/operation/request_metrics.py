"""Requests by what they asked for and came to, for `/metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.http.caller import key_in
from gateway.api.operation.families import Labels, labelled_counter, labelled_histogram
from gateway.api.operation.observation import Reply
from gateway.audit.request_record import RequestRecord
from gateway.config import ModelConfig
from gateway.engine.histograms import Histogram

PARAMS_N = (1.0, 2.0, 5.0, 10.0, 20.0)
REQUEST_TYPES = {"/v1/chat/completions": "chat_completions", "/v1/responses": "responses"}
"""vLLM's types of requests with tools by route; `other` for further routes."""


class RequestMetrics(Collector):
    """Counts of requests when they are over: what they used, and the verdicts and policy actions on their answers.

    Args:
        model_name: Value of the label `model_name`.
        prices: Settings with the prices of tokens.
    """

    def __init__(self, model_name: str, prices: ModelConfig) -> None:
        self._model_name, self._prices = model_name, prices
        self._params_n = Histogram.empty(PARAMS_N)
        self._tool_answers: Counter[Labels] = Counter()
        self._checks: Counter[Labels] = Counter()
        self._actions: Counter[Labels] = Counter()
        self._key_requests: Counter[Labels] = Counter()
        self._tokens: Counter[Labels] = Counter()
        self._num_retries = 0

    def count(self, scope: Any, record: RequestRecord, reply: Reply) -> None:
        """Count a request that is over."""
        if scope["method"] != "POST":
            return
        found = key_in(scope)
        key = "" if found is None else found[0].name
        if key:
            self._key_requests[key,] += 1
        if record.usage is not None:
            usage = record.usage()
            self._tokens[key, "prompt"] += usage.prompt_tokens
            self._tokens[key, "completion"] += usage.completion_tokens
        if record.n:
            self._params_n.add(PARAMS_N, record.n)
        if record.has_tools:
            mode, kind = (
                "streaming" if reply.is_streamed else "non_streaming",
                REQUEST_TYPES.get(scope.get("path_template"), "other"),
            )
            self._tool_answers[mode, "tool_call", kind] += len(record.calling)
            self._tool_answers[mode, "no_tool_call", kind] += max(len(record.finish) - len(record.calling), 0)
        self._num_retries += record.num_retries
        for verdict in record.verdicts:
            for check in verdict.checks:
                self._checks[check.what, check.where, check.by, check.result] += 1
        for findings in record.decisions:
            for finding in findings:
                self._actions[record.policy or "", finding.guard, finding.action] += 1

    def collect(self) -> Iterable[Metric]:
        """Yield the metric families."""
        model, prices = self._model_name, self._prices
        text = "Answers a prompt that a request asks for."
        yield labelled_histogram("vllm:request_params_n", text, ("model_name",), PARAMS_N, {(model,): self._params_n})
        yield labelled_counter(
            "vllm:tool_call_parser_invocations",
            "Answers to requests with tools, streamed or not, by whether they call one.",
            ("model_name", "mode", "outcome", "request_type"),
            {(model, *labels): number for labels, number in self._tool_answers.items()},
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
        yield labelled_counter(
            "portcullis_key_requests", "Requests by name of the API key.", ("key",), self._key_requests
        )
        yield labelled_counter(
            "portcullis_key_tokens",
            "Tokens by name of the API key, empty without keys, and kind: prompt or completion.",
            ("key", "kind"),
            self._tokens,
        )
        price = {"prompt": prices.prompt_price, "completion": prices.completion_price}
        if any(price.values()):
            gauge = GaugeMetricFamily("portcullis_price_per_1k_tokens", "Prices of the settings.", labels=["kind"])
            for kind, each in price.items():
                gauge.add_metric([kind], each)
            yield gauge
            costs = {labels: number * price[labels[1]] / 1000 for labels, number in self._tokens.items()}
            yield labelled_counter(
                "portcullis_cost", "Tokens times their price, by key and kind.", ("key", "kind"), costs
            )
