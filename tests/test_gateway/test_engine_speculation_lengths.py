"""How much a drafter is asked for: what brings most tokens a second, found by trying everything."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.engine.speculation.lengths import DraftCost, Step, choose_lengths

CHANCE = st.floats(0.01, 0.99)
SECONDS = st.floats(0.0, 2.0)


def rate(chances: list[float], lengths: tuple[int, ...], step: Step, cost: DraftCost) -> float:
    """Tokens a second of a step with drafts of these lengths."""
    tokens, seconds = step.tokens, step.seconds
    for position in range(1, max(lengths, default=0) + 1):
        drafted = [chance for chance, length in zip(chances, lengths, strict=True) if length >= position]
        tokens += sum(chance**position for chance in drafted)
        seconds += cost.fixed + len(drafted) * (cost.each + step.row)
    return tokens / seconds


@given(st.lists(CHANCE, min_size=1, max_size=3), SECONDS, SECONDS, SECONDS)
def test_choose_lengths_finds_the_best_rate(chances: list[float], fixed: float, each: float, row: float) -> None:
    step, cost = Step(float(len(chances)), 1.0 + row * len(chances), row), DraftCost(fixed, each)
    lengths, saved = choose_lengths(chances, [3] * len(chances), step, cost)
    best = max(rate(chances, tried, step, cost) for tried in itertools.product(range(4), repeat=len(chances)))
    assert rate(chances, tuple(lengths), step, cost) == pytest.approx(best)
    assert saved >= -1e-9
    assert (saved > 1e-9) <= (max(lengths) > 0)


def test_choose_lengths_stays_within_what_each_may_get() -> None:
    assert choose_lengths([0.9, 0.8, 0.9], [2, 0, 5], Step(3.0, 1.0, 0.0), DraftCost())[0] == [2, 0, 5]
    assert choose_lengths([], [], Step(3.0, 1.0, 0.0), DraftCost())[0] == []


def test_choose_lengths_prefers_the_likely() -> None:
    step, cost = Step(2.0, 1.0, 0.2), DraftCost(0.01, 0.01)
    lengths, _ = choose_lengths([0.2, 0.95], [8, 8], step, cost)
    assert lengths[0] == 0 < lengths[1] < 8


def test_choose_lengths_leaves_out_what_others_make_too_slow() -> None:
    """Alone a token of the first would pay, but the time is better spent on the second."""
    step = Step(2.0, 3.0, 1.0)
    assert choose_lengths([0.75, 0.9375], [3, 3], step, DraftCost())[0] == [0, 3]
