"""Garbage collector and C heap of this process."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache

# Young objects before a collection: a constraint makes some thousands, none of which are garbage.
_YOUNG_OBJECTS = 20_000


@cache
def freeze_gc() -> None:
    """Exclude everything loaded so far from garbage collection, once a process, and trim the heap.

        A full collection, which may begin within a mask, takes some 100 ms beside a large model, and less than 1 ms for
    the constraints alone.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(max(gc.get_threshold()[0], _YOUNG_OBJECTS), *gc.get_threshold()[1:])
    _malloc_trim()(0)


def trim_heap() -> None:
    """Return memory that heavy work left free to the system."""
    # Young objects alone: a collection of all that constraints hold takes longer than most work.
    gc.collect(1)
    _malloc_trim()(0)


@cache
def _malloc_trim() -> Callable[[int], int]:
    """Return `malloc_trim` of the GNU C library; a function without effect for other libraries."""
    return getattr(ctypes.CDLL(None), "malloc_trim", int)
