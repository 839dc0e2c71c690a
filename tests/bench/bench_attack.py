"""A server under attack, and a neighbour who asks it plain things meanwhile.

The command is started as users start it, with keys for both. Attacks come in phases: constraints made to hurt, what
held up earlier versions, bodies that hold very many things, odd numbers in every field, bodies made up from the OpenAPI
document, broken and slow connections, prompts that another key has asked about, many constraints in a row, deaths of
the engine's processes. Printed are, for each phase, how the attacks ended, how long the neighbour waited beside when
nobody attacks, and the memory of all processes. The exit status tells whether the neighbour was served throughout (but
for 503 while an engine is started again), no request ended in a 5xx without a reason, or without a word, and memory
came back.

    python tests/bench/bench_attack.py [--phases constraints,known] [--count 300] [--bodies 2000] [--prompts 300]
        [--distinct 700] [--kills 3] [--patience 5] [--seed 1] [--json attack.json]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import math
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np

import grammars

# Where environments keep a script's folder off the path, as the command's do.
sys.path.insert(0, str(Path(__file__).resolve().parent))
import attack_requests
import hostile_bodies
import hostile_kinds
import hostile_schemas
import hostile_sizes
import hostile_texts
from bench_soak import memory_of, serving, total_of

KINDS = (*hostile_kinds.KINDS, *hostile_schemas.KINDS, *hostile_sizes.KINDS, *hostile_texts.KINDS)
ATTACKER, NEIGHBOUR, OTHER = "attacker-key", "neighbour-key", "other-key"
# A reply of the server's own making that says why it did not serve.
REASONED = (503, 504)
MOST_GROWTH = 300e6
STEADY_FROM, MOST_DRIFT = 500, 1.1
PLAIN = {"messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 8, "temperature": 0}


class Attack:
    """The server, who attacks it, and what became of the attacks."""

    def __init__(self, url: str, process_id: int, options: argparse.Namespace) -> None:
        self.url, self.process_id, self.options = url, process_id, options
        self.count, self.seed = options.count, options.seed
        self.outcomes: Counter[str] = Counter()
        self.slowest: list[tuple[float, str]] = []
        headers = {"authorization": f"Bearer {ATTACKER}"}
        limits = httpx.Limits(max_connections=None)
        self.client = httpx.AsyncClient(base_url=url, headers=headers, timeout=180, limits=limits)
        self.model = ""

    async def send(self, name: str, path: str, body: Any, method: str = "POST") -> None:
        """Sends one request and notes how it ended; of a stream, whether it says so itself."""
        begin = time.perf_counter()
        try:
            content = body if isinstance(body, bytes) else json.dumps({"model": self.model, **body}).encode()
            headers = {"content-type": "application/json"} if content else {}
            reply = await self.client.request(method, path, content=content, headers=headers)
            outcome = str(reply.status_code)
            if reply.status_code >= 500 or '"internal_error"' in reply.text:
                outcome = f"{max(reply.status_code, 500)} {reply.text[-160:]}"
            elif isinstance(body, dict) and body.get("stream") and '"error"' in reply.text:
                outcome = "200, ended by an error"
            elif isinstance(body, dict) and body.get("stream") and not reply.text.endswith("[DONE]\n\n"):
                outcome = f"5xx: a stream ended without a word, {reply.text[-80:]}"
        except httpx.HTTPError as error:
            outcome = type(error).__name__
        self.outcomes[outcome if len(outcome) < 4 else f"{outcome} ({name})"] += 1
        self.slowest.append((time.perf_counter() - begin, name))

    async def together(self, calls: Iterator[Awaitable[None]], at_once: int = 8) -> None:
        """Awaits all, so many at a time."""

        async def work() -> None:
            for call in calls:
                await call

        await asyncio.gather(*(work() for _ in range(at_once)))


def constraint_of(spec: Any) -> str | None:
    """How a request says it, as JSON; None where none can."""
    match spec:
        case grammars.JsonSchema():
            return f'{{"json": {spec.text}}}'
        case grammars.Regex():
            return json.dumps({"regex": spec.pattern})
        case grammars.Choice():
            return json.dumps({"choice": list(spec.options)})
        case grammars.Lark() | grammars.Gbnf():
            return json.dumps({"grammar": spec.text})
    return None


async def constraints(attack: Attack) -> None:
    """Constraints of all kinds, to write under and to verify by."""
    rng = random.Random(attack.seed)

    def calls() -> Iterator[Awaitable[None]]:
        for number in range(attack.count):
            kind, step = KINDS[number % len(KINDS)], rng.randrange(60)
            try:
                said = constraint_of(kind(step))
            except grammars.GrammarError:
                continue
            if said is None:
                continue
            plain = json.dumps({**PLAIN, "max_tokens": 24, "model": attack.model, "text": "{}"})
            body = f'{plain[:-1]}, "structured_outputs": {said}}}'.encode()
            yield attack.send(kind.__name__, "/v1/chat/completions", body)
            if number % 3 == 0:
                yield attack.send(f"verify {kind.__name__}", "/v1/verify", body)

    await attack.together(calls())


def diamond(levels: int, keyword: str) -> dict[str, Any]:
    """A schema that refers to the next one twice at each level."""
    twice = {f"a{i}": {keyword: [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(levels)}
    return {"$defs": {**twice, f"a{levels}": {"type": "object"}}, "$ref": "#/$defs/a0"}


def letters(num: int) -> dict[str, Any]:
    """A string in which each letter comes so and so often, whichever that is."""
    counted = [[{"pattern": f"^.*{letter}{{{n}}}.*$"} for n in range(1, 5)] for letter in "abcdefgh"[:num]]
    return {"type": "string", "allOf": [{"anyOf": each} for each in counted]}


def known_attacks() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What held up earlier versions."""
    chat, verify = "/v1/chat/completions", "/v1/verify"
    for keyword in ("allOf", "anyOf", "oneOf"):
        for levels in (24, 40, 100):
            schema = diamond(levels, keyword)
            yield f"diamond {keyword} {levels}", chat, {**PLAIN, "structured_outputs": {"json": schema}}
            yield f"diamond verified {keyword}", verify, {"structured_outputs": {"json": schema}, "text": "{}"}
    for num in (5, 6, 8):
        yield f"letters {num}", chat, {**PLAIN, "structured_outputs": {"json": letters(num)}}
        yield "letters verified", verify, {"structured_outputs": {"json": letters(num)}, "text": '"abcd"'}
    wide = "|".join(f"\\p{{L}}{{0,{200 - n % 3}}}{n}" for n in range(150))
    yield "wide pattern", chat, {**PLAIN, "structured_outputs": {"regex": wide}}
    yield "wide pattern verified", verify, {"structured_outputs": {"regex": wide}, "text": "aaa"}
    for form in range(30):
        listed = {"enum": [f"{form} value {n}" for n in range(30_000)]}
        yield "long enum", chat, {**PLAIN, "max_tokens": 16, "structured_outputs": {"json": listed}}
    words = "word " * 780_000
    yield "long prompt", chat, {**PLAIN, "messages": [{"role": "user", "content": words}]}
    yield "long text to tokenize", "/tokenize", {"prompt": words[:3_000_000]}
    parts = [{"type": "text", "text": "a"}] * 100_000
    yield "many parts", chat, {**PLAIN, "messages": [{"role": "user", "content": parts}]}
    yield "many messages", chat, {**PLAIN, "messages": [{"role": "user", "content": "a"}] * 50_000}
    deep: Any = {"type": "object"}
    for _ in range(150):
        deep = {"type": "object", "properties": {"a": deep}, "required": ["a"]}
    yield "deep schema", chat, {**PLAIN, "structured_outputs": {"json": deep}}
    many = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(3_000)}}
    yield "many optional members", chat, {**PLAIN, "max_tokens": 64, "structured_outputs": {"json": many}}
    yield "invalid and long", verify, {"structured_outputs": {"json": many}, "text": json.dumps({"p1": [1] * 50_000})}
    tools = [{"type": "function", "function": {"name": f"t{n}", "parameters": letters(4)}} for n in range(60)]
    yield "heavy tools", chat, {**PLAIN, "tools": tools, "tool_choice": "required"}


