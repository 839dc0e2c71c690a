"""The values of conjunctions one by one, where they are few."""

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
from grammars.frontends.json.meaning.strings import language
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    BOOLEAN,
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
        if terms in self.algebra.guarded_conjunctions:
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
