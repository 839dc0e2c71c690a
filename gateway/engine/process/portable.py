"""What is no data, taken apart here and made anew in the other process. Whoever composes the two says how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Source(Protocol):
    """What constraints are made from; many share one. Hashed by identity, weakly referenced."""

    def to_bytes(self) -> bytes:
        """All of it."""


@dataclass(frozen=True, slots=True)
class TakenApart:
    """The client's side; the worker's is `worker.Parts`.

    Attributes:
        source_of: What a constraint at the beginning of its text was made from.
        stops_of: The strings that a stop criterion looks for.
    """

    source_of: Callable[[Any], Source]
    stops_of: Callable[[Any], Sequence[str]]
