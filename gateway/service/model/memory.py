"""Memory that requests left free, handed back to the system."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from grammars.process_memory import trim_heap

_STATM = Path("/proc/self/statm")
_WORTH_BYTES = 16 << 20


class HeapTrimmer:
    """Gives free memory back whenever the process has grown by `_WORTH_BYTES` since it last did, or has less in use.

    Long texts and large bodies leave holes in the heap that the C library keeps: 300 MB after 3 MB were tokenized. They
    may be left long after the process grew. So do constraints that come and go, 20 MB in a few hundred.
    """

    def __init__(self) -> None:
        self._size, self._most_used = _resident_bytes(), _used_bytes()

    def __call__(self) -> None:
        """Looks how large the process is; what follows may take some ten milliseconds."""
        used = _used_bytes()
        self._most_used = max(self._most_used, used)
        if _resident_bytes() > self._size + _WORTH_BYTES or used < self._most_used - _WORTH_BYTES:
            trim_heap()
            self._size, self._most_used = _resident_bytes(), _used_bytes()


def _resident_bytes() -> int:
    """Of this process; 0 where the system does not say."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


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
    """What the C library has handed out; 0 where it does not say."""
    tell = _teller()
    return 0 if tell is None else int(tell().uordblks)


@cache
def _teller() -> Callable[[], Any] | None:
    tell: Any = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if tell is not None:
        tell.restype = _Mallinfo
    return tell  # type: ignore[no-any-return]
