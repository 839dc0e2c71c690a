"""The key/value memory of all layers: blocks of slots, one slot a token."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from gateway.engine.batch import Batch

Pools = tuple[Tensor, ...]
"""Keys and values side by side along the heads in one tensor, or in two where their sizes differ."""


class LayerCache:
    """Keys and values of one layer.

    Allocated by the first write, which alone knows the shapes: some models have values of another size than keys. Where
    sizes agree, keys and values share one pool, so that one copy stores and one gather fetches both.

    Shapes: one pool [slots, 2 * kv_heads, size] with the keys' heads first, or two of [slots, kv_heads, size].
    """

    __slots__ = ("_block_size", "_kept", "_num_blocks", "_pools")

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self._num_blocks = num_blocks
        self._block_size = block_size
        self._pools: Pools = ()
        self._kept: Pools = ()

    def write(self, batch: Batch, key: Tensor, value: Tensor) -> None:
        """Store the keys and values of a step. Shapes: [T, kv_heads, size]."""
        self._write(batch, (torch.cat((key, value), dim=1),) if key.shape == value.shape else (key, value))

    def write_joint(self, batch: Batch, joint: Tensor) -> None:
        """Like `write`, for keys and values that stand side by side. Shapes: [T, 2 * kv_heads, size]."""
        self._write(batch, (joint,))

    def read(self, blocks: Tensor, rows: int) -> tuple[Tensor, Tensor]:
        """Gather whole blocks for a number of sequences.

        Shapes: blocks [rows * n]; returns keys and values [rows, kv_heads, n * block_size, size].
        """
        return _split(self._gather(blocks, rows))

    def read_decodes(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Keys and values of the decoding sequences, after this step's `write`; see `Reads`.

        Shapes: [num_decodes, kv_heads, length, size].
        """
        assert batch.reads is not None
        return _split(tuple(row[:, : batch.reads.length] for row in self._decode_rows(batch)))

    def read_joint_decodes(self, batch: Batch) -> Tensor:
        """The same as one tensor, for the joint pool alone: each sequence's slots, at least as many as it has.

        Shapes: [num_decodes, slots, 2 * kv_heads, size], contiguous.
        """
        (joint,) = self._decode_rows(batch)
        return joint

    @property
    def is_joint(self) -> bool:
        """Whether keys and values share a pool; known once something was written."""
        return len(self._pools) == 1

    def clear(self, blocks: list[int]) -> None:
        """Zero the content of blocks."""
        for pool in self._pools:
            for block in blocks:
                pool[block * self._block_size : (block + 1) * self._block_size] = 0

    def copy(self, sources: list[int], targets: list[int]) -> None:
        """Copy the content of blocks into others; all are read before any is written."""
        for pool in self._pools:
            rows = pool.view(self._num_blocks, -1)
            rows[targets] = rows[sources]

    @property
    def bytes_per_block(self) -> int:
        """Memory of one block of this layer; 0 before the first write."""
        return sum(pool[0].numel() * pool.element_size() for pool in self._pools) * self._block_size

    def _write(self, batch: Batch, parts: Pools) -> None:
        if not self._pools:
            # Zeros, not garbage: a block's unused slots are masked off, but 0 * nan would still be nan.
            slots = self._num_blocks * self._block_size
            self._pools = tuple(part.new_zeros((slots, *part.shape[1:])) for part in parts)
        for pool, part in zip(self._pools, parts, strict=True):
            pool.index_copy_(0, batch.slots, part)
        if batch.reads is not None and batch.reads.slots is not None:
            for kept, part in zip(self._kept, parts, strict=True):
                kept.view(-1, *part.shape[1:]).index_copy_(0, batch.reads.slots, part[: batch.num_decode_rows])

    def _decode_rows(self, batch: Batch) -> Pools:
        reads = batch.reads
        assert reads is not None
        if reads.blocks is None:
            return self._kept
        rows = self._gather(reads.blocks, batch.num_decodes)
        self._kept = rows if reads.capacity else ()
        return rows

    def _gather(self, blocks: Tensor, rows: int) -> Pools:
        # Rows of whole blocks: index_select then copies long runs, several times faster than indexing by slot.
        length = blocks.shape[0] // rows * self._block_size
        flat = (pool.view(self._num_blocks, -1).index_select(0, blocks) for pool in self._pools)
        return tuple(
            gathered.view(rows, length, *pool.shape[1:]) for gathered, pool in zip(flat, self._pools, strict=True)
        )


class KvCache:
    """One `LayerCache` per layer, made when the layer first asks."""

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self._layers: dict[int, LayerCache] = {}

    def layer(self, index: int) -> LayerCache:
        """The cache of this layer."""
        cache = self._layers.get(index)
        if cache is None:
            cache = self._layers[index] = LayerCache(self.num_blocks, self.block_size)
        return cache

    @property
    def bytes_per_block(self) -> int:
        """Memory of one block, all layers together; known once a step has run."""
        return sum(layer.bytes_per_block for layer in self._layers.values())

    def clear(self, blocks: list[int]) -> None:
        """Zero the content of blocks."""
        for layer in self._layers.values():
            layer.clear(blocks)

    def copy(self, source_of: Mapping[int, int]) -> None:
        """Copy blocks in every layer: into each key, the block it is mapped to."""
        targets, sources = list(source_of), list(source_of.values())
        for layer in self._layers.values() if targets else ():
            layer.copy(sources, targets)


def _split(rows: Pools) -> tuple[Tensor, Tensor]:
    """[rows, length, heads, size] -> keys and values [rows, kv_heads, length, size], as views."""
    if len(rows) == 2:
        return rows[0].transpose(1, 2), rows[1].transpose(1, 2)
    heads = rows[0].shape[2] // 2
    return rows[0][:, :, :heads].transpose(1, 2), rows[0][:, :, heads:].transpose(1, 2)
