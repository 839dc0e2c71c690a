"""GGUF files of a model, split or not."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gateway.errors import ModelLoadError
from gateway.gguf.blocks import KINDS, Kind
from gateway.gguf.reader import Entry, Header, Value

SUFFIX = ".gguf"
MAX_PARTS = 1 << 10
MAX_ALIGNMENT = 1 << 16

_PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf")

_PROJECTOR = "mmproj"
"""Prefixes of files with image projectors for a model beside them."""

_Of = TypeVar("_Of", str, int, float, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """A tensor, not read yet.

    Attributes:
        shape: The slowest dimension first, as numpy has it.
        data: Its blocks, mapped from the file. Shapes: [rows, bytes of a row], rows: all dimensions but the last.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    data: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufFile:
    """A model, of which only the header was read.

    Attributes:
        path: The file; of several the first.
        paths: All files of the model.
        metadata: Metadata of the first file.
        headers: The bytes of each file before those of its tensors.
        maps: Each file, mapped.
        tensors: Tensors of all files, by name.
    """

    path: Path
    paths: tuple[Path, ...]
    headers: tuple[memoryview, ...]
    maps: tuple[mmap.mmap, ...]
    metadata: Mapping[str, Value]
    tensors: Mapping[str, Tensor]

    @classmethod
    def open(cls, path: Path) -> GgufFile:
        """Map the file, and the others of a model that was split, of which it is the first.

        Cost: reads the headers; memory of the metadata.

        Raises:
            ModelLoadError: A file is missing, cut or malformed; says which, and where.
        """
        first, tensors = _read(path)
        paths, headers = _parts(path, first.metadata), [first]
        for further in paths[1:]:
            header, more = _read(further)
            twice = tensors.keys() & more.keys()
            if twice:
                raise ModelLoadError(f"{further} has tensor {min(twice)!r}, which a part before it has")
            headers.append(header)
            tensors |= more
        return cls(
            path=path,
            paths=paths,
            headers=tuple(header.data[: header.at] for header in headers),
            maps=tuple(header.mapped for header in headers),
            metadata=first.metadata,
            tensors=tensors,
        )

    def release(self) -> None:
        """Release the memory of tensors read so far; they are read from the file again on demand."""
        for mapped in self.maps:
            mapped.madvise(mmap.MADV_DONTNEED)

    def get(self, name: str, kind: type[_Of], default: _Of | None = None) -> _Of:
        """Return a value of the metadata.

        Raises:
            ModelLoadError: The key is missing without a default, or has another type.
        """
        value = self.metadata.get(name, default)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if value is None:
            raise ModelLoadError(f"{self.path} says nothing of {name!r}")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ModelLoadError(
                f"{self.path}: {name!r} is {str(value)[:64]!r}; a value of type {kind.__name__} expected"
            )
        return value


def _read(path: Path) -> tuple[Header, dict[str, Tensor]]:
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # of an empty file nothing can be mapped
        raise ModelLoadError(f"{path} cannot be read: {error}") from error
    header = Header(path, mapped)
    entries = list(header.read())
    alignment = header.metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 0 < alignment <= MAX_ALIGNMENT or alignment & (alignment - 1):
        raise header.fault(f"'general.alignment' is {alignment!r}; a power of two expected")
    begin = header.at + -header.at % alignment
    tensors: dict[str, Tensor] = {}
    for entry, data in _mapped(header, entries, begin):
        if entry.name in tensors:
            raise header.fault(f"tensor {entry.name!r} is there twice")
        shape = entry.shape[::-1]
        tensors[entry.name] = Tensor(
            name=entry.name, kind=KINDS[entry.kind], shape=shape, data=data.reshape(prod(shape[:-1]), -1)
        )
    return header, tensors


def _mapped(header: Header, entries: list[Entry], begin: int) -> Iterator[tuple[Entry, NDArray[np.uint8]]]:
    """Yield each tensor's bytes in file order; overlaps are refused, which bounds their total size."""
    end = 0
    for entry in sorted(entries, key=lambda each: each.offset):
        kind = KINDS.get(entry.kind)
        if kind is None:
            known = ", ".join(each.name for each in KINDS.values())
            raise header.fault(f"tensor {entry.name!r} is of type {entry.kind}, which is not read; {known} are")
        if min(entry.shape) < 1 or entry.shape[0] % kind.block:
            raise header.fault(f"tensor {entry.name!r} has shape {entry.shape}, not of blocks of {kind.block} numbers")
        if entry.offset < end:
            raise header.fault(f"tensor {entry.name!r} begins within another")
        size = prod(entry.shape) // kind.block * kind.block_bytes
        end = entry.offset + size
        if begin + end > len(header.data):
            raise header.fault(
                f"tensor {entry.name!r} ends at byte {begin + end} of a file of {len(header.data)}; it may be cut"
            )
        yield entry, np.frombuffer(header.data, np.uint8, size, begin + entry.offset)


def _parts(path: Path, metadata: Mapping[str, Value]) -> tuple[Path, ...]:
    """Return all files of the model that this file belongs to as the first."""
    count, number = metadata.get("split.count", 1), metadata.get("split.no", 0)
    if count in (0, 1):
        return (path,)
    told = _PART.fullmatch(path.name)
    if told is None or not isinstance(count, int) or int(told["count"]) != count or count > MAX_PARTS:
        raise ModelLoadError(
            f"{path} is a part of {count!r}; the names of parts expected that end like -00001-of-00003.gguf"
        )
    paths = tuple(path.with_name(each) for each in part_names(path.name))
    if number != 0 or path != paths[0]:
        raise ModelLoadError(f"{path} is not the first part of its model; name {paths[0].name}")
    missing = [each.name for each in paths if not each.is_file()]
    if missing:
        raise ModelLoadError(f"of the {count} parts of {path} {len(missing)} are missing: {', '.join(missing[:3])}")
    return paths


def part_names(name: str) -> list[str]:
    """Return the names of all files of a model, by that of one of them; each with the folder that it is in."""
    told = _PART.fullmatch(name)
    if told is None or int(told["count"]) > MAX_PARTS:
        return [name]
    return [f"{told['stem']}-{each:05}-of-{told['count']}{SUFFIX}" for each in range(1, int(told["count"]) + 1)]


def model_in(folder: Path) -> Path | None:
    """Return the GGUF model of a folder, the first part of a split one; None if there is none.

    Raises:
        ModelLoadError: There are several; lists them.
    """
    found = [
        path
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        if part_names(path.name)[0] == path.name and not path.name.lower().startswith(_PROJECTOR)
    ]
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise ModelLoadError(f"{folder} holds {len(found)} GGUF models: {names}; name the file of one")
    return found[0] if found else None
