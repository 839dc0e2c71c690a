"""Memory of arenas: one mapping for all arrays of an arena, reused by the next one.

A new one is one mapping and one table of addresses. What is never written to costs nothing, but what is written to for
the first time costs a page fault a page, of which there are some hundred in every constraint: memory that was touched
before makes a constraint, and its first masks, a tenth faster.
"""

from __future__ import annotations

import math
import mmap
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from grammars.jit.container import Container, ContainerType, PlainContainer

_ALIGNMENT = 64
# That nobody uses: how many, and what they hold together; what is used of one.
_MAX_KEPT = 32
_MAX_KEPT_BYTES = 12 << 20
_MAX_USED_BYTES = 2 << 20


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


class Memory:
    """The arrays of an arena that do not depend on its network, and the container that kernels take.

    Attributes:
        counters: `counters` of the arrays, where reading one costs little.
        touched: the most bytes of columns that were ever written to.
    """

    __slots__ = ("_originals", "arrays", "counters", "kernel", "num_replaced_bytes", "touched")

    def __init__(self, arrays: Views, kernel: Any) -> None:
        self.arrays = arrays
        self.counters = arrays["counters"].data
        self.kernel = kernel
        self.touched = self.num_replaced_bytes = 0
        self._originals: dict[str, NDArray[Any]] = {}

    def replace(self, field: str, shape: Shape) -> None:
        """Puts an array of zeros in the place of another one, until `restore`."""
        before = self.arrays[field]
        if self._originals.setdefault(field, before) is not before:
            self.num_replaced_bytes -= before.nbytes
        self.num_replaced_bytes += shape.num_bytes
        self._put(field, np.ndarray(shape.lengths, shape.dtype, _mapped(max(shape.num_bytes, 1))))

    def restore(self) -> None:
        """Takes back every replacement."""
        for field, array in self._originals.items():
            self._put(field, array)
        self._originals.clear()
        self.num_replaced_bytes = 0

    def _put(self, field: str, array: NDArray[Any]) -> None:
        self.arrays[field] = array
        self.kernel.put(field, array)


class Memories:
    """Pool of arenas' memory. Thread-safe, and bounded.

    Args:
        kind: of the containers.
        shapes: of the arrays, in the order in which they stand.
        columns: those of the arrays, the last ones, that are written to from their beginning on, as far as is needed.
        others: values of other fields, the same in all containers; a field in none has to be set before it is read.

    Attributes:
        fixed_bytes: what memory holds where its columns are empty.
    """

    def __init__(
        self, kind: ContainerType, shapes: Mapping[str, Shape], columns: Mapping[str, Shape], others: Mapping[str, Any]
    ) -> None:
        self._kind = kind
        self._others = dict(others)
        self._places: dict[str, tuple[int, Shape]] = {}
        fixed = self._place(shapes, 0)
        # Address space of one container.
        self._num_bytes = self._place(columns, fixed)
        self.fixed_bytes = fixed + mmap.PAGESIZE * len(columns)
        self._pattern = None if numba.config.DISABLE_JIT else Container(kind, others)
        if self._pattern is not None:
            self._pattern.place({name: (offset, shape.lengths) for name, (offset, shape) in self._places.items()})
        # Finalizers put memory back in any thread at any time, so there is no lock to wait for.
        self._free: deque[Memory] = deque(maxlen=_MAX_KEPT)

    def _place(self, shapes: Mapping[str, Shape], end: int) -> int:
        for name, shape in shapes.items():
            self._places[name] = (end, shape)
            end += -(-shape.num_bytes // _ALIGNMENT) * _ALIGNMENT
        return end

    def new(self) -> Memory:
        """Return new memory."""
        memory = _mapped(self._num_bytes)
        views = Views(memory, self._places)
        if self._pattern is None:
            plain = {name: views[name] for name in self._places}
            return Memory(views, PlainContainer(self._kind, plain | self._others))
        return Memory(views, self._pattern.at(memory))

    def take(self) -> Memory | None:
        """Return memory that was given back; None if there is none."""
        try:
            memory = self._free.pop()
        except IndexError:
            return None
        memory.restore()
        return memory

    def give_back(self, memory: Memory, used: int) -> None:
        """Keep a memory for reuse, unless too many bytes of its columns are used.

        Where all together hold too much, those go that were kept longest.
        """
        if used > _MAX_USED_BYTES:
            return
        memory.touched = max(memory.touched, used)
        self._free.append(memory)
        while sum([self.fixed_bytes + each.touched for each in tuple(self._free)]) > _MAX_KEPT_BYTES:
            # Another thread may have taken the last one.
            with suppress(IndexError):
                self._free.popleft()


def _mapped(num_bytes: int) -> NDArray[np.uint8]:
    """Fresh memory, not from numpy's allocator: it asks for huge pages from 4 MB on, whose first touch is slow."""
    mapping = mmap.mmap(-1, num_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(mapping, dtype=np.uint8)
