"""Plots of a report: as SVG without a library, as PNG by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from gateway.errors import ConfigError
from gateway.load_test.statistics import LATENCIES, PERCENTILES

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 320, 62, 12, 32, 44
COLOURS = ("#3070d0", "#d06010", "#209060", "#a040b0", "#b09000", "#d03050", "#408090", "#777777")
DASHES = ("none", "7 3", "2 3", "9 3 2 3")
"""Second sign of a line, for those who do not see its colour."""
NUM_POINTS = 101


class Plot(NamedTuple):
    """Lines over a common axis.

    Attributes:
        lines: Points of each line, by name.
        is_log: The horizontal axis is logarithmic.
    """

    title: str
    x_label: str
    y_label: str
    lines: dict[str, list[tuple[float, float]]]
    is_log: bool = False


def plots(report: dict[str, Any]) -> Iterator[Plot]:
    """Yield the plots: of several loads the figures over the load, then the distribution of each latency."""
    runs = [(*next(iter(run["load"].items())), run) for run in report["runs"]]
    if len(runs) > 1:
        x_label = {"rate": "requests/s that arrive", "concurrency": "requests under way"}[runs[0][0]]

        def over_load(title: str, y_label: str, **names: tuple[str, ...]) -> Plot:
            def points(keys: tuple[str, ...]) -> list[tuple[float, float]]:
                return [(load, value) for _, load, run in runs if (value := _found(run, keys)) is not None]

            return Plot(title, x_label, y_label, {name.replace("_", " "): points(keys) for name, keys in names.items()})

        yield over_load(
            "Answers", "a second",
            complete=("requests_per_s",), goodput=("goodput_per_s",), valid=("valid_per_s",),
        )  # fmt: skip
        yield over_load("Throughput", "tokens/s", output=("output_tokens_per_s",), all=("total_tokens_per_s",))
        for name in LATENCIES:
            ranks = {f"p{rank}": (f"{name}_ms", f"p{rank}") for rank in PERCENTILES}
            yield over_load(name.upper(), "ms", **ranks)
    for name, meaning in LATENCIES.items():
        lines = {f"{kind} {load:g}": _distribution(run, f"{name}_ms") for kind, load, run in runs}
        yield Plot(f"{name.upper()}: {meaning}", "ms", "% of values at most", lines, is_log=True)


def _found(run: dict[str, Any], keys: tuple[str, ...]) -> float | None:
    value: Any = run
    for key in keys:
        value = (value or {}).get(key)
    return None if value is None else float(value)


def _distribution(run: dict[str, Any], key: str) -> list[tuple[float, float]]:
    import numpy as np

    found = [answer[key] for answer in run["answers"] if answer[key] is not None]
    values = [each for value in found for each in (value if isinstance(value, list) else [value])]
    ranks = np.linspace(0, 100, NUM_POINTS)
    return [] if not values else list(zip(np.percentile(values, ranks).tolist(), ranks.tolist(), strict=True))


def svg(plot: Plot) -> str:
    """Return the plot as an SVG element."""
    points = [point for line in plot.lines.values() for point in line]
    lowest = min((x for x, _ in points), default=0.0) if plot.is_log else 0.0
    x_ticks = _log_ticks(lowest, max((x for x, _ in points), default=1.0)) if plot.is_log else _ticks(points, 0)
    y_ticks = _ticks(points, 1)

    def place(value: float, ticks: list[float], begin: int, end: int, is_log: bool = False) -> str:
        low, high, at = ((math.log(max(each, ticks[0]))) if is_log else each for each in (ticks[0], ticks[-1], value))
        return f"{begin + (end - begin) * (at - low) / (high - low):.1f}"

    def across(x: float) -> str:
        return place(x, x_ticks, LEFT, WIDTH - RIGHT, plot.is_log)

    def up(y: float) -> str:
        return place(y, y_ticks, HEIGHT - BOTTOM, TOP)

    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(plot.title)}" font-size="12">',
        f'<text x="{LEFT}" y="14" font-weight="bold">{escape(plot.title)}</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{escape(plot.x_label)}</text>',
        f'<text x="{LEFT}" y="28">{escape(plot.y_label)}</text>',
    ]
    for y in y_ticks:
        parts.append(f'<path d="M{LEFT} {up(y)}H{WIDTH - RIGHT}" stroke="#8885"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{up(y)}" text-anchor="end" dominant-baseline="middle">{y:g}</text>')
    for x in x_ticks:
        parts.append(f'<text x="{across(x)}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    for number, (name, line) in enumerate((name, line) for name, line in plot.lines.items() if line):
        look = f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-dasharray="{DASHES[number % len(DASHES)]}"'
        path = "L".join(f"{across(x)} {up(y)}" for x, y in line)
        parts.append(f'<path d="M{path}" fill="none" stroke-width="2" {look}><title>{escape(name)}</title></path>')
        x, y = LEFT + 8 + 120 * (number % 4), TOP + 12 + 16 * (number // 4)
        parts.append(
            f'<path d="M{x} {y}h22" stroke-width="2" {look}/><text x="{x + 27}" y="{y + 4}">{escape(name)}</text>'
        )
    return "".join([*parts, "</svg>"])


def _ticks(points: list[tuple[float, float]], axis: int) -> list[float]:
    """Return round values from 0 to beyond the largest."""
    most = max((point[axis] for point in points), default=0.0) or 1.0
    step = 10.0 ** math.floor(math.log10(most))
    step *= next(part for part in (0.2, 0.5, 1.0, 2.0) if most / (part * step) <= 6)
    return [round(step * number, 10) for number in range(math.ceil(most / step - 1e-9) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten around the values."""
    low = max(low, high / 1e4, 1e-3)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(max(high, low))) + 1)
    ticks = [round(part * 10.0**power, 10) for power in powers for part in (1, 2, 5)]
    first = max((number for number, tick in enumerate(ticks) if tick <= low), default=0)
    last = next((number for number, tick in enumerate(ticks) if tick >= high and number > first), len(ticks) - 1)
    return ticks[first : last + 1]


def check_png() -> None:
    """Raise `ConfigError` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise ConfigError("--png needs matplotlib (pip install matplotlib); --html needs nothing")


def write_png(report: dict[str, Any], path: Path) -> None:
    """Write all plots of a report to one file."""
    from matplotlib.figure import Figure

    shown = list(plots(report))
    figure = Figure(figsize=(14, 4 * math.ceil(len(shown) / 2)), layout="constrained")
    for number, plot in enumerate(shown, 1):
        axes = figure.add_subplot(math.ceil(len(shown) / 2), 2, number)
        for line, points in plot.lines.items():
            if points:
                axes.plot(*zip(*points, strict=True), label=line, marker=None if plot.is_log else "o")
        axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label, ylim=(0, None))
        axes.set_xscale("log" if plot.is_log else "linear")
        axes.grid(alpha=0.3)
        if any(plot.lines.values()):
            axes.legend()
    figure.savefig(path)
