"""Parts of networks that are made once and copied into many."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import ref

import numpy as np

from grammars.network.guards import Guard
from grammars.network.network import UNREACHABLE, Ints, Network, UnitTable, unit_arrays
from grammars.network.units import UnitClass
from grammars.vocabulary.tables import VocabularyTables
from grammars.weighted import num_bytes_of

# Where a part stands, see `assembly.assemble`, and fewest bytes and cost of each of its states.
Numbers = tuple[Ints, Ints, Ints]
_NO_INTS = np.zeros(0, dtype=np.int32)
_NO_NUMBERS = _NO_INTS, _NO_INTS, _NO_INTS
# First state of each fragment in a network.
Grafts = list[tuple[int, "Fragment"]]


class Fragment:
    """A part of a network, made once and copied into others.

    Attributes:
        ops: what the builder wrote down; texts: what it refers to.
        count: number of states.
        classes: unit classes with their index; guards: guards with their index.
        shared: rules by key.
        span_starts: states where spans begin.
        has_one_entry: whether the part is entered at its state 0 alone.
    """

    def __init__(
        self,
        ops: bytes,
        texts: bytes,
        count: int,
        classes: dict[UnitClass, int],
        guards: dict[Guard, int],
        shared: dict[Any, int],
        span_starts: set[int],
        has_one_entry: bool,
    ) -> None:
        self.ops = ops
        self.texts = texts
        self.count = count
        self.classes = classes
        self.guards = guards
        self.shared = shared
        self.span_starts = span_starts
        self.has_one_entry = has_one_entry
        self._numbers: list[tuple[ref[VocabularyTables], Numbers]] = []

    def numbers(self, tables: VocabularyTables) -> Numbers | None:
        """The part's place where it stands first, fewest bytes and costs; None: they were not found out yet.

        They are the same in every network, for a fragment leads nowhere else.
        """
        for vocabulary, numbers in self._numbers:
            if vocabulary() is tables:
                return numbers
        return None

    def keep_numbers(self, tables: VocabularyTables, fewest: Ints, cost: Ints) -> None:
        """Keeps what was found out, as long as there is the vocabulary."""
        numbers = np.array([0, self.count, 0], dtype=np.int32), fewest, cost
        others = [(vocabulary, kept) for vocabulary, kept in self._numbers if vocabulary() is not None]
        self._numbers = [*others, (ref(tables), numbers)]

    @cached_property
    def units(self) -> tuple[Ints, Ints, UnitTable]:
        """See `unit_arrays`."""
        return unit_arrays(tuple(self.classes))

    @cached_property
    def guard_kinds(self) -> Ints:
        """How each guard is evaluated."""
        return np.array([guard.kind for guard in self.guards], dtype=np.int32)

    @property
    def num_bytes(self) -> int:
        """Memory held, with the numbers of one vocabulary."""
        classes = num_bytes_of(tuple(self.classes))
        return len(self.ops) + len(self.texts) + 8 * self.count + 200 * len(self.shared) + classes


def known_numbers(grafts: Grafts, tables: VocabularyTables | None) -> Numbers:
    """What is known of the fragments, one after another: where their states are, fewest bytes and costs."""
    places: list[int] = []
    numbers: list[Numbers] = []
    place = 0
    if tables is None:
        return _NO_NUMBERS
    for base, fragment in grafts:
        known = fragment.numbers(tables)
        if known is not None:
            places += (base, base + fragment.count, place)
            place += fragment.count
            numbers.append(known)
    if len(numbers) == 1 and places[0] == 0:
        return numbers[0]
    if not numbers:
        return _NO_NUMBERS
    _, fewest, cost = zip(*numbers, strict=True)
    return np.array(places, dtype=np.int32), np.concatenate(fewest), np.concatenate(cost)


def keep_numbers(grafts: Grafts, network: Network, tables: VocabularyTables) -> None:
    """Keeps the numbers of fragments with one entry that were found out in the network.

    Where the entry is not met from the root, they stay unknown.
    """
    for base, fragment in grafts:
        if fragment.has_one_entry and fragment.numbers(tables) is None and network.cost[base] < UNREACHABLE:
            end = base + fragment.count
            fragment.keep_numbers(tables, network.fewest_bytes[base:end].copy(), network.cost[base:end].copy())
