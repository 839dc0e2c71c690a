"""Pages of weight files that were read and are needed no longer, handed back to the system."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

_SMAPS = Path("/proc/self/smaps")
_MADV_DONTNEED = 4
_HEAD = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ *(.*)$")


def give_back_pages() -> None:
    """Take the pages of mapped weight files out of this process: what is read of them again comes from the file anew.

    Weights that were packed, or copied to a device, are read once. A mapping into which something was written is left.
    Does nothing where the system does not tell its mappings.
    """
    if not _SMAPS.exists():
        return
    advise = ctypes.CDLL(None, use_errno=True).madvise
    advise.argtypes = (ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
    begin = end = 0
    for line in _SMAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        if head := _HEAD.match(line):
            is_weights = head[3].endswith(".safetensors")
            begin, end = (int(head[1], 16), int(head[2], 16)) if is_weights else (0, 0)
        elif end and line.startswith("Anonymous:") and line.split()[1] == "0":
            advise(begin, end - begin, _MADV_DONTNEED)
