"""The second tier: which blocks are kept, and in which rows of memory."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial

from gateway.engine.attention.base import AttentionBackend
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.engine.kv_cache import KvCache
from gateway.engine.offload.host_pages import HostPages, PinnedPages
from gateway.engine.offload.identity import identity
from gateway.engine.offload.page_file import PageFile
from gateway.engine.request import EngineStats

logger = logging.getLogger(__name__)
MEMORY, FILE = "memory", "file"


class SecondTier:
    """Blocks that were in the cache, by hash, least recently used first. The engine's thread calls everything.

    Use: while a step is planned `keep` names blocks to save; `save` copies them, before anything is written into them.

    Attributes:
        keeps_released: See `Tier`. With a file, so that it has them when the process is killed.
    """

    def __init__(
        self, pages: HostPages, file: PageFile | None, block_size: int, when_filled: Callable[[Sequence[int]], None]
    ) -> None:
        """Args: when_filled: Called with the blocks that were filled."""
        self._pages, self._file, self._block_size, self._when_filled = pages, file, block_size, when_filled
        self._rows: OrderedDict[bytes, int] = OrderedDict()
        self._free = list(range(pages.num_rows))
        self._leaving: dict[bytes, int] = {}
        self._wanted: frozenset[bytes] = frozenset()
        self._queued: set[int] = set()
        self._max_queued = max(pages.num_rows // 2, 1)
        self._written: deque[int] = deque()
        self._hits: Counter[str] = Counter()
        self.keeps_released = file is not None

    def __contains__(self, digest: object) -> bool:
        return digest in self._rows or (self._file is not None and digest in self._file)

    def keep(self, block: int, digest: bytes) -> None:
        """Save a block at the next `save`, unless it is known."""
        if digest in self._rows:
            self._rows.move_to_end(digest)
            self._write(digest)
        else:
            self._leaving[digest] = block

    def save(self) -> None:
        """Copy blocks into memory, and have them written to the file."""
        if not self._leaving:
            return
        leaving, self._leaving = self._leaving, {}
        saved = list[tuple[bytes, int, int]]()
        # Of a chain's blocks the first are released last, and needed most.
        for digest, block in reversed(leaving.items()):
            row = self._take_row()
            if row is None:
                break
            saved.append((digest, block, row))
        if not saved:
            return
        digests, blocks, rows = map(list, zip(*reversed(saved), strict=True))
        try:
            self._pages.store(blocks, rows)
        except Exception as error:
            logger.warning("%d blocks of keys and values are not kept: %r", len(rows), error)
            self._free += rows
            return
        self._rows.update(zip(digests, rows, strict=True))
        for digest in digests[max(len(digests) - self._max_queued + len(self._queued), 0) :]:
            self._write(digest)

    def fill(self, blocks: Sequence[int], digests: Sequence[bytes]) -> int:
        """Copy what is kept under hashes into blocks; return how many of them, from the first on, were filled."""
        self._wanted = frozenset(digests)
        for digest in filter(self._rows.__contains__, digests):
            self._rows.move_to_end(digest)
        self.save()  # the blocks may be among those that leave
        sources, rows = Counter[str](), list[int]()
        for digest in digests:
            source = MEMORY if digest in self._rows else FILE
            if source is FILE and not self._read(digest):
                break
            rows.append(self._rows[digest])
            sources[source] += self._block_size
        self._wanted = frozenset()
        try:
            self._pages.restore(rows, blocks[: len(rows)])
        except Exception as error:
            logger.warning("%d blocks of keys and values are computed again: %r", len(rows), error)
            return 0
        self._when_filled(blocks[: len(rows)])
        self._hits += sources
        return len(rows)

    def report(self, stats: EngineStats) -> None:
        """Fill in the counters of this tier."""
        stats.offload_hits = self._hits.copy()
        stats.offload_bytes = Counter({MEMORY: len(self._rows) * self._pages.row_bytes})
        if self._file is not None:
            stats.offload_bytes[FILE] = self._file.num_bytes

    def close(self) -> None:
        """Write what is queued for the file."""
        if self._file is not None:
            self.save()
            self._file.close()

    def _read(self, digest: bytes) -> bool:
        """Have a block of the file in memory; False if there is no room, or it was damaged."""
        if self._file is None or (row := self._take_row()) is None:
            return False
        if self._file.read_into(self._pages.memory(row), digest):
            self._rows[digest] = row
            return True
        self._free.append(row)
        return False

    def _write(self, digest: bytes) -> None:
        """Have a block in memory written to the file, unless that is behind. Its row is not taken before that."""
        row = self._rows[digest]
        if self._file is None or row in self._queued or len(self._queued) >= self._max_queued:
            return
        if self._file.offer(digest, partial(self._pages.memory, row), partial(self._written.append, row)):
            self._queued.add(row)

    def _take_row(self) -> int | None:
        """Return a row without content, that of the block used longest ago if need be; None: all are in use."""
        while self._written:
            self._queued.remove(self._written.popleft())
        if self._free:
            return self._free.pop()
        idle = (each for each, row in self._rows.items() if row not in self._queued and each not in self._wanted)
        digest = next(idle, None)
        return None if digest is None else self._rows.pop(digest)


def open_second_tier(
    digest: str, config: EngineConfig, cache: KvCache, attention: AttentionBackend
) -> SecondTier | None:
    """Return the second tier of a cache; None where none is asked for.

    Args:
        digest: Of the model's weights, for a file.
        attention: Reads the cache.

    Raises:
        InvalidEngineConfigError: Other settings do not allow it, there is no memory, or the file cannot be used.
    """
    if not config.kv_offload_bytes:
        return None
    if not config.prefix_caching:
        raise InvalidEngineConfigError("kv_offload_bytes needs prefix_caching: blocks are found by their hashes")
    device = cache.block_rows[0].device.type
    if device not in ("cpu", "cuda"):
        raise InvalidEngineConfigError(f"kv_offload_bytes needs a CPU or an NVIDIA GPU, and the device is {device}")
    pages = (HostPages if device == "cpu" else PinnedPages)(cache, config.kv_offload_bytes)
    path, file = config.kv_offload_file, None
    if path is not None:
        file = PageFile(path, config.kv_offload_file_bytes, identity(digest, config, cache), pages.row_bytes)
    return SecondTier(pages, file, config.block_size, partial(attention.note_filled, cache))
