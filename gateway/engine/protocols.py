"""Interfaces that the engine expects of others: constraints and stop criteria."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

MaskRows = NDArray[np.uint32]
"""Token masks, one row a request. Shapes: [n, ceil(V / 32)]; token t is bit t % 32 of word t // 32."""


class TokenConstraint(Protocol):
    """The text that a request may still produce, token by token.

    The engine owns the constraint from `add` until the request's last event. Call order: `fill_mask` before each
    sampled token, `accept` after it; never both at once. The end-of-sequence bits are set iff the text is complete.
    """

    def fill_mask(self, row: MaskRows, tokens_left: int | None = None) -> None:
        """Write which tokens may come next, such that a complete text still fits into `tokens_left` tokens."""

    def accept(self, token_id: int) -> bool:
        """Advance by one token; False, and unchanged, when it is not allowed."""

    @property
    def is_complete(self) -> bool:
        """True if the text so far is complete."""

    @property
    def tokens_to_complete(self) -> int:
        """Number of tokens that suffice to complete the text, if known; used where the answer is to end."""

    def forced_tokens(self) -> list[int]:
        """Return the tokens that must come next; may be empty."""

    def fork(self) -> Self:
        """An independent copy."""

    def rollback(self, n: int) -> None:
        """Take back the last `n` accepted tokens."""


@runtime_checkable
class Sectioned(Protocol):
    """A constraint on an answer that follows a section of its own, such as reasoning."""

    def end_section(self) -> bool:
        """End the section that the text is in by the shortest way; False if it is in none. The answer keeps its
        budget."""


@runtime_checkable
class Budgeted(Protocol):
    """A constraint that says which tokens its masks leave out: for a budget, or as they took too long to find."""

    @property
    def num_short_masks(self) -> int:
        """Masks so far that lack tokens which the constraint allows; the same texts can be written in others."""

    def is_narrowed_by(self, tokens_left: int) -> bool:
        """True if `tokens_left` may have left tokens out of the mask that was filled last."""


class StopCriterion(Protocol):
    """Watches the tokens of one request for a stop string."""

    def accept(self, token_id: int) -> bool:
        """Add a token; True if it completes a stop string. Called once for every token, in order."""


FillMasks = Callable[[list[Any], MaskRows, list[int | None]], None]
"""Fills the masks of many constraints at once: (constraints, rows [n, ceil(V / 32)], tokens left of each)."""