async def known(attack: Attack) -> None:
    """What held up earlier versions, all of it at once."""
    await attack.together((attack.send(*each) for each in known_attacks()), at_once=6)


async def amounts(attack: Attack) -> None:
    """Bodies that hold very many things, one after the other; how often the event loop was held is printed."""
    for each in hostile_bodies.bodies(attack.model):
        await attack.send(*each)
    told = (await attack.client.get("/metrics")).text
    print("\n".join(f"    {line}" for line in told.splitlines() if line.startswith("portcullis_event_loop_held")))


ODD = (
    *(b"-1", b"0", b"1e400", b"-1e400", b"1" * 400, b"-" + b"1" * 400, b"0.5", b"1e-400", b"18446744073709551616"),
    *(b'"1"', b"true", b"null", b"[]", b"{}", b"NaN"),
)


async def numbers(attack: Attack) -> None:
    """Odd values in every number of every body that the OpenAPI document describes."""
    document = (await attack.client.get("/schema/openapi.json")).json()
    schemas = document.get("components", {}).get("schemas", {})

    def fields(schema: dict[str, Any]) -> Iterator[str]:
        schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        for name, each in schema.get("properties", {}).items():
            if any(kind in json.dumps(each) for kind in ('"integer"', '"number"')):
                yield name

    def calls() -> Iterator[Awaitable[None]]:
        for path, methods in document["paths"].items():
            body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
            for name in fields(body["schema"]) if body and "{" not in path else ():
                plain = {**PLAIN, "prompt": "a", "input": "a", "inputs": "a", "text": "a", "model": attack.model}
                plain.pop(name, None)
                rest = json.dumps(plain).encode()[1:]
                for odd in ODD:
                    yield attack.send(f"{path} {name}", path, b'{"%s": %s, %s' % (name.encode(), odd, rest))

    await attack.together(calls(), at_once=4)


