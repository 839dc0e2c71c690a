"""Model arithmetic: scores of several prompts, adapters and models, combined by a formula before a token is chosen.

    leader      |<-- prompt -->|<-- answer -->|      is scheduled, sampled and ended like any sequence
    companion   |<- other prompt ->|<- same ->|      gets each token of the leader's answer
    companion   |<- ... ->|<- same answer --->|

A leader and its companions are an ensemble. They start, are preempted and end together. Each reads its prompt but for
the last token; once all have, they decode in the same steps. There are no drafts, and no tokens without a step.

See: Dekoninck et al. 2023, "Controlled Text Generation via Language Model Arithmetic"; Sanchez et al. 2023, "Stay on
    topic with Classifier-Free Guidance"; Li et al. 2022, "Contrastive Decoding".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from gateway.engine.companions import Formula
from gateway.engine.request import GenerationRequest, SamplingParams
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence

LEAST_LOGPROB = -1e30
"""In place of the logarithm of 0, so that no difference is undefined."""
IMPLAUSIBLE = -1e5
"""Score of a token that is not plausible: below that of every plausible one, and small enough that the order of those
that are not is kept, for a mask that allows no other."""


def plausible(scores: Tensor, alpha: float) -> Tensor:
    """Return 0 for each token that is at least `alpha` times as likely as the likeliest one, `IMPLAUSIBLE` for others.

    See: Li et al. 2022, section 3.3.
    """
    return IMPLAUSIBLE * (scores < scores.max() + math.log(alpha)).float()


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "union": torch.maximum,
    "intersection": torch.minimum,
    "plausible": plausible,
}


def make_ensemble(request: GenerationRequest, arrival: int) -> tuple[Sequence, ...]:
    """Return the sequence of a request, and those of its companions, which arrive right after it."""
    leader = Sequence(request, arrival)
    sampling = SamplingParams(max_tokens=request.sampling.max_tokens, temperature=0.0, seed=0)
    for number, companion in enumerate(request.companions, 1):
        own = replace(
            request,
            prompt_ids=companion.prompt_ids,
            adapter=companion.adapter,
            sampling=sampling,
            constraint=None,
            stop=None,
            group=None,
            num_begun=0,
            companions=(),
            images=request.images if companion.has_images else (),
        )
        follower = Sequence(own, arrival + number)
        follower.leader, follower.model = leader, companion.model
        if follower.model is not None:
            follower.salt = f"\0model {follower.model}\0{follower.salt}"
        leader.companions = (*leader.companions, follower)
    return leader.ensemble


def combined(logits: Tensor, plan: Plan) -> Tensor:
    """Return the rows of scores to choose from: of an ensemble one, its formula's value of their log-probabilities.

    Shapes: logits [at least the rows of all sampled sequences, vocab_size]; returns [rows of `Plan.sampled`,
        vocab_size].
    """
    starts, stop, kept = dict[Sequence, int](), 0, list[int]()
    for sequence in plan.computed:
        starts[sequence] = stop
        stop += 1 + len(plan.drafts.get(sequence, ()))
        if sequence.leader is None:
            kept += range(starts[sequence], stop)
    for sequence, start in starts.items():
        if sequence.companions:
            rows = logits[[starts[each] for each in sequence.ensemble]]
            scores = rows.log_softmax(dim=-1).clamp_(min=LEAST_LOGPROB)
            logits[start] = value_of(sequence.request.formula, scores)
    return logits[kept]


def value_of(formula: Formula, scores: Tensor) -> Tensor:
    """Return the value of a formula. Shapes: scores [terms, vocab_size]; returns [vocab_size]."""
    stack: list[Any] = []
    for each in formula:
        if isinstance(each, str):
            right, left = stack.pop(), stack.pop()
            stack.append(OPERATORS[each](left, right))
        else:
            stack.append(each if isinstance(each, float) else scores[each])
    (value,) = stack
    assert isinstance(value, Tensor), "a formula is of scores"
    return value
