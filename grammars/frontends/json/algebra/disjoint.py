"""Alternatives that are plainly empty, that another one covers, and which branches of a `oneOf` can hold together."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from grammars.errors import GrammarError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.evaluate import (
    allowed_of,
    bounds_allow,
    item_terms,
    member_conjunctions,
    member_terms,
)
from grammars.frontends.json.algebra.names import have_common_names
from grammars.frontends.json.document.document import Subschema
from grammars.frontends.json.meaning.strings import content_key, language, pattern_language, plainly_meet
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    KINDS,
    NUMBER,
    OBJECT,
    STRING,
    Conjunction,
    TypeBounds,
    of_types,
)

_MAX_DEPTH = 4
# Items of arrays that are compared, the first ones.
_MAX_ITEMS = 4
# Cost of distinguishing two branches beyond one member, and of matching a name against a pattern.
_LOOKS_A_PAIR = _LOOKS_A_PATTERN = 4
# Names looked up in a part's members at the cost of one look.
_NAMES_A_LOOK = 32
# From this many options on, one common member first distinguishes them; a pattern there has at most this many words.
_MANY = 6
_MAX_WORDS = 8


def overlapping(algebra: AlgebraBase, options: list[list[TypeBounds]]) -> list[list[int]]:
    """For each option (a choice of alternatives) the others that are not provably disjoint from it."""
    clashes: list[list[int]] = [[] for _ in options]
    if len(options) >= _MANY and _differ_by_a_member(algebra, options):
        return clashes
    for i, first in enumerate(options):
        for j in range(i):
            if not algebra.may_look(_LOOKS_A_PAIR) or not all(
                _bounds_disjoint(algebra, a, b, 0) for a in first for b in options[j]
            ):
                clashes[i].append(j)
                clashes[j].append(i)
    return clashes


def _differ_by_a_member(algebra: AlgebraBase, options: list[list[TypeBounds]]) -> bool:
    """True if each option is an object, or several, of which one member has values that no other option's has."""
    alternatives = [bounds for option in options for bounds in option]
    if any(bounds.types != OBJECT or bounds.enum is not None for bounds in alternatives):
        return False
    shared = set(alternatives[0].required).intersection(*(bounds.required for bounds in alternatives))
    for name in filter(shared.__contains__, alternatives[0].required):
        if not algebra.may_look(len(alternatives)):
            break
        owner: dict[Any, int] = {}
        for index, option in enumerate(options):
            values = [_few_values(algebra, member_terms(bounds, name, algebra.limits)) for bounds in option]
            if any(few is None or any(owner.setdefault(value, index) != index for value in few) for few in values):
                break
        else:
            return True
    return False


def _few_values(algebra: AlgebraBase, terms: Conjunction) -> Collection[Any] | None:
    """Return keys of all values of the conjunction, perhaps with others, if they are few; else None."""
    alternatives = algebra.try_alternatives(terms) if terms else None
    if alternatives is None or len(alternatives) != 1:
        return None
    (bounds,) = alternatives
    if bounds.enum is not None:
        return bounds.listed()
    if bounds.types != STRING or not bounds.patterns or terms in algebra.checked_conjunctions:
        return None
    pattern, holds, where = bounds.patterns[0]
    try:
        found = pattern_language(pattern, where, algebra.limits)
    except GrammarError:
        return None
    return found.words(_MAX_WORDS) if holds else None


def excludes(algebra: AlgebraBase, bounds: TypeBounds, subschema: Subschema) -> bool:
    """True if no value of the alternative meets the schema; False if that is hard to decide."""
    others = algebra.try_alternatives((subschema,))
    return others is not None and all(_bounds_disjoint(algebra, bounds, other, 0) for other in others)


