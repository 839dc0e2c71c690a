"""The logits-warping chain, one class a file. Its order is `ORDER`."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.base import WarpContext, Warper
from gateway.engine.warpers.logit_bias import LogitBias
from gateway.engine.warpers.min_p import MinP
from gateway.engine.warpers.min_tokens import MinTokens
from gateway.engine.warpers.penalties import FrequencyPenalty, PresencePenalty, RepetitionPenalty
from gateway.engine.warpers.temperature import Temperature
from gateway.engine.warpers.token_mask import TokenMask
from gateway.engine.warpers.top_k import TopK
from gateway.engine.warpers.top_p import TopP

ORDER: tuple[type[Warper], ...] = (
    LogitBias,
    RepetitionPenalty,
    PresencePenalty,
    FrequencyPenalty,
    MinTokens,
    TokenMask,  # before truncation: top-k and top-p choose among what is allowed
    Temperature,
    TopK,
    TopP,
    MinP,
)


def build_chain(sequences: Seq[Sequence], context: WarpContext) -> list[Warper]:
    """The warpers that these rows ask for, in order."""
    chain = [warper.build(sequences, context) for warper in ORDER]
    return [warper for warper in chain if warper is not None]


__all__ = ["ORDER", "WarpContext", "Warper", "build_chain"]
