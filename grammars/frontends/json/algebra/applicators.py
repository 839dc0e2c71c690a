"""Applicators: what a schema that leads to others for the same value asks for, as terms and choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from grammars.errors import InvalidGrammarError, UnsupportedError
from grammars.frontends.json.algebra import complement
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.evaluate import says_nothing
from grammars.frontends.json.algebra.unevaluated import static_meaning
from grammars.frontends.json.document.document import SchemaTerm, Subschema
from grammars.frontends.json.meaning.keywords import CHECKED, DEPENDENCIES, DYNAMIC, dependents, schemas
from grammars.frontends.json.meaning.type_bounds import Conjunction, pointer_of

Branches = list[Conjunction]
_OF_SCHEMAS = frozenset(("allOf", "anyOf", "oneOf"))


class Choice(NamedTuple):
    """Conjunctions of which one must hold, and no other where the choice is exclusive.

    Attributes:
        asking: the term that demands it.
        condition: where the second conjunction begins with the complement of the first one's first schema, that schema.
    """

    asking: SchemaTerm
    branches: Branches
    is_exclusive: bool = False
    condition: Subschema | None = None


# Which terms an alternative was made from, each with the one that brought it there.
Origin = dict[SchemaTerm, SchemaTerm | None]
# What must hold besides.
More = list[SchemaTerm]
Choices = list[Choice]


# Adds what a keyword with this value asks for.
Applicator = Callable[[AlgebraBase, Subschema, Any, More, Choices], None]


class Applied(NamedTuple):
    """Requirements of a schema by keywords that apply other schemas."""

    more: More
    choices: Choices


def _all_of(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
    more.extend(schemas(algebra.document, subschema, "allOf"))


def _any_of(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
    choices.append(Choice(subschema, [(branch,) for branch in schemas(algebra.document, subschema, "anyOf")]))


def _one_of(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
    choices.append(
        Choice(subschema, [(branch,) for branch in schemas(algebra.document, subschema, "oneOf")], is_exclusive=True)
    )


def _not(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
    more.append(complement.term(algebra.document, algebra.document.child(subschema, value, "not")))


def _if(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
    document, schema = algebra.document, subschema.schema
    condition = document.child(subschema, value, "if")
    then = document.child(subschema, schema.get("then", True), "then")
    otherwise = document.child(subschema, schema.get("else", True), "else")
    if then is not document.everything or otherwise is not document.everything:
        branches: Branches = [(condition, then), (complement.term(document, condition), otherwise)]
        choices.append(Choice(subschema, branches, condition=condition))


def _dependent(keyword: str) -> Applicator:
    def apply(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
        for name, needed in dependents(algebra.document, subschema, keyword).items():
            absent = algebra.made(subschema, {"properties": {name: False}})
            if isinstance(needed, Subschema):
                if needed is not algebra.document.everything:
                    present = algebra.made(subschema, {"required": [name]})
                    choices.append(Choice(subschema, [(absent,), (needed, present)]))
            elif needed:
                present = algebra.made(subschema, {"required": [name, *needed]})
                choices.append(Choice(subschema, [(absent,), (present,)]))

    return apply


def _in_other_words(keyword: str) -> Applicator:
    def apply(algebra: AlgebraBase, subschema: Subschema, value: Any, more: More, choices: Choices) -> None:
        try:
            found = static_meaning(algebra.document, subschema, keyword)
        except UnsupportedError:
            algebra.leave(subschema, keyword)
            return
        if keyword not in DYNAMIC and found.schema is not True and "anyOf" in found.schema:
            # Before the choices that its branches are made of: these say no more after it.
            branches = schemas(algebra.document, found, "anyOf")
            choices.insert(0, Choice(subschema, [(branch,) for branch in branches]))
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
    **{keyword: _in_other_words(keyword) for keyword in sorted(CHECKED)},
}


def is_among(subschema: Subschema, origin: Origin) -> bool:
    """True if an equal subschema is among them."""
    schema = subschema.schema
    return any(
        type(other) is Subschema and other.schema == schema and other.says_the_same_as(subschema) for other in origin
    )


def check_cycle(term: SchemaTerm, parent: SchemaTerm | None, origin: Origin) -> None:
    """Refuse a term that led to itself."""
    while parent is not None:
        if parent is term:
            raise InvalidGrammarError("a reference leads back to itself", pointer_of((term,)))
        parent = origin[parent]


def target(algebra: AlgebraBase, subschema: Subschema) -> Subschema:
    """Return the subschema that the schema leads to where it says nothing itself; any other subschema itself.

    Where references lead back to each other it is one of them, which `Algebra.alternatives` then refuses.
    """
    seen: set[Subschema] = set()
    while type(subschema.schema) is dict and subschema not in seen:
        following = _followed(algebra, subschema)
        if following is None:
            break
        seen.add(subschema)
        subschema.is_noted = True
        subschema = following
    return subschema


def _followed(algebra: AlgebraBase, subschema: Subschema) -> Subschema | None:
    """The one schema that a reference, or a conjunction or choice of one, leads to where nothing else is said."""
    schema = subschema.schema
    if "$ref" in schema:
        if subschema.resource.dialect > 7 and len(algebra.said(schema)) > 1:
            return None
        algebra.note(subschema, "$ref")
        return algebra.document.resolve(subschema, schema["$ref"])
    if _OF_SCHEMAS.isdisjoint(schema):
        return None
    said = algebra.said(schema)
    if len(said) != 1:
        return None
    (keyword,) = said
    found = schemas(algebra.document, subschema, keyword)
    if keyword == "allOf":
        found = [child for child in found if not says_nothing(child)]
    if len(found) != 1:
        return None
    algebra.note(subschema, keyword)
    return found[0]