def conjunctions_disjoint(algebra: AlgebraBase, first: Conjunction, second: Conjunction, depth: int) -> bool:
    """True if no value can meet both; False where it is hard to see."""
    if depth > _MAX_DEPTH:
        return False
    key = (first, second, depth)
    known = algebra.disjoint.get(key)
    if known is not None:
        return known
    ours, theirs = algebra.try_alternatives(first), algebra.try_alternatives(second)
    if ours is None or theirs is None:
        return False
    answer = all(_bounds_disjoint(algebra, a, b, depth) for a in ours for b in theirs)
    algebra.disjoint[key] = answer
    return answer


def _bounds_disjoint(algebra: AlgebraBase, a: TypeBounds, b: TypeBounds, depth: int) -> bool:
    if not a.types & b.types:
        return True
    if a.enum is not None and b.enum is not None and a.listed().isdisjoint(b.listed()):
        return True
    for one, other in ((a, b), (b, a)):
        if one.enum is not None:
            return not any(bounds_allow(algebra, one, value) for value in allowed_of(algebra, other, one.enum))
    return all(kind_disjoint(algebra, kind, a, b, depth) for kind in KINDS[a.types & b.types])


def kind_disjoint(algebra: AlgebraBase, kind: int, a: TypeBounds, b: TypeBounds, depth: int) -> bool:
    """True if no value of the kind can meet both, or of one alternative twice: whether it has none."""
    if kind & NUMBER:
        return _below(a, b) or _below(b, a)
    if kind == STRING:
        return _strings_disjoint(algebra, a, b)
    if kind == ARRAY:
        is_told = (a.unique and b.repeats) or (a.repeats and b.unique)
        is_told = is_told or _ranges_disjoint(a.min_items, a.max_items, b.min_items, b.max_items)
        return is_told or _items_disjoint(algebra, a, b, depth)
    return kind == OBJECT and _objects_disjoint(algebra, a, b, depth)


def _below(a: TypeBounds, b: TypeBounds) -> bool:
    if a.high is None or b.low is None:
        return False
    return a.high < b.low or (a.high == b.low and (a.high_open or b.low_open))


def _ranges_disjoint(low: int, high: int | None, other_low: int, other_high: int | None) -> bool:
    return (high is not None and high < other_low) or (other_high is not None and other_high < low)


def _items_disjoint(algebra: AlgebraBase, a: TypeBounds, b: TypeBounds, depth: int) -> bool:
    """True if one of the first items, which both have, can be nothing that both allow."""
    for place in range(min(_MAX_ITEMS, max(a.min_items, b.min_items))):
        if not algebra.may_look(len(a.arrays) + len(b.arrays)):
            return False
        ours, theirs = item_terms(a.arrays, place), item_terms(b.arrays, place)
        if (ours or theirs) and conjunctions_disjoint(algebra, ours, theirs, depth + 1):
            return True
    return False


def _strings_disjoint(algebra: AlgebraBase, a: TypeBounds, b: TypeBounds) -> bool:
    if _ranges_disjoint(a.min_length, a.max_length, b.min_length, b.max_length):
        return True
    if not (a.patterns or a.formats) or not (b.patterns or b.formats):
        return False
    key = (content_key(a), content_key(b))
    if key not in algebra.disjoint:
        algebra.disjoint[key] = _languages_disjoint(algebra, a, b)
    return algebra.disjoint[key]


def _languages_disjoint(algebra: AlgebraBase, a: TypeBounds, b: TypeBounds) -> bool:
    limits = algebra.limits
    try:
        if len(a.patterns) + len(b.patterns) > 2 and plainly_meet(a, b, limits):
            return False
        ours, theirs = (language(bounds, limits, is_wide=True) for bounds in (a, b))
        return ours.is_disjoint(theirs, limits.max_pattern_states)
    except GrammarError:
        return False


