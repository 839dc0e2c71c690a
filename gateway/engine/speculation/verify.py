"""Rejection sampling: drafts are verified without changing the distribution of the answers.

A draft model drew d from q; the target's distribution is p. d is accepted with probability min(1, p(d) / q(d)), else a
token is drawn from normalize(max(p - q, 0)). The result is distributed as p, for any q:

    min(p, q)(x)  +  (1 - sum min(p, q)) * (p - q)+(x) / sum (p - q)+  =  min(p, q)(x) + (p - q)+(x)  =  p(x)

That holds for p and q after masks and warpers, under one condition on the drafter: *whether* a position is drafted must
not depend on the token drawn there. Dropping a draft because of its token (an end of sequence, a token outside the
grammar, an unlikely one) makes the others too frequent; it must be proposed and refused. Stopping after it is harmless.

See: Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding" (2023), appendix A.1.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def draw(weights: Tensor, points: Tensor) -> Tensor:
    """A token per row with a chance in proportion to its weight: inverse transform sampling in double precision.

    A weight of zero is never drawn. Rows that hold no number, or zeros alone, give some token.

    Shapes: weights [n, V], not negative; points [n] in [0, 1), float64; returns [n].
    """
    cumulative = weights.cumsum(dim=-1, dtype=torch.float64)
    total = cumulative[:, -1:]
    # A product that rounds up to the total would point past the last weight.
    sought = torch.minimum(points[:, None] * total, torch.nextafter(total, torch.zeros_like(total)))
    found = torch.searchsorted(cumulative, sought, right=True)
    return found[:, 0].clamp_(max=weights.shape[1] - 1)


def verify(
    scores: Tensor, probabilities: Tensor, drafted: Tensor, points: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[Tensor, Tensor]:
    """Return the token of each sequence at one position, and whether it is the accepted draft.

    A refused draft never comes out of its own residual, so the token is the draft's iff it was accepted; but where
    rounding leaves no residual at all (p == q), the token is drawn from p.

    Args:
        scores: Of the target, warped and masked. -inf: impossible.
        probabilities: What the drafts were drawn from; rows sum to one.
        drafted: The drafts.
        points: Two independent numbers in [0, 1) for each row: the first decides, the second draws.

    Shapes: scores and probabilities [n, V] float32, drafted [n], points two of [n]; returns two of [n].
    """
    deciding, drawing = (torch.from_numpy(each).to(scores.device) for each in points)
    p = scores.softmax(dim=-1)
    own_p, own_q = (rows.gather(1, drafted[:, None])[:, 0].double() for rows in (p, probabilities))
    # A product, not a ratio: no division by zero. Equal probabilities always accept, impossible tokens never do.
    accepted = (deciding * own_q <= own_p) & (own_p > 0)
    tokens = drafted.clone()
    refused = (~accepted).nonzero()[:, 0]
    if len(refused):
        p = p.index_select(0, refused)
        residual = (p - probabilities.index_select(0, refused)).clamp_(min=0)
        is_empty = residual.amax(dim=-1, keepdim=True) <= 0
        tokens[refused] = draw(torch.where(is_empty, p, residual), drawing.index_select(0, refused))
    return tokens, accepted
