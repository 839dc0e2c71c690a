"""A live server, on a real socket, for every test that talks HTTP."""

import gc
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import HELD, Live, config_for, serving
from tiny_model import TEMPLATE, THINKING_END, write_tiny_model

MOST_OWN_S = 0.2
TOLD_LATE_S = 10.0
"""After what held a loop, that it may be told."""


class Collecting:
    """Seconds of its own that each thread spent on collections: these are as long as the tests keep much, and come in
    whichever thread makes the next object."""

    def __init__(self) -> None:
        self._begun = 0.0
        self._ended: list[tuple[float, int, float]] = []

    def __call__(self, phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            self._begun = time.thread_time()
        else:
            self._ended.append((time.monotonic(), threading.get_ident(), time.thread_time() - self._begun))

    def most_since(self, start: float) -> float:
        """Of one thread, from then on; what was before is forgotten."""
        self._ended = [each for each in self._ended if each[0] >= start]
        seconds: Counter[int] = Counter()
        for _, thread, own in self._ended:
            seconds[thread] += own  # type: ignore[assignment]
        del seconds[threading.get_ident()]
        return max(seconds.values(), default=0.0)


COLLECTING = Collecting()
gc.callbacks.append(COLLECTING)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def tiny_live(tiny_model: Path) -> Iterator[Live]:
    """Random weights: what comes out is held in shape by the constraints alone."""
    with serving(config_for(tiny_model)) as live:
        yield live


@pytest.fixture(scope="session")
def live(request: pytest.FixtureRequest) -> Iterator[Live]:
    """The model that ships with the package, or the tiny one where its weights are not there."""
    from gateway.embedded import MissingWeightsError, target_path

    try:
        target_path()
    except MissingWeightsError:
        yield request.getfixturevalue("tiny_live")
        return
    with serving(config_for(None)) as running:
        yield running


@pytest.fixture(scope="session")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server whose model thinks unless it is told not to."""
    folder = tmp_path_factory.mktemp("thinker")
    write_tiny_model(folder, template=TEMPLATE + THINKING_END, special=("<think>", "</think>"))
    with serving(config_for(folder)) as live:
        yield live


@pytest.fixture(autouse=True)
def no_handler_holds_the_loop() -> Iterator[None]:
    """A handler that computes for long serves nobody else meanwhile. What a loop waits for on a busy machine is not its
    own, and neither is a collection of all that the tests keep."""
    begun = time.monotonic()
    yield
    most_s = MOST_OWN_S + COLLECTING.most_since(begun - TOLD_LATE_S)
    held = [each for each in HELD if each.own_seconds > most_s]
    HELD.clear()
    assert not held
