"""The key/value memory of all layers: blocks of slots, one slot a token."""

from __future__ import annotations

import torch
from torch import Tensor


class LayerCache:
    """Keys and values of one layer.

    Allocated by the first write, which alone knows the shapes: some models have values of another size than keys.
    Where sizes agree, keys and values share one pool, so that one gather fetches both.

    Shapes: pool [num_blocks * block_size, 2 * kv_heads, head_size], or a pair of
        [num_blocks * block_size, kv_heads, size].
    """

    __slots__ = ("_block_size", "_keys", "_num_blocks", "_pool", "_values")

    def __init__(self, num_blocks: int, block_size: int) -> None:
        self._num_blocks = num_blocks
        self._block_size = block_size
        self._pool: Tensor | None = None
        self._keys: Tensor | None = None
        self._values: Tensor | None = None

    def write(self, slots: Tensor, key: Tensor, value: Tensor) -> None:
        """Store the keys and values of a step at their slots. Shapes: [T, kv_heads, size]."""
        if self._keys is None or self._values is None:
            self._allocate(key, value)
        assert self._keys is not None
        assert self._values is not None
        self._keys.index_copy_(0, slots, key)
        self._values.index_copy_(0, slots, value)

    def write_joint(self, slots: Tensor, joint: Tensor) -> None:
        """Store keys and values in one copy. Shapes: [T, 2 * kv_heads, head_size], the keys' heads first."""
        if self._pool is None:
            heads = joint.shape[1] // 2
            self._allocate(joint[:, :heads], joint[:, heads:])
        assert self._pool is not None
        self._pool.index_copy_(0, slots, joint)

    def read(self, blocks: Tensor, rows: int) -> tuple[Tensor, Tensor]:
        """Gather whole blocks for a number of sequences.

        Shapes: blocks [rows * n]; returns keys and values [rows, kv_heads, n * block_size, size].
        """
        length = blocks.shape[0] // rows * self._block_size
        if self._pool is not None:
            joint = self._gather(self._pool, blocks, rows, length)
            heads = joint.shape[2] // 2
            return joint[:, :, :heads].transpose(1, 2), joint[:, :, heads:].transpose(1, 2)
        assert self._keys is not None
        assert self._values is not None
        keys = self._gather(self._keys, blocks, rows, length)
        return keys.transpose(1, 2), self._gather(self._values, blocks, rows, length).transpose(1, 2)

    def read_run(self, first: int, num_blocks: int) -> tuple[Tensor, Tensor]:
        """Like `read` for one sequence whose blocks are neighbours: views, nothing is copied."""
        start, stop = first * self._block_size, (first + num_blocks) * self._block_size
        assert self._keys is not None
        assert self._values is not None
        return self._keys[None, start:stop].transpose(1, 2), self._values[None, start:stop].transpose(1, 2)

    def clear(self, blocks: list[int]) -> None:
        """Zero the content of blocks."""
        for pool in (self._keys, self._values):
            assert pool is not None
            for block in blocks:
                pool[block * self._block_size : (block + 1) * self._block_size] = 0

    @property
    def bytes_per_block(self) -> int:
        """Memory of one block of this layer; 0 before the first write."""
        if self._keys is None or self._values is None:
            return 0
        per_slot = self._keys[0].numel() + self._values[0].numel()
        return per_slot * self._block_size * self._keys.element_size()

    def _gather(self, pool: Tensor, blocks: Tensor, rows: int, length: int) -> Tensor:
        # Rows of whole blocks: index_select then copies long runs, several times faster than indexing by slot.
        flat = pool.view(self._num_blocks, -1).index_select(0, blocks)
        return flat.view(rows, length, *pool.shape[1:])

    def _allocate(self, key: Tensor, value: Tensor) -> None:
        # Zeros, not garbage: a block's unused slots are masked off, but 0 * nan would still be nan.
        slots = self._num_blocks * self._block_size
        heads = key.shape[1]
        if key.shape == value.shape:
            self._pool = torch.zeros((slots, 2 * heads, key.shape[2]), dtype=key.dtype, device=key.device)
            self._keys, self._values = self._pool[:, :heads], self._pool[:, heads:]
        else:
            self._keys = torch.zeros((slots, *key.shape[1:]), dtype=key.dtype, device=key.device)
            self._values = torch.zeros((slots, *value.shape[1:]), dtype=value.dtype, device=value.device)


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
