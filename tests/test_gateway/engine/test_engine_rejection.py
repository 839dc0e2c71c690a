"""Verified drafts are distributed as if there had been none; found by integration over a grid, not by sampling."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch import Tensor

from gateway.engine.seeds import Stream, uniforms
from gateway.engine.speculation.verify import draw, verify

GRID = (np.arange(64) + 0.5) / 64
ONE = np.nextafter(1.0, 0.0)


def outcome_of(scores: Tensor, q: Tensor) -> Tensor:
    """The distribution of the token that `verify` gives when drafts are drawn from q, by the midpoint rule."""
    deciding, drawing = (axis.ravel() for axis in np.meshgrid(GRID, GRID))
    total = torch.zeros(len(q), dtype=torch.float64)
    for token in q.nonzero()[:, 0].tolist():
        rows = len(deciding)
        tokens, accepted = verify(
            scores.expand(rows, -1), q.expand(rows, -1), torch.full((rows,), token), (deciding, drawing)
        )
        assert bool((tokens[accepted] == token).all())
        total += float(q[token]) * torch.bincount(tokens, minlength=len(q)) / rows
    return total


def random_scores(seed: int, forbidden: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(9, generator=generator) * 2
    scores[torch.randperm(9, generator=generator)[:forbidden]] = float("-inf")
    return scores


@pytest.mark.parametrize(("seed", "own_bans", "draft_bans"), [*itertools.product(range(3), (0, 3, 8), (0, 3, 8))])
def test_verify_gives_the_distribution_of_the_target(seed: int, own_bans: int, draft_bans: int) -> None:
    scores, q = random_scores(seed, own_bans), random_scores(100 + seed, draft_bans).softmax(-1)
    got, expected = outcome_of(scores, q), scores.softmax(-1)
    assert got[expected == 0].sum() == 0
    assert float((got - expected).abs().max()) < 2 / 64


def test_verify_with_equal_distributions_accepts_all() -> None:
    scores = torch.randn(5, 300, generator=torch.Generator().manual_seed(1)) * 5
    q = scores.softmax(-1)
    for point in (0.0, 0.5, float(ONE)):
        points = np.full(5, point)
        drafted = draw(q, torch.rand(5, dtype=torch.float64, generator=torch.Generator().manual_seed(2)))
        tokens, accepted = verify(scores, q, drafted, (points, points))
        assert bool(accepted.all())
        assert tokens.tolist() == drafted.tolist()


def test_verify_never_accepts_the_impossible() -> None:
    scores = torch.tensor([[0.0, float("-inf"), 0.0]]).repeat(4, 1)
    q = torch.tensor([[0.0, 1.0, 0.0]]).repeat(4, 1)
    points = np.array([0.0, 0.3, 0.7, ONE])
    tokens, accepted = verify(scores, q, torch.ones(4, dtype=torch.int64), (np.zeros(4), points))
    assert not bool(accepted.any())
    assert tokens.tolist() == [0, 0, 2, 2]


def test_verify_without_residual_draws_from_the_target() -> None:
    """q that exceeds p everywhere cannot be refused rightly, but rounding may do it."""
    scores, q = torch.zeros(2, 2), torch.tensor([[0.6, 0.6], [0.6, 0.6]])
    tokens, accepted = verify(scores, q, torch.zeros(2, dtype=torch.int64), (np.full(2, ONE), np.array([0.2, 0.8])))
    assert not bool(accepted.any())
    assert tokens.tolist() == [0, 1]


def test_verify_survives_rows_without_numbers() -> None:
    scores = torch.stack((torch.full((4,), float("-inf")), torch.full((4,), float("nan")), torch.zeros(4)))
    q = torch.full((3, 4), 0.25)
    tokens, accepted = verify(scores, q, torch.tensor([1, 2, 3]), (np.full(3, 0.5), np.full(3, 0.5)))
    assert accepted.tolist() == [False, False, True]
    assert bool(((tokens >= 0) & (tokens < 4)).all())


def test_draw_finds_the_token_that_holds_the_point() -> None:
    weights = torch.tensor([[0.0, 0.5, 0.0, 1.5, 0.0]]).repeat(5, 1)
    points = torch.tensor([0.0, 0.2499, 0.25, 0.99, float(ONE)], dtype=torch.float64)
    assert draw(weights, points).tolist() == [1, 1, 3, 3, 3]


def test_draw_never_gives_a_token_of_weight_zero() -> None:
    generator = torch.Generator().manual_seed(3)
    weights = torch.rand(500, 40, generator=generator) * 10 ** torch.randint(-20, 5, (500, 1), generator=generator)
    weights[torch.rand(500, 40, generator=generator) < 0.7] = 0
    weights[:, 7], weights[:, -1] = 1e-9, 0
    for point in (0.0, 0.5, float(ONE)):
        tokens = draw(weights, torch.full((500,), point, dtype=torch.float64))
        assert bool((weights.gather(1, tokens[:, None]) > 0).all())


def test_uniforms_of_streams_are_independent() -> None:
    seeds, counters = np.meshgrid(np.arange(200, dtype=np.uint64), np.arange(500, dtype=np.uint64), indexing="ij")
    values = {stream: uniforms(seeds.ravel(), counters.ravel(), stream) for stream in Stream}
    for stream, drawn in values.items():
        histogram = np.histogram(drawn, bins=20, range=(0, 1))[0] / drawn.size
        assert np.abs(histogram - 0.05).max() < 0.003, stream
    for one, other in itertools.combinations(values, 2):
        assert abs(np.corrcoef(values[one], values[other])[0, 1]) < 0.015
        joint = np.histogram2d(values[one], values[other], bins=5, range=[[0, 1], [0, 1]])[0] / seeds.size
        assert np.abs(joint - 0.04).max() < 0.003
