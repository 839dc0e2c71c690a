"""What policies and the audit log cost over the wire: `bench_guards.py --served`.

Servers of the embedded model, each a `portcullis serve` of its own, answer the same streams, one server at a time; the
order turns. Two of them are plain: what they differ by is noise. Eight clients each wait a while that is drawn anew
(exponentially, the same for all servers), ask, read to the end, and wait again, so that streams begin among others
that are under way. That the policy finds what it is to find is asserted, and that answers are equal, but for a few: the
model may invent something that is found, and who is computed beside whom decides between tokens that are as likely.
Those count for tokens a second alone.

What a policy holds back leaves together with what comes behind it. So that like is compared with like, time per token
is that of the pieces that leave together under the policy, in all servers: from the end of one to the end of the next,
by the tokens in it; `first` is the end of the first of them. What a client sees is told beside that: its first text
(`seen_first`), and the time from one event with text to the next (`wait`). `ratios` are to the first server, round by
round, in the median: tokens a second, p99 of time per token, median of `first`. That logs hold and have a record of
each request is asserted, too.
"""

from __future__ import annotations

import asyncio
import json
import operator
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench_sse import head_of

from gateway.audit.chain import Chain, record_of
from gateway.audit.store import Store
from gateway.audit.verification import verified

LOOKED_FOR = """[{ guard = "pattern", pattern = "PRJ-[0-9]{6}", action = "block" },
{ guard = "pii", region = "US", action = "redact" }, { guard = "secrets", action = "block" }]"""
POLICIES = f'default = "careful"\n[policies.careful]\ninput = {LOOKED_FOR}\noutput = {LOOKED_FOR}\n'
SERVERS = {
    "plain": (),
    "plain again": (),
    "audit": ("audit",),
    "policies": ("policies",),
    "policies and audit": ("policies", "audit"),
}
START_S = 300
"""That servers may take to start."""
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo", "Ines", "Jan", "Kim", "Lena")
THINGS = ("lamps", "chairs", "tables", "books", "kettles", "tents", "boats", "mirrors")
CITIES = ("Lima", "Oslo", "Kyoto", "Quito", "Bern", "Dakar", "Perth", "Turin")
QUESTIONS = (
    "Extract the data: {name} ordered {number} {thing} for {city}.",
    "Sort these words by length: {thing}, {city}, {name}.",
    "Write a sentence about {name}, who sends {thing} to {city}.",
    "Where are the {number} {thing} of {name} now, in {city} or at home?",
)


@dataclass(slots=True)
class Stream:
    """One answer as it came: when its request left, and each text with the time at which it was there."""

    begun: float
    came: list[tuple[float, str]] = field(default_factory=list)
    ended: float = 0.0

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.came)

    def ends(self) -> list[int]:
        """Where what came together ends."""
        sizes, ends = [len(text) for _, text in self.came], [0]
        for size in sizes:
            ends.append(ends[-1] + size)
        return ends[1:]

    def times(self, ends: list[int]) -> list[float]:
        """When the text was there up to each of these places."""
        found, mine, at = [], self.ends(), 0
        for end in ends:
            while mine[at] < end:
                at += 1
            found.append(self.came[at][0])
        return found


