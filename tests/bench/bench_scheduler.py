"""What the scheduler adds to a step: choosing, charging and recording, without a model.

    python tests/bench/bench_scheduler.py [--tenants 4] [--repeats 9]

Sequences that decode, as many as run at a time, and as many again that wait behind them. Lower quartile over repeats of
100 steps each, in microseconds a step.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

from gateway.engine import EngineConfig, GenerationRequest, SamplingParams
from gateway.engine.scheduling.scheduler import Scheduler
from gateway.engine.sequence import Sequence

STEPS, PROMPT = 100, 8


def make_scheduler(running: int, tenants: int) -> Scheduler:
    """One whose rows are all taken."""
    scheduler = Scheduler(EngineConfig(max_num_seqs=running, max_waiting=1024), num_blocks=running * 256)
    for number in range(2 * running):
        request = GenerationRequest(
            request_id=str(number),
            prompt_ids=[1 + number] * PROMPT,
            sampling=SamplingParams(max_tokens=4000),
            tenant=f"tenant {number % tenants}",
        )
        scheduler.add(Sequence(request, number))
    return scheduler


def step(scheduler: Scheduler) -> int:
    """Schedule and commit; how many sequences got a token."""
    plan = scheduler.schedule()
    sampled = plan.sampled
    scheduler.commit(plan)
    for sequence in sampled:
        sequence.token_ids.append(1)
    return len(sampled)


def measure(running: int, tenants: int, repeats: int) -> float:
    """Microseconds a step."""
    scheduler = make_scheduler(running, tenants)
    while step(scheduler) < running:  # until all prompts are read
        pass
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(STEPS):
            assert step(scheduler) == running, "a sequence was left out"
        times.append((time.perf_counter() - start) / STEPS)
    scheduler.check_integrity()
    return round(1e6 * statistics.quantiles(times, n=4)[0], 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenants", type=int, default=4)
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    for running in (1, 8, 32, 128):
        print(json.dumps({"running": running, "us_per_step": measure(running, arguments.tenants, arguments.repeats)}))


if __name__ == "__main__":
    main()
