"""State of the server's process: variables, heap, garbage collector. Importing this is light."""

from __future__ import annotations

import ctypes
import gc
import os

M_ARENA_MAX = -8


def set_up_process() -> None:
    """Set variables for the processes that are started from here on, and for torch, which reads them when loaded."""
    # No process runs code of the working directory, where anyone may have put it.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Threads of torch otherwise spin while they wait for one that another process keeps from its core: beside one busy
    # process, two threads on two cores write 13 tokens a second instead of 700.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def share_one_heap() -> None:
    """Have all threads allocate from one heap: memory that one of them freed serves the others, and few of them compute
    at the same time."""
    limit = getattr(ctypes.CDLL(None), "mallopt", None)  # the GNU C library's
    if limit is not None:
        limit(M_ARENA_MAX, 1)


def settle_memory() -> None:
    """Exclude what was loaded from garbage collections: a look at all of it stops every request for 0.1 s."""
    gc.collect()
    gc.freeze()
    gc.enable()
