"""Cost of the access log: CPU time of a request with it and without, in alternation.

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


async def ask(app: Any, data: bytes) -> bytes:
    """Return the body of the reply to a chat."""
    path, pieces, is_read, is_over = "/v1/chat/completions", list[bytes](), False, asyncio.Event()

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
    scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1", "method": "POST"}
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
    found = {}
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


def main() -> None:
    """Print the figures, and write them to a file if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=200)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    service = create_service(arguments.chunks)

    from gateway.app import create_app

    found = asyncio.run(measure(create_app(service), arguments.requests))
    print(json.dumps(found, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(found))
    service.close()


if __name__ == "__main__":
    main()
