"""Members that must exist, found among the declared ones where that is possible."""

from __future__ import annotations

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.disjoint import is_contradictory
from grammars.frontends.json.algebra.evaluate import declared_names, terms_allow
from grammars.frontends.json.algebra.names import finite_names
from grammars.frontends.json.document.document import SchemaTerm
from grammars.frontends.json.meaning.type_bounds import OBJECT, ObjectPart, TypeBounds, pointer_of

_MAX_CHOICES = 64
_MAX_FINITE_NAMES = 32

Demand = tuple[SchemaTerm, SchemaTerm]


def with_required_members(algebra: AlgebraBase, alternatives: list[TypeBounds]) -> list[TypeBounds]:
    """Return the alternatives with each as a choice in which `exists` is left only for members that are not declared.

    Raises:
        UnsupportedError: too many members could be the ones that must exist.
    """
    found: list[TypeBounds] = []
    for bounds in alternatives:
        found += _with_required_members(algebra, bounds) if is_demanding(bounds) else [bounds]
    return found


def is_demanding(bounds: TypeBounds) -> bool:
    """True if the alternative counts members, or asks for some without naming them."""
    if not bounds.exists and bounds.max_properties is None and bounds.min_properties < 2:
        return False
    is_counted = bounds.min_properties > len(bounds.required) or bounds.max_properties is not None
    return bounds.types & OBJECT != 0 and bounds.enum is None and (is_counted or bool(bounds.exists))


def _with_required_members(algebra: AlgebraBase, bounds: TypeBounds) -> list[TypeBounds]:
    names = finite_names(algebra, bounds, _MAX_FINITE_NAMES)
    if names is not None:
        bounds = _with_names(algebra, bounds, names)
    if not bounds.exists:
        return [bounds]
    rest = bounds.copy()
    rest.types &= ~OBJECT
    bounds = bounds.copy()
    bounds.types = OBJECT
    if bounds.max_properties is not None and bounds.max_properties <= 1:
        choices = [_only_member(bounds)] if bounds.max_properties else []
    else:
        choices = _chosen(algebra, bounds, has_others=names is None)
    return [*choices, rest] if rest.types else choices


def _with_names(algebra: AlgebraBase, bounds: TypeBounds, names: list[str]) -> TypeBounds:
    """The alternative with the names declared."""
    declared = frozenset(declared_names(bounds))
    more: dict[str, SchemaTerm] = {name: algebra.document.everything for name in names if name not in declared}
    if not more:
        return bounds
    found = bounds.copy()
    found.objects = (*bounds.objects, ObjectPart(more, (), None))
    return found


def _only_member(bounds: TypeBounds) -> TypeBounds:
    """Return the alternative whose only member meets all demands."""
    only = bounds.copy()
    only.exists = ()
    only.min_properties = max(bounds.min_properties, 1)
    only.names = (*bounds.names, *(name for name, _ in bounds.exists))
    only.objects = (*bounds.objects, *(ObjectPart({}, (), value) for _, value in bounds.exists))
    return only


def _chosen(algebra: AlgebraBase, bounds: TypeBounds, has_others: bool) -> list[TypeBounds]:
    """Choices of who meets each demand: a declared member, which is then required, or some other, which stays."""
    everything = algebra.document.everything
    # One that is asked for twice would seem to be met by others where it is still open.
    demands = tuple(dict.fromkeys(bounds.exists))
    choices = [_left_with(bounds, demands)]
    for demand in demands:
        name_literal, value = demand
        fitting = [n for n in declared_names(bounds) if terms_allow(algebra, (name_literal,), n)]
        following: list[TypeBounds] = []
        for base in choices:
            rest = tuple(other for other in base.exists if other is not demand)
            if value is everything and not set(base.required).isdisjoint(fitting):
                following.append(_left_with(base, rest))
                continue
            for name in fitting:
                choice = _left_with(base, rest)
                choice.required = tuple(dict.fromkeys((*base.required, name)))
                if value is not everything:
                    choice.objects = (*base.objects, ObjectPart({name: value}, (), None))
                if not is_contradictory(algebra, choice):
                    following.append(choice)
            if has_others:
                following.append(base)
        choices = algebra.minimal(following, (name_literal,))
        if len(choices) > _MAX_CHOICES:
            raise UnsupportedError("so many members that must exist", pointer_of((name_literal,)))
    return choices


def _left_with(base: TypeBounds, rest: tuple[Demand, ...]) -> TypeBounds:
    """The alternative in which these demands are left."""
    choice = base.copy()
    choice.exists = rest
    return choice


def partitions(demands: list[Demand]) -> list[list[list[Demand]]]:
    """Every way to put the demands into groups."""
    if not demands:
        return [[]]
    first, rest = demands[0], partitions(demands[1:])
    found = [[[first], *groups] for groups in rest]
    for groups in rest:
        found += [[*groups[:i], [first, *group], *groups[i + 1 :]] for i, group in enumerate(groups)]
    return found
