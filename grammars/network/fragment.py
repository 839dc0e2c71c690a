"""Parts of networks that are made once and copied into many, and what a network begins with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from grammars.byte_bounded_cache import num_bytes_of
from grammars.jit.container import ContainerType, fields_of, new_container
from grammars.network.checks import Check, kinds_of
from grammars.network.columns import IS_BOUND, lengths_of
from grammars.network.network import BYTE_FIELDS, INT_FIELDS, Ints, Network
from grammars.vocabulary.tables import VocabularyTables, no_tables
from grammars.vocabulary.units import UnitClass, UnitTables, unit_tables

STEM = ContainerType("Stem", fields_of(int32="ints", uint8="octets", int64="begins lengths"))
"""The columns of a network, those of `INT_FIELDS` in `ints` and then those of `BYTE_FIELDS` in `octets`: where each
begins, and its length. There are no checks."""


class Stem(NamedTuple):
    """Begin of a network whose first part is a known fragment: columns copied unchanged.

    Attributes:
        kernel: what kernels take.
        room: integers that it takes in memory.
        tables: the vocabulary that its costs are about.
    """

    kernel: Any
    room: int
    tables: ref[VocabularyTables]


@dataclass(eq=False)
class Fragment:
    """A part of a network, made once and copied into others.

    Attributes:
        ops: what the builder wrote down; texts: what it refers to.
        count: number of states.
        classes: unit classes with their index; checks: checks with their index.
        shared: rules by key.
        span_starts: states where spans begin.
        has_one_entry: whether the part is entered at its state 0 alone; else it is worth a stem.
    """

    ops: bytes
    texts: bytes
    count: int
    classes: dict[UnitClass, int]
    checks: dict[Check, int]
    shared: dict[Any, int]
    span_starts: set[int]
    has_one_entry: bool
    _stems: tuple[Stem, ...] = ()

    def stem(self, tables: VocabularyTables) -> Stem | None:
        """Return the stem of networks over the vocabulary that begin with the fragment; None: not known yet.

        It is the same in every network, for a fragment leads nowhere else.
        """
        for stem in self._stems:
            if stem.tables() is tables:
                return stem
        return None

    def keep_stem(self, tables: VocabularyTables, network: Network) -> Stem:
        """Keeps what was found out in a network that begins with the fragment, as long as there is the vocabulary."""
        stem = stem_of(network, self.count, tables)
        self._stems = (*(other for other in self._stems if other.tables() is not None), stem)
        return stem

    @cached_property
    def units(self) -> UnitTables:
        """The tables of its classes."""
        return unit_tables(tuple(self.classes))

    @cached_property
    def check_kind(self) -> Ints:
        """Kind of evaluation of each check."""
        return kinds_of(self.checks)

    @property
    def num_bytes(self) -> int:
        """Memory held, but for stems."""
        classes = num_bytes_of(tuple(self.classes))
        return len(self.ops) + len(self.texts) + 200 * len(self.shared) + classes


def stem_of(network: Network, count: int, tables: VocabularyTables) -> Stem:
    """The first `count` states of a network, which lead to no others, and own what stands first."""
    begins = np.concatenate((network.starts[0, : len(INT_FIELDS)], network.starts[1, : len(BYTE_FIELDS)]))
    values = {"ints": network.ints, "octets": network.octets, "begins": begins, "lengths": lengths_of(network, count)}
    return Stem(new_container(STEM, values), 2 * len(network.ints), ref(tables))


@cache
def no_stem() -> Stem:
    """Return the empty stem."""
    zeros = {name: np.zeros(len(IS_BOUND), dtype=STEM.dtypes[name]) for name in ("ints", "octets", "begins")}
    return Stem(new_container(STEM, {**zeros, "lengths": IS_BOUND.astype(np.int64)}), 0, ref(no_tables()))
