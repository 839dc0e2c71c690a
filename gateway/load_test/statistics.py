"""Figures of a run: latencies, throughput, goodput, valid answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gateway.errors import ConfigError
from gateway.load_test.arrival import Load
from gateway.load_test.client import Answer

LATENCIES = {
    "ttft": "time to first token",
    "tpot": "time per output token after the first",
    "itl": "time between two pieces of a stream",
    "e2el": "time to the end of the answer",
}
PERCENTILES = (50, 90, 99)
OBJECTIVES = ("ttft", "tpot", "e2el")


def read_objectives(words: Iterable[str]) -> dict[str, float]:
    """Return the most milliseconds of each latency, from words such as `ttft:500`.

    Raises:
        ConfigError: A latency is unknown, or a limit is no positive number.
    """
    objectives: dict[str, float] = {}
    for word in words:
        name, _, limit = word.partition(":")
        try:
            objectives[name] = float(limit)
        except ValueError:
            objectives[name] = 0.0
        if name not in OBJECTIVES or not objectives[name] > 0:
            raise ConfigError(f"--goodput takes {', '.join(f'{each}:MILLISECONDS' for each in OBJECTIVES)}, not {word}")
    return objectives


def latencies_ms(answer: Answer) -> dict[str, list[float]]:
    """Return the latencies of an answer; those that it does not have are empty."""
    times = answer.piece_times_s
    if answer.error is not None or not times:
        return {name: [] for name in LATENCIES}
    further = answer.num_output_tokens - 1
    found = {
        "ttft": [times[0] - answer.due_s],
        "tpot": [(times[-1] - times[0]) / further] if further > 0 else [],
        "itl": [after - before for before, after in pairwise(times)],
        "e2el": [answer.end_s - answer.due_s],
    }
    return {name: [1000 * value for value in values] for name, values in found.items()}


def run_figures(
    load: Load, answers: Sequence[Answer], faults: Sequence[str | None], objectives: Mapping[str, float]
) -> dict[str, Any]:
    """Return the figures of a run, as the report has them.

    Args:
        faults: Of each answer, as `Validity.fault` returns it.
    """
    begin = min(answer.due_s for answer in answers)
    duration_s = max(answer.end_s for answer in answers) - begin
    latencies = [latencies_ms(answer) for answer in answers]
    complete = [answer for answer in answers if answer.error is None]
    num_output = sum(answer.num_output_tokens for answer in complete)
    num_prompt = sum(answer.num_prompt_tokens for answer in complete)
    checked = [fault for fault in faults if fault is not None]
    figures: dict[str, Any] = {
        "load": {load.kind: load.value},
        "duration_s": duration_s,
        "requests": len(answers),
        "failed": len(answers) - len(complete),
        "errors": dict(Counter(answer.error for answer in answers if answer.error is not None)),
        "prompt_tokens": num_prompt,
        "output_tokens": num_output,
        "requests_per_s": len(complete) / duration_s,
        "output_tokens_per_s": num_output / duration_s,
        "total_tokens_per_s": (num_prompt + num_output) / duration_s,
        "checked": len(checked),
        "valid": checked.count(""),
        "valid_share": checked.count("") / len(checked) if checked else None,
        "valid_per_s": checked.count("") / duration_s if checked else None,
        "faults": dict(Counter(fault for fault in checked if fault)),
        "max_send_lag_ms": 1000 * max(answer.sent_s - answer.due_s for answer in answers),
    }
    if objectives:
        good = [
            answer.error is None and all(value <= objectives[name] for name in objectives for value in found[name])
            for answer, found in zip(answers, latencies, strict=True)
        ]
        figures |= {"goodput_per_s": sum(good) / duration_s, "good_share": sum(good) / len(good)}
    for name in LATENCIES:
        figures[f"{name}_ms"] = _spread([value for found in latencies for value in found[name]])
    figures["kinds"] = {
        kind: _kind([fault for answer, fault in zip(answers, faults, strict=True) if answer.kind == kind])
        for kind in sorted({answer.kind for answer in answers})
    }
    figures["answers"] = [
        {
            "kind": answer.kind,
            "due_s": answer.due_s - begin,
            "prompt_tokens": answer.num_prompt_tokens,
            "output_tokens": answer.num_output_tokens,
            **{f"{name}_ms": found[name][0] if found[name] else None for name in OBJECTIVES},
            "itl_ms": found["itl"],
            "finish_reason": answer.finish_reason,
            "error": answer.error,
            "valid": None if fault is None else not fault,
            "fault": fault or None,
        }
        for answer, found, fault in zip(answers, latencies, faults, strict=True)
    ]
    return figures


def _spread(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    found = np.percentile(values, PERCENTILES)
    return {"mean": float(np.mean(values))} | {
        f"p{rank}": float(value) for rank, value in zip(PERCENTILES, found, strict=True)
    }


def _kind(faults: list[str | None]) -> dict[str, int]:
    checked = [fault for fault in faults if fault is not None]
    return {"requests": len(faults), "checked": len(checked), "valid": checked.count("")}
