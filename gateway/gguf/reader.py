"""Header of a GGUF file, with every length checked against the file before use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from mmap import mmap
from pathlib import Path
from struct import Struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError

Scalar = str | int | float | bool
Value = Scalar | list[str] | NDArray[np.generic]

MAX_ENTRIES = 1 << 16
"""Most metadata entries, and most tensors: hundreds of times those of the largest models."""
MAX_STRINGS = 1 << 22
"""In all arrays of a header together."""
MAX_NAME_BYTES = 1 << 16
MAX_TEXT_BYTES = 1 << 18
MAX_DIMENSIONS = 4

_ENTRY_BYTES = 13
"""Least bytes of a metadata entry: the length of a name, a type, and one byte."""
_TENSOR_BYTES = 24
"""Least bytes of a tensor's entry."""

_U32, _U64 = Struct("<I"), Struct("<Q")
_SCALARS: dict[int, np.dtype[np.generic]] = {
    0: np.dtype("<u1"),
    1: np.dtype("<i1"),
    2: np.dtype("<u2"),
    3: np.dtype("<i2"),
    4: np.dtype("<u4"),
    5: np.dtype("<i4"),
    6: np.dtype("<f4"),
    7: np.dtype("?"),
    10: np.dtype("<u8"),
    11: np.dtype("<i8"),
    12: np.dtype("<f8"),
}
_STRING, _ARRAY = 8, 9


class Entry(NamedTuple):
    """A tensor as the header describes it. Shapes: the fastest dimension first, as in the file."""

    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int


@dataclass(slots=True)
class Header:
    """A reader at a place in a file.

    Attributes:
        mapped: The whole file.
    """

    path: Path
    mapped: mmap
    at: int = 0
    num_strings: int = 0
    metadata: dict[str, Value] = field(default_factory=dict)
    data: memoryview = field(init=False)

    def __post_init__(self) -> None:
        self.data = memoryview(self.mapped)

    def fault(self, what: str) -> ModelLoadError:
        """Return an error that names the file and the place."""
        return ModelLoadError(f"{self.path} is no GGUF file that can be read: {what} (at byte {self.at})")

    def read(self) -> Iterator[Entry]:
        """Fill `metadata`; yield the tensors' entries.

        Raises:
            ModelLoadError: The file is cut, of another version, or says what cannot be.
        """
        if bytes(self.data[:4]) != b"GGUF":
            raise self.fault("it does not begin with GGUF")
        self.at = 4
        version = self._number(_U32)
        if version not in (2, 3):
            raise self.fault(f"version 2 or 3 of the format expected, found {version}")
        num_tensors = self._count(_TENSOR_BYTES, MAX_ENTRIES, "tensors")
        num_entries = self._count(_ENTRY_BYTES, MAX_ENTRIES, "entries of metadata")
        for _ in range(num_entries):
            name = self._text(MAX_NAME_BYTES)
            if name in self.metadata:
                raise self.fault(f"{name!r} is there twice")
            self.metadata[name] = self._value(self._number(_U32), name)
        for _ in range(num_tensors):
            yield self._entry()

    def _entry(self) -> Entry:
        name = self._text(MAX_NAME_BYTES)
        num_dimensions = self._number(_U32)
        if not 1 <= num_dimensions <= MAX_DIMENSIONS:
            raise self.fault(f"tensor {name!r} has {num_dimensions} dimensions, 1 to {MAX_DIMENSIONS} expected")
        shape = tuple(self._number(_U64) for _ in range(num_dimensions))
        return Entry(name, shape, self._number(_U32), self._number(_U64))

    def _value(self, kind: int, name: str) -> Value:
        if kind == _STRING:
            return self._text(MAX_TEXT_BYTES)
        if kind != _ARRAY:
            value: Scalar = self._scalars(kind, 1, name)[0].item()
            return value
        kind = self._number(_U32)
        if kind == _ARRAY:
            raise self.fault(f"{name!r} is an array of arrays, which no model of a known kind has")
        if kind != _STRING:
            return self._scalars(kind, self._number(_U64), name)
        count = self._count(_U64.size, MAX_STRINGS - self.num_strings, f"strings in {name!r}")
        self.num_strings += count
        return self._texts(count)

    def _scalars(self, kind: int, count: int, name: str) -> NDArray[np.generic]:
        dtype = _SCALARS.get(kind)
        if dtype is None:
            raise self.fault(f"{name!r} is of type {kind}, which is not known")
        return np.frombuffer(self._taken(count * dtype.itemsize), dtype)

    def _texts(self, count: int) -> list[str]:
        """Return `count` strings. Cost: about 0.3 µs each; vocabularies have hundreds of thousands."""
        data, at, size, length_at = self.data, self.at, len(self.data), _U64.unpack_from
        found: list[str] = []
        for _ in range(count):
            begin = at + 8
            if begin > size or (at := begin + length_at(data, begin - 8)[0]) > size:
                self.at = begin - 8
                raise self.fault("a string reaches beyond the end of the file")
            try:
                found.append(str(data[begin:at], "utf-8"))
            except UnicodeDecodeError as error:
                self.at = begin
                raise self.fault("a string is not UTF-8") from error
        self.at = at
        return found

    def _text(self, most: int) -> str:
        (length,) = _U64.unpack(self._taken(_U64.size))
        if length > most:
            raise self.fault(f"a string has {length} bytes, at most {most} expected")
        try:
            return str(self._taken(length), "utf-8")
        except UnicodeDecodeError as error:
            raise self.fault("a string is not UTF-8") from error

    def _count(self, least_bytes: int, most: int, what: str) -> int:
        """Return a count that the rest of the file can hold."""
        count = self._number(_U64)
        if count > most or count * least_bytes > len(self.data) - self.at:
            raise self.fault(f"it is said to have {count} {what}")
        return count

    def _number(self, form: Struct) -> int:
        number: int = form.unpack(self._taken(form.size))[0]
        return number

    def _taken(self, size: int) -> memoryview:
        if size > len(self.data) - self.at:
            raise self.fault(f"{size} bytes expected, {len(self.data) - self.at} left")
        self.at += size
        return self.data[self.at - size : self.at]
