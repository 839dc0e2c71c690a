"""Parts of networks that are made once and copied into many."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from grammars.network.guards import Guard
from grammars.network.network import Ints
from grammars.network.units import UnitClass
from grammars.vocabulary.tables import VocabularyTables
from grammars.weighted import num_bytes_of


class Fragment:
    """A part of a network, made once and copied into others.

    Attributes:
        ops: what the builder wrote down; texts: what it refers to.
        count: number of states.
        classes: unit classes by index; guards: guards by index.
        shared: rules by key.
        numbers: fewest bytes and cost of each state, for each vocabulary that was asked for; the same in every network,
            for a fragment leads nowhere else.
    """

    __slots__ = ("classes", "count", "guards", "numbers", "ops", "shared", "texts")

    def __init__(
        self,
        ops: bytes,
        texts: bytes,
        count: int,
        classes: tuple[UnitClass, ...],
        guards: tuple[Guard, ...],
        shared: dict[Any, int],
    ) -> None:
        self.ops = ops
        self.texts = texts
        self.count = count
        self.classes = classes
        self.guards = guards
        self.shared = shared
        self.numbers: WeakKeyDictionary[VocabularyTables, tuple[Ints, Ints]] = WeakKeyDictionary()

    @property
    def num_bytes(self) -> int:
        """Memory held, with the numbers of one vocabulary."""
        return len(self.ops) + len(self.texts) + 8 * self.count + 200 * len(self.shared) + num_bytes_of(self.classes)
