"""Other models of the served one's vocabulary: the draft model, and those whose scores are terms of a formula.

    blocks of a companion    | tokens ............ |    allocated like those of any sequence
    pool of the served model | not written         |
    pool of its own model    | keys and values     |

Each has keys and values of its own in the same blocks, so nothing is allocated for it. In a step the rows of each model
are computed by that model's forward pass, and their scores are put together in the order of the plan. Hashes of blocks
are salted by the model, so no cached block of one is taken for another's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from gateway.engine.config import EngineConfig
from gateway.engine.models.base import LoadedModel
from gateway.engine.scheduling.plan import Plan
from gateway.engine.sequence import Sequence, Status


class OtherModelError(Exception):
    """Another model could not compute its part of a step; the cause says why.

    Attributes:
        model: Its name.
    """

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self.model = model


class OtherModel:
    """Another model over the blocks of the served one.

    Attributes:
        decoder: Computes it.
        cache: Its keys and values.
    """

    def __init__(self, model: LoadedModel, config: EngineConfig, num_blocks: int) -> None:
        """Args: config: A `fit` one; num_blocks: Of the served model, see `LoadedModel.make_cache`."""
        self.decoder = model.decoder
        self.cache = model.make_cache(num_blocks, config.block_size)
        self._builder = model.make_builder(config)

    def compute(self, plan: Plan) -> Tensor:
        """Return the scores of a plan's rows. Shapes: [as many as `Batch.logits_indices`, vocabulary of the decoder]"""
        return self.decoder.forward(self._builder.build(plan), self.cache)


def compute_together(plan: Plan, compute: Callable[[Plan], Tensor], others: Mapping[str, OtherModel]) -> Tensor:
    """Return the scores of a plan whose sequences may be of several models, each computed by its own.

    The served model is last: where another one fails nothing has changed, and the rest of the plan is computed anew.

    Args:
        compute: Returns those of the served model. Shapes: [as many as `Batch.logits_indices`, vocab_size].

    Shapes: [as many as `Batch.logits_indices` of the whole plan, vocab_size].

    Raises:
        OtherModelError: Another model failed.
    """
    parts = plan.by_model()
    if all(name is None for name in parts):
        return compute(plan)
    rows, scored = dict[Sequence, Tensor](), list[Tensor]()
    for name, part in sorted(parts.items(), key=lambda each: each[0] is None):
        try:
            logits = compute(part) if name is None else others[name].compute(part)
        except Exception as error:
            if name is None:
                raise
            raise OtherModelError(name) from error
        computed = part.computed
        counts = [1 + len(part.drafts.get(each, ())) for each in computed]
        *own, rest = torch.split(logits, [*counts, len(logits) - sum(counts)])
        rows |= zip(computed, own, strict=True)
        scored.append(rest)
    found = [*(rows[each] for each in plan.computed), *scored]
    width = min(each.shape[1] for each in found)
    return torch.cat([each[:, :width] for each in found])


def ended_by(error: Exception, plan: Plan) -> tuple[list[Sequence], Exception]:
    """Return the sequences that a failed step ends, and why: of another model's failure those with companions of it."""
    model, why = None, error
    if isinstance(error, OtherModelError) and isinstance(error.__cause__, Exception):
        model, why = error.model, error.__cause__
    leaders = dict.fromkeys(each.leader or each for each in plan.sequences if model is None or each.model == model)
    return [each for each in leaders if each.status is not Status.FINISHED], why
