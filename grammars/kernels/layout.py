"""Containers whose arrays stand in one piece of memory: a new one is one mapping and one table of addresses."""

from __future__ import annotations

import math
import mmap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from grammars.kernels.container import Container, ContainerType, PlainContainer

_ALIGNMENT = 64


class Shape(NamedTuple):
    """Lengths and type of an array."""

    lengths: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def num_bytes(self) -> int:
        """Bytes of the array."""
        return math.prod(self.lengths) * self.dtype.itemsize


class Views(dict[str, NDArray[Any]]):
    """Arrays by name, made when they are first asked for.

    Args:
        memory: what the arrays are views of.
        places: offset and shape of each array.
    """

    __slots__ = ("_memory", "_places")

    def __init__(self, memory: NDArray[np.uint8], places: Mapping[str, tuple[int, Shape]]) -> None:
        super().__init__()
        self._memory = memory
        self._places = places

    def __missing__(self, name: str) -> NDArray[Any]:
        offset, shape = self._places[name]
        view: NDArray[Any] = np.ndarray(shape.lengths, shape.dtype, self._memory, offset)
        self[name] = view
        return view


class Layout:
    """Where the arrays of containers of one kind stand in their memory.

    Args:
        kind: of the containers.
        shapes: of the arrays, in the order in which they stand.
        others: values of other fields, the same in all containers; a field in neither has to be set before it is read.
        columns: those of the arrays, the last ones, that are written to from their beginning on, as far as is needed.

    Attributes:
        num_bytes: address space of one container; what is never written to costs no memory.
        num_fixed_bytes: the same with a page of each column.
    """

    def __init__(
        self,
        kind: ContainerType,
        shapes: Mapping[str, Shape],
        columns: Mapping[str, Shape],
        others: Mapping[str, Any],
    ) -> None:
        self._others = dict(others)
        self._places: dict[str, tuple[int, Shape]] = {}
        fixed = self._place(shapes, 0)
        self.num_bytes = self._place(columns, fixed)
        self.num_fixed_bytes = fixed + mmap.PAGESIZE * len(columns)
        self._pattern = None if numba.config.DISABLE_JIT else Container(kind, others)
        if self._pattern is not None:
            self._pattern.place({name: (offset, shape.lengths) for name, (offset, shape) in self._places.items()})

    def _place(self, shapes: Mapping[str, Shape], end: int) -> int:
        for name, shape in shapes.items():
            self._places[name] = (end, shape)
            end += -(-shape.num_bytes // _ALIGNMENT) * _ALIGNMENT
        return end

    def new(self) -> tuple[Views, Any]:
        """Arrays of zeros, and the container that kernels take."""
        memory = _mapped(self.num_bytes)
        views = Views(memory, self._places)
        if self._pattern is None:
            return views, PlainContainer({name: views[name] for name in self._places} | self._others)
        return views, self._pattern.at(memory)


def zeros(shape: Shape) -> NDArray[Any]:
    """An array of zeros; what is never written to costs no memory."""
    return np.ndarray(shape.lengths, shape.dtype, _mapped(max(shape.num_bytes, 1)))


def _mapped(num_bytes: int) -> NDArray[np.uint8]:
    """Fresh memory, not from numpy's allocator: it asks for huge pages from 4 MB on, whose first touch is slow."""
    mapping = mmap.mmap(-1, num_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(mapping, dtype=np.uint8)