def _objects_disjoint(algebra: AlgebraBase, a: TypeBounds, b: TypeBounds, depth: int) -> bool:
    low, other_low = (max(bounds.min_properties, len(bounds.required)) for bounds in (a, b))
    if _ranges_disjoint(low, a.max_properties, other_low, b.max_properties):
        return True
    for one, other in ((a, b), (b, a)):
        # A member that an alternative requires has values there: what the other one says of it may leave none of them.
        for name in _said_of(algebra, other, one.required):
            if not algebra.may_look(1 + _looks_a_member(a) + _looks_a_member(b)):
                return False
            theirs = member_terms(other, name, algebra.limits)
            if theirs and conjunctions_disjoint(algebra, member_terms(one, name, algebra.limits), theirs, depth + 1):
                return True
    return bool(a.min_properties or b.min_properties) and not have_common_names(a, b, algebra.limits)


def _said_of(algebra: AlgebraBase, bounds: TypeBounds, names: tuple[str, ...]) -> Collection[str]:
    """Return the names whose members the alternative constrains."""
    parts = bounds.objects
    if not parts or not names or any(part.patterns or part.additional is not None for part in parts):
        return names if parts else ()
    if not algebra.may_look(len(names) * len(parts) / _NAMES_A_LOOK):
        return ()
    if len(parts) == 1:
        said = parts[0].properties
        return [name for name in names if name in said]
    return [name for name in names if any(name in part.properties for part in parts)]


def _looks_a_member(bounds: TypeBounds) -> int:
    """Return the cost of finding the constraints on a member."""
    return sum(1 + _LOOKS_A_PATTERN * len(part.patterns) for part in bounds.objects)


def is_contradictory(algebra: AlgebraBase, bounds: TypeBounds) -> bool:
    """True if the alternative is plainly empty; types of which nothing is left are taken out of it."""
    if bounds.max_length is not None and bounds.min_length > bounds.max_length:
        bounds.types &= ~STRING
    if (bounds.unique and bounds.repeats) or (bounds.max_items is not None and bounds.min_items > bounds.max_items):
        bounds.types &= ~ARRAY
    if bounds.types & ARRAY and bounds.contains and bounds.arrays and not _may_contain(algebra, bounds):
        bounds.types &= ~ARRAY
    most = bounds.max_properties
    if most is not None and max(bounds.min_properties, len(bounds.required)) > most:
        bounds.types &= ~OBJECT
    if bounds.low is not None and bounds.high is not None and bounds.low > bounds.high:
        bounds.types &= ~NUMBER
    if bounds.enum is not None and algebra.may_look(len(bounds.enum)):
        bounds.enum = of_types(bounds.enum, bounds.types)
        if not bounds.enum:
            return True
    if bounds.types & OBJECT and not _may_be_object(algebra, bounds):
        bounds.types &= ~OBJECT
    return not bounds.types


def _may_contain(algebra: AlgebraBase, bounds: TypeBounds) -> bool:
    """True if required items may be possible, by one look at the constraints on all items."""
    prefix = max(len(part.prefix) for part in bounds.arrays)
    needed = [each.term for each in bounds.contains if each.least and each.start >= prefix]
    if not needed or not algebra.may_look(len(needed) + len(bounds.arrays)):
        return True
    rest = item_terms(bounds.arrays, prefix)
    return not rest or not any(conjunctions_disjoint(algebra, rest, (term,), 1) for term in needed)


def _may_be_object(algebra: AlgebraBase, bounds: TypeBounds) -> bool:
    """True if required members may have values, by one look at their schemas."""
    names = bounds.doubtful_names()
    if not algebra.may_look(len(names) * _looks_a_member(bounds)):
        return True
    nothing = algebra.document.nothing
    for terms in member_conjunctions(bounds, names, algebra.limits):
        if nothing in terms if len(terms) < 2 else algebra.try_alternatives(terms) == []:
            return False
    bounds.keep_possible()
    return True


# For each type what must hold besides the bounds: more of it means fewer values.
Atoms = dict[int, frozenset[Any]]