async def bodies(attack: Attack) -> None:
    """Bodies made up from the OpenAPI document, of all operations."""
    document = (await attack.client.get("/schema/openapi.json")).json()
    made = attack_requests.requests_of(document, random.Random(attack.seed))
    few = itertools.islice(made, attack.options.bodies)
    await attack.together((attack.send(f"{how} {path}", path, body, how) for how, path, body in few), at_once=4)


async def distinct(attack: Attack) -> None:
    """Constraints that nobody asked about before, in a row: what they leave behind has a bound."""
    memory: list[int] = []

    def calls() -> Iterator[Awaitable[None]]:
        number = 0
        for step in itertools.count():
            for kind in KINDS:
                try:
                    said = constraint_of(kind(step))
                except grammars.GrammarError:
                    said = None
                if said is None or len(said) > 200_000:
                    continue
                if number % 100 == 0:
                    memory.append(total_of(memory_of(attack.process_id)))
                if number == attack.options.distinct:
                    return
                number += 1
                plain = json.dumps({**PLAIN, "max_tokens": 24, "model": attack.model})
                body = f'{plain[:-1]}, "structured_outputs": {said}}}'.encode()
                yield attack.send(kind.__name__, "/v1/chat/completions", body)

    await attack.together(calls(), at_once=4)
    print("             memory, MB: " + ", ".join(f"{size / 1e6:.0f}" for size in memory))
    steady = memory[STEADY_FROM // 100 :]
    # What works on constraints comes and goes, so of the first and of the last quarter the median counts.
    part = max(len(steady) // 4, 1)
    if steady and (drift := float(np.median(steady[-part:]) / np.median(steady[:part]))) > MOST_DRIFT:
        attack.outcomes[f"5xx: memory grew {drift:.2f} times from the {STEADY_FROM}th on"] += 1


async def wire(attack: Attack) -> None:
    """Connections that send too much, too little, or what is no HTTP."""
    address = urlsplit(attack.url).netloc.split(":")

    async def raw(name: str, head: bytes, rest: bytes = b"", times: int = 1, wait_s: float = 3.0) -> None:
        begin = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection(address[0], int(address[1]))
            writer.write(head)
            for _ in range(times):
                writer.write(rest)
                await writer.drain()
            reply = await asyncio.wait_for(reader.read(64), wait_s)
            writer.close()
            outcome = reply[9:12].decode("ascii", "replace") or "closed"
        except (OSError, TimeoutError) as error:
            outcome = "closed" if isinstance(error, OSError) and not isinstance(error, TimeoutError) else "open"
        attack.outcomes[outcome] += 1
        attack.slowest.append((time.perf_counter() - begin, name))

    post = b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    post += f"authorization: Bearer {ATTACKER}\r\n".encode()
    every = [
        raw("long headers", b"GET /health HTTP/1.1\r\nhost: localhost\r\n", b"x-a: " + b"a" * 65_000 + b"\r\n", 1000)
    ]
    every += [raw("many headers", b"GET /health HTTP/1.1\r\nhost: localhost\r\n", b"x-a: a\r\n", 100_000)]
    every += [raw("silent", b"") for _ in range(200)]
    every += [raw("slow body", post + b"content-length: 100000\r\n\r\n{") for _ in range(100)]
    every += [raw("long body", post + b"content-length: 1000000000\r\n\r\n", b"a" * 65_536, 2000)]
    every += [
        raw("endless chunks", post + b"transfer-encoding: chunked\r\n\r\n", b"1000\r\n" + b"a" * 4096 + b"\r\n", 5000)
    ]
    junk = random.Random(attack.seed)
    every += [raw("no HTTP", junk.randbytes(200)) for _ in range(50)]
    every += [raw("gone during upload", post + b"content-length: 1000\r\n\r\n{", wait_s=0.05) for _ in range(50)]
    await asyncio.gather(*every)


async def prefixes(attack: Attack) -> None:
    """Prompts that another key has asked about, and others: the time of an answer must not tell which is which."""
    rng = random.Random(attack.seed)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    headers = {"authorization": f"Bearer {OTHER}"}
    for number in range(attack.options.prompts):
        is_known = number % 2 == 0
        text, other = (" ".join(str(rng.randrange(1000)) for _ in range(250)) for _ in range(2))
        body = {"model": attack.model, "messages": [{"role": "user", "content": text}], "max_tokens": 1}
        # Something is asked before in any case: an engine that has just worked is faster.
        before = body if is_known else {**body, "messages": [{"role": "user", "content": other}]}
        await attack.client.post("/v1/chat/completions", json=before, headers=headers)
        begin = time.perf_counter()
        reply = await attack.client.post("/v1/chat/completions", json=body)
        seconds[is_known].append(time.perf_counter() - begin)
        cached = reply.json()["usage"].get("prompt_tokens_details", {}).get("cached_tokens", 0)
        # What all prompts begin with is the template's.
        attack.outcomes["5xx: another key's prompt was cached" if cached > 64 else str(reply.status_code)] += 1
    chance = same_by_rank(seconds[True], seconds[False])
    attack.outcomes[f"5xx: times tell, p = {chance:.1e}" if chance < 1e-3 else f"times alike, p = {chance:.2f}"] += 1


def same_by_rank(ours: list[float], theirs: list[float]) -> float:
    """How likely samples of one distribution are to differ as much in rank (Mann and Whitney, two-sided)."""
    ranks = np.argsort(np.argsort(ours + theirs)) + 1
    n, m = len(ours), len(theirs)
    statistic = ranks[:n].sum() - n * (n + 1) / 2
    distance = abs(statistic - n * m / 2) / math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(distance / math.sqrt(2))


async def deaths(attack: Attack) -> None:
    """The server's processes, its children and theirs, so many of each killed at random, under load."""
    rng = random.Random(attack.seed)
    is_over = asyncio.Event()

    async def load() -> None:
        while not is_over.is_set():
            body = PLAIN | {"max_tokens": rng.randrange(10, 300), "stream": rng.random() < 0.5}
            await attack.send("under load", "/v1/chat/completions", body)

    loads = [asyncio.create_task(load()) for _ in range(4)]
    for number in range(2 * attack.options.kills):
        await asyncio.sleep(rng.random())
        while not (children := children_of(attack.process_id)):
            await asyncio.sleep(0.05)
        below = [each for child in children for each in children_of(child)]
        victims = below if number % 2 and below else children
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(victims), signal.SIGKILL)
            attack.outcomes["killed, a child's child" if victims is below else "killed, a child"] += 1
        begin = time.perf_counter()
        # The first: until its death is noticed.
        await asyncio.sleep(0.2)
        while (await attack.client.get("/ready")).status_code != 200:
            await asyncio.sleep(0.05)
        attack.slowest.append((time.perf_counter() - begin, "until it was back"))
    is_over.set()
    await asyncio.gather(*loads)


def children_of(process_id: int) -> list[int]:
    """Its children's process ids; none where it is gone."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        tasks = list(Path(f"/proc/{process_id}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


PHASES: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "constraints": constraints,
    "known": known,
    "amounts": amounts,
    "numbers": numbers,
    "bodies": bodies,
    "wire": wire,
    "prefixes": prefixes,
    "distinct": distinct,
    "deaths": deaths,
}


class Neighbour:
    """Asks one plain thing after the other, in a process of its own, until it is told that it is over.

    Args:
        least: Requests that it makes in any case.
    """

    def __init__(self, url: str, model: str, least: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=ask_plainly, args=(url, model, least, theirs), daemon=True)
        self._process.start()
        self._ours.recv()

    def end(self) -> tuple[list[float], Counter[str]]:
        """Seconds and outcomes of its requests."""
        self._ours.send(None)
        found = self._ours.recv()
        self._process.join()
        return found


def ask_plainly(url: str, model: str, least: int, told: Connection) -> None:
    """What it does."""
    seconds, outcomes = [], Counter[str]()
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {NEIGHBOUR}"}, timeout=120) as client:
        client.get("/health")
        told.send("ready")
        while len(seconds) < least or not told.poll():
            begin = time.perf_counter()
            try:
                reply = client.post("/v1/chat/completions", json={**PLAIN, "model": model})
                outcomes[str(reply.status_code)] += 1
            except httpx.HTTPError as error:
                outcomes[type(error).__name__] += 1
            seconds.append(time.perf_counter() - begin)
            time.sleep(0.02)
    told.send((seconds, outcomes))


async def run(url: str, process_id: int, options: argparse.Namespace) -> dict[str, Any]:
    """All phases."""
    attack = Attack(url, process_id, options)
    attack.model = (await attack.client.get("/v1/models")).json()["data"][0]["id"]
    quiet, _ = Neighbour(url, attack.model, least=100).end()
    quiet_p99 = float(np.percentile(quiet, 99))
    start = total_of(memory_of(process_id))
    print(f"{'quiet':12} neighbour p50 {np.median(quiet):.3f} s, p99 {quiet_p99:.3f} s; {start / 1e6:.0f} MB")
    phases: dict[str, Any] = {}
    for name in options.phases.split(","):
        attack.outcomes, attack.slowest = Counter(), []
        neighbour, begin = Neighbour(url, attack.model, least=20), time.perf_counter()
        await PHASES[name](attack)
        took = time.perf_counter() - begin
        seconds, outcomes = neighbour.end()
        sizes = memory_of(process_id)
        p99, memory = float(np.percentile(seconds, 99)), total_of(sizes)
        phases[name] = {
            "attacks": attack.outcomes,
            "neighbour": outcomes,
            "p99": p99,
            "memory": memory,
            "seconds": took,
        }
        print(
            f"{name:12} {attack.outcomes.total()} attacks in {took:.0f} s; neighbour {dict(outcomes)}, p50 "
            f"{np.median(seconds):.3f} s, p99 {p99:.3f} s ({p99 / quiet_p99:.1f} times), longest {max(seconds):.2f} s; "
            f"{memory / 1e6:.0f} MB: " + ", ".join(f"{each} {size / 1e6:.0f}" for each, size in sizes.items())
        )
        for outcome, times in attack.outcomes.most_common(20):
            print(f"    {times:6} {outcome}")
        for slow, which in sorted(attack.slowest, reverse=True)[:3]:
            print(f"    {slow:8.2f} s {which}")
    await attack.client.aclose()
    return {"quiet_p99": quiet_p99, "start": start, "phases": phases, "patience": options.patience}


def failures(result: dict[str, Any]) -> Iterator[str]:
    """What did not hold."""
    for name, phase in result["phases"].items():
        if phase["p99"] > result["patience"] * result["quiet_p99"] and name != "deaths":
            yield f"{name}: the neighbour waited {phase['p99'] / result['quiet_p99']:.1f} times as long"
        served = {"200", "503"} if name == "deaths" else {"200"}
        if lost := {outcome: times for outcome, times in phase["neighbour"].items() if outcome not in served}:
            yield f"{name}: the neighbour was not served: {lost}"
        for outcome in phase["attacks"]:
            is_lost = outcome[0] not in "12345k" and name == "deaths"
            if is_lost or (outcome[0] == "5" and not outcome.startswith(tuple(map(str, REASONED)))):
                yield f"{name}: {outcome}"
    last = list(result["phases"].values())[-1]["memory"]
    if last > result["start"] + MOST_GROWTH:
        yield f"memory grew by {(last - result['start']) / 1e6:.0f} MB"


def main() -> int:
    """Run it; 0 if all held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="hostile constraints")
    parser.add_argument("--bodies", type=int, default=2_000, help="made up from the OpenAPI document")
    parser.add_argument("--prompts", type=int, default=300, help="that another key has asked about, or has not")
    parser.add_argument("--distinct", type=int, default=700, help="constraints in a row")
    parser.add_argument("--kills", type=int, default=3, help="of each process")
    parser.add_argument("--patience", type=float, default=5, help="times as long as when quiet the neighbour may wait")
    parser.add_argument("--phases", default=",".join(PHASES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with serving([f"--api-key={key}" for key in (ATTACKER, NEIGHBOUR, OTHER)]) as (url, process_id):
        result = asyncio.run(run(url, process_id, options))
    if options.json:
        options.json.write_text(json.dumps(result), encoding="utf-8")
    found = list(failures(result))
    print("\n".join(found) or "all held")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
