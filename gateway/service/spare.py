"""The engine's process, started before it is known what it will serve: what it imports takes as long as all else.

Importing this is light, so that it can be started first.
"""

from __future__ import annotations

import sys

from gateway.engine.process import Forkserver

WORKER = (sys.executable, "-P", "-m", "gateway.service.start_worker")
"""`-P`: the working directory is not where modules are looked for."""


def spare_worker() -> Forkserver:
    """A process that imports what the engine needs; to be closed by whoever started it."""
    return Forkserver.start(WORKER)
