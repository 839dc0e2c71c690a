"""Choices without the members that another one covers."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterable
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

    Cost: quadratic in the number of bundles; where they are many, about 50 ns a pair.
    """
    if len(bundles) > _MANY:
        return _minimal_of_many(bundles)
    kept: list[tuple[Bundle, Atoms]] = []
    for bundle in bundles:
        atoms = _atoms(bundle)
        types = bundle.types
        for other, others in kept:
            if not types & ~other.types and _implies(bundle, atoms, other, others):
                break
        else:
            kept = [row for row in kept if row[0].types & ~types or not _implies(*row, bundle, atoms)]
            kept.append((bundle, atoms))
    return [bundle for bundle, _ in kept]


def _minimal_of_many(bundles: list[Bundle]) -> list[Bundle]:
    """As `minimal`, with all that a bundle demands as bits, so that two are compared by one subtraction of sets."""
    demands, covers = _as_bits(bundles)
    if len(bundles) ** 2 * max(map(int.bit_length, demands)) > _MOST_COMPARED_BITS:
        return bundles
    is_kept = [True] * len(bundles)
    for i, (bundle, cover) in enumerate(zip(bundles, covers, strict=True)):
        missing = ~cover
        for j in [j for j, demand in enumerate(demands) if not demand & missing and j != i and is_kept[j]]:
            # Of those that say the same, the first stays.
            is_same = j > i and not demands[i] & ~covers[j] and _lists_within(bundles[j], bundle)
            if not is_same and _lists_within(bundle, bundles[j]):
                is_kept[i] = False
                break
    return list(itertools.compress(bundles, is_kept))


def _as_bits(bundles: list[Bundle]) -> tuple[list[int], list[int]]:
    """What each bundle demands, and the same with all that says nothing about its types: `enum` apart, it implies the
    bundles whose demands are among these.

    A bound is a demand for each bound among the bundles' that is no tighter.
    """
    places: dict[tuple[int, Any], int] = {}
    demands = []
    bounds = {(kind, read): sorted({read(bundle) for bundle in bundles}) for kind, read in _BOUND_FIELDS}
    for bundle in bundles:
        atoms: list[tuple[int, Any]] = [(kind, atom) for kind, row in _atoms(bundle).items() for atom in row]
        atoms += [(0, ("not", kind)) for kind in _KINDS if not bundle.types & kind]
        for (kind, read), values in bounds.items():
            if bundle.types & kind:
                atoms += [(kind, (read, value)) for value in values[1 : bisect_right(values, read(bundle))]]
        demands.append(_bits(places.setdefault(atom, len(places)) for atom in atoms))
    by_kind: dict[int, list[int]] = {}
    for (kind, _), place in places.items():
        by_kind.setdefault(kind, []).append(place)
    of_kind = {kind: _bits(members) for kind, members in by_kind.items()}
    covers = []
    for bundle, cover in zip(bundles, demands, strict=True):
        for kind, atoms_of_kind in of_kind.items():
            if kind and not bundle.types & kind:
                cover |= atoms_of_kind
        covers.append(cover)
    return demands, covers


def _bits(places: Iterable[int]) -> int:
    """The number with these bits."""
    members = list(places)
    data = bytearray(max(members, default=0) // 8 + 1)
    for place in members:
        data[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(data, "little")


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


def _implies(a: Bundle, ours: Atoms, b: Bundle, theirs: Atoms) -> bool:
    """Whether each value of `a` is one of `b`, which has all types of `a`."""
    for kind, atoms in ours.items():
        if kind and not theirs[kind] <= atoms:
            return False
    if 0 in theirs and not theirs[0] <= ours.get(0, frozenset()):
        return False
    return _lists_within(a, b) and all(_BOUNDS[kind](a, b) for kind in ours if kind)


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
