"""Command that starts the engine's processes, which run this module. Users do not call it.

The module imports little, so that a process can be started before its model is known: the imports take as long as the
rest of its start.
"""

from __future__ import annotations

import gc
import sys

from gateway.engine.process import Forkserver

WORKER = (sys.executable, "-P", "-m", "gateway.service.model.start_worker")
"""Command line. `-P`: modules are not searched in the working directory."""


def spare_worker() -> Forkserver:
    """Return a started process that imports the engine's modules; the caller closes it."""
    return Forkserver.start(WORKER)


def main() -> None:
    """Import the workers' modules, then serve forks of this process."""
    # A collection over torch's objects takes up to 0.1 s and finds no garbage.
    gc.disable()
    from gateway.engine.process.forkserver import serve_forks
    from gateway.service.model.worker import prepare

    gc.freeze()
    gc.enable()
    serve_forks(prepare)


if __name__ == "__main__":
    main()
