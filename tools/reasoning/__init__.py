"""Thoughts before answers: marked, bounded, parsed; one spec per family."""

from functools import cache

from tools.errors import UnknownReasoningError
from tools.formats.constraint import EMPTY
from tools.reasoning.families import FUNCTIONARY_V32, GLIMMER, HARMONY, INKLING, SOLAR_OPEN
from tools.reasoning.reader import Gap, ReasoningReader, State, Thinker
from tools.reasoning.spec import EFFORTS, Opening, Reasoning, any_text, nearest_effort
from tools.reasoning.tables import own_reasoning


@cache
def _families() -> dict[str, Reasoning]:
    """Return all families by name, in the order of detection."""
    return {spec.name: spec for spec in (GLIMMER, INKLING, SOLAR_OPEN, HARMONY, FUNCTIONARY_V32, *own_reasoning())}


def reasoning_names() -> tuple[str, ...]:
    """Return the names of all families that reason."""
    return tuple(_families())


def get_reasoning(name: str) -> Reasoning:
    """Return the family of this name, or alias.

    Raises:
        UnknownReasoningError: there is none.
    """
    aliases = {alias: spec for spec in _families().values() for alias in spec.aliases}
    found = _families().get(name) or aliases.get(name)
    if found is None:
        raise UnknownReasoningError(f"no reasoning format is named {name!r}; known are {', '.join(_families())}")
    return found


def detect_reasoning(chat_template: str) -> Reasoning | None:
    """Return the family whose markers a model's chat template shows; None where it shows none."""
    return next((spec for spec in _families().values() if spec.matches_template(chat_template)), None)


__all__ = [
    "EFFORTS",
    "EMPTY",
    "Gap",
    "Opening",
    "Reasoning",
    "ReasoningReader",
    "State",
    "Thinker",
    "any_text",
    "detect_reasoning",
    "get_reasoning",
    "nearest_effort",
    "reasoning_names",
]
