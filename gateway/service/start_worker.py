"""The engine's processes: this is started as a module by `gateway.service.engines`, never by hand."""

from __future__ import annotations

import gc


def main() -> None:
    """Import what workers need, then serve forks of this process."""
    # Each look of the collector at all that torch brings takes up to 0.1 s, and none of it is ever garbage.
    gc.disable()
    from gateway.engine.process.forkserver import serve_forks
    from gateway.service.worker import prepare

    gc.freeze()
    gc.enable()
    serve_forks(prepare)


if __name__ == "__main__":
    main()
