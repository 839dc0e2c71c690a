"""What an ASGI server does for the gateway's app: bounds on connections, broken requests, and requests a second.

    pip install granian hypercorn && python tests/bench/bench_servers.py [--seconds 5] [--repeats 3] [--json OUT.json]

Each server serves the same app, over an engine that answers at once, in one process with uvloop; its own bounds are set
where it has some. Every line says what a client meets that keeps to none of them: a status, or that the connection was
closed, or `open` where nothing came within `PATIENCE_S`. Then the small requests a second of 32 connections, and their
99th percentile, the servers in turns, and the events a second of 50 streams, with what the server computes for each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from bench_sse import head_of, load

PATIENCE_S = 12.0
CONNECTIONS, STREAMS, ROUNDS = 32, 50, 5
SMALL = json.dumps({"inputs": "Where is my order?"}).encode()
HERE = Path(__file__).parent
GRANIAN = ("--interface", "asgi", "--factory", "--loop", "uvloop", "--no-ws", "--log-level", "warning")
SERVERS: dict[str, Callable[[int], list[str]]] = {
    "ours": lambda port: [str(HERE / "servers_app.py"), str(port), "ours"],
    "uvicorn": lambda port: [str(HERE / "servers_app.py"), str(port), "plain"],
    "granian": lambda port: [
        *("-m", "granian", *GRANIAN, "--port", str(port)),
        *("--http1-header-read-timeout", "2000", "--backlog", "128", "servers_app:create"),
    ],
    "hypercorn": lambda port: [
        *("-m", "hypercorn", "--worker-class", "uvloop", "--bind", f"127.0.0.1:{port}", "--log-level", "warning"),
        *("--read-timeout", "3", "servers_app:create()"),
    ],
}


class Server:
    """One of them, in a process of its own."""

    def __init__(self, name: str) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, *SERVERS[name](self.port)], stderr=subprocess.STDOUT, stdout=subprocess.PIPE, cwd=HERE
        )
        self.lines: list[bytes] = []
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self.lines.extend, args=(self.process.stdout,), daemon=True)
        self._reader.start()

    async def wait(self) -> None:
        """Until it serves."""
        while True:
            assert self.process.poll() is None, b"".join(self.lines).decode()
            try:
                reply = await self.raw(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            except OSError:
                reply = ""
            if reply.startswith("200"):
                return
            await asyncio.sleep(0.2)

    async def raw(self, *pieces: bytes) -> str:
        """What comes for these bytes: the status and type of the first reply, and when the connection is closed."""
        begin = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.05)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        except TimeoutError:
            return "open"
        except (ConnectionError, asyncio.IncompleteReadError):
            return f"closed after {time.perf_counter() - begin:.0f} s"
        finally:
            writer.close()
        fields = dict(line.split(": ", 1) for line in head.decode().lower().split("\r\n")[1:-2])
        return f"{head[9:12].decode()} {fields.get('content-type', '')} after {time.perf_counter() - begin:.0f} s"

    async def idle(self) -> str:
        """How long a connection stays open after a reply."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        await reader.readuntil(b'"ok"}')
        begin = time.perf_counter()
        try:
            await asyncio.wait_for(reader.read(), PATIENCE_S)
        except TimeoutError:
            return "open"
        finally:
            writer.close()
        return f"closed after {time.perf_counter() - begin:.0f} s"

    async def crowd(self) -> str:
        """What a request meets beside 200 silent connections."""
        silent = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", self.port) for _ in range(200)))
        try:
            return await self.raw(HEAD + b"host: localhost\r\n\r\n")
        finally:
            for _, writer in silent:
                writer.close()

    async def aborted(self) -> str:
        """Lines in the log after 20 uploads that their clients broke off."""
        before = len(self.lines)
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(POST + b"content-length: 1000\r\n\r\n{")
            await writer.drain()
            await asyncio.sleep(0.02)
            writer.transport.abort()
        await asyncio.sleep(1)
        return f"{len(self.lines) - before} lines in the log"

    async def broken(self) -> str:
        """What 20 requests meet that are no HTTP, and the lines that they leave in the log."""
        before = len(self.lines)
        for _ in range(20):
            found = await self.raw(b"\x16\x03\x01 hello\r\n\r\n")
        await asyncio.sleep(0.5)
        return f"{found}; {len(self.lines) - before} lines in the log"


