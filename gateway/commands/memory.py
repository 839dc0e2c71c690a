"""Memory that requests left free, handed back to the system."""

from __future__ import annotations

import os
from pathlib import Path

from grammars.trimming import give_back

_STATM = Path("/proc/self/statm")
_WORTH_BYTES = 32 << 20


class Trimming:
    """Gives free memory back whenever the process has grown by `_WORTH_BYTES` since it last did.

    Long texts and large bodies leave holes in the heap that the C library keeps: 300 MB after 3 MB were tokenized.
    """

    def __init__(self) -> None:
        self._size = _resident_bytes()

    def __call__(self) -> None:
        """Looks how large the process is; what follows may take some ten milliseconds."""
        if _resident_bytes() > self._size + _WORTH_BYTES:
            give_back()
            self._size = _resident_bytes()


def _resident_bytes() -> int:
    """Of this process; 0 where the system does not say."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
