"""Companions of a request: other prompts, adapters or models, whose scores are combined with its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

DRAFT = "draft"
"""Name of the draft model."""

Formula = Sequence[int | float | str]
"""A formula in reverse Polish notation: numbers of terms (0: the request itself, then its companions in order),
coefficients, which are floats, and operators, which are keys of `arithmetic.OPERATORS`."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A text that gets the same answer as a request, after another prompt or by another adapter or model.

    Attributes:
        adapter: Name of its LoRA adapter. None: the model itself.
        model: Name of its model: `DRAFT`, or one of `EngineConfig.term_models`. None: the served one.
        has_images: Its prompt has the images of the request.
    """

    prompt_ids: list[int]
    adapter: str | None = None
    model: str | None = None
    has_images: bool = False

    def after(self, token_ids: Sequence[int]) -> Companion:
        """Return the companion of a request that goes on after more tokens."""
        return replace(self, prompt_ids=[*self.prompt_ids, *token_ids])