class _Reader(asyncio.Protocol):
    """Notes what comes and when, and nothing else: the client shares the processors with the server."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self.chunks: list[tuple[float, bytes]] = []
        self.begun = 0.0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.begun = time.perf_counter()
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.chunks.append((time.perf_counter(), data))

    def connection_lost(self, exc: Exception | None) -> None:
        self.done.set_result(None)


def _read(reader: _Reader) -> Stream:
    """What the bytes say."""
    stream, rest = Stream(reader.begun, ended=reader.chunks[-1][0]), b""
    for at, data in reader.chunks:
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: {"):
                event = json.loads(line[6:])
                assert "error" not in event, event
                if text := event["choices"][0]["delta"].get("content"):
                    stream.came.append((at, text))
    assert reader.chunks[0][1].startswith(b"HTTP/1.1 200"), reader.chunks[0][1]
    return stream


def _question(source: random.Random) -> str:
    values = {"name": source.choice(NAMES), "thing": source.choice(THINGS), "city": source.choice(CITIES)}
    return source.choice(QUESTIONS).format(number=source.randrange(2, 60), **values)


async def _turn(port: int, seed: int, num_clients: int, each: int, tokens: int, pause_s: float) -> list[Stream]:
    """All streams of one turn."""

    async def client(number: int) -> list[_Reader]:
        source, readers = random.Random(seed * num_clients + number), []
        for _ in range(each):
            message = {"role": "user", "content": _question(source)}
            body = {"messages": [message], "max_tokens": tokens, "ignore_eos": True, "temperature": 0, "stream": True}
            data = json.dumps(body).encode()
            await asyncio.sleep(source.expovariate(1 / pause_s))
            reader = _Reader(head_of(data, "connection: close") + data)
            await asyncio.get_running_loop().create_connection(lambda reader=reader: reader, "127.0.0.1", port)
            await reader.done
            readers.append(reader)
        return readers

    found = await asyncio.gather(*map(client, range(num_clients)))
    return [_read(reader) for readers in found for reader in readers]


def _ask(port: int, content: str) -> tuple[int, dict[str, Any]]:
    """Status and reply of one question."""
    data = json.dumps({"messages": [{"role": "user", "content": content}], "max_tokens": 4}).encode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head_of(data, "connection: close") + data)
        reply = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    head, body = reply.split(b"\r\n\r\n", 1)
    return int(head.split()[1]), json.loads(body)


def _assert_screened(port: int) -> None:
    """The policy is at work."""
    status, reply = _ask(port, "Write to ann@example.org now.")
    assert (status, reply["choices"][0]["guards"][0]["kind"]) == (200, "email"), reply
    for text in ("It is PRJ-123456.", "It is AKIAIOSFODNN7EXAMPLQ."):
        assert _ask(port, text)[0] == 400


@contextmanager
def _server(folder: Path, number: int, parts: tuple[str, ...]) -> Iterator[tuple[int, Path]]:
    """The port of a server with these, on its way, and its log."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    log = folder / f"{number}.log"
    command = [sys.executable, "-m", "gateway", "serve", "--port", str(port)]
    if "policies" in parts:
        policies = folder / "policies.toml"
        policies.write_text(POLICIES)
        command += ["--policies", str(policies)]
    if "audit" in parts:
        command += ["--audit", str(log.with_suffix(".db"))]
    with log.open("w") as lines, subprocess.Popen(command, stderr=lines) as process:
        try:
            yield port, log
        finally:
            process.terminate()


def _assert_recorded(log: Path, least: int) -> None:
    """The log that the server left holds, with this many requests or more."""
    with closing(Store(str(log), may_create=False)) as store:
        verified(store, Chain())
        num = sum(record_of(link)["kind"] == "request" for link in store.links())
    assert num >= least, f"{least - num} requests have no record"


def _quantiles(values: list[float]) -> tuple[float, float]:
    return statistics.median(values), statistics.quantiles(values, n=100)[98]


