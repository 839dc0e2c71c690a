"""What another value costs where the cheapest ones were there: for length safety under `uniqueItems`."""

from __future__ import annotations

from math import ceil, log

from grammars.errors import GrammarError, UnsupportedError
from grammars.frontends.json.bundle import ARRAY, BOOLEAN, FRACTION, KINDS, NULL, NUMBER, OBJECT, STRING, Bundle, Goal
from grammars.frontends.json.evaluate import item_goal
from grammars.frontends.json.listing import Listing
from grammars.frontends.json.members import declared_names, goal_of_matches, member_goal
from grammars.frontends.json.strings import language, pattern_language

_MAX_DEPTH = 4
# What is taken for a value that is not looked into any more, and for a text of a language that is hard to look into.
_DEEP, _LONG = 8, 12
_PUNCTUATION = 4  # of a member: comma, quotes and colon
_SHORTEST = 0  # in the place of the number of earlier values


class Variety:
    """Says how many bytes more than the shortest value of a goal suffice for one that is new, wherever it was begun.

    Args:
        num_earlier: so many values were there.
    """

    def __init__(self, listing: Listing, num_earlier: int) -> None:
        self._listing = listing
        self._algebra = listing.algebra
        self._num_earlier = max(num_earlier, 3)

    def of(self, goal: Goal, depth: int = 0) -> int:
        """The bytes that suffice for every kind of value of the goal."""
        known, key = self._listing.sizes, (goal, depth, self._num_earlier)
        if key not in known:
            spares = [self._of_kind(bundle, kind, depth) for bundle, kind in self._kinds(goal, depth)]
            known[key] = max(spares, default=0)
        return known[key]

    def _kinds(self, goal: Goal, depth: int) -> list[tuple[Bundle, int]]:
        if depth > _MAX_DEPTH:
            return []
        try:
            bundles = self._algebra.bundles(goal)
        except UnsupportedError:
            return []
        return [(bundle, kind) for bundle in bundles for kind in KINDS[bundle.types]]

    def _of_kind(self, bundle: Bundle, kind: int, depth: int) -> int:
        if bundle.enum is not None or kind & (NULL | BOOLEAN):
            return 0
        if kind & NUMBER:
            low, high = bundle.low, bundle.high
            is_narrow = low is not None and high is not None and high - low <= self._num_earlier
            # Behind a zero, too, only a fraction can make another number.
            has_point = is_narrow or kind & FRACTION != 0
            return has_point + len(str(self._num_earlier)) + sum(len(str(int(step))) for step in bundle.multiples)
        if kind == STRING:
            return 1
        return self._of_array(bundle, depth + 1) if kind == ARRAY else self._of_object(bundle, depth + 1)

    def _of_array(self, bundle: Bundle, depth: int) -> int:
        """More items, as many as make enough different arrays, and another value of one."""
        first = max((len(part.prefix) for part in bundle.arrays), default=0)
        values, is_all = self._listing.of(item_goal(bundle.arrays, first), self._num_earlier)
        num_items = 1
        if is_all:
            num_items = self._num_earlier if len(values) < 2 else ceil(log(self._num_earlier + 1, len(values)))
        longest = max(bundle.min_items, first) + num_items
        if bundle.max_items is not None:
            longest = min(longest, bundle.max_items)
        goals = [item_goal(bundle.arrays, index) for index in range(bundle.min_items, longest)]
        more = sum(1 + self.shortest(goal, depth) for goal in goals)
        each = (item_goal(bundle.arrays, index) for index in range(min(longest, first + 1)))
        return more + max((self.of(goal, depth) for goal in each), default=0)

    def _of_object(self, bundle: Bundle, depth: int) -> int:
        """Another member: one that is not declared where that is possible, else any that is."""
        others = goal_of_matches(bundle, frozenset())
        limits = self._algebra.limits
        is_full = bundle.max_properties is not None and bundle.max_properties <= len(bundle.required)
        if not is_full and self._algebra.document.nothing not in others:
            size = self.shortest(bundle.names, depth) - 2 if bundle.names else 1
            return _PUNCTUATION + size + self.shortest(others, depth)
        spares = [0]
        for name in declared_names(bundle):
            goal = member_goal(bundle, name, limits)
            more = 0 if name in bundle.required else _PUNCTUATION + len(name) + self.shortest(goal, depth)
            spares.append(more + self.of(goal, depth))
        for pattern, literal, where in [row for part in bundle.objects for row in part.patterns]:
            size, _ = pattern_language(pattern, where, limits).length_range()
            spares.append(_PUNCTUATION + size + self.shortest((literal,), depth) + self.of((literal,), depth))
        return max(spares)

    def shortest(self, goal: Goal, depth: int = 0) -> int:
        """The bytes that suffice for some value of the goal."""
        known, key = self._listing.sizes, (goal, depth, _SHORTEST)
        if key not in known:
            sizes = (self._shortest(bundle, kind, depth) for bundle, kind in self._kinds(goal, depth))
            known[key] = min(sizes, default=_DEEP)
        return known[key]

    def _shortest(self, bundle: Bundle, kind: int, depth: int) -> int:
        if bundle.enum is not None:
            return min((len(str(value)) for value in bundle.enum), default=_DEEP) + 2
        if kind & (NULL | BOOLEAN):
            return 4
        if kind & NUMBER:
            bounds = [str(bound) for bound in (bundle.low, bundle.high) if bound is not None]
            return 1 + max(map(len, bounds), default=0) + sum(len(str(step)) for step in bundle.multiples)
        if kind == STRING:
            return 2 + max(bundle.min_length, self._shortest_text(bundle))
        if kind == ARRAY:
            return 2 + sum(
                1 + self.shortest(item_goal(bundle.arrays, i), depth + 1) for i in range(min(bundle.min_items, 32))
            )
        assert kind == OBJECT
        goals = {name: member_goal(bundle, name, self._algebra.limits) for name in bundle.required}
        return 2 + sum(_PUNCTUATION + len(name) + self.shortest(goal, depth + 1) for name, goal in goals.items())

    def _shortest_text(self, bundle: Bundle) -> int:
        if not bundle.patterns and not bundle.formats:
            return 0
        try:
            return language(bundle, self._algebra.limits, is_wide=True).length_range()[0]
        except GrammarError:
            return _LONG
