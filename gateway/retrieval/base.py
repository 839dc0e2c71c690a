"""Interface of retrievers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Embed = Callable[[str, str, str | None], Awaitable[NDArray[np.float32]]]
"""Returns the vector of a query, of length 1; takes the query, a served model's name and the name of its prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document that was found. Title and id are empty if it has none."""

    text: str
    title: str = ""
    id: str = ""


@runtime_checkable
class Retriever(Protocol):
    """Finds documents."""

    async def find(self, query: str, limit: int, tenant: str) -> Sequence[Found]:
        """Return at most `limit` documents, the best first.

        Args:
            tenant: Digest of the request's API key; empty without keys.
        """
