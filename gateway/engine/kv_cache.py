"""The key/value memory of all layers: blocks of slots, one slot a token."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from functools import cache
from math import prod

import torch
from torch import Tensor

Pools = tuple[Tensor, ...]
"""Keys and values side by side along the heads in one tensor, or in two where their sizes differ."""


FP8, LARGEST_FP8 = torch.float8_e4m3fn, 448.0


def to_fp8(numbers: Tensor) -> Tensor:
    """Return the bits of the nearest floats of eight bits (e4m3), at most 448; infinity and nan become nan."""
    near = numbers.clamp(-LARGEST_FP8, LARGEST_FP8).masked_fill_(~numbers.isfinite(), torch.nan)
    return near.to(FP8).view(torch.uint8)


def from_fp8(bits: Tensor, dtype: torch.dtype) -> Tensor:
    """The numbers of such bits, looked up: on a CPU in a sixth of the time that torch takes to convert them."""
    return _numbers_of_fp8(dtype, bits.device).index_select(0, bits.flatten().int()).view(bits.shape)


@cache
def _numbers_of_fp8(dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.arange(256, dtype=torch.uint8, device=device).view(FP8).to(dtype)


class LayerCache:
    """Keys and values of one layer.

    Allocated for slots that are like those of another cache, or by the first write: only the model knows their shapes,
    and some have values of another size than keys. Where sizes agree, keys and values share one pool, so that one copy
    stores and one gather fetches both.

    Attributes:
        is_fp8: They are kept in eight bits, see `to_fp8`: pools are of such bits.
        pools: One [slots, 2 * kv_heads, size] with the keys' heads first, or two of [slots, kv_heads, size].
        keys, values: Views of them. Shapes: [slots, kv_heads, size].
    """

    __slots__ = ("_block_size", "_num_blocks", "is_fp8", "keys", "pools", "values")

    def __init__(self, num_blocks: int, block_size: int, like: Pools = (), *, is_fp8: bool = False) -> None:
        self.is_fp8 = is_fp8
        self._num_blocks = num_blocks
        self._block_size = block_size
        self.pools: Pools = ()
        if like:
            self._allocate(like)

    def write(self, slots: Tensor, key: Tensor, value: Tensor) -> None:
        """Store the keys and values of a step. Shapes: slots [T], the others [T, kv_heads, size]."""
        self._write(slots, (torch.cat((key, value), dim=1),) if key.shape == value.shape else (key, value))

    def write_joint(self, slots: Tensor, joint: Tensor) -> None:
        """Write keys and values that are side by side, like `write`. Shapes: [T, 2 * kv_heads, size]."""
        self._write(slots, (joint,))

    def read(self, blocks: Tensor, rows: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Gather whole blocks for a number of sequences, as numbers of the type of the step's.

        Shapes: blocks [rows * n]; returns keys and values [rows, kv_heads, n * block_size, size].
        """
        # Rows of whole blocks: index_select then copies long runs, several times faster than indexing by slot.
        length = blocks.shape[0] // rows * self._block_size
        gathered = [pool.view(self._num_blocks, -1).index_select(0, blocks) for pool in self.pools]
        if self.is_fp8:
            gathered = [from_fp8(each, dtype) for each in gathered]
        shaped = [
            each.view(rows, length, *pool.shape[1:]).transpose(1, 2)
            for each, pool in zip(gathered, self.pools, strict=True)
        ]
        keys, values = shaped if len(shaped) == 2 else shaped[0].chunk(2, dim=1)
        return keys, values

    @property
    def pages(self) -> tuple[Tensor, Tensor]:
        """Return all keys and all values, as views. Shapes: [blocks, block_size, kv_heads, size], both."""
        sizes = self._num_blocks, self._block_size
        keys, values = (each.view(*sizes, *each.shape[1:]) for each in (self.keys, self.values))
        return keys, values

    def clear(self, blocks: list[int]) -> None:
        """Zero the content of blocks."""
        for pool in self.pools:
            for block in blocks:
                pool[block * self._block_size : (block + 1) * self._block_size] = 0

    def copy(self, sources: list[int], targets: list[int]) -> None:
        """Copy the content of blocks into others; all are read before any is written."""
        for pool in self.pools:
            rows = pool.view(self._num_blocks, -1)
            rows[targets] = rows[sources]

    @property
    def bytes_per_block(self) -> int:
        """Memory of one block of this layer; 0 before the first write."""
        return sum(pool[0].nbytes for pool in self.pools) * self._block_size

    def _write(self, slots: Tensor, parts: Pools) -> None:
        if not self.pools:
            self._allocate(parts)
        for pool, part in zip(self.pools, parts, strict=True):
            pool.index_copy_(0, slots, to_fp8(part) if self.is_fp8 else part)

    def _allocate(self, like: Pools) -> None:
        num_slots = self._num_blocks * self._block_size
        self.pools = tuple(
            _zeros((num_slots, *part.shape[1:]), torch.uint8 if self.is_fp8 else part.dtype, part.device)
            for part in like
        )
        self.keys, self.values = self.pools if len(self.pools) == 2 else self.pools[0].chunk(2, dim=1)


