"""Five hundred requests to a server whose engine is sabotaged, killed and hung.

Each ends with its answer or an error of its own, nothing leaks, and the server serves on.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_entry import steer
from serving import Live, config_for, serving

from gateway.config import EngineConfig, ProcessConfig
from gateway.service.model import start_worker

NUM_REQUESTS, CONCURRENCY, CHANCE = 500, 12, 0.0012
SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Lima", "Oslo"]}, "days": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["city", "days", "note"],
    "additionalProperties": False,
}
HOOKS = {"fill_mask", "fill_masks", "accept", "forced_tokens", "fork", "stop", "restore", "watch"}
HOOKS |= {"forward", "build", "sample", "guess"}
KNOWN_ERRORS = {"engine_error", "engine_died", "not_ready"}


def make_bodies() -> list[dict[str, Any]]:
    """What is asked; all greedy, so that each has one answer."""
    rng = random.Random(5)
    bodies = []
    for number in range(40):
        text = " ".join(rng.choices(["weather", "Paris", "mild", "answer", "yes", "no", "limit", "10"], k=3 + number))
        body: dict[str, Any] = {"model": "test-model", "messages": [{"role": "user", "content": text}]}
        body |= {"temperature": 0, "max_tokens": rng.randint(8, 40)}
        kind = number % 4
        if kind == 1:
            schema = SCHEMA | {"maxProperties": 3 + number}
            body |= {"max_tokens": 60}
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "it", "schema": schema}}
        elif kind == 2:
            body |= {"stop": ["e", f"{number}"]}
        elif kind == 3:
            body |= {"max_tokens": 40, "structured_outputs": {"regex": f"(ab|cd){{{number % 7 + 1}}} [0-9]{{3}}"}}
        bodies.append(body)
    return bodies


def answer_of(reply: httpx.Response) -> tuple[str, str]:
    """Text and why it ended."""
    assert reply.status_code == 200, reply.text
    choice = reply.json()["choices"][0]
    return choice["message"]["content"], choice["finish_reason"]


@pytest.fixture
def steering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "faults"
    steer(path, "0")
    seed = os.environ.get("PORTCULLIS_TEST_SEED") or str(random.randrange(1 << 32))
    print(f"PORTCULLIS_TEST_SEED={seed}")  # is shown where the test fails
    monkeypatch.setenv("PORTCULLIS_TEST_SEED", seed)
    monkeypatch.setenv("PORTCULLIS_TEST_FAULTS", str(path))
    entry = Path(__file__).parents[1] / "fault_entry.py"
    monkeypatch.setattr(start_worker, "WORKER", (sys.executable, str(entry)))
    return path


@pytest.fixture
def sabotaged(steering: Path, tiny_model: Path) -> Iterator[Live]:
    process = ProcessConfig(mode="process", hang_timeout_s=5.0, restart_wait_s=30.0)
    # In float32: rounded more, an answer may depend on its neighbours in the batch.
    engine = EngineConfig(num_threads=1, kv_memory_bytes=64 << 20, dtype="float32")
    with serving(config_for(tiny_model, process=process, engine=engine)) as live:
        yield live


class Run:
    """Sends requests and judges what became of them."""

    def __init__(self, live: Live, expected: list[tuple[str, str]]) -> None:
        self._live, self._expected = live, expected
        self._bodies = make_bodies()
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def ask(self, client: httpx.AsyncClient, number: int) -> None:
        rng = random.Random(number)
        which = rng.randrange(len(self._bodies))
        body, draw = self._bodies[which], rng.random()
        if draw < 0.1:
            await self._leave(client, body, rng)
        elif draw < 0.2:
            await self._cancel(client, body, rng)
        else:
            self._judge(await client.post("/v1/chat/completions", json=body), which)

    def _judge(self, reply: httpx.Response, which: int) -> None:
        if reply.status_code == 200:
            self.outcomes["answered"] += 1
            if answer_of(reply) != self._expected[which]:
                self.wrong.append(f"{which}: {answer_of(reply)} instead of {self._expected[which]}")
            return
        error = reply.json()["error"]
        self.outcomes[f"{reply.status_code} {error['code']}"] += 1
        if error["code"] not in KNOWN_ERRORS or not error["message"]:
            self.wrong.append(f"{reply.status_code}: {reply.text}")

    async def _leave(self, client: httpx.AsyncClient, body: dict[str, Any], rng: random.Random) -> None:
        """Disconnect in the middle of a stream."""
        left = rng.randint(1, 6)
        async with client.stream("POST", "/v1/chat/completions", json=body | {"stream": True}) as reply:
            async for _ in reply.aiter_lines():
                left -= 1
                if left == 0:
                    break
        self.outcomes["left"] += 1

    async def _cancel(self, client: httpx.AsyncClient, body: dict[str, Any], rng: random.Random) -> None:
        """Give up before the answer."""
        try:
            async with asyncio.timeout(rng.random() * 0.1):
                await client.post("/v1/chat/completions", json=body)
        except TimeoutError:
            pass
        self.outcomes["cancelled"] += 1

    async def all(self, kill: Any, hang: Any) -> None:
        numbers = iter(range(NUM_REQUESTS))

        async def work(client: httpx.AsyncClient) -> None:
            for number in numbers:
                if number == NUM_REQUESTS // 3:
                    await kill()
                if number == 2 * NUM_REQUESTS // 3:
                    hang()
                await self.ask(client, number)

        async with httpx.AsyncClient(base_url=self._live.url, timeout=300) as client:
            await asyncio.gather(*(work(client) for _ in range(CONCURRENCY)))


def test_every_request_ends_with_its_answer_or_its_own_error(sabotaged: Live, steering: Path) -> None:
    bodies = make_bodies()
    expected = [answer_of(sabotaged.post("/v1/chat/completions", json=body)) for body in bodies]
    engine = sabotaged.service._loaded.engine

    async def kill() -> None:
        """Between two lives there is nobody to be killed."""
        is_killed = False
        while not is_killed:
            with suppress(ProcessLookupError):
                pid = engine.pid
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                    is_killed = True
            await asyncio.sleep(0.01)

    def hang() -> None:
        steer(steering, f"{CHANCE} hang")

    run = Run(sabotaged, expected)
    steer(steering, str(CHANCE))
    asyncio.run(run.all(kill, hang))
    steer(steering, "0")

    assert run.wrong == []
    assert sum(run.outcomes.values()) == NUM_REQUESTS
    assert run.outcomes["answered"] > NUM_REQUESTS // 3
    assert engine.num_restarts >= 2, "one death and one hang"
    hit = set(steering.with_suffix(".hooks").read_text().split())
    assert hit >= HOOKS, f"never hit: {HOOKS - hit}"
    sabotaged.wait_until_idle()
    end = time.monotonic() + 20
    while engine.stats().num_free_blocks != engine.stats().num_blocks:
        assert time.monotonic() < end, "blocks are missing"
        time.sleep(0.05)
    assert not steering.with_suffix(".broken").exists(), steering.with_suffix(".broken").read_text()
    again = [answer_of(sabotaged.post("/v1/chat/completions", json=body)) for body in bodies]
    assert again == expected
