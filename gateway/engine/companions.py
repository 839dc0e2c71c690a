"""Companions of a request: other prompts, or adapters, whose scores are combined with its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

Formula = Sequence[int | float | str]
"""A formula in reverse Polish notation: numbers of terms (0: the request itself, then its companions in order),
coefficients, which are floats, and operators, which are keys of `arithmetic.OPERATORS`."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A text that gets the same answer as a request, after another prompt or by another adapter.

    Attributes:
        adapter: Name of its LoRA adapter. None: the model itself.
    """

    prompt_ids: list[int]
    adapter: str | None = None

    def after(self, token_ids: Sequence[int]) -> Companion:
        """Return the companion of a request that goes on after more tokens."""
        return replace(self, prompt_ids=[*self.prompt_ids, *token_ids])
