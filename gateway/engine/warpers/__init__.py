"""The logits-warping chain. Its order is `ORDER`; the engine's DETAILS.md gives the reasons."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from gateway.engine.sequence import Sequence
from gateway.engine.warpers.bans import AllowedTokens, BadWords, MinTokens, NoRepeatNgram
from gateway.engine.warpers.base import WarpContext, Warper
from gateway.engine.warpers.classifiers import Classifiers
from gateway.engine.warpers.penalties import LogitBias, Penalties
from gateway.engine.warpers.token_mask import TokenMask
from gateway.engine.warpers.truncation import Truncation

ORDER: tuple[type[Warper], ...] = (
    LogitBias,
    AllowedTokens,  # bans in order of how firm they are: each yields to those before it, and all to the mask
    BadWords,
    Penalties,
    NoRepeatNgram,
    MinTokens,
    TokenMask,  # after the bans, which narrow it; before truncation, which chooses among allowed tokens
    Classifiers,  # of the best allowed tokens
    Truncation,
)


def build_chain(sequences: Seq[Sequence], context: WarpContext) -> list[Warper]:
    """The warpers that these rows ask for, in order."""
    chain = [warper.build(sequences, context) for warper in ORDER]
    return [warper for warper in chain if warper is not None]


__all__ = ["ORDER", "WarpContext", "Warper", "build_chain"]
