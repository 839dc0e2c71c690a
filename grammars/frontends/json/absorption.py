"""Choices without the members that another one covers."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from grammars.frontends.json.bundle import ARRAY, BOOLEAN, FRACTION, INTEGER, NULL, NUMBER, OBJECT, STRING, Bundle

# For each type what must hold besides the bounds: more of it means fewer values.
Atoms = dict[int, frozenset[Any]]
Said = list[tuple[int, tuple[Any, ...]]]

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
    # Sets of bundles are bits: of each type, by demand, those that demand it.
    meeting: dict[int, dict[Any, int]] = {kind: {} for kind in (0, *_KINDS, NUMBER)}
    demands = list(_demands(bundles))
    for index, demanded in enumerate(demands):
        itself = 1 << index
        for kind, atoms in demanded:
            table = meeting[kind]
            for atom in atoms:
                table[atom] = table.get(atom, 0) | itself
    if len(bundles) ** 2 * sum(map(len, meeting.values())) > _MOST_COMPARED_BITS:
        return bundles
    # What is demanded of a type is met by each bundle without values of the type.
    without = {kind: _bits([not bundle.types & kind for bundle in bundles]) for kind in meeting if kind}
    without[0] = 0
    implying: list[int] = []
    implied: list[list[int]] = [[] for _ in bundles]
    for index, demanded in enumerate(demands):
        common = _common(demanded, meeting, without, (1 << len(bundles)) - 1, 1 << index)
        implying.append(common)
        common ^= 1 << index
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


def _common(demanded: Said, meeting: dict[int, dict[Any, int]], without: dict[int, int], all_: int, itself: int) -> int:
    """Those who meet all that one of them demands; what was said last, which the fewest say, is looked at first."""
    common = all_
    for kind, atoms in reversed(demanded):
        table, free = meeting[kind], without[kind]
        for atom in reversed(atoms):
            common &= table[atom] | free
            if common == itself:
                return common
    return common


def _bits(flags: list[bool]) -> int:
    return sum([1 << index for index, flag in enumerate(flags) if flag])


def _demands(bundles: list[Bundle]) -> Iterator[Said]:
    """What each bundle demands, by the type that it is demanded of (0: of all), but for `enum`.

    A bound is a demand for each bound among the bundles' that is no tighter.
    """
    fields = frozenset().union(*[bundle.__dict__ for bundle in bundles])
    read_of = [row[1:] for row in _BOUND_FIELDS if row[0] in fields]
    bounds = {(kind, read): sorted({read(bundle) for bundle in bundles}) for kind, read in read_of}
    bounds = {field: values for field, values in bounds.items() if len(values) > 1}
    all_types = 0
    for bundle in bundles:
        all_types |= bundle.types
    for bundle in bundles:
        said = _said(bundle)
        missing = all_types & ~bundle.types
        if missing:
            said.append((0, tuple([("not", kind) for kind in _KINDS if missing & kind])))
        for (kind, read), values in bounds.items():
            if bundle.types & kind:
                said.append((kind, tuple([(read, value) for value in values[1 : bisect_right(values, read(bundle))]])))
        yield said


def _lists_within(a: Bundle, b: Bundle) -> bool:
    """Whether `enum` leaves the first no value that the second does not list."""
    if b.enum is None or a.enum is b.enum:
        return True
    return a.enum is not None and a.listed() <= b.listed()


def _atoms(bundle: Bundle) -> Atoms:
    return {kind: frozenset(atoms) for kind, atoms in _said(bundle)}


def _said(bundle: Bundle) -> Said:
    said: Said = []
    types = bundle.types
    if bundle.excluded:
        said.append((0, tuple(map(id, bundle.excluded))))
    if types & ARRAY:
        said.append((ARRAY, (*bundle.arrays, *bundle.contains, *([True] if bundle.unique else []))))
    if types & STRING:
        patterns = [("pattern", *row[:2]) for row in bundle.patterns]
        said.append((STRING, (*patterns, *[("format", *row[:2]) for row in bundle.formats])))
    if types & NUMBER:
        said.append((NUMBER, (*bundle.multiples, *[(number, False) for number in bundle.not_multiples])))
    if types & OBJECT:
        said.append((OBJECT, (*bundle.exists, *bundle.names, *bundle.required, *bundle.objects)))
    return said


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


# The bounds, by the field that is there where one is: of which type, as numbers that grow as the bound gets tighter.
_BOUND_FIELDS: tuple[tuple[str, int, Callable[[Bundle], Any]], ...] = (
    ("low", NUMBER, _low),
    ("high", NUMBER, _high),
    ("min_length", STRING, _fewest("min_length")),
    ("max_length", STRING, _most("max_length")),
    ("min_items", ARRAY, _fewest("min_items")),
    ("max_items", ARRAY, _most("max_items")),
    ("min_properties", OBJECT, _fewest("min_properties")),
    ("max_properties", OBJECT, _most("max_properties")),
)
