"""Memory of what is not needed any more, given back to the system; what stays is left out of garbage collections.

Heavy work leaves objects that hold each other, which wait for Python's collector, and holes that the C library keeps
for what may be allocated later.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache

# Work that takes more of a thread's own time leaves so many holes in the heap that looking for them is worth some
# milliseconds.
HEAVY_SECONDS = 0.05
# A collection of young objects begins with so many: a constraint makes some thousands, of which nothing is garbage.
_YOUNG_OBJECTS = 20_000


@cache
def settle() -> None:
    """Ends, once a process, what was loaded before its first constraint: what is free is given back, the rest stays.

    The collector does not look at that any more: a collection of everything, which may begin within a mask, takes some
    100 ms beside a large model, and one of the constraints alone less than one.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(max(gc.get_threshold()[0], _YOUNG_OBJECTS), *gc.get_threshold()[1:])
    _trimmer()(0)


def give_back() -> None:
    """Gives back what heavy work left free."""
    # What is young: a collection of all that the constraints hold would take longer than most work.
    gc.collect(1)
    _trimmer()(0)


@cache
def _trimmer() -> Callable[[int], int]:
    """The function of the GNU C library that hands free memory back; others have none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", int)
