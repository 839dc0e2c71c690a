"""Admission of requests, and the count of running ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.errors import NotReadyError


class Gate:
    """Gate for requests: once shut, new ones are refused and running ones go on. For one event loop; `shut` is
    thread-safe.

    Attributes:
        num_inside: Number of running requests.
    """

    def __init__(self) -> None:
        self.num_inside = 0
        self.is_shut = False

    def shut(self) -> None:
        """Refuse requests from now on."""
        self.is_shut = True

    @contextmanager
    def entering(self) -> Iterator[None]:
        """Admit a request for the duration of the context.

        Raises:
            NotReadyError: The gate is shut.
        """
        if self.is_shut:
            raise NotReadyError("the server is shutting down")
        with self.inside():
            yield

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Count a request that was admitted before."""
        self.num_inside += 1
        try:
            yield
        finally:
            self.num_inside -= 1


class IdleWatch:
    """Watch for the end of the running requests: a look is true if none runs, nor did at the look before.

    Twice in a row, because a request is not counted for a moment between its preparation and its answer.

    Args:
        num_running: Returns the number of running requests.
    """

    def __init__(self, num_running: Callable[[], int]) -> None:
        self._num_running = num_running
        self._was_idle = False

    def look(self) -> bool:
        """Return True if no request runs now, and none ran at the last look."""
        was_idle, self._was_idle = self._was_idle, not self._num_running()
        return was_idle and self._was_idle
