"""Choices without the members that another one covers."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from grammars.frontends.json.bundle import ARRAY, BOOLEAN, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING, Bundle

# For each type what must hold besides the bounds: more of it means fewer values.
Atoms = dict[int, frozenset[Any]]

# From so many bundles on, comparing them two by two takes longer than turning them into bits.
_MANY = 16
# Where all pairs of bundles have more bits than this to compare (a tenth of a second), none is compared.
_MOST_COMPARED_BITS = 1 << 30
_KINDS = (NULL, BOOLEAN, INTEGER, FRACTION, STRING, ARRAY, OBJECT)


def minimal(bundles: list[Bundle]) -> list[Bundle]:
    """The bundles without those whose values are, as their fields tell, all among another's.

    Where they say too much to be compared, all of them.

    Cost: quadratic in the number of bundles, about 0.3 us a pair; where they are many, in what they say.
    """
    if len(bundles) > _MANY:
        return _minimal_of_many(bundles)
    kept: list[_Row] = []
    for bundle in bundles:
        row, types = _Row(bundle), bundle.types
        for other in kept:
            if not types & ~other.bundle.types and _implies(row, other):
                break
        else:
            kept = [other for other in kept if other.bundle.types & ~types or not _implies(other, row)]
            kept.append(row)
    return [row.bundle for row in kept]


class _Row:
    """A bundle with its atoms, which few comparisons need."""

    __slots__ = ("_known", "bundle")

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._known: Atoms | None = None

    @property
    def atoms(self) -> Atoms:
        """See `_atoms`."""
        if self._known is None:
            self._known = _atoms(self.bundle)
        return self._known


def _minimal_of_many(bundles: list[Bundle]) -> list[Bundle]:
    """As `minimal`: who implies a bundle is what is common to those who meet each of its demands."""
    places: dict[tuple[int, Any], int] = {}
    demands = [[places.setdefault(atom, len(places)) for atom in row] for row in _demands(bundles)]
    if len(bundles) ** 2 * len(places) > _MOST_COMPARED_BITS:
        return bundles
    # Sets of bundles are bits. What is demanded of a type is met by each bundle without values of the type.
    without = dict.fromkeys((0, *_KINDS, NUMBER), 0)
    for kind in without:
        if kind:
            without[kind] = sum(1 << index for index, bundle in enumerate(bundles) if not bundle.types & kind)
    meeting = [without[kind] for kind, _ in places]
    for index, demanded in enumerate(demands):
        for place in demanded:
            meeting[place] |= 1 << index
    implying: list[int] = []
    implied: list[list[int]] = [[] for _ in bundles]
    for index, demanded in enumerate(demands):
        itself = 1 << index
        common = (1 << len(bundles)) - 1
        for place in demanded:
            common &= meeting[place]
            if common == itself:
                break
        implying.append(common)
        common ^= itself
        while common:
            lowest = common & -common
            implied[lowest.bit_length() - 1].append(index)
            common ^= lowest
    is_kept = [True] * len(bundles)
    for i, bundle in enumerate(bundles):
        for j in implied[i]:
            if not is_kept[j]:
                continue
            # Of those that say the same, the first stays.
            is_same = j > i and implying[i] >> j & 1 and _lists_within(bundles[j], bundle)
            if not is_same and _lists_within(bundle, bundles[j]):
                is_kept[i] = False
                break
    return list(itertools.compress(bundles, is_kept))


def _demands(bundles: list[Bundle]) -> Iterator[list[tuple[int, Any]]]:
    """What each bundle demands, with the type that it is demanded of (0: of all), but for `enum`.

    A bound is a demand for each bound among the bundles' that is no tighter.
    """
    bounds = {(kind, read): sorted({read(bundle) for bundle in bundles}) for kind, read in _BOUND_FIELDS}
    bounds = {field: values for field, values in bounds.items() if len(values) > 1}
    for bundle in bundles:
        atoms: list[tuple[int, Any]] = [(kind, atom) for kind, row in _atoms(bundle).items() for atom in row]
        atoms += [(0, ("not", kind)) for kind in _KINDS if not bundle.types & kind]
        for (kind, read), values in bounds.items():
            if bundle.types & kind:
                atoms += [(kind, (read, value)) for value in values[1 : bisect_right(values, read(bundle))]]
        yield atoms


def _lists_within(a: Bundle, b: Bundle) -> bool:
    """Whether `enum` leaves the first no value that the second does not list."""
    if b.enum is None or a.enum is b.enum:
        return True
    return a.enum is not None and a.listed() <= b.listed()


def _atoms(bundle: Bundle) -> Atoms:
    atoms: Atoms = {}
    types = bundle.types
    if types & OBJECT:
        atoms[OBJECT] = frozenset((*bundle.required, *bundle.objects, *bundle.names, *bundle.exists))
    if types & ARRAY:
        atoms[ARRAY] = frozenset((*bundle.arrays, *bundle.contains, *([True] if bundle.unique else [])))
    if types & STRING:
        patterns = [("pattern", *row[:2]) for row in bundle.patterns]
        atoms[STRING] = frozenset((*patterns, *[("format", *row[:2]) for row in bundle.formats]))
    if types & NUMBER:
        atoms[NUMBER] = frozenset((*bundle.multiples, *[(number, False) for number in bundle.not_multiples]))
    if bundle.excluded:
        atoms[0] = frozenset(map(id, bundle.excluded))
    return atoms


def _implies(a: _Row, b: _Row) -> bool:
    """Whether each value of the first is one of the second, which has all types of the first."""
    one, other = a.bundle, b.bundle
    if one.types & OBJECT:
        # What the second was told last is most often what the first was not.
        if other.objects and other.objects[-1] not in one.objects:
            return False
        if other.required and other.required[-1] not in one.required:
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


def _numbers_within(a: Bundle, b: Bundle) -> bool:
    if b.low is not None and (a.low is None or (a.low, a.low_open) < (b.low, b.low_open)):
        return False
    return b.high is None or (a.high is not None and (a.high, not a.high_open) <= (b.high, not b.high_open))


_BOUNDS = {
    OBJECT: lambda a, b: _within(a.min_properties, a.max_properties, b.min_properties, b.max_properties),
    ARRAY: lambda a, b: _within(a.min_items, a.max_items, b.min_items, b.max_items),
    STRING: lambda a, b: _within(a.min_length, a.max_length, b.min_length, b.max_length),
    NUMBER: _numbers_within,
}

_ENDLESS = float("inf")


def _low(bundle: Bundle) -> tuple[Any, bool]:
    return (-_ENDLESS, False) if bundle.low is None else (bundle.low, bundle.low_open)


def _high(bundle: Bundle) -> tuple[Any, bool]:
    return (-_ENDLESS, False) if bundle.high is None else (bundle.high.copy_negate(), bundle.high_open)


def _fewest(field: str) -> Callable[[Bundle], int]:
    return lambda bundle: int(getattr(bundle, field))


def _most(field: str) -> Callable[[Bundle], float]:
    def read(bundle: Bundle) -> float:
        most = getattr(bundle, field)
        return -_ENDLESS if most is None else -most

    return read


# Of each type its bounds, as numbers that grow as the bound gets tighter.
_BOUND_FIELDS: tuple[tuple[int, Callable[[Bundle], Any]], ...] = (
    (NUMBER, _low),
    (NUMBER, _high),
    (STRING, _fewest("min_length")),
    (STRING, _most("max_length")),
    (ARRAY, _fewest("min_items")),
    (ARRAY, _most("max_items")),
    (OBJECT, _fewest("min_properties")),
    (OBJECT, _most("max_properties")),
)
