"""The step under way, for attention functions that are called from inside a model.

Keyword arguments would be the obvious way, but several model classes drop the ones they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from gateway.engine.batch import Batch
from gateway.engine.kv_cache import KvCache


@dataclass(frozen=True, slots=True)
class Step:
    """The batch being computed and the memory it uses."""

    batch: Batch
    cache: KvCache


_current: ContextVar[Step] = ContextVar("portcullis_step")


@contextmanager
def computing(step: Step) -> Iterator[None]:
    """Make `step` the current one of this thread."""
    token = _current.set(step)
    try:
        yield
    finally:
        _current.reset(token)


def step_or_none() -> Step | None:
    """The step being computed in this thread, if one is."""
    return _current.get(None)


def current_step() -> Step:
    """The step being computed in this thread.

    Raises:
        LookupError: A model with our attention was called outside of a step.
    """
    return _current.get()
