"""Applicators: what a schema that leads to others for the same value asks for, as literals and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from grammars.frontends.json import complement
from grammars.frontends.json.bundle import Goal
from grammars.frontends.json.document import Literal, Site
from grammars.frontends.json.forms import bad
from grammars.frontends.json.keywords import DEPENDENCIES

if TYPE_CHECKING:
    from grammars.frontends.json.algebra import Algebra

Branches = list[Goal]


class Choice(NamedTuple):
    """Goals of which one must hold, and no other where the choice is exclusive.

    Attributes:
        asking: the literal that demands it.
        condition: where the second goal begins with the complement of the first one's first schema, that schema.
    """

    asking: Literal
    branches: Branches
    is_exclusive: bool = False
    condition: Site | None = None


# What must hold besides.
More = list[Literal]
Choices = list[Choice]


class Applied(NamedTuple):
    """What a schema asks for by way of others."""

    more: More
    choices: Choices


def _all_of(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    more.extend(algebra.schemas(site, "allOf", value))


def _any_of(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    choices.append(Choice(site, [(branch,) for branch in algebra.schemas(site, "anyOf", value)]))


def _one_of(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    choices.append(Choice(site, [(branch,) for branch in algebra.schemas(site, "oneOf", value)], is_exclusive=True))


def _not(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    more.append(complement.literal(algebra.document, algebra.document.child(site, value, "not")))


def _if(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    document, schema = algebra.document, site.schema
    condition = document.child(site, value, "if")
    then = document.child(site, schema.get("then", True), "then")
    otherwise = document.child(site, schema.get("else", True), "else")
    if then is not document.everything or otherwise is not document.everything:
        branches: Branches = [(condition, then), (complement.literal(document, condition), otherwise)]
        choices.append(Choice(site, branches, condition=condition))


def _dependencies(algebra: Algebra, site: Site, value: Any, more: More, choices: Choices) -> None:
    keyword = next(name for name in DEPENDENCIES if site.schema.get(name) is value)
    if not isinstance(value, dict):
        bad(site, keyword, "an object")
    for name, needed in value.items():
        if isinstance(needed, str):
            needed = [needed]
        if isinstance(needed, list):
            if needed:
                present = algebra.made(site, {"required": [name, *needed]})
                choices.append(Choice(site, [(_absent(algebra, site, name),), (present,)]))
        else:
            child = algebra.document.child(site, needed, keyword, name)
            if child is not algebra.document.everything:
                present = algebra.made(site, {"required": [name]})
                choices.append(Choice(site, [(_absent(algebra, site, name),), (child, present)]))


def _absent(algebra: Algebra, site: Site, name: str) -> Site:
    return algebra.made(site, {"properties": {name: False}})


APPLICATORS = {
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    **dict.fromkeys(DEPENDENCIES, _dependencies),
}
