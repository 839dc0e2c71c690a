"""Engines in processes of their own, whose model is that of `process_entry`, and what tests do with them."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from process_entry import following

from gateway.engine import EngineConfig, GenerationRequest, SamplingParams, TokenEvent
from gateway.engine.config import Supervision
from gateway.engine.process import EngineProcess, Forkserver, Setup
from gateway.engine.process.messages import unpack

ENTRY = (sys.executable, str(Path(__file__).with_name("process_entry.py")))


def make(model: str = "none", command: tuple[str, ...] = ENTRY, **patience: Any) -> EngineProcess:
    """An engine; where its model is a folder, it leaves the ids of its processes there."""
    if Path(model).is_dir():
        Path(model, "pids").touch()
    supervision = Supervision(**({"hang_timeout_s": 60.0, "start_timeout_s": 120.0} | patience))
    setup = Setup(model, EngineConfig(), supervision.beat_s, logging.WARNING)
    return EngineProcess(command, setup, lambda source: source, lambda stops: stops, supervision)


def request(name: str, prompt: list[int], max_tokens: int = 5, **fields: Any) -> GenerationRequest:
    return GenerationRequest(
        request_id=name, prompt_ids=prompt, sampling=SamplingParams(max_tokens=max_tokens), **fields
    )


def answer(token: int, count: int = 5) -> list[int]:
    tokens = [token]
    for _ in range(count):
        tokens.append(following(tokens[-1]))
    return tokens[1:]


async def events_of(engine: EngineProcess, asked: GenerationRequest) -> list[TokenEvent]:
    return [event async for event in engine.stream(asked)]


def ask(engine: EngineProcess, *asked: GenerationRequest) -> list[list[TokenEvent]]:
    async def all_of_them() -> list[list[TokenEvent]]:
        return await asyncio.gather(*(events_of(engine, one) for one in asked))

    return asyncio.run(all_of_them())


def assert_serves(engine: EngineProcess) -> None:
    assert engine.generate([request("probe", [5])]) == [answer(5)]


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


def kill(engine: EngineProcess) -> None:
    """Returns when its death was noticed."""
    pid = engine.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: engine.pid != pid)


def is_alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def parent_of_the_worker(folder: Path) -> int:
    return int(folder.joinpath("pids").read_text().split()[1])


def has_standby(engine: EngineProcess) -> bool:
    """Whether there is one that has said so."""
    standby = engine._forkservers.standby
    return standby is not None and bool(select.select([standby], [], [], 0)[0])


def pid_of_standby(engine: EngineProcess) -> int:
    """Of one that has just said so."""
    wait_for(lambda: has_standby(engine))
    return prepared_pid(engine._forkservers.standby)


def prepared_pid(standby: Forkserver) -> int:
    """Of one that has said so, which is heard once."""
    return unpack(standby.receive()[0]).pid
