"""The unit classes of a network as the kernels read them: their tables, one after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import ContainerType, fields_of, new_container
from grammars.network.units import UnitClass
from grammars.weighted import remembered

UNITS = ContainerType("Units", fields_of(uint8="begins", int32="start fewest", uint16_rows="table"))
"""The arrays of `UnitTables`."""


class UnitTables:
    """The tables of some classes, one after another; shared by all networks with these classes.

    Attributes:
        classes: by index.
        start: first unit state of each class, and the number of all; fewest: bytes that finish a unit, a unit state.
        table: next unit state of a byte, counted within its class; never empty.
        begins: bytes that some unit state tells from the byte before.
        kernel: what kernels take.
        known: the partitions of the classes as far as they were built when this was last asked for, and when that was;
            see `Partitions.known_of`.
    """

    __slots__ = ("begins", "classes", "fewest", "kernel", "known", "num_bytes", "start", "table")

    def __init__(self, classes: tuple[UnitClass, ...]) -> None:
        self.classes = classes
        self.start = np.cumsum([0, *(len(units.table) for units in classes)], dtype=np.int32)
        self.fewest = np.concatenate([units.fewest_bytes for units in classes] or [np.zeros(1, np.int32)])
        self.table = np.concatenate([units.table for units in classes] or [np.zeros((1, 256), np.uint16)])
        self.begins = np.zeros(256, dtype=np.uint8)
        self.begins[1:] = (self.table[:, 1:] != self.table[:, :-1]).any(axis=0)
        self.known: tuple[tuple[int, int], NDArray[np.int32]] | None = None
        arrays = {"begins": self.begins, "start": self.start, "fewest": self.fewest, "table": self.table}
        self.kernel = new_container(UNITS, arrays)
        self.num_bytes: int = self.begins.nbytes + self.start.nbytes + self.fewest.nbytes + self.table.nbytes


@remembered(weigh=lambda tables: tables.num_bytes)
def unit_tables(classes: tuple[UnitClass, ...]) -> UnitTables:
    """Those of the classes."""
    return UnitTables(classes)
