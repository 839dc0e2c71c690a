"""Many short requests to a server as a process: its memory after the first thousand is its memory at the end.

    python tests/bench/bench_soak.py [--count 10000] [--concurrency 16] [--seed 1] [--json soak.json]

Requests come over real sockets: chats and completions, free and under schemas (a tenth of them never seen before),
patterns, choices and grammars, streamed or not, some with several answers, some given up halfway, some refused.
Memory is that of the server's process and its children (proportional set size, read after every hundredth request), in
all and of each. The exit status tells whether every request ended as it should and memory grew by no more than 5 %.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from options import count_parser

WARM_UP, MOST_GROWTH = 1000, 1.05
WORDS = ["Lima", "Oslo", "parcel", "invoice", "21 degrees", "Friday", "Ada", "blue", "KX-4711", "noon"]
GRAMMAR = 'start: greeting " " NAME\ngreeting: "hello" | "goodbye"\nNAME: /[A-Z][a-z]{1,8}/'


def known_schema(rng: random.Random) -> dict[str, Any]:
    """One of thirty."""
    number = rng.randrange(30)
    return {
        "type": "object",
        "properties": {f"p{number}": {"type": "integer"}, "city": {"enum": WORDS[:4]}},
        "required": [f"p{number}", "city"],
        "additionalProperties": False,
    }


def new_schema(rng: random.Random) -> dict[str, Any]:
    """One that nobody asked for before."""
    names = [f"n{rng.getrandbits(40):x}" for _ in range(rng.randint(1, 5))]
    kinds = [{"type": "boolean"}, {"type": "integer", "maximum": rng.randrange(1000)}, {"enum": rng.sample(WORDS, 3)}]
    return {
        "type": "object",
        "properties": {name: rng.choice(kinds) for name in names},
        "required": names[:1],
        "additionalProperties": False,
    }


def make_body(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A route and a body for it."""
    text = " ".join(rng.choices(WORDS, k=rng.randint(2, 40)))
    common = {"max_tokens": rng.randint(24, 48), "temperature": rng.choice([0, 0.8]), "stream": rng.random() < 0.3}
    if rng.random() < 0.2:
        return "/v1/completions", {"model": "portcullis", "prompt": text, **common, "n": rng.choice([1, 1, 2])}
    body: dict[str, Any] = {"model": "portcullis", "messages": [{"role": "user", "content": text}], **common}
    draw = rng.random()
    if draw < 0.4:
        schema = new_schema(rng) if draw < 0.1 else known_schema(rng)
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "it", "schema": schema}}
        body["max_tokens"] = 128
    elif draw < 0.5:
        body["structured_outputs"] = {"regex": f"[a-f]{{{rng.randint(1, 9)}}}"}
    elif draw < 0.6:
        body["structured_outputs"] = {"choice": rng.sample(WORDS, 3)}
    elif draw < 0.65:
        body["structured_outputs"] = {"grammar": GRAMMAR}
    elif draw < 0.67:
        body["structured_outputs"] = {"regex": "(unfinished"}
    return "/v1/chat/completions", body


async def ask(client: httpx.AsyncClient, rng: random.Random) -> str:
    """Send one request, to its end or not; how it ended."""
    route, body = make_body(rng)
    if rng.random() < 0.05:
        body["stream"] = True
        async with client.stream("POST", route, json=body) as reply:
            async for _ in reply.aiter_raw():
                return "given up"
    try:
        reply = await client.post(route, json=body)
    except httpx.TransportError as error:
        return f"broken off: {error!r}"
    is_wrong = body.get("structured_outputs", {}).get("regex") == "(unfinished"
    if reply.status_code != (400 if is_wrong else 200):
        return f"unexpected {reply.status_code}: {reply.text[:200]}"
    if body["stream"] and not is_wrong and not reply.text.rstrip().endswith("data: [DONE]"):
        return f"unfinished stream: {reply.text[-200:]}"
    return "refused" if is_wrong else "answered"


