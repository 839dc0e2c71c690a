"""The audit log: a thread commits records as links of the chain."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gateway.audit.chain import NOTHING, Anchor, BrokenChainError, Chain, Link, began_at, now, record_of
from gateway.audit.store import STORE_ERRORS, ContinuedError, Store, reason
from gateway.config import AuditConfig
from gateway.errors import AuditError, ConfigError

logger = logging.getLogger(__name__)

Record = Mapping[str, Any]
_MAX_ENTRIES = 256
"""Requests whose records are committed together."""
_ATTEMPTS = 10
"""With other processes that write the same chain."""
LOOK_S = 1.0
"""Seconds between looks at the place of the records while nothing is written."""
_KNOWN_ERRORS = (*STORE_ERRORS, ContinuedError, BrokenChainError)


class _Entry:
    """Records of one request, and the future that waits for them."""

    __slots__ = ("loop", "records", "waiter")

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.loop: asyncio.AbstractEventLoop | None = None
        self.waiter: asyncio.Future[bool] | None = None

    def wait(self) -> asyncio.Future[bool]:
        """Ends with whether the records were committed."""
        self.loop = asyncio.get_running_loop()
        self.waiter = self.loop.create_future()
        return self.waiter

    def end(self, *, is_kept: bool) -> None:
        if self.loop is not None:
            with suppress(RuntimeError):  # the loop was closed
                self.loop.call_soon_threadsafe(self._tell, is_kept)

    def _tell(self, is_kept: bool) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(is_kept)


class AuditLog:
    """Stores records. `write` them from an event loop, and `close` at the end.

    Attributes:
        num_records: Records that were committed.
        num_dropped: Requests whose records were not, for want of room.
        num_lost: Requests whose records were not, because they could not be written.
        num_failures: Commits that failed.

    Raises:
        ConfigError: The settings cannot be used.
    """

    def __init__(self, config: AuditConfig) -> None:
        assert config.url is not None
        self._config = config
        self._blocks = config.backpressure == "block"
        self._chain = Chain.keyed_by(config.key_file)
        self._store = Store(config.url, is_durable=self._blocks)
        if self._store.base is None and (config.rotate_bytes or config.rotate_s):
            self._store.close()
            raise ConfigError("audit.rotate_bytes and audit.rotate_s are about SQLite files; a server has one table")
        self._slots = asyncio.Semaphore(config.max_waiting)
        self._entries: deque[_Entry] = deque()
        self._wake = threading.Condition()
        self._is_closed = False
        self._num_untold = 0
        self._tail: Anchor | None = None
        self._first_time = 0.0
        self._num_taken = 0
        self._is_head_behind = False
        self._fault = ""
        self.num_records = self.num_dropped = self.num_lost = self.num_failures = 0
        try:
            self._begin()
        except _KNOWN_ERRORS as error:
            self._store.close()
            raise ConfigError(f"cannot write the audit log: {reason(error)}") from error
        logger.info("the audit log goes on from %s", self._tail)
        self._thread = threading.Thread(target=self._run, name="portcullis-audit", daemon=True)
        self._thread.start()

    @property
    def keeps_contents(self) -> bool:
        """True if contents are stored."""
        return self._config.contents

    @property
    def num_waiting(self) -> int:
        """Requests whose records are to be committed, or are being."""
        return len(self._entries) + self._num_taken

    @property
    def trouble(self) -> str:
        """Why every reply would be refused now, in a few words; empty while none is for want of its record."""
        refuses = self._blocks and self._config.on_failure == "refuse"
        return "records of requests cannot be written" if self._fault and refuses else ""

    async def write(self, records: Sequence[Record]) -> None:
        """Store the records of a request; with `backpressure = "block"` they are committed on return. After
        cancellation they are still stored if there is room, else counted.

        Raises:
            AuditError: The records could not be written, and the reply must be withheld.
        """
        entry = _Entry(records)
        if not self._blocks:
            return self._offer(entry)
        is_kept, waiter = False, entry.wait()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._config.commit_timeout_s):
                try:
                    await self._slots.acquire()
                    # Not on cancellation: the entry takes up room until it is written.
                    waiter.add_done_callback(lambda _: self._slots.release())
                finally:  # out of time or cancelled, too
                    self._offer(entry)
                is_kept = await asyncio.shield(waiter)
        if not is_kept and self._config.on_failure == "refuse":
            raise AuditError("what is kept of this request could not be written, so its answer is withheld")

    def close(self) -> None:
        """Write what waits, and end the thread."""
        with self._wake:
            self._is_closed = True
            self._wake.notify()
        self._thread.join()
        self._store.close()
        logger.info("the audit log ends at %s", self._tail or "a place that is not known")

    def _offer(self, entry: _Entry) -> None:
        """Have it written if there is room, else counted."""
        with self._wake:
            if self._is_closed or self.num_waiting >= self._config.max_waiting:
                self.num_dropped += 1
                self._num_untold += 1
                entry.end(is_kept=False)
            else:
                self._entries.append(entry)
                self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                # Without requests, too: a server that is not ready gets none, and is to know when it is again.
                self._wake.wait_for(lambda: self._entries or self._is_closed, LOOK_S)
                entries = [self._entries.popleft() for _ in range(min(len(self._entries), _MAX_ENTRIES))]
                num_dropped, self._num_untold = self._num_untold, 0
                self._num_taken = len(entries)
                if self._is_closed and not entries and not num_dropped:
                    return
            failure = ""
            try:
                self._check_place()
                if entries or num_dropped:
                    self._commit(entries, num_dropped)
            except Exception as error:
                failure = reason(error) or repr(error)
                if entries or failure != self._fault:
                    known = isinstance(error, _KNOWN_ERRORS)
                    what = f"records of {len(entries)} requests are lost" if entries else "records cannot be written"
                    logger.error("%s: %s", what, failure, exc_info=not known)
                self._tail = None
                with self._wake:
                    self._num_untold += num_dropped + len(entries)
                    self.num_lost += len(entries)
                    self.num_failures += bool(entries)
            if self._fault and not failure:
                logger.info("records are written again")
            self._fault = failure
            self._num_taken = 0
            for entry in entries:
                entry.end(is_kept=not failure)
            if failure and self._is_closed and not self._entries:
                return

    def _check_place(self) -> None:
        try:
            self._store.check_place()
        except OSError:
            # A file that another process has ended may be moved away before this one has seen its end.
            if not self._store.begin_later_file():
                raise
            self._tail = None

    def _commit(self, entries: Sequence[_Entry], num_dropped: int) -> None:
        records = [record for entry in entries for record in entry.records]
        if num_dropped:
            records.insert(0, _record("dropped", num=num_dropped))
        if self._is_due():
            self._rotate()
        self._append(records)
        try:
            self._tell_head()
        except OSError as error:  # the commit is done, and the next one writes a later head
            if not self._is_head_behind:
                logger.error("records are written, but audit.head_file is not: %s", error)
            self._is_head_behind = True
        else:
            self._is_head_behind = False

    def _append(self, records: Sequence[Record]) -> None:
        """Commit the records at the end of the chain."""
        for _ in range(_ATTEMPTS):
            tail = self._tail or self._found_tail()
            links = self._chain.linked(tail, records)
            try:
                self._store.append(links)
            except ContinuedError:
                self._tail = None
                continue
            self._store.check_place()  # what was written to a file that is gone was not kept
            self._tail = links[-1].anchor
            self.num_records += len(links)
            return
        raise ContinuedError("others write the same chain all the time")

    def _found_tail(self) -> Anchor:
        """Return the end of the chain, in a file that is not ended."""
        last = self._store.tail()
        tail = NOTHING if last is None else last.anchor
        if last is not None and record_of(last)["kind"] == "ended":
            tail = self._begin_next(last)
        first = self._store.first()
        if first is not None:
            self._first_time = began_at(first)
        return tail

    def _begin(self) -> None:
        self._tail = self._found_tail()
        if self._tail == NOTHING:
            self._append([_record("begun", keyed=self._chain.is_keyed)])
            self._first_time = time.time()
        self._tell_head()

    def _is_due(self) -> bool:
        most_bytes, most_s = self._config.rotate_bytes, self._config.rotate_s
        if most_s is not None and time.time() - self._first_time >= most_s:
            return True
        return most_bytes is not None and self._store.num_bytes() >= most_bytes

    def _rotate(self) -> None:
        """End the file with a record, so that other writers see that it has ended."""
        tail = self._tail or self._found_tail()
        (last,) = self._chain.linked(tail, [_record("ended", next=self._store.next_file(tail.seq + 2).name)])
        try:
            self._store.append([last])
        except ContinuedError:
            self._tail = None  # by another's records, or its end: looked at again when more is written
            return
        self._tail = self._begin_next(last)

    def _begin_next(self, last: Link) -> Anchor:
        """Begin the file that follows on an ended one; it holds the last hash of the former."""
        former = self._store.file
        self._store.begin_file(self._store.next_file(last.seq + 1))
        follows = {"file": None if former is None else former.name, "hash": last.hash}
        (first,) = self._chain.linked(last.anchor, [_record("begun", keyed=self._chain.is_keyed, follows=follows)])
        try:
            self._store.append([first])
        except ContinuedError:
            return self._found_tail()
        self._first_time = time.time()
        logger.info("the audit log goes on in %s from %s", self._store.file, first.anchor)
        return first.anchor

    def _tell_head(self) -> None:
        if self._config.head_file is not None:
            path = Path(self._config.head_file)
            beside = path.with_name(f"{path.name}.{os.getpid()}")
            beside.write_text(f"{self._tail}\n", encoding="ascii")
            beside.replace(path)


def _record(kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "time": now(), **fields}
