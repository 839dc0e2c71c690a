"""A mixed load on the engine and on transformers: requests of all lengths that arrive one by one.

    python tests/bench/bench_engine_load.py [--model embedded|28m|FOLDER] [--rate 32] [--json OUT.json]

64 requests, prompts of 16 to 512 tokens, answers of 8 to 256, at Poisson arrivals that come faster than anyone can
serve them. Peers: transformers' continuous batching with the same arrivals, and `generate` as well as a user could
batch it: whenever it is free it takes what has arrived, up to a number of requests, padded on the left, until the
longest answer is done. Each side at its best settings (see `bench_engine.py`); sizes of a peer's batches and types of
numbers are chosen by a pilot, the first requests of another load. Only tokens that were asked for count. Times to the
first token run from a request's arrival.

In float32 the engine's answers are asserted equal to those of `generate`, one by one, before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from engine_peers import DTYPES, batching_config, generate, make_model, make_prompts, make_request, model_folder
from transformers import GenerationConfig, StoppingCriteria

from gateway.engine import Engine, EngineConfig
from gateway.engine.models.linear import choose_dtype

CPU = torch.device("cpu")
SIZES = EngineConfig(max_num_seqs=64, max_batch_tokens=512)
CHECKED = 6
BATCHING = ((128, 8), (256, 16))
"""(Tokens, requests) of a step of continuous batching; with larger ones it takes several times as long."""


@dataclass(frozen=True, slots=True)
class Load:
    """Requests, one entry each; arrivals in seconds from the start, in order."""

    arrivals: list[float]
    prompts: list[list[int]]
    answers: list[int]


@dataclass(slots=True)
class Outcome:
    """When each request had its first token, seconds after its arrival; when the last had all, from the start."""

    first: list[float]
    seconds: float
    processor: float


Server = Callable[[Load], Outcome]


def make_load(count: int, rate: float, seed: int, vocab_size: int) -> Load:
    """Lengths are uniform, gaps exponential."""
    chooser = random.Random(seed)
    arrivals, now = [], 0.0
    for _ in range(count):
        arrivals.append(now)
        now += chooser.expovariate(rate)
    prompts = make_prompts([chooser.randint(16, 512) for _ in range(count)], seed, vocab_size)
    return Load(arrivals, prompts, [chooser.randint(8, 256) for _ in range(count)])


def engine_server(engine: Engine) -> Server:
    """This engine."""

    def serve(load: Load) -> Outcome:
        first: dict[int, float] = {}
        start, processor, added = time.perf_counter(), time.process_time(), 0
        while added < len(load.arrivals) or engine.has_work:
            now = time.perf_counter() - start
            while added < len(load.arrivals) and load.arrivals[added] <= now:
                engine.add(make_request(added, load.prompts[added], load.answers[added]))
                added += 1
            if not engine.has_work:
                time.sleep(max(load.arrivals[added] - now, 0))
            for event in engine.step():
                assert event.error is None, event.error
                if event.token_ids:
                    number = int(event.request_id)
                    first.setdefault(number, time.perf_counter() - start - load.arrivals[number])
        return _outcome(first, start, processor)

    return serve


def batching_server(model: Any, max_batch_tokens: int, max_requests: int) -> Server:
    """transformers' continuous batching: a thread of its own.

    Its attention is dense over all tokens of a step and all keys of its requests, so on a CPU it wants small steps.
    """
    generation = GenerationConfig(max_new_tokens=256, do_sample=False, eos_token_id=-1, pad_token_id=0)

    def serve(load: Load) -> Outcome:
        model.set_attn_implementation("sdpa")
        manager = model.init_continuous_batching(
            generation_config=generation,
            continuous_batching_config=batching_config((max_requests + 1) * 49, max_batch_tokens, max_requests),
        )
        manager.start()
        manager.add_request(load.prompts[0], "warm", max_new_tokens=2)
        while manager.get_result(timeout=0.01) is None:
            pass
        first: dict[int, float] = {}
        start, processor = time.perf_counter(), time.process_time()
        added = 0
        while len(first) < len(load.arrivals):
            now = time.perf_counter() - start
            while added < len(load.arrivals) and load.arrivals[added] <= now:
                manager.add_request(
                    load.prompts[added], str(added), max_new_tokens=load.answers[added], record_timestamps=True
                )
                added += 1
            result = manager.get_result(timeout=0.01)
            if result is not None:
                number = int(result.request_id)
                assert result.error is None, result.error
                assert len(result.generated_tokens) == load.answers[number]
                first[number] = result.timestamps[0] - start - load.arrivals[number]
        outcome = _outcome(first, start, processor)
        manager.stop(block=True)
        model.destroy_cached_continuous_batching_manager()
        return outcome

    return serve


class _FirstToken(StoppingCriteria):
    """Notes when the first token was there; stops nothing."""

    def __init__(self) -> None:
        self.moment: float | None = None

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        self.moment = self.moment or time.perf_counter()
        return torch.zeros(len(input_ids), dtype=torch.bool)


def generate_server(model: Any, at_most: int) -> Server:
    """`generate` over whatever has arrived, `at_most` requests at a time."""

    def serve(load: Load) -> Outcome:
        first: dict[int, float] = {}
        start, processor, done = time.perf_counter(), time.process_time(), 0
        while done < len(load.arrivals):
            now = time.perf_counter() - start
            taken = [i for i in range(done, len(load.arrivals)) if load.arrivals[i] <= now][:at_most]
            if not taken:
                time.sleep(load.arrivals[done] - now)
                continue
            note = _FirstToken()
            longest = max(load.answers[i] for i in taken)
            generate(model, longest, stopping_criteria=[note])([load.prompts[i] for i in taken])
            assert note.moment is not None
            first |= {i: note.moment - start - load.arrivals[i] for i in taken}
            done += len(taken)
        return _outcome(first, start, processor)

    return serve


def _outcome(first: dict[int, float], start: float, processor: float) -> Outcome:
    seconds = time.perf_counter() - start
    return Outcome([first[i] for i in sorted(first)], seconds, time.process_time() - processor)


def assert_equal_answers(name: str, load: Load, stock: Any) -> None:
    """In float32, all requests together say what `generate` says of each alone."""
    engine = Engine(make_model(name), EngineConfig(max_num_seqs=32, max_batch_tokens=512, dtype="float32"))
    pairs = list(zip(load.prompts, load.answers, strict=True))[: 4 * CHECKED]
    answers = engine.generate([make_request(i, prompt, length) for i, (prompt, length) in enumerate(pairs)])
    engine.close()
    for (prompt, length), answer in list(zip(pairs, answers, strict=True))[:CHECKED]:
        assert [answer] == generate(stock, length)([prompt]), "the engine's tokens differ from generate's"


def choose(servers: dict[str, Server], pilot: Load) -> tuple[str, Server]:
    """The one that serves a small load fastest; each has served a smaller one before."""
    seconds = {}
    for name, serve in servers.items() if len(servers) > 1 else ():
        seconds[name] = serve(pilot).seconds
        print(json.dumps({"pilot": name, "tokens_per_s": round(sum(pilot.answers) / seconds[name], 1)}), flush=True)
    name = min(seconds, key=lambda each: seconds[each]) if seconds else next(iter(servers))
    return name, servers[name]


def report(load: Load, outcome: Outcome) -> dict[str, float]:
    """One line of the table."""
    first = sorted(outcome.first)
    return {
        "tokens_per_s": round(sum(load.answers) / outcome.seconds, 1),
        "first_token_median_s": round(statistics.median(first), 3),
        "first_token_p95_s": round(first[int(0.95 * len(first))], 3),
        "seconds": round(outcome.seconds, 2),
        "processor_s": round(outcome.processor, 2),
    }


def main() -> None:
    """Serve the same load by each contender and print one line for each, then the ratios, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="embedded", help="embedded, 28m (random weights), or a folder")
    parser.add_argument("--rate", type=float, default=32, help="arrivals a second")
    parser.add_argument("--count", type=int, default=64)
    parser.add_argument("--pilot", type=int, default=24, help="requests of the pilot")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batches", type=int, nargs="+", default=[8, 16, 64], help="what `generate` takes at most")
    parser.add_argument("--dtype", nargs="+", default=list(DTYPES), choices=list(DTYPES), help="types of the peers")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    peers = {dtype: make_model(arguments.model, DTYPES[dtype]) for dtype in DTYPES}
    vocab_size = peers["float32"].config.vocab_size
    load = make_load(arguments.count, arguments.rate, 1, vocab_size)
    assert_equal_answers(arguments.model, load, peers["float32"])
    engine = Engine(model_folder(arguments.model) or make_model(arguments.model, choose_dtype("auto", CPU)), SIZES)
    sides: list[dict[str, Server]] = [
        {"engine": engine_server(engine)},
        {
            f"generate {dtype} {size}": generate_server(peers[dtype], size)
            for dtype in arguments.dtype
            for size in arguments.batches
        },
        {
            f"continuous batching {dtype} {size}": batching_server(peers[dtype], size[0], size[1])
            for dtype in arguments.dtype
            for size in BATCHING
        },
    ]
    pilot = make_load(arguments.pilot, 1000, 2, vocab_size)
    rows = {}
    for side in sides:
        name, serve = choose(side, pilot)
        serve(make_load(2, 1000, 3, vocab_size))
        rows[name] = report(load, serve(load))
        print(json.dumps({name: rows[name]}), flush=True)
    others = [row for name, row in rows.items() if name != "engine"]
    ratios = {
        "model": arguments.model,
        "threads": arguments.threads,
        "tokens_per_s_to_best_peer": rows["engine"]["tokens_per_s"] / max(row["tokens_per_s"] for row in others),
        "processor_to_best_peer": min(row["processor_s"] for row in others) / rows["engine"]["processor_s"],
        "first_token_median_to_best_peer": rows["engine"]["first_token_median_s"]
        / min(row["first_token_median_s"] for row in others),
        "first_token_p95_to_best_peer": rows["engine"]["first_token_p95_s"]
        / min(row["first_token_p95_s"] for row in others),
    }
    print(json.dumps(ratios))
    if arguments.json:
        result = {"torch": torch.__version__, "rows": rows, "ratios": ratios}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
