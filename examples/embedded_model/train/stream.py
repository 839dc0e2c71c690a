"""Batches ahead of the step that needs them, drawn by processes of their own where one core cannot keep up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from multiprocessing import get_context
from typing import Any

import torch

from embedded_model.train.batches import Batches, Pack

_AHEAD = 3
"""Batches that each process is given in advance."""
_batches: Batches | None = None


def stream(make: Callable[[], Batches], first: int, num_workers: int) -> Generator[list[Pack], None, None]:
    """The batches of the steps from `first` on, the same ones however many processes draw them.

    Args:
        make: makes the batches, in each process once.
        num_workers: processes; 0 draws in this one.
    """
    if not num_workers:
        yield from map(make().at, count(first))
        return
    pool = ProcessPoolExecutor(num_workers, get_context("fork"), _begin, (make,))
    try:
        pending = deque(pool.submit(_at, step) for step in range(first, first + _AHEAD * num_workers))
        for step in count(first + len(pending)):
            pending.append(pool.submit(_at, step))
            yield [
                Pack(torch.from_numpy(ids), torch.from_numpy(targets), torch.from_numpy(weights), lengths)
                for ids, targets, weights, lengths in pending.popleft().result()
            ]
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(make: Callable[[], Batches]) -> None:
    global _batches
    torch.set_num_threads(1)
    _batches = make()


def _at(step: int) -> list[tuple[Any, Any, Any, list[int]]]:
    """The packs of a step as arrays: tensors would travel as open files, one each."""
    assert _batches is not None
    packs = _batches.at(step)
    return [(pack.ids.numpy(), pack.targets.numpy(), pack.weights.numpy(), pack.lengths) for pack in packs]