HEAD = b"GET /v1/models HTTP/1.1\r\n"
POST = b"POST /v1/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
CHECKS: dict[str, Callable[[Server], Awaitable[str]]] = {
    "a header of 70 kB": lambda server: server.raw(HEAD + b"x-a: " + b"a" * 70_000 + b"\r\n\r\n"),
    "a header of 10 MB": lambda server: server.raw(HEAD + b"x-a: ", *[b"a" * 100_000] * 100, b"\r\n\r\n"),
    "200 headers": lambda server: server.raw(HEAD + b"x-a: a\r\n" * 200 + b"\r\n"),
    "silence": lambda server: server.raw(b""),
    "half a head": lambda server: server.raw(HEAD),
    "half a body": lambda server: server.raw(POST + b"content-length: 1000\r\n\r\n{"),
    "silence after a reply": Server.idle,
    "200 other clients": Server.crowd,
    "no HTTP": Server.broken,
    "uploads that are broken off": Server.aborted,
    "a wish for HTTP/2 with a body": lambda server: server.raw(
        POST + b"connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
        b"content-length: 31\r\n\r\n" + b'{"prompt": "a", "max_tokens":1}'
    ),
}


async def ask_often(port: int, until: float) -> list[float]:
    """Seconds of each small request of one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    # The head names a chat's address: of the same length is that of tokens.
    request = head_of(SMALL).replace(b"/v1/chat/completions", b"/tokenize") + SMALL
    seconds = []
    while time.perf_counter() < until:
        begin = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200" in head, head
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(length)
        seconds.append(time.perf_counter() - begin)
    writer.close()
    return seconds


def computed_by(process_id: int) -> float:
    """Seconds that a process and its children computed: the same on a busy machine."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(map(computed_by, map(int, children)))


async def measure(server: Server, seconds: float) -> dict[str, float]:
    """Small requests, then streams."""
    begin, until = computed_by(server.process.pid), time.perf_counter() + seconds
    asking = (ask_often(server.port, until) for _ in range(CONNECTIONS))
    each = [one for many in await asyncio.gather(*asking) for one in many]
    between = computed_by(server.process.pid)
    took, events = 0.0, 0
    for _ in range(ROUNDS):
        found = await load(server.port, STREAMS)
        took, events = took + found[0], events + found[1]
    assert events > ROUNDS * STREAMS * 200, events
    return {
        "requests_per_s": len(each) / seconds,
        "p99_ms": float(np.percentile(each, 99)) * 1e3,
        "us_per_request": (between - begin) / len(each) * 1e6,
        "events_per_s": events / took,
        "us_per_event": (computed_by(server.process.pid) - between) / events * 1e6,
    }


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """All checks of all servers, then all their times, in turns."""
    servers = {name: Server(name) for name in options.servers.split(",")}
    found: dict[str, Any] = {name: {"checks": {}, "times": []} for name in servers}
    try:
        for name, server in servers.items():
            await server.wait()
            for check, does in CHECKS.items():
                found[name]["checks"][check] = await does(server)
                print(f"{name:10} {check:30} {found[name]['checks'][check]}", flush=True)
        for _ in range(options.repeats):
            for name, server in servers.items():
                found[name]["times"].append(await measure(server, options.seconds))
    finally:
        for server in servers.values():
            server.process.terminate()
    for name, each in found.items():
        medians = {key: statistics.median(times[key] for times in each["times"]) for key in each["times"][0]}
        print(f"{name:10} " + ", ".join(f"{key} {value:.1f}" for key, value in medians.items()))
        each["medians"] = medians
    return found


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = asyncio.run(run(options))
    if options.json:
        options.json.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
