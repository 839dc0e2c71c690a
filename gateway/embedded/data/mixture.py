"""Which sample comes when: the mixture, and its curriculum."""

from __future__ import annotations

from collections.abc import Callable

from gateway.embedded.data.calling import calling, refusing
from gateway.embedded.data.chat import chat, echo
from gateway.embedded.data.conversation import Conversation
from gateway.embedded.data.labels import classification
from gateway.embedded.data.records import extraction
from gateway.embedded.data.source import Source, Split

Draw = Callable[[Source], Conversation]

_FIRST: tuple[tuple[float, Draw], ...] = (
    (0.55, lambda s: echo(s)),
    (0.35, lambda s: calling(s, max_tools=1, max_turns=2, invented=0.6)),
    (0.10, extraction),
)
_LATER: tuple[tuple[float, Draw], ...] = (
    (0.06, lambda s: echo(s)),
    (0.66, calling),
    (0.03, refusing),
    (0.17, extraction),
    (0.07, classification),
    (0.05, chat),
)


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
