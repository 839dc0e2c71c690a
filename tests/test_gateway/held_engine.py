"""An engine in a thread that computes no further than a test lets it, and deadlines that pass when a test says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from gateway.engine import EngineStats, InProcessEngine

Condition = Callable[[EngineStats], bool]


def after_tokens(engine: InProcessEngine, number: int) -> Condition:
    """That so many more tokens were given out."""
    least = engine.stats().num_output_tokens + number
    return lambda stats: stats.num_output_tokens >= least


def once_running(number: int) -> Condition:
    """That so many requests run; and before that, that there are not as many yet, lest the first end before the last
    comes."""
    return lambda stats: stats.num_running >= number or stats.num_running + stats.num_waiting < number


@contextmanager
def held(engine: InProcessEngine, when: Condition = lambda stats: True) -> Iterator[Callable[[], None]]:
    """While this is true, the engine computes nothing, until the block is left or what is given is called; requests and
    cancellations reach it all the while."""
    inner, let_go = engine._engine, threading.Event()
    real = inner.step

    def step() -> list:
        if let_go.is_set() or not when(inner.stats()):
            return real()
        time.sleep(0.001)
        return []

    with patch.object(inner, "step", step):
        yield let_go.set


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Return once it is true; as long as it may take on a machine that does much else."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def let_deadlines_pass(engine: InProcessEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the engine it is an hour later than for everybody else, until the test is over."""
    monkeypatch.setattr(engine._engine._outputs, "clock", lambda: time.monotonic() + 3600)
