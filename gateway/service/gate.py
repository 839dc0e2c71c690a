"""Who is let in, and who is still inside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gateway.errors import NotReadyError


class Gate:
    """Once shut, it lets nobody in, and those inside go on. One event loop uses it; `shut` may come from anywhere.

    Attributes:
        num_inside: Requests that are being prepared or answered.
    """

    def __init__(self) -> None:
        self.num_inside = 0
        self.is_shut = False

    def shut(self) -> None:
        """From now on nobody is let in."""
        self.is_shut = True

    @contextmanager
    def entering(self) -> Iterator[None]:
        """A request comes in.

        Raises:
            NotReadyError: It is too late.
        """
        if self.is_shut:
            raise NotReadyError("the server is shutting down")
        with self.inside():
            yield

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A request that was let in is worked on."""
        self.num_inside += 1
        try:
            yield
        finally:
            self.num_inside -= 1
