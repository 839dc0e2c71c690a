"""Parts of networks that are made once and copied into many, and what a network begins with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.guards import Guard, kinds_of
from grammars.network.network import BYTE_FIELDS, INT_FIELDS, Ints, Network
from grammars.network.units import UnitClass, UnitTables, unit_tables
from grammars.vocabulary.tables import VocabularyTables, no_tables
from grammars.weighted import num_bytes_of

STEM = ContainerType("Stem", fields_of(int32="ints", uint8="octets", int64="begins lengths"))
"""The columns of a network, those of `INT_FIELDS` in `ints` and then those of `BYTE_FIELDS` in `octets`: where each
begins, and its length. There are no guards."""
_BY_STATE = ("kind", "accepts", "item", "otherwise", "cost", "fewest_bytes")
# Bounds of slices begin with a zero where there is no state.
_BOUNDS = ("edge_start", "epsilon_start", "call_start", "member_start")
_NOTHING = np.zeros(0, dtype=np.int32)


class Stem(NamedTuple):
    """What a network begins with whose first part is a known fragment: columns that are copied as they are.

    Attributes:
        kernel: what kernels take.
        room: integers that it takes in memory.
        tables: the vocabulary that its costs are about.
    """

    kernel: Any
    room: int
    tables: ref[VocabularyTables]


class Fragment:
    """A part of a network, made once and copied into others.

    Attributes:
        ops: what the builder wrote down; texts: what it refers to.
        count: number of states.
        classes: unit classes with their index; guards: guards with their index.
        shared: rules by key.
        span_starts: states where spans begin.
        has_one_entry: whether the part is entered at its state 0 alone; else it is worth a stem.
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
        self._stems: tuple[Stem, ...] = ()

    def stem(self, tables: VocabularyTables) -> Stem | None:
        """What a network over the vocabulary begins with that begins with the fragment; None: it is not known yet.

        It is the same in every network, for a fragment leads nowhere else.
        """
        for stem in self._stems:
            if stem.tables() is tables:
                return stem
        return None

    def keep_stem(self, tables: VocabularyTables, network: Network) -> Stem:
        """Keeps what was found out in a network that begins with the fragment, as long as there is the vocabulary."""
        stem = Stem(_first_of(network, self.count), 2 * len(network.ints), ref(tables))
        self._stems = (*(other for other in self._stems if other.tables() is not None), stem)
        return stem

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
        """Memory held, but for stems."""
        classes = num_bytes_of(tuple(self.classes))
        return len(self.ops) + len(self.texts) + 200 * len(self.shared) + classes


def _first_of(network: Network, count: int) -> Any:
    """The first `count` states of a network, of which those behind own no spans and the like, and are never met."""
    arrays = {name: getattr(network, name) for name in (*INT_FIELDS, *BYTE_FIELDS)}
    arrays["guard_kind"] = _NOTHING
    for name in _BY_STATE:
        arrays[name] = arrays[name][:count]
    for prefix, columns in (("edge", ("low", "high", "to")), ("epsilon", ("to",)), ("call", ("rule", "return"))):
        start = arrays[f"{prefix}_start"] = arrays[f"{prefix}_start"][: count + 1]
        for column in columns:
            name = f"{prefix}_{column}"
            arrays[name] = arrays[name][: start[-1]]
    return _packed(arrays)


@cache
def no_stem() -> Stem:
    """What a network begins with that begins with nothing."""
    kernel = _packed({name: np.zeros(int(name in _BOUNDS), np.int32) for name in (*INT_FIELDS, *BYTE_FIELDS)})
    return Stem(kernel, 0, ref(no_tables()))


def _packed(arrays: Mapping[str, NDArray[Any]]) -> Any:
    values: dict[str, NDArray[Any]] = {}
    begins: list[int] = []
    lengths: list[int] = []
    for block, fields in (("ints", INT_FIELDS), ("octets", BYTE_FIELDS)):
        own = [len(arrays[name]) for name in fields]
        begins += np.cumsum([0, *own[:-1]]).tolist()
        lengths += own
        values[block] = np.concatenate([arrays[name] for name in fields]).astype(STEM.dtypes[block], copy=False)
    values |= {"begins": np.array(begins, dtype=np.int64), "lengths": np.array(lengths, dtype=np.int64)}
    return new_container(STEM, values)
