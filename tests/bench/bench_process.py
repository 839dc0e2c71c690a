"""What it costs to have the engine in a process of its own, and how soon it is back after its death.

    python tests/bench/bench_process.py [--model FOLDER] [--threads 1] [--repeats 5] [--json OUT.json]

The same requests go through an engine in a thread and one in a process, streamed on an event loop, some of them under a
JSON schema; the answers are asserted equal first. Runs are interleaved, medians reported: tokens per second of each,
and the time to the first token of a request that comes alone. Then the same through the service, where this process has
the work that it has when it serves: prompts, text, verification. Each repeat has new prompts, so that no prefix cache
helps. Last the engine's process is killed, and a request waits for the next one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import signal
import statistics
import time
from pathlib import Path
from typing import Any

from gateway.config import Config, EngineConfig, ModelConfig, ProcessConfig
from gateway.core.request import CompletionRequest, Options, Sampling
from gateway.engine import GenerationRequest, RunningEngine, SamplingParams
from gateway.engine.process import EngineProcess
from gateway.service import Service
from grammars import Compiler, JsonSchema, Vocabulary

PROMPT = 64
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["name", "count", "note"],
}
Answers = list[list[int]]


class Load:
    """Requests for a model: every fourth under the schema."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.grammar = Compiler(vocabulary).compile(JsonSchema(SCHEMA))

    def requests(self, seed: int, concurrency: int, new_tokens: int) -> list[GenerationRequest]:
        """The same for the same seed; constraints are used up, so each run needs its own."""
        chooser = random.Random(seed)
        return [
            GenerationRequest(
                request_id=str(number),
                prompt_ids=[chooser.randrange(3, len(self.vocabulary)) for _ in range(PROMPT)],
                sampling=SamplingParams(max_tokens=new_tokens, ignore_eos=True, seed=number),
                constraint=self.grammar.matcher() if number % 4 == 3 else None,
            )
            for number in range(concurrency)
        ]


async def run(engine: RunningEngine, requests: list[GenerationRequest]) -> tuple[Answers, float]:
    """The answers, and when the first token came, in seconds."""
    start, first = time.perf_counter(), float("inf")

    async def one(request: GenerationRequest) -> list[int]:
        nonlocal first
        tokens: list[int] = []
        async for event in engine.stream(request):
            first = min(first, time.perf_counter() - start)
            assert event.error is None, event.error
            tokens += event.token_ids
        return tokens

    return await asyncio.gather(*map(one, requests)), first


async def serve(service: Service, requests: list[GenerationRequest]) -> None:
    """The same prompts through the service, freely continued."""

    async def one(request: GenerationRequest) -> None:
        options = Options(
            sampling=Sampling(temperature=1.0, seed=request.sampling.seed, ignore_eos=True),
            max_tokens=request.sampling.max_tokens,
        )
        asked = CompletionRequest(prompts=(tuple(request.prompt_ids),), options=options)
        async for _ in service.stream(await service.prepare_completion(asked)):
            pass

    await asyncio.gather(*map(one, requests))


def bench_served(
    services: dict[str, Service], load: Load, concurrency: int, new_tokens: int, repeats: int
) -> dict[str, Any]:
    """Tokens per second through the service."""
    rates: dict[str, list[float]] = {name: [] for name in services}
    for seed in range(2000, 2000 + repeats):
        for name, service in services.items():
            start = time.perf_counter()
            asyncio.run(serve(service, load.requests(seed, concurrency, new_tokens)))
            rates[name].append(concurrency * new_tokens / (time.perf_counter() - start))
    pairs = [a / b for a, b in zip(rates["process"], rates["thread"], strict=True)]
    return {
        "served_tokens_per_s": {name: round(statistics.median(values), 1) for name, values in rates.items()},
        "served_process_to_thread": round(statistics.median(pairs), 3),
    }


def bench(engines: dict[str, RunningEngine], load: Load, concurrency: int, new_tokens: int, repeats: int) -> Any:
    """One row of the table."""
    answers = [asyncio.run(run(engine, load.requests(0, concurrency, new_tokens)))[0] for engine in engines.values()]
    assert answers[0] == answers[1], "the two engines' tokens differ"
    rates: dict[str, list[float]] = {name: [] for name in engines}
    firsts: dict[str, list[float]] = {name: [] for name in engines}
    for seed in range(1, repeats + 1):
        for name, engine in engines.items():
            start = time.perf_counter()
            told, _ = asyncio.run(run(engine, load.requests(seed, concurrency, new_tokens)))
            rates[name].append(sum(map(len, told)) / (time.perf_counter() - start))
            firsts[name].append(asyncio.run(run(engine, load.requests(seed + 1000, 1, 2)))[1])
    rate, first = ({name: statistics.median(v) for name, v in values.items()} for values in (rates, firsts))
    pairs = sorted(a / b for a, b in zip(rates["process"], rates["thread"], strict=True))
    return {
        "concurrency": concurrency,
        "tokens_per_s": {name: round(value, 1) for name, value in rate.items()},
        "process_to_thread": round(statistics.median(pairs), 3),
        "first_token_ms": {name: round(value * 1e3, 2) for name, value in first.items()},
    }


def bench_restart(engine: EngineProcess, load: Load) -> dict[str, Any]:
    """Seconds from a kill to the last token of a request that came right after it. Once: after a second death in a row
    the supervisor pauses."""
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    start = time.perf_counter()
    while engine.pid == pid:
        time.sleep(0.001)
    asyncio.run(run(engine, load.requests(0, 1, 2)))
    return {"restart_s": round(time.perf_counter() - start, 2)}


def main() -> None:
    """Run the table and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="folder; default: the model that ships with the package")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--new-tokens", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    model = ModelConfig(path=arguments.model)
    sizes = EngineConfig(num_threads=arguments.threads)
    services = {
        mode: Service.load(Config(model=model, engine=sizes, process=ProcessConfig(mode=mode)))
        for mode in ("thread", "process")
    }
    engines = {mode: service._loaded.engine for mode, service in services.items()}
    load = Load(services["thread"]._loaded.vocabulary)
    rows = []
    for concurrency in arguments.concurrency:
        row = bench(engines, load, concurrency, arguments.new_tokens, arguments.repeats)
        row |= bench_served(services, load, concurrency, arguments.new_tokens, arguments.repeats)
        rows.append(row)
        print(json.dumps(row), flush=True)
    isolated = engines["process"]
    assert isinstance(isolated, EngineProcess)
    rows.append(bench_restart(isolated, load))
    print(json.dumps(rows[-1]), flush=True)
    for service in services.values():
        service.close()
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
