"""Python's collector of cyclic garbage, paused while something is made that will hold no cycle."""

from __future__ import annotations

import gc
import threading

# Pieces of work that join a pause; then it is left to end, or under steady load the collector would never come.
_MAX_JOINED = 256
# Collections of young objects in a row that a pause ends with.
_MAX_YOUNG = 40


class CollectorPause:
    """Entered around work whose objects are freed by reference counts: collections would look at them for nothing.

    A collection is begun by so many new objects, and the oldest generation's walks through all that the process holds:
    some 100 ms beside a large model. So where very many are new at the end of a pause, those alone are looked at then.

    Thread-safe: the pause lasts until the last of several threads has left it. A collector that was off before stays
    off.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._num_inside = 0
        self._num_joined = 0
        self._was_enabled = False

    def begin(self) -> bool:
        """Whether the collector now waits for this piece of work, which then has to `end`."""
        with self._lock:
            if self._num_inside == 0:
                self._num_joined = 0
                self._was_enabled = gc.isenabled()
                gc.disable()
            elif self._num_joined >= _MAX_JOINED:
                return False
            self._num_inside += 1
            self._num_joined += 1
            return True

    def end(self) -> None:
        """The piece of work is done."""
        if self._num_inside == 1 and self._was_enabled:
            young, older, _ = gc.get_count()
            # Else the collector would begin at once, and now and then with everything. It has to come some time.
            if young > gc.get_threshold()[0] > 0 and older < _MAX_YOUNG:
                gc.collect(0)
        with self._lock:
            self._num_inside -= 1
            if self._num_inside == 0 and self._was_enabled:
                gc.enable()


PAUSE = CollectorPause()
"""The collector is one for the whole process, and so is its pause."""
