"""How much longer than the shortest a value may have to be, so that it is a new one among the items of its array."""

from __future__ import annotations

from math import ceil, log

from grammars.errors import GrammarError, UnsupportedError
from grammars.frontends.json.algebra.enumeration import Listing
from grammars.frontends.json.algebra.evaluate import declared_names, goal_of_matches, item_goal, member_goal
from grammars.frontends.json.meaning import type_bounds as said
from grammars.frontends.json.meaning.strings import language, pattern_language

_MAX_DEPTH = 4
# What is taken for a value that is not looked into any more, and for a text of a language that is hard to look into.
_DEEP, _LONG = 8, 12
_MAX_COUNTED = 32  # more items than these are taken for so many
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

    def of(self, goal: said.Goal, depth: int = 0) -> int:
        """The bytes that suffice for every kind of value of the goal."""
        known, key = self._listing.sizes, (goal, depth, self._num_earlier)
        if key not in known:
            spares = [self._of_kind(bundle, kind, depth) for bundle, kind in self._kinds(goal, depth)]
            known[key] = max(spares, default=0)
        return known[key]

    def _kinds(self, goal: said.Goal, depth: int) -> list[tuple[said.Bundle, int]]:
        if depth > _MAX_DEPTH:
            return []
        try:
            bundles = self._algebra.bundles(goal)
        except UnsupportedError:
            return []
        return [(bundle, kind) for bundle in bundles for kind in said.KINDS[bundle.types]]

    def _of_kind(self, bundle: said.Bundle, kind: int, depth: int) -> int:
        if bundle.enum is not None or kind & (said.NULL | said.BOOLEAN):
            return 0
        if kind & said.NUMBER:
            low, high = bundle.low, bundle.high
            is_narrow = low is not None and high is not None and high - low <= self._num_earlier
            # Behind a zero, too, only a fraction can make another number.
            has_point = is_narrow or kind & said.FRACTION != 0
            return has_point + len(str(self._num_earlier)) + sum(len(str(int(step))) for step in bundle.multiples)
        if kind == said.STRING:
            return 1
        return self._of_array(bundle, depth + 1) if kind == said.ARRAY else self._of_object(bundle, depth + 1)

    def _of_array(self, bundle: said.Bundle, depth: int) -> int:
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

    def _of_object(self, bundle: said.Bundle, depth: int) -> int:
        """Another member: one that is not declared where that is possible, else any that is."""
        limits = self._algebra.limits
        is_full = bundle.max_properties is not None and bundle.max_properties <= len(bundle.required)
        other = None if is_full else self._other_member(bundle, depth)
        if other is not None:
            return other
        spares = [0]
        for name in declared_names(bundle):
            more = 0 if name in bundle.required else self._member(bundle, name, depth)
            spares.append(more + self.of(member_goal(bundle, name, limits), depth))
        for pattern, literal, where in [row for part in bundle.objects for row in part.patterns]:
            size, _ = pattern_language(pattern, where, limits).length_range()
            spares.append(_PUNCTUATION + size + self.shortest((literal,), depth) + self.of((literal,), depth))
        return max(spares)

    def _other_member(self, bundle: said.Bundle, depth: int) -> int | None:
        """The bytes of one that is not declared; None where there can be none."""
        others = goal_of_matches(bundle, frozenset())
        if self._algebra.document.nothing in others:
            return None
        size = self.shortest(bundle.names, depth) - 2 if bundle.names else 1
        return _PUNCTUATION + size + self.shortest(others, depth)

    def shortest(self, goal: said.Goal, depth: int = 0) -> int:
        """The bytes that suffice for some value of the goal."""
        known, key = self._listing.sizes, (goal, depth, _SHORTEST)
        if key not in known:
            sizes = (self._shortest(bundle, kind, depth) for bundle, kind in self._kinds(goal, depth))
            known[key] = min(sizes, default=_DEEP)
        return known[key]

    def _shortest(self, bundle: said.Bundle, kind: int, depth: int) -> int:
        if bundle.enum is not None:
            return min((len(str(value)) for value in bundle.enum), default=_DEEP) + 2
        if kind & (said.NULL | said.BOOLEAN):
            return 4
        if kind & said.NUMBER:
            bounds = [str(bound) for bound in (bundle.low, bundle.high) if bound is not None]
            return 1 + max(map(len, bounds), default=0) + sum(len(str(step)) for step in bundle.multiples)
        if kind == said.STRING:
            return 2 + max(bundle.min_length, self._shortest_text(bundle))
        shortest = self._shortest_array if kind == said.ARRAY else self._shortest_object
        return shortest(bundle, depth + 1)

    def _shortest_array(self, bundle: said.Bundle, depth: int) -> int:
        """The fewest items, and what is to spare for each that must be new."""
        wanted = [(row.least, (*item_goal(bundle.arrays, row.start), row.literal)) for row in bundle.contains]
        num_others = max(0, bundle.min_items - sum(least for least, _ in wanted))
        goals = [item_goal(bundle.arrays, index) for index in range(min(num_others, _MAX_COUNTED))]
        goals += [goal for least, goal in wanted for _ in range(min(least, _MAX_COUNTED))]
        is_new = bundle.unique and len(goals) > 1
        return 2 + sum(
            1 + self.shortest(goal, depth) + (max(1, self.of(goal, depth)) if is_new else 0) for goal in goals
        )

    def _shortest_object(self, bundle: said.Bundle, depth: int) -> int:
        """The required members, and so many others as there must be."""
        num_others = max(0, bundle.min_properties - len(bundle.required))
        other = self._other_member(bundle, depth) if num_others else None
        size = 2 + sum(self._member(bundle, name, depth) for name in bundle.required)
        if other is None and num_others:
            names = [name for name in declared_names(bundle) if name not in bundle.required]
            return size + sum(sorted(self._member(bundle, name, depth) for name in names)[:num_others])
        return size + num_others * (other or 0)

    def _member(self, bundle: said.Bundle, name: str, depth: int) -> int:
        goal = member_goal(bundle, name, self._algebra.limits)
        return _PUNCTUATION + len(name) + self.shortest(goal, depth)

    def _shortest_text(self, bundle: said.Bundle) -> int:
        if not bundle.patterns and not bundle.formats:
            return 0
        try:
            return language(bundle, self._algebra.limits, is_wide=True).length_range()[0]
        except GrammarError:
            return _LONG
