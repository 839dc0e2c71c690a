"""Bytes beyond the shortest value that suffice for a new one among the items of an array."""

from __future__ import annotations

from math import ceil, log

from grammars.errors import GrammarError, UnsupportedError
from grammars.frontends.json.algebra.enumeration import Enumeration
from grammars.frontends.json.algebra.evaluate import declared_names, item_terms, member_terms, terms_of_matches
from grammars.frontends.json.meaning import type_bounds as said
from grammars.frontends.json.meaning.strings import language, pattern_language

_MAX_DEPTH = 4
# What is taken for a value that is not looked into any more, and for a text of a language that is hard to look into.
_DEEP, _LONG = 8, 12
_MAX_COUNTED = 32  # larger numbers of items count as this one
_PUNCTUATION = 4  # of a member: comma, quotes and colon
_SHORTEST = 0  # in the place of the number of earlier values


class MinBytes:
    """Bytes beyond the shortest value of a conjunction that suffice for a new one.

    Args:
        num_earlier: number of earlier values.
    """

    def __init__(self, enumeration: Enumeration, num_earlier: int) -> None:
        self._enumeration = enumeration
        self._algebra = enumeration.algebra
        self._num_earlier = max(num_earlier, 3)

    def of(self, terms: said.Conjunction, depth: int = 0) -> int:
        """Return the bytes that suffice for every kind of value of the conjunction."""
        known, key = self._enumeration.sizes, (terms, depth, self._num_earlier)
        if key not in known:
            spares = [self._of_kind(bounds, kind, depth) for bounds, kind in self._kinds(terms, depth)]
            known[key] = max(spares, default=0)
        return known[key]

    def _kinds(self, terms: said.Conjunction, depth: int) -> list[tuple[said.TypeBounds, int]]:
        if depth > _MAX_DEPTH:
            return []
        try:
            alternatives = self._algebra.alternatives(terms)
        except UnsupportedError:
            return []
        return [(bounds, kind) for bounds in alternatives for kind in said.KINDS[bounds.types]]

    def _of_kind(self, bounds: said.TypeBounds, kind: int, depth: int) -> int:
        if bounds.enum is not None or kind & (said.NULL | said.BOOLEAN):
            return 0
        if kind & said.NUMBER:
            low, high = bounds.low, bounds.high
            is_narrow = low is not None and high is not None and high - low <= self._num_earlier
            # After a zero, too, only a fraction can make another number.
            has_point = is_narrow or kind & said.FRACTION != 0
            return has_point + len(str(self._num_earlier)) + sum(len(str(int(step))) for step in bounds.multiples)
        if kind == said.STRING:
            return 1
        return self._of_array(bounds, depth + 1) if kind == said.ARRAY else self._of_object(bounds, depth + 1)

    def _of_array(self, bounds: said.TypeBounds, depth: int) -> int:
        """More items, as many as make enough different arrays, and another value of one."""
        first = max((len(part.prefix) for part in bounds.arrays), default=0)
        values, is_all = self._enumeration.of(item_terms(bounds.arrays, first), self._num_earlier)
        num_items = 1
        if is_all:
            num_items = self._num_earlier if len(values) < 2 else ceil(log(self._num_earlier + 1, len(values)))
        longest = max(bounds.min_items, first) + num_items
        if bounds.max_items is not None:
            longest = min(longest, bounds.max_items)
        conjunctions = [item_terms(bounds.arrays, index) for index in range(bounds.min_items, longest)]
        more = sum(1 + self.shortest(terms, depth) for terms in conjunctions)
        each = (item_terms(bounds.arrays, index) for index in range(min(longest, first + 1)))
        return more + max((self.of(terms, depth) for terms in each), default=0)

    def _of_object(self, bounds: said.TypeBounds, depth: int) -> int:
        """Another member: one that is not declared where that is possible, else any that is."""
        limits = self._algebra.limits
        is_full = bounds.max_properties is not None and bounds.max_properties <= len(bounds.required)
        other = None if is_full else self._other_member(bounds, depth)
        if other is not None:
            return other
        spares = [0]
        for name in declared_names(bounds):
            more = 0 if name in bounds.required else self._member(bounds, name, depth)
            spares.append(more + self.of(member_terms(bounds, name, limits), depth))
        for pattern, term, where in [row for part in bounds.objects for row in part.patterns]:
            size, _ = pattern_language(pattern, where, limits).length_range()
            spares.append(_PUNCTUATION + size + self.shortest((term,), depth) + self.of((term,), depth))
        return max(spares)

    def _other_member(self, bounds: said.TypeBounds, depth: int) -> int | None:
        """Return the bytes of one that is not declared; None where there can be none."""
        others = terms_of_matches(bounds, frozenset())
        if self._algebra.document.nothing in others:
            return None
        size = self.shortest(bounds.names, depth) - 2 if bounds.names else 1
        return _PUNCTUATION + size + self.shortest(others, depth)

    def shortest(self, terms: said.Conjunction, depth: int = 0) -> int:
        """Return the bytes that suffice for some value of the conjunction."""
        known, key = self._enumeration.sizes, (terms, depth, _SHORTEST)
        if key not in known:
            sizes = (self._shortest(bounds, kind, depth) for bounds, kind in self._kinds(terms, depth))
            known[key] = min(sizes, default=_DEEP)
        return known[key]

    def _shortest(self, bounds: said.TypeBounds, kind: int, depth: int) -> int:
        if bounds.enum is not None:
            return min((len(str(value)) for value in bounds.enum), default=_DEEP) + 2
        if kind & (said.NULL | said.BOOLEAN):
            return 4
        if kind & said.NUMBER:
            ends = [str(bound) for bound in (bounds.low, bounds.high) if bound is not None]
            return 1 + max(map(len, ends), default=0) + sum(len(str(step)) for step in bounds.multiples)
        if kind == said.STRING:
            return 2 + max(bounds.min_length, self._shortest_text(bounds))
        shortest = self._shortest_array if kind == said.ARRAY else self._shortest_object
        return shortest(bounds, depth + 1)

    def _shortest_array(self, bounds: said.TypeBounds, depth: int) -> int:
        """The fewest items, and what is to spare for each that must be new."""
        wanted = [(row.least, (*item_terms(bounds.arrays, row.start), row.term)) for row in bounds.contains]
        num_others = max(0, bounds.min_items - sum(least for least, _ in wanted))
        conjunctions = [item_terms(bounds.arrays, index) for index in range(min(num_others, _MAX_COUNTED))]
        conjunctions += [terms for least, terms in wanted for _ in range(min(least, _MAX_COUNTED))]
        is_new = bounds.unique and len(conjunctions) > 1
        return 2 + sum(
            1 + self.shortest(terms, depth) + (max(1, self.of(terms, depth)) if is_new else 0) for terms in conjunctions
        )

    def _shortest_object(self, bounds: said.TypeBounds, depth: int) -> int:
        """Return the required members, and as many others as must exist."""
        num_others = max(0, bounds.min_properties - len(bounds.required))
        other = self._other_member(bounds, depth) if num_others else None
        size = 2 + sum(self._member(bounds, name, depth) for name in bounds.required)
        if other is None and num_others:
            names = [name for name in declared_names(bounds) if name not in bounds.required]
            return size + sum(sorted(self._member(bounds, name, depth) for name in names)[:num_others])
        return size + num_others * (other or 0)

    def _member(self, bounds: said.TypeBounds, name: str, depth: int) -> int:
        terms = member_terms(bounds, name, self._algebra.limits)
        return _PUNCTUATION + len(name) + self.shortest(terms, depth)

    def _shortest_text(self, bounds: said.TypeBounds) -> int:
        if not bounds.patterns and not bounds.formats:
            return 0
        try:
            return language(bounds, self._algebra.limits, is_wide=True).length_range()[0]
        except GrammarError:
            return _LONG
