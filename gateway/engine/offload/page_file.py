"""A bounded file of blocks' pages, by hash, that survives a restart.

    | header: magic, identity of model and layout | record | record | ...
    record   | hash | number | CRC-32 | pages |

The file is never trusted: a record counts only if its hash and checksum are right when it is read. So nothing needs to
be written in an order, or flushed, and a process may be killed at any moment.
"""

from __future__ import annotations

import fcntl
import logging
import os
import stat
import struct
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Lock, Thread
from zlib import crc32

from gateway.engine.errors import InvalidEngineConfigError

logger = logging.getLogger(__name__)

MAGIC = b"portcullis-kv-1\n"
HEADER_BYTES = 4096
HEAD = struct.Struct("<16sQI4x")
MAX_NUMBER = (1 << 64) - 1
LOCK_WAIT_S = 5.0
"""For a process that was killed and whose successor is here already."""


@dataclass(frozen=True, slots=True)
class _Job:
    digest: bytes
    memory: Callable[[], memoryview]
    done: Callable[[], None]


class PageFile:
    """Records of one file, which no other process has. Read by the engine's thread, written by one of its own."""

    def __init__(self, path: str, max_bytes: int, identity: bytes, row_bytes: int) -> None:
        """Open or create the file, and find its records.

        Args:
            identity: What records of the same hash need to have in common; those of another identity are dropped.

        Raises:
            InvalidEngineConfigError: It cannot be opened, is another process's, or the bound holds no record.
        """
        self._path, self._row_bytes = path, row_bytes
        self._record_bytes = HEAD.size + row_bytes
        self._max_records = (max_bytes - HEADER_BYTES) // self._record_bytes
        if self._max_records < 1:
            least = HEADER_BYTES + self._record_bytes
            raise InvalidEngineConfigError(f"kv_offload_file_bytes must be at least {least} for this model")
        self._descriptor = _open(path)
        self._places: OrderedDict[bytes, int] = OrderedDict()
        self._free: list[int] = []
        self._num_records = 0
        self._next_number = 1
        self._lock = Lock()
        self._is_usable, self._has_complained = True, False
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer = Thread(target=self._write_queued, name="portcullis-kv-file", daemon=True)
        try:
            self._begin(MAGIC + len(identity).to_bytes(4, "little") + identity)
        except OSError as error:
            os.close(self._descriptor)
            raise InvalidEngineConfigError(f"kv_offload_file: {path}: {error.strerror}") from error
        self._writer.start()

    def __contains__(self, digest: object) -> bool:
        return digest in self._places

    @property
    def num_bytes(self) -> int:
        """Bytes of the pages in the file."""
        return len(self._places) * self._row_bytes

    def read_into(self, memory: memoryview, digest: bytes) -> bool:
        """Fill memory with the pages of a block; False if the record was damaged, and is dropped."""
        with self._lock:  # so that the record is not replaced meanwhile
            place = self._places.get(digest)
            if place is None:
                return False
            head, num_read = bytearray(HEAD.size), 0
            with suppress(OSError):
                num_read = os.preadv(self._descriptor, [head, memory], self._offset(place))
            found, number, checksum = HEAD.unpack(head)
            if num_read == self._record_bytes and found == digest and checksum == _sum(found, number, memory):
                self._places.move_to_end(digest)
                return True
            del self._places[digest]
            self._free.append(place)
        self._complain("has a damaged record, which is dropped like all others that will be found")
        return False

    def offer(self, digest: bytes, memory: Callable[[], memoryview], done: Callable[[], None]) -> bool:
        """Have a block written soon; False if it is not: the file has it, or cannot be written.

        Args:
            memory: Gives its pages, which stay as they are until `done` is called. Both from another thread.
        """
        with self._lock:
            if digest in self._places:
                self._places.move_to_end(digest)
                return False
        if self._is_usable:
            self._queue.put(_Job(digest, memory, done))
        return self._is_usable

    def close(self) -> None:
        """Write what is queued, and give the file back."""
        self._queue.put(None)
        self._writer.join()
        os.close(self._descriptor)

    def _begin(self, header: bytes) -> None:
        header = header.ljust(HEADER_BYTES, b"\0")
        found = os.pread(self._descriptor, HEADER_BYTES, 0)
        if found and not found.startswith(MAGIC):
            self._is_usable = False
            logger.error("kv_offload_file: %s is no file of keys and values; it is left alone and not used", self._path)
            return
        if found and found != header:
            logger.warning("kv_offload_file: %s is of another model or setting, or damaged: it is emptied", self._path)
        if found != header:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, header, 0)
        whole = (os.fstat(self._descriptor).st_size - HEADER_BYTES) // self._record_bytes
        self._num_records = min(whole, self._max_records)
        os.ftruncate(self._descriptor, self._offset(self._num_records))
        numbers = dict[bytes, int]()
        for place in range(self._num_records):
            digest, number, _ = HEAD.unpack(os.pread(self._descriptor, HEAD.size, self._offset(place)))
            if number > numbers.get(digest, 0):
                numbers[digest] = number
                self._places[digest] = place
        self._places = OrderedDict(sorted(self._places.items(), key=lambda each: numbers[each[0]]))
        self._next_number = max(numbers.values(), default=0) + 1
        taken = set(self._places.values())
        self._free = [place for place in range(self._num_records) if place not in taken]

    def _write_queued(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                if self._is_usable and job.digest not in self._places:
                    self._write(job.digest, job.memory())
            except Exception as error:
                self._is_usable = False
                self._complain(f"is written no longer: {error}")
            finally:
                job.done()

    def _write(self, digest: bytes, memory: memoryview) -> None:
        with self._lock:
            place = self._take_place()
        number = min(self._next_number, MAX_NUMBER)
        self._next_number = number + 1
        head = HEAD.pack(digest, number, _sum(digest, number, memory))
        if os.pwritev(self._descriptor, [head, memory], self._offset(place)) < self._record_bytes:
            raise OSError("a record was cut off")
        with self._lock:
            self._places[digest] = place

    def _take_place(self) -> int:
        """Return a place without record, that of the block used longest ago if need be."""
        if self._free:
            return self._free.pop()
        if self._num_records < self._max_records:
            self._num_records += 1
            return self._num_records - 1
        return self._places.popitem(last=False)[1]

    def _offset(self, place: int) -> int:
        return HEADER_BYTES + place * self._record_bytes

    def _complain(self, what: str) -> None:
        """Log once, or a damaged disk would fill the log."""
        if not self._has_complained:
            self._has_complained = True
            logger.warning("kv_offload_file: %s %s", self._path, what)


def _sum(digest: bytes, number: int, memory: memoryview) -> int:
    return crc32(memory, crc32(digest + number.to_bytes(8, "little")))


def _open(path: str) -> int:
    """Return a descriptor of a file that only its owner may read, locked."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise InvalidEngineConfigError(f"kv_offload_file: {path}: {error.strerror}") from error
    problem = "is no regular file"
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        problem = "is used by another engine; each model and server needs a file of its own"
        end = time.monotonic() + LOCK_WAIT_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= end:
                    break
                time.sleep(0.05)
            else:
                return descriptor
    os.close(descriptor)
    raise InvalidEngineConfigError(f"kv_offload_file: {path} {problem}")
