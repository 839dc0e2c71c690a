"""The real worker, whose engine does what the first token of a prompt asks for."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from gateway.engine import GenerationRequest
from gateway.engine.process.forkserver import Forks, serve_forks
from gateway.engine.process.messages import Setup
from gateway.engine.process.worker import Parts
from gateway.service.model import worker

sys.path.insert(0, str(Path(__file__).parent))  # which Python leaves out under PYTHONSAFEPATH

from process_entry import hang_or_die

MEMORY, STEP, MASK, ACCEPT, STOP, ADD = range(292, 298)


class Failing:
    """Another object, one of whose methods fails, or all of it."""

    def __init__(self, inner: Any, name: str | None = None) -> None:
        self._inner = inner
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if self._name in (name, None):
            raise RuntimeError(f"{name} fails on purpose")
        return getattr(self._inner, name)


def sabotaged(parts: Parts) -> Parts:
    engine = parts.engine
    add, forward = engine.add, engine._decoder.forward
    orders: list[int] = []

    def adding(request: GenerationRequest) -> None:
        order = request.prompt_ids[0]
        if order == ADD:
            raise RuntimeError("add fails on purpose")
        if order in (MASK, ACCEPT):
            # Masks of several constraints are filled in one call, which looks inside.
            request.constraint = Failing(request.constraint, None if order == MASK else "accept")
        if order == STOP:
            request.stop = Failing(request.stop, "accept")
        add(request)
        orders.append(order)

    def forwarding(*arguments: Any) -> Any:
        while orders:
            obey(orders.pop())
        return forward(*arguments)

    engine.add = adding
    engine._decoder.forward = forwarding
    return parts


def obey(order: int) -> None:
    hang_or_die(order)
    if order == MEMORY:
        raise MemoryError("none is left, on purpose")
    if order == STEP:
        raise RuntimeError("the step fails on purpose")


def prepare(setup: Setup) -> Forks:
    forks = worker.prepare(setup)
    return replace(forks, build=lambda: sabotaged(forks.build()))


if __name__ == "__main__":
    serve_forks(prepare)
    sys.exit(0)
