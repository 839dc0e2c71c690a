"""Mixture of the kinds of samples, and its curriculum."""

from __future__ import annotations

from collections.abc import Callable

from embedded_model.data.calling import asking_back, calling, chained, foreign_calling, refusing
from embedded_model.data.chat import chat
from embedded_model.data.conversation import Conversation
from embedded_model.data.copying import echo, single
from embedded_model.data.labels import classification, verdict
from embedded_model.data.noise import noise
from embedded_model.data.pitfalls import polite, quantities, statement, states, untold
from embedded_model.data.questions import fact, question
from embedded_model.data.records import extraction, several, sketch
from embedded_model.data.rewriting import rewriting
from embedded_model.data.source import Source, Split

Draw = Callable[[Source], Conversation]

_FIRST: tuple[tuple[float, Draw], ...] = (
    (0.45, echo),
    (0.10, single),
    (0.30, lambda s: calling(s, max_tools=1, max_turns=2)),
    (0.15, extraction),
)
_LATER: tuple[tuple[float, Draw], ...] = (
    (0.03, echo),
    (0.03, single),
    (0.22, calling),
    (0.05, foreign_calling),
    (0.04, asking_back),
    (0.03, chained),
    (0.06, refusing),
    (0.21, extraction),
    (0.03, sketch),
    (0.03, several),
    (0.30, classification),
    (0.02, verdict),
    (0.14, question),
    (0.03, fact),
    (0.26, rewriting),
    (0.08, chat),
    (0.05, noise),
    (0.04, states),
    (0.03, quantities),
    (0.02, untold),
    (0.03, polite),
    (0.02, statement),
)
"""Shares of samples; calls are longer than the others, so their share of the tokens is larger."""
KINDS_OF_SAMPLES = tuple(draw for _, draw in _LATER)


def draw_sample(seed: int, split: Split, index: int, progress: float = 1.0) -> Conversation:
    """Sample number `index`.

    Args:
        progress: how far the curriculum is, 0 to 1: from short samples that are mostly copying to the full mixture.
    """
    source = Source(seed, split, index)
    table = _LATER if source.random() < progress else _FIRST
    roll = source.random() * sum(weight for weight, _ in table)
    for weight, draw in table:
        roll -= weight
        if roll < 0:
            return draw(source)
    return table[-1][1](source)
