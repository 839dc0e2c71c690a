"""What is being done while a model loads, on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TextIO


class LoadingProgress:
    """A callable for `Service.load`: each stage is a line, with the seconds since the beginning."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._begin = time.monotonic()

    def __call__(self, stage: str) -> None:
        seconds = time.monotonic() - self._begin
        with suppress(OSError):  # a terminal that is gone keeps no server from finishing its answers
            print(f"[{seconds:6.1f} s] {stage}", file=self._out, flush=True)
