"""Applicators: what a schema that leads to others for the same value asks for, as literals and choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.json.algebra import complement
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.evaluate import says_nothing
from grammars.frontends.json.algebra.unevaluated import static_meaning
from grammars.frontends.json.document.document import Literal, Site
from grammars.frontends.json.meaning.keywords import DEPENDENCIES, DYNAMIC, GUARDED, dependents, schemas
from grammars.frontends.json.meaning.type_bounds import Goal, goal_pointer

Branches = list[Goal]
_OF_SCHEMAS = frozenset(("allOf", "anyOf", "oneOf"))


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


# Which literals a bundle was made from, each with the one that brought it there.
Origin = dict[Literal, Literal | None]
# What must hold besides.
More = list[Literal]
Choices = list[Choice]


# Adds what a keyword with this value asks for.
Applicator = Callable[[AlgebraBase, Site, Any, More, Choices], None]


class Applied(NamedTuple):
    """What a schema asks for by way of others."""

    more: More
    choices: Choices


def _all_of(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
    more.extend(schemas(algebra.document, site, "allOf"))


def _any_of(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
    choices.append(Choice(site, [(branch,) for branch in schemas(algebra.document, site, "anyOf")]))


def _one_of(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
    choices.append(Choice(site, [(branch,) for branch in schemas(algebra.document, site, "oneOf")], is_exclusive=True))


def _not(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
    more.append(complement.literal(algebra.document, algebra.document.child(site, value, "not")))


def _if(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
    document, schema = algebra.document, site.schema
    condition = document.child(site, value, "if")
    then = document.child(site, schema.get("then", True), "then")
    otherwise = document.child(site, schema.get("else", True), "else")
    if then is not document.everything or otherwise is not document.everything:
        branches: Branches = [(condition, then), (complement.literal(document, condition), otherwise)]
        choices.append(Choice(site, branches, condition=condition))


def _dependent(keyword: str) -> Applicator:
    def apply(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
        for name, needed in dependents(algebra.document, site, keyword).items():
            absent = algebra.made(site, {"properties": {name: False}})
            if isinstance(needed, Site):
                if needed is not algebra.document.everything:
                    present = algebra.made(site, {"required": [name]})
                    choices.append(Choice(site, [(absent,), (needed, present)]))
            elif needed:
                present = algebra.made(site, {"required": [name, *needed]})
                choices.append(Choice(site, [(absent,), (present,)]))

    return apply


def _in_other_words(keyword: str) -> Applicator:
    def apply(algebra: AlgebraBase, site: Site, value: Any, more: More, choices: Choices) -> None:
        try:
            found = static_meaning(algebra.document, site, keyword)
        except UnsupportedError:
            algebra.leave(site, keyword)
            return
        if keyword not in DYNAMIC and found.schema is not True and "anyOf" in found.schema:
            # Before the choices that its branches are made of: these say no more after it.
            branches = schemas(algebra.document, found, "anyOf")
            choices.insert(0, Choice(site, [(branch,) for branch in branches]))
        else:
            more.append(found)

    return apply


APPLICATORS = {
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    **{keyword: _dependent(keyword) for keyword in DEPENDENCIES},
    **{keyword: _in_other_words(keyword) for keyword in sorted(GUARDED)},
}


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


def target(algebra: AlgebraBase, site: Site) -> Site:
    """The site that the schema leads to where it says nothing itself; any other site itself.

    Where references lead back to each other it is one of them, which `Algebra.bundles` then refuses.
    """
    seen: set[Site] = set()
    while type(site.schema) is dict and site not in seen:
        following = _followed(algebra, site)
        if following is None:
            break
        seen.add(site)
        site.is_noted = True
        site = following
    return site


def _followed(algebra: AlgebraBase, site: Site) -> Site | None:
    """The one schema that a reference, or a conjunction or choice of one, leads to where nothing else is said."""
    schema = site.schema
    if "$ref" in schema:
        if site.resource.dialect > 7 and len(algebra.said(schema)) > 1:
            return None
        algebra.note(site, "$ref")
        return algebra.document.resolve(site, schema["$ref"])
    if _OF_SCHEMAS.isdisjoint(schema):
        return None
    said = algebra.said(schema)
    if len(said) != 1:
        return None
    (keyword,) = said
    found = schemas(algebra.document, site, keyword)
    if keyword == "allOf":
        found = [child for child in found if not says_nothing(child)]
    if len(found) != 1:
        return None
    algebra.note(site, keyword)
    return found[0]
