"""Declared tools by domain. `TRAIN_TOOLS` are trained on; `HELDOUT_TOOLS` are seen in the evaluation only."""

from importlib import import_module

from embedded_model.data.domains.knowledge import HELDOUT as HELDOUT_TOOLS
from embedded_model.data.toolspec import ToolSpec

_DOMAINS = (
    "everyday", "work", "commerce", "knowledge", "home", "developer", "cloud", "finance", "office", "industry",
    "science", "travel", "roads", "devices", "clocks", "numbers", "mail", "notes", "documents", "shopping",
    "outings", "playback", "dues", "hospital", "practice", "software", "desktop", "sales", "campaigns", "vehicles",
    "traffic", "workshop", "upkeep", "personnel", "offices", "laboratory", "mathematics", "community", "play",
    "banking", "insurance", "tenancy", "facilities", "culture", "transport", "farms", "fields", "kitchens",
    "restaurants", "networks", "administration", "schools", "studies", "townhall", "streets", "health", "media",
    "household", "leisure", "family",
)  # fmt: skip
"""A module each, in an order in which neighbours are of related trades."""

TRAIN_TOOLS: tuple[ToolSpec, ...] = tuple(
    tool for name in _DOMAINS for tool in import_module(f"{__name__}.{name}").TOOLS
)

__all__ = ["HELDOUT_TOOLS", "TRAIN_TOOLS"]
