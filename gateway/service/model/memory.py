"""Memory of processes, and return of free heap memory to the system."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from grammars.process_memory import trim_heap

_WORTH_BYTES = 16 << 20


class HeapTrimmer:
    """Trims the heap when the process has grown, or its used memory has shrunk, by `_WORTH_BYTES` since the last trim.

    Long texts and large bodies leave free blocks that the C library keeps: 300 MB after tokenizing 3 MB, perhaps long
    after the process grew. Compiled constraints do too: 20 MB after a few hundred.
    """

    def __init__(self) -> None:
        self._size, self._most_used = resident_bytes(), _used_bytes()

    def __call__(self) -> None:
        """Trim the heap if it is worth it, which may take ten milliseconds."""
        used = _used_bytes()
        self._most_used = max(self._most_used, used)
        if resident_bytes() > self._size + _WORTH_BYTES or used < self._most_used - _WORTH_BYTES:
            trim_heap()
            self._size, self._most_used = resident_bytes(), _used_bytes()


def resident_bytes(pid: int | None = None) -> int:
    """Return the resident memory of a process, None: this one; 0 if it has ended, or the system does not report it."""
    try:
        text = Path(f"/proc/{'self' if pid is None else pid}/statm").read_text(encoding="ascii")
    except OSError:
        return 0
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


class _Mallinfo(ctypes.Structure):
    """`struct mallinfo2` of the GNU C library."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def _used_bytes() -> int:
    """Return the memory that the C library has allocated; 0 where it does not report it."""
    mallinfo = _mallinfo()
    return 0 if mallinfo is None else int(mallinfo().uordblks)


@cache
def _mallinfo() -> Callable[[], Any] | None:
    mallinfo: Any = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo is not None:
        mallinfo.restype = _Mallinfo
    return mallinfo  # type: ignore[no-any-return]