def _zeros(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    """Zeros, not garbage: a block's unused slots are masked off, but 0 * nan would still be nan.

    On a CPU they are pages that the kernel hands out, zeroed, when a slot is first written: memory follows use.
    """
    if device.type != "cpu":
        return torch.zeros(shape, dtype=dtype, device=device)
    pages = mmap.mmap(-1, prod(shape) * dtype.itemsize)
    return torch.frombuffer(pages, dtype=dtype).view(shape)


class KvCache:
    """One `LayerCache` for each layer.

    Args:
        like: Of each layer a slot, by its index: their memory is taken at once, that of others by their first write.
        is_fp8: See `LayerCache`.

    Attributes:
        beside: Those of other models over the same blocks.
    """

    def __init__(
        self, num_blocks: int, block_size: int, like: Mapping[int, Pools] | None = None, *, is_fp8: bool = False
    ) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.beside: tuple[KvCache, ...] = ()
        self.is_fp8 = is_fp8
        self._layers: dict[int, LayerCache] = {}
        for index, slot in (like or {}).items():
            self._layers[index] = LayerCache(num_blocks, block_size, slot, is_fp8=is_fp8)

    def layer(self, index: int) -> LayerCache:
        """The cache of this layer."""
        cache = self._layers.get(index)
        if cache is None:
            cache = self._layers[index] = LayerCache(self.num_blocks, self.block_size, is_fp8=self.is_fp8)
        return cache

    @property
    def slots(self) -> dict[int, Pools]:
        """One slot of each layer that was written to, by its index."""
        return {index: tuple(pool[:1] for pool in layer.pools) for index, layer in self._layers.items()}

    @property
    def block_rows(self) -> list[Tensor]:
        """Return all memory of the layers that was taken, as views with a row a block: its bits, as whole numbers."""
        rows = [pool.view(self.num_blocks, -1) for _, each in sorted(self._layers.items()) for pool in each.pools]
        is_wide = all(row.shape[1] * row.itemsize % 8 == 0 for row in rows)
        return [row.view(torch.int64 if is_wide else torch.uint8) for row in rows]

    @property
    def bytes_per_block(self) -> int:
        """Memory of one block, all layers together; known once a step has run."""
        return sum(layer.bytes_per_block for layer in self._layers.values())

    def clear(self, blocks: list[int]) -> None:
        """Zero the content of blocks, of other models' too."""
        for layer in self._layers.values():
            layer.clear(blocks)
        for other in self.beside:
            other.clear(blocks)

    def copy(self, source_of: Mapping[int, int]) -> None:
        """Copy blocks in every layer, of other models too: into each key, the block it is mapped to."""
        targets, sources = list(source_of), list(source_of.values())
        for layer in self._layers.values():
            layer.copy(sources, targets)
        for other in self.beside:
            other.copy(source_of)
