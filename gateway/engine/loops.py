"""Answers that go round in circles: how they are noticed, and how they end."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

MAX_PATTERN_SIZE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopRule:
    """Rule by which an answer counts as a loop: it ends in one run of tokens, repeated.

    Attributes:
        max_pattern_size: Most tokens of the run, at most `MAX_PATTERN_SIZE`.
        min_pattern_size: Fewest.
        min_count: Number of repetitions.
        min_tokens: Tokens of all of them together.
    """

    max_pattern_size: int
    min_pattern_size: int = 1
    min_count: int = 2
    min_tokens: int = 0

    @property
    def is_sound(self) -> bool:
        """True if every number is in range."""
        are_sizes = 1 <= self.min_pattern_size <= self.max_pattern_size <= MAX_PATTERN_SIZE
        return are_sizes and self.min_count >= 2 and self.min_tokens >= 0


class LoopFinder:
    """Reads an answer token by token, and detects a loop.

    A text has the period p as far back as each token equals the one p places before it. How far that is grows
    by one with each token that keeps to the period, and is forgotten with the first that does not; so only those
    periods are kept for which the newest token is right.

    Cost: of a token, a look at each of its kind among the last `max_pattern_size`; mostly those are few.
    """

    __slots__ = ("_least", "_num_tokens", "_places", "_rule", "_runs")

    def __init__(self, rule: LoopRule) -> None:
        self._rule = rule
        sizes = range(rule.min_pattern_size, rule.max_pattern_size + 1)
        self._least = min(max(size * rule.min_count, rule.min_tokens) - size for size in sizes)
        self._num_tokens = 0
        self._places: dict[int, deque[int]] = {}
        self._runs: dict[int, int] = {}

    def accept(self, token: int) -> bool:
        """Add a token; True if the answer now ends in a loop."""
        rule, at, before = self._rule, self._num_tokens, self._runs
        places = self._places.setdefault(token, deque())
        while places and at - places[0] > rule.max_pattern_size:
            places.popleft()
        runs = self._runs = {at - place: before.get(at - place, 0) + 1 for place in places}
        places.append(at)
        self._num_tokens += 1
        if not runs or max(runs.values()) < self._least:
            return False
        return any(
            size + run >= max(size * rule.min_count, rule.min_tokens)
            for size, run in runs.items()
            if size >= rule.min_pattern_size
        )
