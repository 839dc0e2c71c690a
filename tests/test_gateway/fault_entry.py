"""The real worker's entry point, with faults thrown into every hook of its engine.

A fault is drawn before each call of a hook, from numbers of its own: those of `PORTCULLIS_TEST_SEED`, in each of the
engine's lives others. What is drafted is all that may be, whatever steps have taken. The file named by
`PORTCULLIS_TEST_FAULTS` steers it: the chance of a fault, then "hang" to have the next step never end. An engine that
is idle must hold together and have all its blocks; a worker whose engine does not says so in a file beside that one.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gateway.engine import Engine
from gateway.engine.process.forkserver import Forks, serve_forks
from gateway.engine.process.messages import Setup
from gateway.engine.process.worker import Parts
from gateway.engine.protocols import MaskRows
from gateway.engine.scheduling.step_cost import StepCost
from gateway.service.model import worker

STEERING = Path(os.environ.get("PORTCULLIS_TEST_FAULTS", os.devnull))
SEED = os.environ.get("PORTCULLIS_TEST_SEED", "")


def steer(steering: Path, order: str) -> None:
    """Write the file in one piece: it may be read at any time."""
    written = steering.with_suffix(".new")
    written.write_text(order)
    written.replace(steering)


class Injected(Exception):
    """Thrown into a hook."""


class Faults:
    """Throws dice. What was never hit gets a higher chance, so that every hook is hit in a run."""

    def __init__(self) -> None:
        lives = STEERING.with_suffix(".lives")
        with lives.open("a") as begun:
            begun.write(".")
        self._random = random.Random(f"{SEED} {lives.stat().st_size}")
        self._hit: set[str] = set()

    def maybe(self, hook: str, weight: float = 1.0, first: float = 200.0) -> None:
        """Raise, sometimes.

        Args:
            first: The weight until it was hit.

        Raises:
            Injected: This time.
        """
        chance, _, order = STEERING.read_text().partition(" ")
        if order == "hang" and hook == "forward":
            steer(STEERING, chance)
            time.sleep(3600)
        if self._random.random() < float(chance) * (weight if hook in self._hit else first):
            self._hit.add(hook)
            with STEERING.with_suffix(".hooks").open("a") as hooks:
                hooks.write(f"{hook}\n")
            raise Injected(hook)


class FaultyMatcher:
    """A real one that raises now and then."""

    def __init__(self, inner: Any, faults: Faults) -> None:
        self.inner, self._faults = inner, faults
        self._is_broken = False

    def break_mask(self) -> None:
        """Raise, sometimes, and from then on always."""
        try:
            # Of steps with one constraint, and where those of many failed: the first one fails for sure.
            self._faults.maybe("fill_mask", 2, 1000)
        except Injected:
            self._is_broken = True
        if self._is_broken:
            raise Injected("fill_mask")

    def fill_mask(self, row: MaskRows, tokens_left: int | None = None) -> None:
        self.break_mask()
        self.inner.fill_mask(row, tokens_left)

    def accept(self, token_id: int) -> bool:
        self._faults.maybe("accept")
        return bool(self.inner.accept(token_id))

    @property
    def is_complete(self) -> bool:
        self._faults.maybe("is_complete", 5)
        return bool(self.inner.is_complete)

    def forced_tokens(self) -> list[int]:
        self._faults.maybe("forced_tokens", 2)
        return list(self.inner.forced_tokens())

    def fork(self) -> FaultyMatcher:
        self._faults.maybe("fork", 2)
        return FaultyMatcher(self.inner.fork(), self._faults)

    def rollback(self, n: int) -> None:
        self.inner.rollback(n)


class FaultyStop:
    """A real criterion that raises now and then."""

    def __init__(self, inner: Any, faults: Faults) -> None:
        self._inner, self._faults = inner, faults

    def accept(self, token_id: int) -> bool:
        self._faults.maybe("stop", 2)
        return bool(self._inner.accept(token_id))


class WatchedEngine:
    """An engine that is looked at whenever it is idle."""

    def __init__(self, inner: Engine) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def step(self) -> list[Any]:
        events = self._inner.step()
        if not self._inner.has_work:
            try:
                self._inner.check_integrity()
                stats = self._inner.stats()
                assert stats.num_free_blocks == stats.num_blocks, "blocks are missing"
            except AssertionError as error:
                STEERING.with_suffix(".broken").write_text(str(error))
        return events


def damage(engine: Engine, faults: Faults) -> None:
    """Put faults in front of what the engine itself calls."""

    def before(owner: Any, name: str, hook: str, weight: float = 1.0) -> None:
        inner: Callable[..., Any] = getattr(owner, name)

        def called(*arguments: Any, **named: Any) -> Any:
            faults.maybe(hook, weight)
            return inner(*arguments, **named)

        setattr(owner, name, called)

    before(engine._decoder, "forward", "forward", 0.2)
    before(engine._builder, "build", "build", 0.2)
    before(engine._sampler, "sample", "sample", 0.2)
    before(engine._speculator._guesser, "_continue", "guess", 2)


def prepare(setup: Setup) -> Forks:
    """As the real one, with faults."""
    forks = worker.prepare(setup)

    StepCost.line = (1.0, 0.0)  # type: ignore[assignment, method-assign]

    def build_faulty() -> Parts:
        faults, parts = Faults(), forks.build()
        damage(parts.engine, faults)
        fill = parts.engine._masks._hook

        def fill_masks(constraints: list[Any], rows: MaskRows, left: list[int | None]) -> None:
            if len(constraints) == 1:
                constraints[0].break_mask()
            else:
                faults.maybe("fill_masks", 2)
            fill([constraint.inner for constraint in constraints], rows, left)

        parts.engine._masks._hook = fill_masks

        def restore(digest: bytes, data: bytes) -> Any:
            faults.maybe("restore", 5)
            return FaultyMatcher(parts.restore(digest, data), faults)

        def watch(stops: Any) -> Any:
            faults.maybe("watch", 5)
            return FaultyStop(parts.watch(stops), faults)

        return Parts(WatchedEngine(parts.engine), restore, watch)  # type: ignore[arg-type]

    return replace(forks, build=build_faulty)


if __name__ == "__main__":
    serve_forks(prepare)