def minimal(alternatives: list[TypeBounds]) -> list[TypeBounds]:
    """Return the alternatives without those that another covers, judged by their fields.

    Cost: quadratic in the number of alternatives, about 0.3 us a pair.
    """
    kept: list[_Row] = []
    for bounds in alternatives:
        row, types = _Row(bounds), bounds.types
        said, is_object = row.said, types & OBJECT != 0
        for other in kept:
            if not types & ~other.types and (not is_object or other.said <= said) and _implies(row, other):
                break
        else:
            kept = [
                other
                for other in kept
                if other.types & ~types or (other.types & OBJECT and not said <= other.said) or not _implies(other, row)
            ]
            kept.append(row)
    return [row.bounds for row in kept]


class _Row:
    """An alternative with its atoms, which few comparisons need.

    Attributes:
        said: of objects, by whom: most comparisons need no more.
    """

    __slots__ = ("_known", "bounds", "said", "types")

    def __init__(self, bounds: TypeBounds) -> None:
        self.bounds = bounds
        self.types, self.said = bounds.types, frozenset(bounds.objects)
        self._known: Atoms | None = None

    @property
    def atoms(self) -> Atoms:
        """See `_atoms`."""
        if self._known is None:
            self._known = _atoms(self.bounds)
        return self._known


def _lists_within(a: TypeBounds, b: TypeBounds) -> bool:
    """True if `enum` leaves the first no value that the second does not list."""
    if b.enum is None or a.enum is b.enum:
        return True
    return a.enum is not None and a.listed() <= b.listed()


def _atoms(bounds: TypeBounds) -> Atoms:
    types, atoms = bounds.types, Atoms()
    if bounds.excluded:
        atoms[0] = frozenset(map(id, bounds.excluded))
    if types & ARRAY:
        said = [name for name in ("unique", "repeats") if getattr(bounds, name)]
        atoms[ARRAY] = frozenset((*bounds.arrays, *bounds.contains, *said))
    if types & STRING:
        patterns = [("pattern", *row[:2]) for row in bounds.patterns]
        atoms[STRING] = frozenset((*patterns, *[("format", *row[:2]) for row in bounds.formats]))
    if types & NUMBER:
        atoms[NUMBER] = frozenset((*bounds.multiples, *[(number, False) for number in bounds.not_multiples]))
    if types & OBJECT:
        atoms[OBJECT] = frozenset((*bounds.exists, *bounds.names, *bounds.required, *bounds.objects))
    return atoms


def _implies(a: _Row, b: _Row) -> bool:
    """True if each value of the first is one of the second, which has all types of the first."""
    one, other = a.bounds, b.bounds
    if one.types & OBJECT and other.required and other.required[-1] not in one.required:
        return False
    ours, theirs = a.atoms, b.atoms
    for kind, atoms in ours.items():
        if kind and not theirs[kind] <= atoms:
            return False
    if 0 in theirs and not theirs[0] <= ours.get(0, frozenset()):
        return False
    return _lists_within(one, other) and all(_BOUNDS[kind](one, other) for kind in ours if kind)


def _within(low: int, high: int | None, other_low: int, other_high: int | None) -> bool:
    return low >= other_low and (other_high is None or (high is not None and high <= other_high))


def _numbers_within(a: TypeBounds, b: TypeBounds) -> bool:
    if b.low is not None and (a.low is None or (a.low, a.low_open) < (b.low, b.low_open)):
        return False
    return b.high is None or (a.high is not None and (a.high, not a.high_open) <= (b.high, not b.high_open))


_BOUNDS = {
    OBJECT: lambda a, b: _within(a.min_properties, a.max_properties, b.min_properties, b.max_properties),
    ARRAY: lambda a, b: _within(a.min_items, a.max_items, b.min_items, b.max_items),
    STRING: lambda a, b: _within(a.min_length, a.max_length, b.min_length, b.max_length),
    NUMBER: _numbers_within,
}
