"""Ownership of the blocks of key/value memory.

Every block is in exactly one of three states:

    spare     no owner, no content                                 -> `_spare`, freed last at the end
    cached    no owner, but its tokens are known by hash           -> `_cached`, least recently used first
    in use    in the block table of `references[block]` sequences

A hash names a block together with all that comes before it (each hash covers its predecessor's), so equal hashes mean
equal key/values. A block is published under its hash only when every token in it was computed.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol

from gateway.engine.request import EngineStats


def chain_hash(previous: bytes, token_ids: Sequence[int]) -> bytes:
    """Name a full block by its tokens and the hash of the block before it.

    Cryptographic, because a collision would show one user's context to another.
    """
    return hashlib.blake2b(previous + array("q", token_ids).tobytes(), digest_size=16).digest()


def first_hash(salt: str) -> bytes:
    """Return the predecessor of a first block's hash: prompts with different salts share no block."""
    return hashlib.blake2b(salt.encode(), digest_size=16).digest() if salt else b""


class Tier(Protocol):
    """Keeps the content of blocks; see `offload.second_tier`.

    Attributes:
        keeps_released: It is given blocks once their sequences have ended, and not only when they are reused.
    """

    keeps_released: bool

    def __contains__(self, digest: object) -> bool: ...
    def keep(self, block: int, digest: bytes) -> None: ...
    def save(self) -> None: ...
    def report(self, stats: EngineStats) -> None: ...
    def close(self) -> None: ...
    def fill(self, blocks: Sequence[int], digests: Sequence[bytes]) -> int: ...


class BlockAllocator:
    """Hands out blocks, counts references, finds blocks again by hash.

    Attributes:
        second: Keeps the content of blocks that are reused; None: it is lost.
    """

    second: Tier | None = None

    def __init__(self, num_blocks: int) -> None:
        self.num_blocks = num_blocks
        self._references = [0] * num_blocks
        self._hashes: list[bytes | None] = [None] * num_blocks
        self._published: dict[bytes, int] = {}
        self._spare = OrderedDict[int, None].fromkeys(reversed(range(num_blocks)))
        self._cached: OrderedDict[int, None] = OrderedDict()

    @property
    def num_free(self) -> int:
        """Blocks that `allocate` can still give, cached ones included."""
        return len(self._spare) + len(self._cached)

    def allocate(self) -> int:
        """Take one free block: a spare one; else the cached block that was used longest ago forgets its content.

        Of the spare ones that was freed last: memory of blocks that were never written stays with the kernel.
        """
        if self._spare:
            block, _ = self._spare.popitem()
        else:
            block, _ = self._cached.popitem(last=False)
            digest = self._forget(block)
            if self.second is not None:
                self.second.keep(block, digest)
        self._references[block] = 1
        return block

    def find(self, hashes: Sequence[bytes], unseen: Callable[[int], int] = lambda length: 0) -> tuple[list[int], int]:
        """Blocks that hold the longest known beginning of the chain, and how many of the chain it has.

        Takes no reference.

        Args:
            unseen: Number of blocks at the front, for a beginning of this length, that need not be known and are left
                out; grows with the length.
        """
        length = _longest(hashes, unseen, self._published.__contains__)
        return [self._published[digest] for digest in hashes[unseen(length) : length]], length

    def recall(self, hashes: Sequence[bytes], unseen: Callable[[int], int]) -> None:
        """Copy what the second tier alone has of the chain into free blocks, where `find` finds it. Arguments are those
        of `find`."""
        second, published = self.second, self._published
        assert second is not None
        length = _longest(hashes, unseen, lambda digest: digest in published or digest in second)
        wanted = hashes[unseen(length) : length]
        found = [published[digest] for digest in wanted if digest in published]
        missing = [digest for digest in wanted if digest not in published]
        if not missing:
            return
        self.share(found)  # so that they are not reused here
        missing = missing[: self.num_free]
        blocks = [self.allocate() for _ in missing]
        num_filled = second.fill(blocks, missing)
        for block, digest in zip(blocks[:num_filled], missing[:num_filled], strict=True):
            self.publish(block, digest)
        self.release(found + blocks)

    def report(self, stats: EngineStats) -> None:
        """Fill in what is known of blocks."""
        stats.num_free_blocks = self.num_free
        if self.second is not None:
            self.second.report(stats)

    def close(self) -> None:
        """End the second tier."""
        if self.second is not None:
            self.second.close()

    def share(self, blocks: Sequence[int]) -> None:
        """Take one more reference on each."""
        for block in blocks:
            self._cached.pop(block, None)
            self._references[block] += 1

    def is_idle(self, block: int) -> bool:
        """True if the block has no reference, so that sharing it uses up a free one."""
        return self._references[block] == 0

    def is_writable(self, block: int) -> bool:
        """True if the block has one owner and cannot be found by hash."""
        return self._references[block] == 1 and self._hashes[block] is None

    def own_last(self, table: list[int], copies: dict[int, int]) -> bool:
        """Copy on write: replace the last block of a table by a copy, unless it is writable. True if it was replaced.

        Args:
            copies: See `Plan.copies`; gets the copy.
        """
        shared = table[-1]
        if self.is_writable(shared):
            return False
        table[-1] = self.allocate()
        # All blocks are read before any is written, so a copy of a copy reads the original.
        copies[table[-1]] = copies.get(shared, shared)
        self.release([shared])
        return True

    def release(self, blocks: Sequence[int]) -> None:
        """Give back one reference on each. The end of a chain becomes reusable before its beginning."""
        for block in reversed(blocks):
            self._references[block] -= 1
            if self._references[block] == 0:
                digest = self._hashes[block]
                free = self._spare if digest is None else self._cached
                free[block] = None
                if digest is not None and self.second is not None and self.second.keeps_released:
                    self.second.keep(block, digest)

    def publish(self, block: int, digest: bytes) -> None:
        """Make a fully computed block findable. If the same content is known already, that one stays."""
        if digest not in self._published:
            self._published[digest] = block
            self._hashes[block] = digest

    def check_integrity(self, tables: Sequence[Sequence[int]]) -> None:
        """Assert that the three states are disjoint, complete, and agree with all block tables there are."""
        counted = [0] * self.num_blocks
        for table in tables:
            assert len(set(table)) == len(table), "a table names a block twice"
            for block in table:
                counted[block] += 1
        assert counted == self._references, "references differ from the tables"
        for block, references in enumerate(self._references):
            states = (block in self._spare) + (block in self._cached) + (references > 0)
            assert states == 1, f"block {block} is in {states} states"
            assert block not in self._spare or self._hashes[block] is None, f"spare block {block} has a hash"
            assert block not in self._cached or self._hashes[block] is not None, f"cached block {block} has none"
        known = {digest: block for block, digest in enumerate(self._hashes) if digest is not None}
        assert known == self._published, "published hashes differ from the blocks' own"

    def _forget(self, block: int) -> bytes:
        digest = self._hashes[block]
        assert digest is not None
        del self._published[digest]
        self._hashes[block] = None
        return digest


def _longest(hashes: Sequence[bytes], unseen: Callable[[int], int], is_known: Callable[[bytes], bool]) -> int:
    """Return how many hashes the longest known beginning has; see `BlockAllocator.find`."""
    length = first = 0
    for number, digest in enumerate(hashes, 1):
        if not is_known(digest):
            first = number
            if unseen(len(hashes)) < first:
                break
        elif first <= unseen(number):
            length = number
    return length
