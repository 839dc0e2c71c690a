"""The engine's processes: the command that starts them, which runs this as a module, and is never typed by hand.

Importing this is light, so that a process can be started before it is known what it will serve: what it imports takes
as long as all else.
"""

from __future__ import annotations

import gc
import sys

from gateway.engine.process import Forkserver

WORKER = (sys.executable, "-P", "-m", "gateway.service.model.start_worker")
"""`-P`: the working directory is not where modules are looked for."""


def spare_worker() -> Forkserver:
    """A process that imports what the engine needs; to be closed by whoever started it."""
    return Forkserver.start(WORKER)


def main() -> None:
    """Import what workers need, then serve forks of this process."""
    # Each look of the collector at all that torch brings takes up to 0.1 s, and none of it is ever garbage.
    gc.disable()
    from gateway.engine.process.forkserver import serve_forks
    from gateway.service.model.worker import prepare

    gc.freeze()
    gc.enable()
    serve_forks(prepare)


if __name__ == "__main__":
    main()
