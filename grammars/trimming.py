"""Memory of what is not needed any more, given back to the system.

Heavy work leaves objects that hold each other, which wait for Python's collector, and holes that the C library keeps
for what may be allocated later.
"""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from collections.abc import Callable
from functools import cache

# Work that takes longer leaves so many holes in the heap that looking for them is worth some milliseconds.
_HEAVY_SECONDS = 0.05


def _trimmer() -> Callable[[int], int] | None:
    """The function of the GNU C library that does it; others have none."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None


@cache
def trim_once() -> None:
    """Gives back what was free before the first constraint, which would else wait for it: loading leaves many holes."""
    trim = _trimmer()
    if trim is not None:
        trim(0)


class Trimming:
    """Gives memory back after heavy work.

    Attributes:
        is_due: whether there is some to give back.

    Thread-safe: two threads at once may give back twice.
    """

    def __init__(self) -> None:
        self._trim = _trimmer()
        self.is_due = False
        self._last = threading.local()

    def begin(self) -> float:
        """Begins a piece of work; what it returns is for `end`."""
        if self.is_due:
            self.give_back()
        return time.perf_counter()

    def end(self, began: float) -> None:
        """The piece of work is done."""
        # Most work is short by any clock, and asking for the thread's own time takes some microseconds. So where work
        # took long by the clock on the wall, the thread's time counts since this was last asked.
        if time.perf_counter() - began > _HEAVY_SECONDS:
            now = time.thread_time()
            self.is_due |= now - getattr(self._last, "time", 0.0) > _HEAVY_SECONDS
            self._last.time = now

    def give_back(self) -> None:
        """Gives back what heavy work left free since the last time."""
        if self.is_due:
            self.is_due = False
            # What is young: a collection of all that the process holds would take longer than most work.
            gc.collect(1)
            if self._trim is not None:
                self._trim(0)
