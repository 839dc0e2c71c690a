"""Choices without the members that another one covers."""

from __future__ import annotations

from typing import Any

from grammars.frontends.json.bundle import ARRAY, NUMBER, OBJECT, STRING, Bundle

# For each type what must hold besides the bounds: more of it means fewer values.
Atoms = dict[int, frozenset[Any]]


def minimal(bundles: list[Bundle]) -> list[Bundle]:
    """The bundles without those whose values are, as their fields tell, all among another's."""
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
    if b.enum is not None and (a.enum is None or not a.listed() <= b.listed()):
        return False
    return all(_BOUNDS[kind](a, b) for kind in ours if kind)


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
