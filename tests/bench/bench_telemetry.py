"""Cost of metrics and access log: CPU time of a request with them and without, in alternation; time of a scrape.

    python tests/bench/bench_telemetry.py [--chunks 200] [--requests 200] [--json OUT.json]

The app is called directly, as ASGI, over an engine that writes a known text as fast as it can; log lines are formatted
and written to the null device. Times are CPU time of the event loop's thread, so that other processes disturb little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench_sse import BODY, script_of
from scripted_engine import ScriptedEngine

from gateway.logs import JsonFormatter, TextFormatter

ACCESS = logging.getLogger("gateway.access")
WARM_UP = 20
"""Pairs of requests before the first that counts."""
BODIES = {"streamed": BODY, "whole": BODY | {"stream": False}}
HEADERS = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"authorization", b"Bearer a-key")]


def create_service(chunks: int) -> Any:
    """Return a service whose engine writes a text of this many tokens for every request."""
    from gateway.config import Config
    from gateway.service import Service
    from gateway.service.model.loaded import LoadedModel

    loaded = LoadedModel.load(Config(), lambda text: None)
    loaded.engine.close()
    return Service(replace(loaded, engine=ScriptedEngine(loaded.engine, script_of(loaded.tokenizer, chunks)).start()))


async def ask(app: Any, data: bytes, path: str = "/v1/chat/completions") -> bytes:
    """Return the body of the reply to a POST, or to a GET where there is no data."""
    pieces, is_read, is_over = list[bytes](), False, asyncio.Event()

    async def receive() -> Any:
        nonlocal is_read
        if is_read:
            await is_over.wait()
            return {"type": "http.disconnect"}
        is_read = True
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: Any) -> None:
        assert message.get("status", 200) == 200
        pieces.append(message.get("body", b""))
        if message["type"] == "http.response.body" and not message.get("more_body"):
            is_over.set()

    headers = [*HEADERS, (b"content-length", str(len(data)).encode())]
    scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1"}
    scope["method"] = "POST" if data else "GET"
    scope |= {"scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "", "query_string": b""}
    await app(scope | {"headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}, receive, send)
    return b"".join(pieces)


async def loop_s(app: Any, data: bytes, level: int) -> float:
    """Return the CPU seconds of the event loop's thread for one request, with access lines at INFO."""
    ACCESS.setLevel(level)
    begin = time.thread_time()
    await ask(app, data)
    return time.thread_time() - begin


async def measure(app: Any, requests: int) -> dict[str, Any]:
    """Return the median CPU time of a request without a line, and how much higher that with one is, by kind and
    format."""
    found: dict[str, Any] = {}
    handler = logging.StreamHandler(open(os.devnull, "w"))  # noqa: SIM115  # open until the end
    ACCESS.addHandler(handler)
    ACCESS.propagate = False
    for kind, body in BODIES.items():
        data = json.dumps(body).encode()
        for name, formatter in (("text", TextFormatter()), ("json", JsonFormatter())):
            handler.setFormatter(formatter)
            times: dict[int, list[float]] = {logging.WARNING: [], logging.INFO: []}
            for turn in range(-WARM_UP, requests):
                for level in sorted(times, reverse=bool(turn % 2)):
                    seconds = await loop_s(app, data, level)
                    if turn >= 0:
                        times[level].append(seconds)
            without, with_line = (statistics.median(times[level]) * 1e6 for level in (logging.WARNING, logging.INFO))
            line = with_line - without
            found[f"{kind}, {name}"] = {"request_us": round(without), "line_us": round(line), "share": line / without}
    return found


async def measure_all(with_it: Any, without: Any, requests: int) -> dict[str, Any]:
    """Return how much CPU time metrics and access log together add to a request, in µs and as a share."""
    found = {}
    for kind, body in BODIES.items():
        data, times = json.dumps(body).encode(), {True: list[float](), False: list[float]()}
        for turn in range(-WARM_UP, requests):
            for is_on in (True, False) if turn % 2 else (False, True):
                seconds = await loop_s(with_it if is_on else without, data, logging.INFO)
                if turn >= 0:
                    times[is_on].append(seconds)
        bare = statistics.median(times[False])
        added = statistics.median(on - off for on, off in zip(times[True], times[False], strict=True))
        found[kind] = {"request_us": round(bare * 1e6), "added_us": round(added * 1e6), "share": added / bare}
    return found


async def measure_scrapes(app: Any, scrapes: int = 50) -> dict[str, Any]:
    """Return the times of scrapes while streams run, in ms. A scrape holds the event loop, so its time is its cost."""
    data, is_over = json.dumps(BODY).encode(), False

    async def load() -> None:
        while not is_over:
            await ask(app, data)

    tasks, times = [asyncio.create_task(load()) for _ in range(16)], []
    for _ in range(scrapes):
        await asyncio.sleep(0.02)
        begin = time.perf_counter()
        text = await ask(app, b"", "/metrics")
        times.append((time.perf_counter() - begin) * 1e3)
    is_over = True
    await asyncio.gather(*tasks)
    assert b"vllm:time_to_first_token_seconds_bucket" in text
    return {"median_ms": round(statistics.median(times), 2), "max_ms": round(max(times), 2), "bytes": len(text)}


def measure_engine(pairs: int = 8, tokens: int = 32) -> dict[str, Any]:
    """Return the share of tokens a second that times and sizes counted in the engine's process cost."""
    from gateway.embedded import target_path
    from gateway.engine import Engine, EngineConfig, GenerationRequest, SamplingParams
    from gateway.engine import output_collector as module

    engine = Engine(str(target_path()), EngineConfig(kv_memory_bytes=64 << 20, num_threads=1))
    sampling, counted = SamplingParams(max_tokens=tokens, ignore_eos=True, temperature=0.0), module._observe_event
    ways: dict[bool, Any] = {True: counted, False: lambda *_: None}
    times: dict[bool, list[float]] = {True: [], False: []}
    for pair in range(-1, pairs):
        for is_on in (True, False) if pair % 2 else (False, True):
            vars(module)["_observe_event"] = ways[is_on]
            requests = [
                GenerationRequest(request_id=f"{pair} {is_on} {number}", prompt_ids=[number + 1, 2], sampling=sampling)
                for number in range(8)
            ]
            begin = time.thread_time()
            engine.generate(requests)
            if pair >= 0:
                times[is_on].append(time.thread_time() - begin)
    vars(module)["_observe_event"] = counted
    engine.close()
    share = statistics.median(on / off - 1 for on, off in zip(times[True], times[False], strict=True))
    return {"ms_per_step": round(statistics.median(times[False]) / tokens * 1e3, 3), "share": share}


def main() -> None:
    """Print the figures, and write them to a file if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=200)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    service = create_service(arguments.chunks)

    from gateway import app as app_module

    app = app_module.create_app(service)
    vars(app_module)["observed"] = lambda app, at_end, **_: app
    bare = app_module.create_app(service)
    found = {
        "access_log": asyncio.run(measure(app, arguments.requests)),
        "metrics_and_log": asyncio.run(measure_all(app, bare, arguments.requests)),
        "engine": measure_engine(),
        "scrape": asyncio.run(measure_scrapes(app)),
    }
    print(json.dumps(found, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(found))
    service.close()


if __name__ == "__main__":
    main()
