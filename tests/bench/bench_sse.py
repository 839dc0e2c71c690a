"""What the gateway itself costs: events a second of many streams, beside a plain server that sends the same bytes.

    python tests/bench/bench_sse.py [--streams 50] [--chunks 200] [--repeats 5] [--json OUT.json]

Both servers run on uvicorn with the same event loop and HTTP parser, each in a process of its own, and take turns; the
client reads raw sockets in this process. Ours is the whole gateway (template, tokens, plan, detokenizer, writer, wire
structs) over an engine that answers as fast as it can; the peer is FastAPI with pydantic models that yields the same
chunks. That the bodies are equal, but for id and time, is asserted first. Then the time in the gateway of one request
alone while the engine takes a millisecond a token: from the app's call to its end, less what the engine took; and the
same for what the client waits.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import statistics
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from options import count_parser

MODEL = "portcullis"
STEP_S = 0.001
REQUESTS = 60
TEXT = "The order of 21 lamps for Lima was sent on Monday; the invoice says 1290.5 in all, and it is paid. "
BODY = {"model": MODEL, "messages": [{"role": "user", "content": "Where is my order?"}], "stream": True}
_VARYING = re.compile(rb'"id":"[^"]*"|"created":\d+')


def script_of(tokenizer: Any, chunks: int) -> list[int]:
    """So many tokens, each a text of its own."""
    ids = list(tokenizer.encode(TEXT, add_special_tokens=False).ids)
    return (ids * (chunks // len(ids) + 1))[:chunks]


def serve(app: Any, ready: Connection) -> None:
    """Serve until killed, on a free port that `ready` is told."""
    import uvicorn

    config = uvicorn.Config(app, port=0, log_level="warning")
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        ready.send(server.servers[0].sockets[0].getsockname()[1])
        await serving

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(run())


def serve_gateway(chunks: int, ready: Connection, times: Connection) -> None:
    """The gateway over a scripted engine."""
    import threading

    from scripted_engine import ScriptedEngine

    from gateway.app import create_app
    from gateway.config import Config
    from gateway.service import Service
    from gateway.service.model.loaded import LoadedModel

    loaded = LoadedModel.load(Config(), lambda text: None)
    loaded.engine.close()
    engine = ScriptedEngine(loaded.engine, script_of(loaded.tokenizer, chunks)).start()
    ready.send([loaded.vocabulary.tokens[token].decode() for token in engine._script])

    app = create_app(Service(replace(loaded, engine=engine)))
    inside: list[float] = []

    async def timed(scope: Any, receive: Any, send: Any) -> None:
        begun = time.perf_counter()
        await app(scope, receive, send)
        inside.append(time.perf_counter() - begun)

    def tell() -> None:
        while True:
            engine.step_s = times.recv()
            times.send((inside[:], list(engine.seconds)))
            inside.clear()
            engine.seconds.clear()

    threading.Thread(target=tell, daemon=True).start()
    serve(timed, ready)


def serve_peer(pieces: list[str], ready: Connection) -> None:
    """The plain server."""
    from sse_peer import create_app

    serve(create_app(pieces), ready)


def head_of(data: bytes, *more: str) -> bytes:
    """The head of a request with this body."""
    lines = ["POST /v1/chat/completions HTTP/1.1", "host: localhost", "content-type: application/json", *more]
    return "\r\n".join([*lines, f"content-length: {len(data)}\r\n\r\n"]).encode()


async def exchange(port: int, body: dict[str, Any]) -> bytes:
    """The reply's bytes, headers and framing and all."""
    data = json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head_of(data, "connection: close") + data)
    reply = await reader.read(-1)
    writer.close()
    return reply


async def waits_of(port: int, requests: int) -> list[float]:
    """Seconds that one client waits for each of its requests, on one connection."""
    data = json.dumps({**BODY, "stream": False}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    waits = []
    for _ in range(requests):
        begun = time.perf_counter()
        writer.write(head_of(data) + data)
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.search(rb"content-length: (\d+)", head)[1]))
        waits.append(time.perf_counter() - begun)
    writer.close()
    return waits


def without(seconds: list[float], in_engine: list[float]) -> dict[str, float]:
    """Milliseconds beside those in the engine."""
    left = [all_of_it - engine for all_of_it, engine in zip(seconds, in_engine, strict=True)]
    return {"p50": statistics.median(left) * 1e3, "p99": statistics.quantiles(left, n=100)[98] * 1e3}


def events_of(reply: bytes) -> list[bytes]:
    """The events of a reply, without what differs from one to the next."""
    text = b"".join(line for line in reply.split(b"\r\n\r\n", 1)[1].split(b"\r\n") if line.startswith((b"data", b"\n")))
    return [_VARYING.sub(b"", event) for event in text.split(b"\n\n") if event]


async def load(port: int, streams: int) -> tuple[float, int]:
    """Seconds and events of so many streams at once."""
    begun = time.perf_counter()
    replies = await asyncio.gather(*(exchange(port, BODY) for _ in range(streams)))
    seconds = time.perf_counter() - begun
    return seconds, sum(reply.count(b"data: ") for reply in replies)


def main() -> None:
    arguments = count_parser(__doc__, streams=50, chunks=200, repeats=5).parse_args()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    times, their_times = context.Pipe()
    gateway = context.Process(target=serve_gateway, args=(arguments.chunks, theirs, their_times), daemon=True)
    gateway.start()
    pieces, gateway_port = ours.recv(), ours.recv()
    peer = context.Process(target=serve_peer, args=(pieces, theirs), daemon=True)
    peer.start()
    peer_port = ours.recv()

    async def run() -> dict[str, Any]:
        first = [events_of(await exchange(port, BODY)) for port in (gateway_port, peer_port)]
        assert first[0] == first[1], (first[0][:3], first[1][:3], first[0][-3:], first[1][-3:])
        rates: dict[str, list[float]] = {"gateway": [], "fastapi": []}
        for _ in range(arguments.repeats):
            for name, port in (("gateway", gateway_port), ("fastapi", peer_port)):
                seconds, events = await load(port, arguments.streams)
                assert events == arguments.streams * (arguments.chunks + 3)
                rates[name].append(events / seconds)
        times.send(STEP_S)
        times.recv()
        waits = await waits_of(gateway_port, REQUESTS)
        times.send(0.0)
        inside, in_engine = times.recv()
        medians = {name: statistics.median(values) for name, values in rates.items()}
        return {
            "events_per_s": medians,
            "ratio": medians["gateway"] / medians["fastapi"],
            "gateway_ms": without(inside, in_engine),
            "client_ms": without(waits, in_engine),
        }

    found = asyncio.run(run())
    print(json.dumps(found, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(found))
    for process in (gateway, peer):
        process.kill()


if __name__ == "__main__":
    main()
