"""How the answer of a request adapts the model while it is written."""

from __future__ import annotations

from dataclasses import dataclass

MIN_EVERY, MAX_EVERY = 8, 512
"""Tokens of an answer between two trainings. The scores of as many tokens are in memory at a time."""
MAX_RANK = 64
MAX_LEARNING_RATE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptationRule:
    """Training of a request's temporary adapter.

    Attributes:
        every_tokens: Tokens of the answer after which it is trained, on these tokens.
        rank: Of its matrices.
        learning_rate: Step of Adam.
    """

    every_tokens: int
    rank: int
    learning_rate: float

    @property
    def is_sound(self) -> bool:
        """True if every number is in range."""
        are_sizes = MIN_EVERY <= self.every_tokens <= MAX_EVERY and 1 <= self.rank <= MAX_RANK
        return are_sizes and 0 <= self.learning_rate <= MAX_LEARNING_RATE