def memory_of(process_id: int) -> dict[str, int]:
    """Bytes of a process and of all its descendants by name and age, shared pages counted in parts."""
    sizes: dict[str, int] = {}
    found = [(process_id, "server")]
    for current, name in found:
        folder = Path(f"/proc/{current}")
        # Those that work on constraints come and go.
        with suppress(FileNotFoundError, ProcessLookupError):
            rollup = (folder / "smaps_rollup").read_text(encoding="ascii")
            sizes[name] = sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
            children = [
                int(child) for task in (folder / "task").iterdir() for child in (task / "children").read_text().split()
            ]
            below = {"server": "forkserver", "forkserver": "worker"}.get(name, "other")
            found += [
                (child, below if number == 0 else f"{below} {number}") for number, child in enumerate(sorted(children))
            ]
    return sizes


def total_of(sizes: dict[str, int]) -> int:
    """Bytes of all processes."""
    return sum(sizes.values())


@contextmanager
def serving(arguments: list[str]) -> Iterator[tuple[str, int]]:
    """A server of its own: its address and process id."""
    command = [sys.executable, "-m", "gateway", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if found := re.search(r"serving .* on (http://\S+)/v1", line):
                    break
            else:
                raise RuntimeError("the server did not start")
            # Read on, or a full pipe would stop the server.
            threading.Thread(target=sys.stderr.writelines, args=(process.stderr,), daemon=True).start()
            yield found.group(1), process.pid
            assert process.poll() is None, f"the server ended by itself, with status {process.returncode}"
        finally:
            process.terminate()


async def soak(url: str, process_id: int, count: int, concurrency: int, seed: int) -> dict[str, Any]:
    """Send `count` requests, so many at a time."""
    outcomes: Counter[str] = Counter()
    memory: dict[int, dict[str, int]] = {}
    numbers = iter(range(count))
    begin = time.perf_counter()

    async def work() -> None:
        for number in numbers:
            outcomes[await ask(client, random.Random(f"{seed}-{number}"))] += 1
            done = outcomes.total()
            if done % 100 == 0:
                memory[done] = memory_of(process_id)
            if done % 1000 == 0:
                seconds = time.perf_counter() - begin
                each = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in memory[done].items())
                print(
                    f"{done:6} requests, {seconds:5.0f} s, {total_of(memory[done]) / 1e6:7.1f} MB: {each}", flush=True
                )

    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        await asyncio.gather(*(work() for _ in range(concurrency)))
        health = (await client.get("/ready")).status_code
    return {"outcomes": outcomes, "memory": memory, "ready": health, "seconds": time.perf_counter() - begin}


def main() -> int:
    """Run it; 0 if all held."""
    parser = count_parser(__doc__, count=10_000, concurrency=16, seed=1)
    parser.add_argument("server", nargs="*", help="further arguments of `portcullis serve`, after --")
    options = parser.parse_args()
    with serving(options.server) as (url, process_id):
        result = asyncio.run(soak(url, process_id, options.count, options.concurrency, options.seed))
    memory = {done: total_of(sizes) for done, sizes in result["memory"].items()}
    warm = memory.get(WARM_UP) or memory[min(memory)]
    later = [size for done, size in memory.items() if done >= WARM_UP] or [warm]
    growth, most = memory[max(memory)] / warm, max(later) / warm
    for outcome, number in result["outcomes"].most_common(12):
        print(f"{number:6} {outcome}")
    print(f"memory after {WARM_UP}: {warm / 1e6:.1f} MB; at the end {growth:.3f} of it, at its most {most:.3f}")
    if options.json:
        options.json.write_text(json.dumps(result | {"growth": growth, "most": most}), encoding="utf-8")
    expected = {"answered", "refused", "given up"}
    return 0 if set(result["outcomes"]) <= expected and growth <= MOST_GROWTH and result["ready"] == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
