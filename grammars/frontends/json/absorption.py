"""Choices without the members that another one covers."""

from __future__ import annotations

from typing import Any

from grammars.frontends.json.bundle import ARRAY, NUMBER, OBJECT, STRING, Bundle

# For each type what must hold besides the bounds: more of it means fewer values.
Atoms = dict[int, frozenset[Any]]


def minimal(bundles: list[Bundle]) -> list[Bundle]:
    """The bundles without those whose values are, as their fields tell, all among another's.

    Cost: quadratic in the number of bundles, about 0.3 us a pair.
    """
    kept: list[_Row] = []
    for bundle in bundles:
        row, types = _Row(bundle), bundle.types
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
    return [row.bundle for row in kept]


class _Row:
    """A bundle with its atoms, which few comparisons need.

    Attributes:
        said: of objects, by whom: most comparisons need no more.
    """

    __slots__ = ("_known", "bundle", "said", "types")

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.types, self.said = bundle.types, frozenset(bundle.objects)
        self._known: Atoms | None = None

    @property
    def atoms(self) -> Atoms:
        """See `_atoms`."""
        if self._known is None:
            self._known = _atoms(self.bundle)
        return self._known


def _lists_within(a: Bundle, b: Bundle) -> bool:
    """Whether `enum` leaves the first no value that the second does not list."""
    if b.enum is None or a.enum is b.enum:
        return True
    return a.enum is not None and a.listed() <= b.listed()


def _atoms(bundle: Bundle) -> Atoms:
    types, atoms = bundle.types, Atoms()
    if bundle.excluded:
        atoms[0] = frozenset(map(id, bundle.excluded))
    if types & ARRAY:
        said = [name for name in ("unique", "repeats") if getattr(bundle, name)]
        atoms[ARRAY] = frozenset((*bundle.arrays, *bundle.contains, *said))
    if types & STRING:
        patterns = [("pattern", *row[:2]) for row in bundle.patterns]
        atoms[STRING] = frozenset((*patterns, *[("format", *row[:2]) for row in bundle.formats]))
    if types & NUMBER:
        atoms[NUMBER] = frozenset((*bundle.multiples, *[(number, False) for number in bundle.not_multiples]))
    if types & OBJECT:
        atoms[OBJECT] = frozenset((*bundle.exists, *bundle.names, *bundle.required, *bundle.objects))
    return atoms


def _implies(a: _Row, b: _Row) -> bool:
    """Whether each value of the first is one of the second, which has all types of the first."""
    one, other = a.bundle, b.bundle
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
