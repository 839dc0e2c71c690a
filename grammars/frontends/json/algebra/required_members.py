"""Members that must exist, found among the declared ones where that is possible."""

from __future__ import annotations

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.disjoint import is_contradictory
from grammars.frontends.json.algebra.evaluate import declared_names, goal_allows
from grammars.frontends.json.algebra.names import finite_names
from grammars.frontends.json.document.document import Literal
from grammars.frontends.json.meaning.type_bounds import OBJECT, Bundle, ObjectPart, goal_pointer

_MAX_CHOICES = 64
_MAX_FINITE_NAMES = 32

Demand = tuple[Literal, Literal]


def witnessed(algebra: AlgebraBase, bundles: list[Bundle]) -> list[Bundle]:
    """The bundles with each as a choice in which `exists` is left only for members that are not declared.

    Raises:
        UnsupportedError: too many members could be the ones that must exist.
    """
    found: list[Bundle] = []
    for bundle in bundles:
        found += _witnessed(algebra, bundle) if is_demanding(bundle) else [bundle]
    return found


def is_demanding(bundle: Bundle) -> bool:
    """Whether the bundle counts members, or asks for some without naming them."""
    if not bundle.exists and bundle.max_properties is None and bundle.min_properties < 2:
        return False
    is_counted = bundle.min_properties > len(bundle.required) or bundle.max_properties is not None
    return bundle.types & OBJECT != 0 and bundle.enum is None and (is_counted or bool(bundle.exists))


def _witnessed(algebra: AlgebraBase, bundle: Bundle) -> list[Bundle]:
    names = finite_names(algebra, bundle, _MAX_FINITE_NAMES)
    if names is not None:
        bundle = _with_names(algebra, bundle, names)
    if not bundle.exists:
        return [bundle]
    rest = bundle.copy()
    rest.types &= ~OBJECT
    bundle = bundle.copy()
    bundle.types = OBJECT
    if bundle.max_properties is not None and bundle.max_properties <= 1:
        choices = [_only_member(bundle)] if bundle.max_properties else []
    else:
        choices = _chosen(algebra, bundle, has_others=names is None)
    return [*choices, rest] if rest.types else choices


def _with_names(algebra: AlgebraBase, bundle: Bundle, names: list[str]) -> Bundle:
    """The bundle with the names declared."""
    declared = frozenset(declared_names(bundle))
    more: dict[str, Literal] = {name: algebra.document.everything for name in names if name not in declared}
    if not more:
        return bundle
    found = bundle.copy()
    found.objects = (*bundle.objects, ObjectPart(more, (), None))
    return found


def _only_member(bundle: Bundle) -> Bundle:
    """Where there is one member at most, it meets all demands."""
    only = bundle.copy()
    only.exists = ()
    only.min_properties = max(bundle.min_properties, 1)
    only.names = (*bundle.names, *(name for name, _ in bundle.exists))
    only.objects = (*bundle.objects, *(ObjectPart({}, (), value) for _, value in bundle.exists))
    return only


def _chosen(algebra: AlgebraBase, bundle: Bundle, has_others: bool) -> list[Bundle]:
    """Choices of who meets each demand: a declared member, which is then required, or some other, which stays."""
    everything = algebra.document.everything
    # One that is asked for twice would seem to be met by others where it is still open.
    demands = tuple(dict.fromkeys(bundle.exists))
    choices = [_left_with(bundle, demands)]
    for demand in demands:
        name_literal, value = demand
        fitting = [n for n in declared_names(bundle) if goal_allows(algebra, (name_literal,), n)]
        following: list[Bundle] = []
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
            raise UnsupportedError("so many members that must exist", goal_pointer((name_literal,)))
    return choices


def _left_with(base: Bundle, rest: tuple[Demand, ...]) -> Bundle:
    """The bundle in which these demands are left."""
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
