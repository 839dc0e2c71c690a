"""The values of goals one by one, where they are few."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product, takewhile
from math import ceil, floor
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra import complement
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.disjoint import goals_disjoint, kind_disjoint
from grammars.frontends.json.algebra.evaluate import (
    bundle_allows,
    declared_names,
    goal_allows,
    goal_of_matches,
    item_goal,
    member_goal,
)
from grammars.frontends.json.algebra.names import finite_names
from grammars.frontends.json.document.decoding import canonical
from grammars.frontends.json.document.document import Literal
from grammars.frontends.json.meaning.multiples import divides
from grammars.frontends.json.meaning.strings import language
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    BOOLEAN,
    INTEGER,
    KINDS,
    NULL,
    NUMBER,
    STRING,
    Bundle,
    Goal,
)

Found = tuple[dict[Any, Any], bool]

_MAX_DEPTH = 4
# Each is looked at with all that is in it.
_MAX_CONTAINERS = 64
_MAX_NAMES = 16


class Listing:
    """Lists the values of goals.

    Attributes:
        sizes: what `Variety` found out about goals.
    """

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.sizes: dict[tuple[Goal, int, int], int] = {}
        self._most = 0
        self._known: dict[tuple[Goal, int], Found] = {}
        self._others: dict[frozenset[Any], Literal] = {}

    def of(self, goal: Goal, most: int) -> Found:
        """The values of the types of which there are few, by what stands for them, and whether these are all.

        Args:
            most: of more values than these none is listed.
        """
        self._most = most
        return self._of(goal, 0)

    def others(self, values: dict[Any, Any]) -> Literal:
        """What says that a value is none of these, by what stands for them; the same for the same values."""
        key = frozenset(values)
        if key not in self._others:
            document = self.algebra.document
            given = document.made(document.root, {"enum": list(values.values())})
            self._others[key] = complement.literal(document, given)
        return self._others[key]

    def _is_empty(self, goal: Goal, depth: int) -> bool:
        """Whether the goal has no value; False where it is hard to see."""
        return self._of(goal, depth) == ({}, True)

    def _of(self, goal: Goal, depth: int) -> Found:
        key = (goal, self._most)
        if key not in self._known:
            self._known[key] = {}, False  # of a goal that leads to itself
            self._known[key] = self._listed(goal, depth)
        return self._known[key]

    def _listed(self, goal: Goal, depth: int) -> Found:
        if depth > _MAX_DEPTH:
            return {}, False
        try:
            bundles = self.algebra.bundles(goal)
        except UnsupportedError:
            return {}, False
        if goal in self.algebra.widened:
            return {}, False
        found: dict[Any, Any] = {}
        is_all = True
        for bundle in bundles:
            for kind in (0,) if bundle.enum is not None else KINDS[bundle.types]:
                values = bundle.enum if bundle.enum is not None else self._of_kind(bundle, kind, depth)
                if values is None or len(found) + len(values) > self._most:
                    is_all = False
                else:
                    found.update((canonical(v), v) for v in values if bundle_allows(self.algebra, bundle, v))
        return found, is_all

    def _of_kind(self, bundle: Bundle, kind: int, depth: int) -> list[Any] | tuple[Any, ...] | None:
        if kind_disjoint(self.algebra, kind, bundle, bundle, depth):
            return []
        if kind & (NULL | BOOLEAN):
            return [None] if kind == NULL else [True, False]
        if kind & NUMBER:
            steps = (Decimal(1), *bundle.multiples) if kind == INTEGER else bundle.multiples
            if any(divides(unwanted, step) for step in steps for unwanted in bundle.not_multiples):
                return []
            step = steps[0] if steps else None
            if step is None or bundle.low is None or bundle.high is None:
                return None
            low, high = (Fraction(bound) / Fraction(step) for bound in (bundle.low, bundle.high))
            if high - low > self._most:
                return None
            multiples = range(ceil(low), floor(high) + 1)
            return list(multiples) if kind == INTEGER else [number * step for number in multiples]
        if kind == STRING:
            is_bounded = bundle.patterns or bundle.max_length is not None
            limits = self.algebra.limits
            return language(bundle, limits).words(self._most) if is_bounded else None
        values = self._arrays(bundle, depth) if kind == ARRAY else self._objects(bundle, depth)
        if values is None:
            return None
        most = min(self._most, _MAX_CONTAINERS)
        found = list(islice(values, most + 1))
        return found if len(found) <= most else None

    def _arrays(self, bundle: Bundle, depth: int) -> Iterator[Any] | None:
        choices, met, too_many = list[list[Any]](), [0] * len(bundle.contains), False
        num_first, distinct = max([len(part.prefix) for part in bundle.arrays], default=0), set[Any]()
        positions = (item_goal(bundle.arrays, index) for index in range(num_first + 1))
        goals = list(takewhile(lambda goal: not self._is_empty(goal, depth + 1), islice(positions, bundle.max_items)))
        if len(goals) < min(bundle.min_items, num_first + 1):
            return iter(())
        for literal, least, most, first in bundle.contains:
            room = least if bundle.max_items is None else bundle.max_items - first
            if least > min(room, least if most is None else most):
                return iter(())
            if least and all(self._have_none(goal, literal, depth) for goal in goals):
                return iter(())
        while bundle.max_items is None or len(choices) < bundle.max_items:
            values, is_all = self._of(item_goal(bundle.arrays, len(choices)), depth + 1)
            if is_all and not values:
                break
            if not is_all or len(choices) >= _MAX_NAMES:
                return None
            for k, (literal, _, most, first) in enumerate(bundle.contains):
                if first <= len(choices) and all(goal_allows(self.algebra, (literal,), v) for v in values.values()):
                    too_many |= met[k] == most
                    met[k] += 1
            distinct.update(values)
            if too_many or (bundle.unique and num_first <= len(choices) >= len(distinct)):
                break
            choices.append(list(values.values()))
        sizes = range(bundle.min_items, len(choices) + 1)
        return (list(items) for size in sizes for items in product(*choices[:size]))

    def _have_none(self, goal: Goal, literal: Literal, depth: int) -> bool:
        """Whether no value of the goal meets the literal; False where it is hard to see."""
        return goals_disjoint(self.algebra, goal, (literal,), depth) or self._is_empty((*goal, literal), depth + 1)

    def _objects(self, bundle: Bundle, depth: int) -> Iterator[Any] | None:
        algebra, choices = self.algebra, list[list[Any]]()
        for name in bundle.required:
            goal = member_goal(bundle, name, algebra.limits)
            if not goal_allows(algebra, bundle.names, name) or self._is_empty(goal, depth + 1):
                return iter(())
        is_full = bundle.max_properties is not None and bundle.max_properties <= len(bundle.required)
        names = list(bundle.required) if is_full else finite_names(algebra, bundle, _MAX_NAMES)
        if names is None:
            if not self._has_no_others(bundle, depth):
                return None
            names = declared_names(bundle)
        allowed = [name for name in names if goal_allows(algebra, bundle.names, name)]
        goals = {name: member_goal(bundle, name, algebra.limits) for name in allowed}
        goals = {name: goal for name, goal in goals.items() if not self._is_empty(goal, depth + 1)}
        if len(goals) < bundle.min_properties:
            return iter(())
        for name, goal in goals.items():
            values, is_all = self._of(goal, depth + 1)
            if not is_all:
                return None
            absent = [] if name in bundle.required else [_ABSENT]
            choices.append([*absent, *values.values()])
        return (
            {name: value for name, value in zip(goals, values, strict=True) if value is not _ABSENT}
            for values in product(*choices)
        )

    def _has_no_others(self, bundle: Bundle, depth: int) -> bool:
        """Whether no member that is not declared can have a value; False where it is hard to see."""
        matched = [(literal,) for part in bundle.objects for _, literal, _ in part.patterns]
        return all(self._is_empty(goal, depth + 1) for goal in (goal_of_matches(bundle, frozenset()), *matched))


_ABSENT = object()
