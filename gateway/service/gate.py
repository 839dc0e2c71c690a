"""Admission of requests, and the count of running ones."""

from __future__ import annotations

from collections.abc import Iterator
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
