"""Stages of loading a model, on stderr or as log records."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from typing import TextIO

logger = logging.getLogger("gateway.serve")


def log_progress(stage: str) -> None:
    """Log a stage, whatever the level of the logs."""
    logger.handle(logger.makeRecord(logger.name, logging.INFO, __file__, 0, stage, (), None))


class LoadingProgress:
    """A callable for `Service.load`: each stage is a line, with the seconds since the beginning."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._begin = time.monotonic()

    def __call__(self, stage: str) -> None:
        seconds = time.monotonic() - self._begin
        with suppress(OSError):  # a terminal that is gone keeps no server from finishing its answers
            print(f"[{seconds:6.1f} s] {stage}", file=self._out, flush=True)
