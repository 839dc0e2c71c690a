"""Metric families from counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TypeVar

from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily

from gateway.engine.histograms import Histogram

Labels = tuple[str, ...]
"""Names or values of labels."""

L = TypeVar("L", bound=Labels)


def labelled_counter(name: str, text: str, labels: Labels, counts: Mapping[L, float]) -> CounterMetricFamily:
    """Return a counter with one sample for each combination of labels."""
    family = CounterMetricFamily(name, text, labels=labels)
    for values, number in sorted(counts.items()):
        family.add_metric(values, number)
    return family


def labelled_histogram(
    name: str, text: str, labels: Labels, bounds: Sequence[float], values: Mapping[L, Histogram]
) -> HistogramMetricFamily:
    """Return a histogram with the buckets of each combination of labels."""
    family = HistogramMetricFamily(name, text, labels=labels)
    uppers = [*map(str, bounds), "+Inf"]
    for each, histogram in sorted(values.items()):
        family.add_metric(each, list(zip(uppers, accumulate(histogram.counts), strict=True)), histogram.total)
    return family
