"""Execution of batches, beside a server's other requests and after them in priority."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import msgspec

from gateway.api.http.caller import OWNER_KEY
from gateway.api.http.in_process import InProcess
from gateway.api.openai.batches.bodies import BatchErrors, BatchLineError, BatchOut
from gateway.batches.exchange import Reply, answered, for_each
from gateway.batches.lines import LineError, check_file, parse_line, raw_lines, reply_line, unanswered_line
from gateway.batches.store import BatchStore, StoredBatch
from gateway.config import BatchesConfig

logger = logging.getLogger(__name__)

RETRY_S = 10.0
"""Pause before a batch continues after an error of the disk or a bug."""

EXPIRE_S = 60.0
"""Pause between two deletions of expired files."""

End = Literal["completed", "expired", "cancelled"]

_OVER = frozenset({"completed", "failed", "expired", "cancelled"})
_REASONS = {
    "expired": ("batch_expired", "the batch expired before this request was answered"),
    "cancelled": ("batch_cancelled", "the batch was cancelled before this request was answered"),
}


class BatchWorker:
    """Worker of all batches of a store. `running` is the time in which it works.

    Lines of all batches together are sent at most `max_concurrent` at a time; batches take turns.

    Attributes:
        num_ended: Batches that ended since the start, by status.
        num_lines: Lines of batches since the start, by result: completed, failed, expired or cancelled.
    """

    def __init__(self, config: BatchesConfig, folder: Path) -> None:
        """Raises:
        ConfigError: The folder cannot be used.
        """
        self.config = config
        self.store = BatchStore(folder)
        self._places = asyncio.Semaphore(config.max_concurrent)
        self._batches: dict[str, asyncio.Task[None]] = {}
        self._lines: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()
        self._changes = Lock()
        self.num_ended, self.num_lines = Counter[str](), Counter[str]()

    @asynccontextmanager
    async def running(self, app: Any) -> AsyncIterator[None]:
        """Work for the duration of the context; unfinished batches continue at the next start.

        Args:
            app: ASGI app that answers the lines.
        """
        self._app = app
        for batch in await asyncio.to_thread(self.store.unfinished):
            self.start(batch)
        expiring = asyncio.create_task(self._expire())
        try:
            yield
        finally:
            tasks = [expiring, *self._batches.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.store.close()

    @property
    def num_unfinished(self) -> int:
        """Number of batches that have not ended."""
        return len(self._batches)

    async def _expire(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self.store.expire)
            except Exception:
                logger.exception("expired files cannot be deleted")
            await asyncio.sleep(EXPIRE_S)

    def start(self, batch: StoredBatch) -> None:
        """Work on a stored batch."""
        if read_batch(batch).status == "cancelling":
            self._cancelled.add(batch.id)
        self._batches[batch.id] = asyncio.create_task(self._finish(batch))

    def shown(self, batch: StoredBatch) -> BatchOut:
        """Return a batch with the present counts of its lines."""
        document = read_batch(batch)
        if document.status in ("in_progress", "finalizing", "cancelling"):
            answered_lines, counts = self.store.answered_lines(batch.id), document.request_counts
            counts.completed = sum(answered_lines.values())
            counts.failed = len(answered_lines) - counts.completed
        return document

    async def cancel(self, batch: StoredBatch) -> None:
        """Cancel a batch; one that is over, or has no line left, stays as it is."""
        if await asyncio.to_thread(self._mark_cancelling, batch):
            self._cancelled.add(batch.id)
            if (lines := self._lines.get(batch.id)) is not None:
                lines.cancel()

    def _mark_cancelling(self, batch: StoredBatch) -> bool:
        with self._changing(batch) as document:
            if document.status not in ("validating", "in_progress"):
                return False
            document.status, document.cancelling_at = "cancelling", int(time.time())
        return True

    async def _finish(self, batch: StoredBatch) -> None:
        while True:
            try:
                await self._work(batch)
            except Exception:
                logger.exception("the batch %s pauses for %g s", batch.id, RETRY_S)
                await asyncio.sleep(RETRY_S)
            else:
                del self._batches[batch.id]
                self._cancelled.discard(batch.id)
                return

    async def _work(self, batch: StoredBatch) -> None:
        if await asyncio.to_thread(self._is_valid, batch):
            answered_before = await asyncio.to_thread(self.store.answered_lines, batch.id)
            end: End = "cancelled"
            if batch.id not in self._cancelled:
                lines = raw_lines(self._input_of(batch))
                end = await self._end_of(batch, (each for each in lines if each[0] not in answered_before))
            await asyncio.to_thread(self._finalize, batch, end)

    def _is_valid(self, batch: StoredBatch) -> bool:
        """Check the input file of a new batch and save the next status; False if the batch failed."""
        document = read_batch(self.store.reread(batch))
        if document.status != "validating":
            return True
        path = self._input_of(batch)
        total, errors = check_file(path, document.endpoint, self.config.max_lines, self.config.max_line_bytes)
        now = int(time.time())
        with self._changing(batch) as document:
            document.request_counts.total = total
            if errors:
                document.status, document.failed_at = "failed", now
                self.num_ended["failed"] += 1
                document.errors = BatchErrors(data=[_reported(error) for error in errors])
            elif document.status == "validating":
                document.status, document.in_progress_at = "in_progress", now
        return not errors

    async def _end_of(self, batch: StoredBatch, lines: Iterator[tuple[int, bytes]]) -> End:
        """Send the lines and return the status that the batch ends with."""
        in_process, expires_at = InProcess(self._app, {OWNER_KEY: batch.digest}), read_batch(batch).expires_at

        async def send(url: str, body: bytes) -> Reply:
            async with self._places:
                return await in_process(url, body)

        async def do(numbered: tuple[int, bytes]) -> None:
            line = await asyncio.to_thread(parse_line, *numbered)
            reply = await answered(send, line.url, line.body, expires_at - time.time())
            text = reply_line(line, reply)
            await asyncio.to_thread(self.store.add_reply, batch.id, line.number, text, is_ok=reply.is_ok)
            self.num_lines["completed" if reply.is_ok else "failed"] += 1

        task = self._lines[batch.id] = asyncio.create_task(for_each(lines, do, self.config.max_concurrent))
        try:
            await asyncio.wait((task,), timeout=max(expires_at - time.time(), 0))
            if not task.done():
                return "expired"
            if task.cancelled():
                return "cancelled"
            task.result()
            return "completed"
        finally:
            del self._lines[batch.id]
            task.cancel()
            await asyncio.wait((task,))

    def _finalize(self, batch: StoredBatch, end: End) -> None:
        """Write the output files and end the batch."""
        with self._changing(batch) as document:
            document.finalizing_at = int(time.time())
            if end == "completed":
                document.status = "finalizing"
        # Replies that arrive from here on are of lines that are reported as unanswered.
        answered_lines = self.store.answered_lines(batch.id)
        outputs, counts = [], document.request_counts
        for is_ok, name in ((True, "output"), (False, "error")):
            file_id = f"file-{sha256(f'{batch.id} {name}'.encode()).hexdigest()[:24]}"
            count = self.store.write_file(file_id, self._results(batch, end, answered_lines, is_ok=is_ok))
            if count:
                outputs.append((file_id, f"{batch.id}_{name}.jsonl"))
            if is_ok:
                counts.completed, document.output_file_id = count, file_id if count else None
            else:
                counts.failed, document.error_file_id = count, file_id if count else None
        document.status = end
        setattr(document, f"{end}_at", int(time.time()))
        expires = document.output_expires_after
        self.store.finish(batch.id, written_batch(document), outputs, None if expires is None else expires.seconds)
        self.num_ended[end] += 1
        self.num_lines[end] += counts.total - len(answered_lines)

    def _results(self, batch: StoredBatch, end: End, answered_lines: dict[int, bool], *, is_ok: bool) -> Iterator[str]:
        for number, text in raw_lines(self._input_of(batch)):
            if number not in answered_lines:
                if not is_ok:
                    yield unanswered_line(parse_line(number, text), *_REASONS[end])
            elif answered_lines[number] == is_ok:
                yield self.store.reply(batch.id, number)

    def _input_of(self, batch: StoredBatch) -> Path:
        return self.store.path(read_batch(batch).input_file_id)

    @contextmanager
    def _changing(self, batch: StoredBatch) -> Iterator[BatchOut]:
        """Yield a batch's present document, which is saved at the end of the context."""
        with self._changes:
            document = read_batch(self.store.reread(batch))
            yield document
            self.store.update_batch(batch.id, written_batch(document), is_over=document.status in _OVER)


def read_batch(batch: StoredBatch) -> BatchOut:
    """Return the document of a stored batch."""
    return msgspec.json.decode(batch.document, type=BatchOut)


def written_batch(document: BatchOut) -> str:
    """Return a document as it is stored."""
    return msgspec.json.encode(document).decode()


def _reported(error: LineError) -> BatchLineError:
    return BatchLineError(code="invalid_request", message=str(error), param=error.param, line=error.number or None)
