"""The values of conjunctions one by one, where they are few, and the bytes that a new value needs."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product, takewhile
from math import ceil, floor, log
from typing import Any

from grammars.errors import GrammarError, UnsupportedError
from grammars.frontends.json.algebra import complement
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.disjoint import conjunctions_disjoint, kind_disjoint
from grammars.frontends.json.algebra.evaluate import (
    bounds_allow,
    declared_names,
    item_terms,
    member_terms,
    terms_allow,
    terms_of_matches,
)
from grammars.frontends.json.algebra.names import finite_names
from grammars.frontends.json.document.decoding import canonical
from grammars.frontends.json.document.document import SchemaTerm
from grammars.frontends.json.meaning.multiples import divides
from grammars.frontends.json.meaning.strings import language, pattern_language
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    BOOLEAN,
    FRACTION,
    INTEGER,
    KINDS,
    NULL,
    NUMBER,
    STRING,
    Conjunction,
    TypeBounds,
)

Found = tuple[dict[Any, Any], bool]

_MAX_DEPTH = 4
# Each is looked at with all that is in it.
_MAX_CONTAINERS = 64
_MAX_NAMES = 16
# What is taken for a value that is not looked into any more, and for a text of a language that is hard to look into.
_DEEP, _LONG = 8, 12
_MAX_COUNTED = 32  # larger numbers of items count as this one
_PUNCTUATION = 4  # of a member: comma, quotes and colon
_SHORTEST = 0  # in the place of the number of earlier values


class Enumeration:
    """Lists the values of conjunctions.

    Attributes:
        sizes: what `MinBytes` found out about conjunctions.
    """

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.sizes: dict[tuple[Conjunction, int, int], int] = {}
        self._most = 0
        self._known: dict[tuple[Conjunction, int], Found] = {}
        self._others: dict[frozenset[Any], SchemaTerm] = {}

    def of(self, terms: Conjunction, most: int) -> Found:
        """Return the values of the types of which there are few, by their keys, and if these are all.

        Args:
            most: of more values than these none is listed.
        """
        self._most = most
        return self._of(terms, 0)

    def others(self, values: dict[Any, Any]) -> SchemaTerm:
        """Return a term that excludes these values, given by their keys; the same term for the same values."""
        key = frozenset(values)
        if key not in self._others:
            document = self.algebra.document
            given = document.made(document.root, {"enum": list(values.values())})
            self._others[key] = complement.term(document, given)
        return self._others[key]

    def _is_empty(self, terms: Conjunction, depth: int) -> bool:
        """True if the conjunction has no value; False where it is hard to see."""
        return self._of(terms, depth) == ({}, True)

    def _of(self, terms: Conjunction, depth: int) -> Found:
        key = (terms, self._most)
        if key not in self._known:
            self._known[key] = {}, False  # of a conjunction that leads to itself
            self._known[key] = self._listed(terms, depth)
        return self._known[key]

    def _listed(self, terms: Conjunction, depth: int) -> Found:
        if depth > _MAX_DEPTH:
            return {}, False
        try:
            alternatives = self.algebra.alternatives(terms)
        except UnsupportedError:
            return {}, False
        if terms in self.algebra.checked_conjunctions:
            return {}, False
        found: dict[Any, Any] = {}
        is_all = True
        for bounds in alternatives:
            for kind in (0,) if bounds.enum is not None else KINDS[bounds.types]:
                values = bounds.enum if bounds.enum is not None else self._of_kind(bounds, kind, depth)
                if values is None or len(found) + len(values) > self._most:
                    is_all = False
                else:
                    found.update((canonical(v), v) for v in values if bounds_allow(self.algebra, bounds, v))
        return found, is_all

    def _of_kind(self, bounds: TypeBounds, kind: int, depth: int) -> list[Any] | tuple[Any, ...] | None:
        if kind_disjoint(self.algebra, kind, bounds, bounds, depth):
            return []
        if kind & (NULL | BOOLEAN):
            return [None] if kind == NULL else [True, False]
        if kind & NUMBER:
            steps = (Decimal(1), *bounds.multiples) if kind == INTEGER else bounds.multiples
            if any(divides(unwanted, step) for step in steps for unwanted in bounds.not_multiples):
                return []
            step = steps[0] if steps else None
            if step is None or bounds.low is None or bounds.high is None:
                return None
            low, high = (Fraction(bound) / Fraction(step) for bound in (bounds.low, bounds.high))
            if high - low > self._most:
                return None
            multiples = range(ceil(low), floor(high) + 1)
            return list(multiples) if kind == INTEGER else [number * step for number in multiples]
        if kind == STRING:
            is_bounded = bounds.patterns or bounds.max_length is not None
            limits = self.algebra.limits
            return language(bounds, limits).words(self._most) if is_bounded else None
        values = self._arrays(bounds, depth) if kind == ARRAY else self._objects(bounds, depth)
        if values is None:
            return None
        most = min(self._most, _MAX_CONTAINERS)
        found = list(islice(values, most + 1))
        return found if len(found) <= most else None

    def _arrays(self, bounds: TypeBounds, depth: int) -> Iterator[Any] | None:
        choices, met, too_many = list[list[Any]](), [0] * len(bounds.contains), False
        num_first, distinct = max([len(part.prefix) for part in bounds.arrays], default=0), set[Any]()
        positions = (item_terms(bounds.arrays, index) for index in range(num_first + 1))
        conjunctions = list(
            takewhile(lambda terms: not self._is_empty(terms, depth + 1), islice(positions, bounds.max_items))
        )
        if len(conjunctions) < min(bounds.min_items, num_first + 1):
            return iter(())
        for term, least, most, first in bounds.contains:
            room = least if bounds.max_items is None else bounds.max_items - first
            if least > min(room, least if most is None else most):
                return iter(())
            if least and all(self._have_none(terms, term, depth) for terms in conjunctions):
                return iter(())
        while bounds.max_items is None or len(choices) < bounds.max_items:
            values, is_all = self._of(item_terms(bounds.arrays, len(choices)), depth + 1)
            if is_all and not values:
                break
            if not is_all or len(choices) >= _MAX_NAMES:
                return None
            for k, (term, _, most, first) in enumerate(bounds.contains):
                if first <= len(choices) and all(terms_allow(self.algebra, (term,), v) for v in values.values()):
                    too_many |= met[k] == most
                    met[k] += 1
            distinct.update(values)
            if too_many or (bounds.unique and num_first <= len(choices) >= len(distinct)):
                break
            choices.append(list(values.values()))
        sizes = range(bounds.min_items, len(choices) + 1)
        return (list(items) for size in sizes for items in product(*choices[:size]))

    def _have_none(self, terms: Conjunction, term: SchemaTerm, depth: int) -> bool:
        """True if no value of the conjunction meets the term; False where it is hard to see."""
        return conjunctions_disjoint(self.algebra, terms, (term,), depth) or self._is_empty((*terms, term), depth + 1)

    def _objects(self, bounds: TypeBounds, depth: int) -> Iterator[Any] | None:
        algebra, choices = self.algebra, list[list[Any]]()
        for name in bounds.required:
            terms = member_terms(bounds, name, algebra.limits)
            if not terms_allow(algebra, bounds.names, name) or self._is_empty(terms, depth + 1):
                return iter(())
        is_full = bounds.max_properties is not None and bounds.max_properties <= len(bounds.required)
        names = list(bounds.required) if is_full else finite_names(algebra, bounds, _MAX_NAMES)
        if names is None:
            if not self._has_no_others(bounds, depth):
                return None
            names = declared_names(bounds)
        allowed = [name for name in names if terms_allow(algebra, bounds.names, name)]
        conjunctions = {name: member_terms(bounds, name, algebra.limits) for name in allowed}
        conjunctions = {name: terms for name, terms in conjunctions.items() if not self._is_empty(terms, depth + 1)}
        if len(conjunctions) < bounds.min_properties:
            return iter(())
        for name, terms in conjunctions.items():
            values, is_all = self._of(terms, depth + 1)
            if not is_all:
                return None
            absent = [] if name in bounds.required else [_ABSENT]
            choices.append([*absent, *values.values()])
        return (
            {name: value for name, value in zip(conjunctions, values, strict=True) if value is not _ABSENT}
            for values in product(*choices)
        )

    def _has_no_others(self, bounds: TypeBounds, depth: int) -> bool:
        """True if no member that is not declared can have a value; False where it is hard to see."""
        matched = [(term,) for part in bounds.objects for _, term, _ in part.patterns]
        return all(self._is_empty(terms, depth + 1) for terms in (terms_of_matches(bounds, frozenset()), *matched))


_ABSENT = object()


class MinBytes:
    """Bytes beyond the shortest value of a conjunction that suffice for a new one.

    Args:
        num_earlier: number of earlier values.
    """

    def __init__(self, enumeration: Enumeration, num_earlier: int) -> None:
        self._enumeration = enumeration
        self._algebra = enumeration.algebra
        self._num_earlier = max(num_earlier, 3)

    def of(self, terms: Conjunction, depth: int = 0) -> int:
        """Return the bytes that suffice for every kind of value of the conjunction."""
        known, key = self._enumeration.sizes, (terms, depth, self._num_earlier)
        if key not in known:
            spares = [self._of_kind(bounds, kind, depth) for bounds, kind in self._kinds(terms, depth)]
            known[key] = max(spares, default=0)
        return known[key]

    def _kinds(self, terms: Conjunction, depth: int) -> list[tuple[TypeBounds, int]]:
        if depth > _MAX_DEPTH:
            return []
        try:
            alternatives = self._algebra.alternatives(terms)
        except UnsupportedError:
            return []
        return [(bounds, kind) for bounds in alternatives for kind in KINDS[bounds.types]]

    def _of_kind(self, bounds: TypeBounds, kind: int, depth: int) -> int:
        if bounds.enum is not None or kind & (NULL | BOOLEAN):
            return 0
        if kind & NUMBER:
            low, high = bounds.low, bounds.high
            is_narrow = low is not None and high is not None and high - low <= self._num_earlier
            # After a zero, too, only a fraction can make another number.
            has_point = is_narrow or kind & FRACTION != 0
            return has_point + len(str(self._num_earlier)) + sum(len(str(int(step))) for step in bounds.multiples)
        if kind == STRING:
            return 1
        return self._of_array(bounds, depth + 1) if kind == ARRAY else self._of_object(bounds, depth + 1)

    def _of_array(self, bounds: TypeBounds, depth: int) -> int:
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

    def _of_object(self, bounds: TypeBounds, depth: int) -> int:
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

    def _other_member(self, bounds: TypeBounds, depth: int) -> int | None:
        """Return the bytes of one that is not declared; None where there can be none."""
        others = terms_of_matches(bounds, frozenset())
        if self._algebra.document.nothing in others:
            return None
        size = self.shortest(bounds.names, depth) - 2 if bounds.names else 1
        return _PUNCTUATION + size + self.shortest(others, depth)

    def shortest(self, terms: Conjunction, depth: int = 0) -> int:
        """Return the bytes that suffice for some value of the conjunction."""
        known, key = self._enumeration.sizes, (terms, depth, _SHORTEST)
        if key not in known:
            sizes = (self._shortest(bounds, kind, depth) for bounds, kind in self._kinds(terms, depth))
            known[key] = min(sizes, default=_DEEP)
        return known[key]

    def _shortest(self, bounds: TypeBounds, kind: int, depth: int) -> int:
        if bounds.enum is not None:
            return min((len(str(value)) for value in bounds.enum), default=_DEEP) + 2
        if kind & (NULL | BOOLEAN):
            return 4
        if kind & NUMBER:
            ends = [str(bound) for bound in (bounds.low, bounds.high) if bound is not None]
            return 1 + max(map(len, ends), default=0) + sum(len(str(step)) for step in bounds.multiples)
        if kind == STRING:
            return 2 + max(bounds.min_length, self._shortest_text(bounds))
        shortest = self._shortest_array if kind == ARRAY else self._shortest_object
        return shortest(bounds, depth + 1)

    def _shortest_array(self, bounds: TypeBounds, depth: int) -> int:
        """The fewest items, and what is to spare for each that must be new."""
        wanted = [(row.least, (*item_terms(bounds.arrays, row.start), row.term)) for row in bounds.contains]
        num_others = max(0, bounds.min_items - sum(least for least, _ in wanted))
        conjunctions = [item_terms(bounds.arrays, index) for index in range(min(num_others, _MAX_COUNTED))]
        conjunctions += [terms for least, terms in wanted for _ in range(min(least, _MAX_COUNTED))]
        is_new = bounds.unique and len(conjunctions) > 1
        return 2 + sum(
            1 + self.shortest(terms, depth) + (max(1, self.of(terms, depth)) if is_new else 0) for terms in conjunctions
        )

    def _shortest_object(self, bounds: TypeBounds, depth: int) -> int:
        """Return the required members, and as many others as must exist."""
        num_others = max(0, bounds.min_properties - len(bounds.required))
        other = self._other_member(bounds, depth) if num_others else None
        size = 2 + sum(self._member(bounds, name, depth) for name in bounds.required)
        if other is None and num_others:
            names = [name for name in declared_names(bounds) if name not in bounds.required]
            return size + sum(sorted(self._member(bounds, name, depth) for name in names)[:num_others])
        return size + num_others * (other or 0)

    def _member(self, bounds: TypeBounds, name: str, depth: int) -> int:
        terms = member_terms(bounds, name, self._algebra.limits)
        return _PUNCTUATION + len(name) + self.shortest(terms, depth)

    def _shortest_text(self, bounds: TypeBounds) -> int:
        if not bounds.patterns and not bounds.formats:
            return 0
        try:
            return language(bounds, self._algebra.limits, is_wide=True).length_range()[0]
        except GrammarError:
            return _LONG
