"""Which literals a bundle was made from, and what brought each of them there."""

from __future__ import annotations

from grammars.errors import InvalidGrammarError
from grammars.frontends.json.bundle import goal_pointer
from grammars.frontends.json.document import Literal, Site

Origin = dict[Literal, Literal | None]


def is_among(site: Site, origin: Origin) -> bool:
    """Whether one of the sites says the same."""
    schema = site.schema
    return any(type(other) is Site and other.schema == schema and other.says_the_same_as(site) for other in origin)


def check_cycle(literal: Literal, parent: Literal | None, origin: Origin) -> None:
    """Refuses a literal that led to itself."""
    while parent is not None:
        if parent is literal:
            raise InvalidGrammarError("a reference leads back to itself", goal_pointer((literal,)))
        parent = origin[parent]