def _told(
    name: str,
    rounds: list[tuple[float, list[Stream]]],
    pieces: list[list[tuple[Stream, list[tuple[int, int]]]]],
    num_tokens: int,
) -> tuple[dict[str, Any], list[tuple[float, float, float]]]:
    """Figures of a server, and of each round tokens a second, p99 of time per token and median of `first`."""
    of_rounds, per_token = list[tuple[float, float, float]](), list[float]()
    firsts, seen, waits, wholes = list[float](), list[float](), list[float](), list[float]()
    for (seconds, streams), of_round in zip(rounds, pieces, strict=True):
        mine, num_before = list[float](), len(firsts)
        for stream, (plain, cut) in zip(streams, of_round, strict=True):
            if not cut or stream.text != plain.text:
                continue
            times = stream.times([end for end, _ in cut])
            firsts.append(times[0] - stream.begun)
            seen.append(stream.came[0][0] - stream.begun)
            wholes.append(stream.ended - stream.begun)
            waits += [later - at for (at, _), (later, _) in zip(stream.came, stream.came[1:], strict=False)]
            for at, later, (_, count) in zip(times, times[1:], cut[1:], strict=False):
                mine += [(later - at) / count] * count
        rate, first = len(streams) * num_tokens / seconds, statistics.median(firsts[num_before:])
        of_rounds.append((rate, _quantiles(mine)[1], first))
        per_token += mine
    of_all = {"token": per_token, "first": firsts, "request": wholes, "seen_first": seen, "wait": waits}
    rate = statistics.median(rate for rate, _, _ in of_rounds)
    told: dict[str, Any] = {"server": name, "tokens_per_s": round(rate), "num_gaps": len(per_token)}
    for what, values in of_all.items():
        told[f"{what}_p50_ms"], told[f"{what}_p99_ms"] = (round(value * 1e3, 2) for value in _quantiles(values))
    return told, of_rounds


def _pieces(plain: Stream, held: Stream) -> list[tuple[int, int]]:
    """What leaves together under the policy: where it ends, and how many tokens it holds, as they are told without one;
    nothing of another text."""
    if plain.text != held.text:
        return []
    ends, cut, before = plain.ends(), [], 0
    for end in held.ends():
        num = sum(each <= end for each in ends)
        if num > before:  # a token that comes in parts counts where it is whole
            cut.append((end, num - before))
            before = num
    return cut


def bench_served(names: list[str], rounds: int, num_clients: int, each: int, num_tokens: int, pause_s: float) -> None:
    """Print one line of JSON for each server; the last of them is the one whose pieces are compared."""
    end = time.perf_counter() + START_S
    found: dict[str, list[tuple[float, list[Stream]]]] = {name: [] for name in names}
    with ExitStack() as of_all, ExitStack() as stack:
        folder = Path(of_all.enter_context(tempfile.TemporaryDirectory()))
        started = {
            name: stack.enter_context(_server(folder, number, SERVERS[name])) for number, name in enumerate(names)
        }
        for _, log in started.values():
            while "serving" not in (told := log.read_text()):
                assert time.perf_counter() < end, told
                time.sleep(0.2)
        for name in names:
            if "policies" in SERVERS[name]:
                _assert_screened(started[name][0])
        for number in range(rounds + 1):
            for name in names[number % len(names) :] + names[: number % len(names)]:
                begun = time.perf_counter()
                streams = asyncio.run(_turn(started[name][0], number, num_clients, each, num_tokens, pause_s))
                if number:  # the first does not count
                    found[name].append((time.perf_counter() - begun, streams))
        stack.close()
        for name in names:
            if "audit" in SERVERS[name]:
                _assert_recorded(started[name][1].with_suffix(".db"), (rounds + 1) * num_clients * each)
    pieces = [
        [(first, _pieces(first, last)) for first, last in zip(plain, held, strict=True)]
        for (_, plain), (_, held) in zip(found[names[0]], found[names[-1]], strict=True)
    ]
    are_same = [bool(cut) for of_round in pieces for _, cut in of_round]
    assert sum(are_same) >= 0.9 * len(are_same), "the answers differ"
    told = {name: _told(name, found[name], pieces, num_tokens) for name in names}
    _, of_first = told[names[0]]
    for figures, of_rounds in told.values():
        # A machine that others share is slow for seconds: what is measured a moment apart is compared.
        ratios = [list(map(operator.truediv, mine, other)) for mine, other in zip(of_rounds, of_first, strict=True)]
        figures["ratios"] = [round(statistics.median(each), 3) for each in zip(*ratios, strict=True)]
        print(json.dumps(figures))
