"""Histograms of request times and sizes, with vLLM's bounds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

LATENCY_S = (
    *(0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0),
    *(40.0, 50.0, 60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0),
)
FIRST_TOKEN_S = (
    *(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75),
    *(1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0, 160.0, 640.0, 2560.0),
)
TOKEN_S = (
    *(0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75),
    *(1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0),
)
STEP_TOKENS = (1.0, *(float(1 << power) for power in range(3, 15)))
MASK_S = tuple(round(digit * 10.0**power, 6) for power in range(-6, 0) for digit in (1, 2, 5))
TOKENS = tuple(float(digit * 10**power) for power in range(6) for digit in (1, 2, 5))
BOUNDS: dict[str, tuple[float, ...]] = {
    "time_to_first_token_seconds": FIRST_TOKEN_S,
    "inter_token_latency_seconds": TOKEN_S,
    "request_time_per_output_token_seconds": TOKEN_S,
    "e2e_request_latency_seconds": LATENCY_S,
    "request_queue_time_seconds": LATENCY_S,
    "request_prefill_time_seconds": LATENCY_S,
    "request_decode_time_seconds": LATENCY_S,
    "request_inference_time_seconds": LATENCY_S,
    "request_prompt_tokens": TOKENS,
    "request_generation_tokens": TOKENS,
    "request_params_max_tokens": TOKENS,
    "iteration_tokens_total": STEP_TOKENS,
    "mask_row_seconds": MASK_S,
}
"""Upper bounds of the buckets, included in them, by name of the histogram."""
TOKEN_HISTOGRAMS = (
    *("time_to_first_token_seconds", "inter_token_latency_seconds"),
    *("iteration_tokens_total", "mask_row_seconds"),
)
"""Histograms that change with each step; the others change only when a request ends."""


@dataclass(slots=True)
class Histogram:
    """Values counted by bucket.

    Attributes:
        counts: One more than there are bounds: the last is for larger values.
        total: Sum of the values.
    """

    counts: list[int]
    total: float = 0.0

    @classmethod
    def empty(cls, bounds: Sequence[float]) -> Histogram:
        """Return a histogram without values."""
        return cls([0] * (len(bounds) + 1))

    def add(self, bounds: Sequence[float], value: float, times: int = 1) -> None:
        """Count a value, which occurred this many times."""
        self.counts[bisect_left(bounds, value)] += times
        self.total += value * times

    def copy(self) -> Histogram:
        """Return an independent copy."""
        return Histogram(self.counts[:], self.total)

    def plus(self, other: Histogram) -> Histogram:
        """Return the histogram of both sets of values."""
        counts = [mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True)]
        return Histogram(counts, self.total + other.total)


def empty_histograms() -> dict[str, Histogram]:
    """Return one histogram for each name in `BOUNDS`, without values."""
    return {name: Histogram.empty(bounds) for name, bounds in BOUNDS.items()}


def observe(histograms: dict[str, Histogram], name: str, value: float) -> None:
    """Count a value."""
    histograms[name].add(BOUNDS[name], value)
