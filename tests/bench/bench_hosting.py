"""Tokens a second of whole servers over HTTP: `serve`, with its access log and without, uvicorn and hypercorn.

    PYTHONPATH=. python tests/bench/bench_hosting.py [--rounds 5] [--requests 16] [--tokens 400] [--json OUT.json]

All serve the bundled model, each with an engine of its own, one after the other in every round; the order turns. Each
answers the same requests, 8 at a time, streamed. What is reported: the median over the rounds of each server's share
of what `serve` did in the same round. Servers that are not installed are left out.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec

import httpx
from options import count_parser

from tests.test_gateway.served_process import Served

APP = "gateway.app:app"
SERVERS: dict[str, dict[str, object]] = {
    "serve": {},
    "serve, no access log": {"SERVER_ACCESS_LOG": "false"},
    "uvicorn": {"module": "uvicorn", "flags": [APP, "--port", "0", "--no-access-log"]},
    "hypercorn": {"module": "hypercorn.__main__", "flags": [APP, "--bind", "127.0.0.1:0", "--workers", "0"]},
}
CONCURRENCY = 8


@contextmanager
def server(name: str) -> Iterator[str]:
    """Yield the URL of a server, and end it."""
    command = Served(None, False, **SERVERS[name])
    try:
        yield command.url
    finally:
        command.end()


def tokens_per_s(url: str, requests: int, tokens: int) -> float:
    """Return the tokens a second of some streamed answers."""
    body = {"temperature": 0, "max_tokens": tokens, "ignore_eos": True, "stream": True}

    def ask(number: int) -> None:
        with httpx.stream("POST", f"{url}/v1/completions", json=body | {"prompt": f"{number}"}, timeout=300) as reply:
            assert reply.status_code == 200
            assert b"[DONE]" in b"".join(reply.iter_bytes())

    begin = time.perf_counter()
    with ThreadPoolExecutor(CONCURRENCY) as threads:
        list(threads.map(ask, range(requests)))
    return requests * tokens / (time.perf_counter() - begin)


def main() -> None:
    """Print the medians."""
    arguments = count_parser(__doc__, rounds=5, requests=16, tokens=400).parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    names = [name for name in SERVERS if name not in ("hypercorn",) or find_spec(name) is not None]
    found: dict[str, list[float]] = {name: [] for name in names}
    for number in range(arguments.rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            with server(name) as url:
                tokens_per_s(url, CONCURRENCY, 20)
                found[name].append(tokens_per_s(url, arguments.requests, arguments.tokens))
    report = {
        name: {
            "tokens_per_s": statistics.median(values),
            "of_serve": statistics.median(value / own for value, own in zip(values, found["serve"], strict=True)),
        }
        for name, values in found.items()
    }
    for name, figures in report.items():
        print(f"{name:22} {figures['tokens_per_s']:8.0f} tokens/s  {figures['of_serve']:.3f} of serve")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({"rounds": found, **report}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
