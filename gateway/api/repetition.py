"""`repetition_detection`, an extension of vLLM, for all dialects."""

from __future__ import annotations

from msgspec import Struct

from gateway.core.request import Repetition


class RepetitionDetection(Struct):
    """Bounds from which an answer counts as looping; without sizes it never does."""

    max_pattern_size: int = 0
    min_pattern_size: int = 0
    min_count: int = 0


def repetition_of(given: RepetitionDetection | None) -> Repetition | None:
    """Return the bounds; None leaves them to the server."""
    if given is None:
        return None
    return Repetition(
        max_pattern_size=given.max_pattern_size, min_pattern_size=given.min_pattern_size, min_count=given.min_count
    )
