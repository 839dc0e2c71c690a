"""What the audit log costs: tokens a second and time per token of the embedded model, with it and without, in turns.

    python tests/bench/bench_audit.py [--streams 8] [--tokens 64] [--rounds 6] [--json OUT.json]

Servers of one engine each, in processes of their own: two without a log, which differ by noise alone, one whose replies
wait for the disk (`block`), one with a log that nothing waits for (`drop`). All are asked for the same streams, one
server at a time; that texts are equal and that every request has its record is asserted. The time per token is between
two events of a stream; that of a request goes from its first byte to the event that tells its end, which is what may
wait for the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench_sse import head_of, serve

PROMPT = "Extract the data: invoice KX-4711 came in over a total of 1290.5 in CHF."


def serve_audited(settings: dict[str, Any], ready: Connection) -> None:
    """The gateway with these settings of the log."""
    from gateway.app import create_app
    from gateway.config import AuditConfig, Config, EngineConfig
    from gateway.service import Service

    config = Config(engine=EngineConfig(num_threads=1), audit=AuditConfig(**settings))
    serve(create_app(Service.load(config, lambda text: None)), ready)


async def stream(port: int, tokens: int, waits: list[float], wholes: list[float]) -> str:
    """The text of one stream; its times are added to the lists."""
    body = {"prompt": PROMPT, "max_tokens": tokens, "ignore_eos": True, "temperature": 0, "stream": True}
    data = json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = head_of(data, "connection: close").replace(b"/v1/chat/completions", b"/v1/completions")
    begun = time.perf_counter()
    writer.write(head + data)
    pieces, before = [], 0.0
    while line := await reader.readline():
        if not line.startswith(b"data: {"):
            continue
        now, choice = time.perf_counter(), json.loads(line[6:])["choices"][0]
        pieces.append(choice["text"])
        if choice["finish_reason"]:
            wholes.append(now - begun)
        elif before:
            waits.append(now - before)
        before = now
    writer.close()
    return "".join(pieces)


async def turn(port: int, streams: int, tokens: int, waits: list[float], wholes: list[float]) -> tuple[float, set[str]]:
    """Tokens a second of so many streams at once, and their texts."""
    begun = time.perf_counter()
    texts = await asyncio.gather(*(stream(port, tokens, waits, wholes) for _ in range(streams)))
    return streams * tokens / (time.perf_counter() - begun), set(texts)


def num_requests(path: Path) -> int:
    """Requests in a log that holds."""
    from gateway.audit.chain import Chain, record_of
    from gateway.audit.store import Store
    from gateway.audit.verification import verified

    with closing(Store(str(path), may_create=False)) as store:
        verified(store, Chain())
        return sum(record_of(link)["kind"] == "request" for link in store.links())


async def measured(ports: dict[str, int], arguments: argparse.Namespace) -> dict[str, Any]:
    """All servers in turn, after one round that does not count."""
    rates: dict[str, list[float]] = {name: [] for name in ports}
    waits: dict[str, list[float]] = {name: [] for name in ports}
    wholes: dict[str, list[float]] = {name: [] for name in ports}
    for number in range(arguments.rounds + 1):
        texts: set[str] = set()
        # Whoever comes first has no advantage: the order turns.
        names = list(ports)[number % len(ports) :] + list(ports)[: number % len(ports)]
        for name in names:
            of_turn: tuple[list[float], list[float]] = [], []
            rate, told = await turn(ports[name], arguments.streams, arguments.tokens, *of_turn)
            texts |= told
            if number:
                rates[name].append(rate)
                waits[name] += of_turn[0]
                wholes[name] += of_turn[1]
        assert len(texts) == 1, "the answers differ"
    return {
        name: {
            "tokens_per_s": statistics.median(rates[name]),
            "token_p50_ms": statistics.median(waits[name]) * 1e3,
            "token_p99_ms": statistics.quantiles(waits[name], n=100)[98] * 1e3,
            "request_p50_ms": statistics.median(wholes[name]) * 1e3,
            "request_p99_ms": statistics.quantiles(wholes[name], n=100)[98] * 1e3,
        }
        for name in ports
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--folder", type=Path, help="where the logs are written; default: a temporary folder")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        logs = {name: Path(folder, f"{name}.db") for name in ("block", "drop")}
        servers, ports = [], {}
        for name in ("without", "without again", *logs):
            settings = {"url": str(logs[name]), "backpressure": name} if name in logs else {}
            ours, theirs = context.Pipe()
            servers.append(context.Process(target=serve_audited, args=(settings, theirs), daemon=True))
            servers[-1].start()
            ports[name] = ours.recv()
        found = asyncio.run(measured(ports, arguments))
        time.sleep(0.5)  # what nothing waits for is written
        for path in logs.values():
            assert num_requests(path) == arguments.streams * (arguments.rounds + 1)
        for server in servers:
            server.kill()
            server.join()
    print(json.dumps(found, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
