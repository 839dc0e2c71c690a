"""Thoughts before answers: marked, bounded, parsed; one spec per family."""

from tools.errors import UnknownReasoningError
from tools.formats.constraint import EMPTY
from tools.reasoning.families import FAMILIES
from tools.reasoning.harmony import HARMONY
from tools.reasoning.messages import GLIMMER, INKLING, SOLAR_OPEN
from tools.reasoning.reader import Gap, ReasoningReader, State, Thinker
from tools.reasoning.recipient import FUNCTIONARY_V32
from tools.reasoning.spec import EFFORTS, Opening, Reasoning, any_text, nearest_effort

_FAMILIES = {spec.name: spec for spec in (GLIMMER, INKLING, SOLAR_OPEN, HARMONY, FUNCTIONARY_V32, *FAMILIES)}
_ALIASES = {alias: spec.name for spec in _FAMILIES.values() for alias in spec.aliases}


def reasoning_names() -> tuple[str, ...]:
    """Return the names of all families that reason."""
    return tuple(_FAMILIES)


def get_reasoning(name: str) -> Reasoning:
    """Return the family of this name, or alias.

    Raises:
        UnknownReasoningError: there is none.
    """
    found = _FAMILIES.get(_ALIASES.get(name, name))
    if found is None:
        raise UnknownReasoningError(f"no way to reason is named {name!r}; known are {', '.join(_FAMILIES)}")
    return found


def detect_reasoning(chat_template: str) -> Reasoning | None:
    """Return the family whose markers a model's chat template shows; None where it shows none."""
    return next((spec for spec in _FAMILIES.values() if spec.matches_template(chat_template)), None)


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
