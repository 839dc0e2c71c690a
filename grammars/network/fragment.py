"""Parts of networks that are made once and copied into many."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from grammars.network.guards import Guard, kinds_of
from grammars.network.network import UNREACHABLE, Ints, Network
from grammars.network.unit_tables import UnitTables, unit_tables
from grammars.network.units import UnitClass
from grammars.vocabulary.tables import VocabularyTables
from grammars.weighted import num_bytes_of

_NO_INTS = np.zeros(0, dtype=np.int32)
# First state of each fragment in a network.
Grafts = list[tuple[int, "Fragment"]]


class Numbers(NamedTuple):
    """What is known of a fragment over one vocabulary.

    Attributes:
        tables: the vocabulary.
        fewest_and_cost: int32[2 * S]; fewest bytes and cost of each state.
        stem: what a network begins with that begins with the fragment, and integers in it; None: its operations.
    """

    tables: ref[VocabularyTables]
    fewest_and_cost: Ints
    stem: tuple[Any, int] | None


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
        self._numbers: tuple[Numbers, ...] = ()

    def numbers(self, tables: VocabularyTables) -> Numbers | None:
        """What is known of the part; None: it was not found out yet.

        It is the same in every network, for a fragment leads nowhere else.
        """
        for numbers in self._numbers:
            if numbers.tables() is tables:
                return numbers
        return None

    def keep_numbers(
        self, tables: VocabularyTables, network: Network, base: int, stem: tuple[Any, int] | None = None
    ) -> Numbers:
        """Keeps what was found out in a network where the part begins at `base`, as long as there is the vocabulary."""
        states = slice(base, base + self.count)
        both = np.stack((network.fewest_bytes[states], network.cost[states]), axis=1).ravel()
        others = tuple(numbers for numbers in self._numbers if numbers.tables() is not None)
        numbers = Numbers(ref(tables), both, stem)
        self._numbers = (*others, numbers)
        return numbers

    @cached_property
    def units(self) -> UnitTables:
        """The tables of its classes."""
        return unit_tables(tuple(self.classes))

    @cached_property
    def guard_kinds(self) -> Ints:
        """How each guard is evaluated."""
        return kinds_of(self.guards)

    @property
    def num_bytes(self) -> int:
        """Memory held, with the numbers of one vocabulary."""
        classes = num_bytes_of(tuple(self.classes))
        return len(self.ops) + len(self.texts) + 8 * self.count + 200 * len(self.shared) + classes


# What is known of a network's parts before it is assembled: what it begins with, and integers in it (None: nothing);
# the numbers of other parts, as `assembly.assemble` takes them; whether numbers of every part are known.
Known = tuple[tuple[Any, int] | None, Ints, bool]
NOTHING_KNOWN: Known = None, _NO_INTS, True


def known_of(grafts: Grafts, tables: VocabularyTables, find: Callable[[Fragment, VocabularyTables], Numbers]) -> Known:
    """What is known of the fragments, of which the first may be what the network begins with.

    Args:
        find: finds out the numbers of a fragment that is entered anywhere.
    """
    stem, is_all = None, True
    places: list[int] = []
    parts: list[Ints] = []
    for base, fragment in grafts:
        numbers = fragment.numbers(tables)
        if numbers is None and not fragment.has_one_entry:
            numbers = find(fragment, tables)
        if numbers is None:
            is_all = False
        elif base == 0 and numbers.stem is not None:
            stem = numbers.stem
        else:
            places += (base, base + fragment.count)
            parts.append(numbers.fewest_and_cost)
    if not parts:
        return stem, _NO_INTS, is_all
    return stem, np.concatenate((np.array([1 + len(places), *places], dtype=np.int32), *parts)), is_all


def keep_numbers(grafts: Grafts, network: Network, tables: VocabularyTables) -> None:
    """Keeps the numbers of fragments with one entry that were found out in the network.

    Where the entry is not met from the root, they stay unknown.
    """
    for base, fragment in grafts:
        if fragment.has_one_entry and fragment.numbers(tables) is None and network.cost[base] < UNREACHABLE:
            fragment.keep_numbers(tables, network, base)
