"""Report of a load test: a table for the terminal, and a page that needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from typing import Any

from gateway.load_test.plots import plots, svg
from gateway.load_test.statistics import LATENCIES, PERCENTILES

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: auto }}
body {{ margin: 1rem }} table {{ border-collapse: collapse }}
td, th {{ padding: .1rem .8rem; text-align: right; border-bottom: 1px solid #8885 }}
td:first-child, th:first-child {{ text-align: left }}
.table {{ overflow-x: auto }} .plots {{ display: flex; flex-wrap: wrap; gap: 1rem }}
figure {{ margin: 0; flex: 1 1 30rem }} svg {{ width: 100%; height: auto }} svg text {{ fill: currentColor }}
</style>
<h1>{title}</h1>
<p>{about}</p>
<div class="table"><table>{table}</table></div>
<div class="plots">{plots}</div>
</html>
"""


def rows(report: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table: names first, then a cell for each run."""
    runs = report["runs"]

    def row(name: str, cell: Callable[[dict[str, Any]], Any], digits: int) -> tuple[str, ...]:
        cells = [cell(run) for run in runs]
        return (name, *("-" if value is None else f"{value:,.{digits}f}" for value in cells))

    yield ("", *(" ".join(f"{kind} {value:g}" for kind, value in run["load"].items()) for run in runs))
    yield row("requests", lambda run: run["requests"], 0)
    yield row("failed", lambda run: run["failed"], 0)
    yield row("duration s", lambda run: run["duration_s"], 1)
    yield row("answers/s", lambda run: run["requests_per_s"], 2)
    yield row("output tokens/s", lambda run: run["output_tokens_per_s"], 1)
    yield row("all tokens/s", lambda run: run["total_tokens_per_s"], 1)
    if report["goodput"]:
        yield row("goodput/s", lambda run: run["goodput_per_s"], 2)
    if any(run["checked"] for run in runs):
        yield row("valid answers/s", lambda run: run["valid_per_s"], 2)
        yield row("valid %", lambda run: None if run["valid_share"] is None else 100 * run["valid_share"], 1)
    for name in LATENCIES:
        for rank in PERCENTILES:
            yield row(f"{name.upper()} ms p{rank}", partial(_percentile, name=name, rank=rank), 1)


def _percentile(run: dict[str, Any], name: str, rank: int) -> float | None:
    spread = run[f"{name}_ms"]
    return None if spread is None else spread[f"p{rank}"]


def text(report: dict[str, Any]) -> str:
    """Return the table as text, with failures and faults by their number."""
    table = list(rows(report))
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in table
    ]
    for run, load in zip(report["runs"], table[0][1:], strict=True):
        lines += [f"{load}: {number} failed: {error}" for error, number in run["errors"].items()]
        lines += [f"{load}: {number} not valid: {fault}" for fault, number in _most(run["faults"])]
    return "\n".join(lines) + "\n"


def _most(faults: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(faults.items(), key=lambda fault: -fault[1])[:5]


def html(report: dict[str, Any]) -> str:
    """Return the page, with its plots as SVG."""
    head, *further = rows(report)
    table = "".join(
        "<tr>" + "".join(f"<{cell}>{escape(value)}</{cell}>" for value in row) + "</tr>"
        for cell, row in [("th", head), *(("td", row) for row in further)]
    )
    about = f"{report['server']}, {report['date']}, requests: {report['requests_of']}, seed {report['seed']}"
    goodput = ", ".join(f"{name.upper()} ≤ {limit:g} ms" for name, limit in report["goodput"].items())
    return PAGE.format(
        title=escape(f"Load test of {report['model']}"),
        about=escape(about + (f"; goodput: {goodput}" if goodput else "")),
        table=table,
        plots="".join(f"<figure>{svg(plot)}</figure>" for plot in plots(report)),
    )
