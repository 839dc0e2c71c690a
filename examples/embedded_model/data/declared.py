"""Declared tools, from the corpus. `TRAIN_TOOLS` are trained on; `HELDOUT_TOOLS` are for the evaluation alone.

A tool is a block of rows. The header has its name, its signature and its description; the second row has its phrases;
each row after them has the words of an optional argument, the signature of the results, or a sentence over them:

    freeze_card card_number=code until?=day: Put a payment card on hold for a while.
      freeze my card {card_number} / please lock {card_number} temporarily
      until: until {until}
      answer: The card {card_number} is on hold.
"""

from __future__ import annotations

from embedded_model.data.corpus import read_blocks
from embedded_model.data.toolspec import ToolSpec, tool

_DOMAINS = (
    "everyday", "work", "commerce", "knowledge", "home", "developer", "cloud", "finance", "office", "industry",
    "science", "travel", "roads", "devices", "clocks", "numbers", "mail", "notes", "documents", "shopping",
    "outings", "playback", "dues", "hospital", "practice", "software", "desktop", "sales", "campaigns", "vehicles",
    "traffic", "workshop", "upkeep", "personnel", "offices", "laboratory", "mathematics", "community", "play",
    "banking", "insurance", "tenancy", "facilities", "culture", "transport", "farms", "fields", "kitchens",
    "restaurants", "networks", "administration", "schools", "studies", "townhall", "streets", "health", "media",
    "household", "leisure", "family",
)  # fmt: skip
"""Files of `corpus/tools/`; related trades are neighbours. Samples depend on the order."""


def read_tools(domain: str) -> tuple[ToolSpec, ...]:
    """Return the tools of `corpus/tools/<domain>.txt`, in the order of the file."""
    return tuple(_tool(*block) for block in read_blocks(f"tools/{domain}"))


def _tool(header: str, phrases: str, *options: str) -> ToolSpec:
    declaration, _, description = header.partition(": ")
    name, _, signature = declaration.partition(" ")
    clauses = dict(row.strip().split(": ", 1) for row in options)
    return tool(name, description, signature, phrases.strip(), **clauses)


TRAIN_TOOLS = tuple(tool for domain in _DOMAINS for tool in read_tools(domain))
HELDOUT_TOOLS = read_tools("heldout")
