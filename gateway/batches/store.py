"""Files and batches of a server in one folder: an SQLite database, and the contents of files beside it.

    FOLDER/batches.db      files, batches, replies to lines of unfinished batches
    FOLDER/files/ID        the contents of a file
    FOLDER/lock            held by the server that uses the folder

A reply is in the database before its line counts as answered. Output files are written from it at the end of a batch,
under names that follow from the batch, so that a server that was killed on the way writes the same files again.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any, BinaryIO

from gateway.errors import ConfigError

_TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id TEXT UNIQUE, tenant TEXT, filename TEXT, bytes INTEGER, purpose TEXT, created_at INTEGER,
    expires_at INTEGER
);
CREATE TABLE IF NOT EXISTS batches (
    id TEXT UNIQUE, tenant TEXT, digest TEXT, input_file TEXT, is_over INTEGER, document TEXT
);
CREATE TABLE IF NOT EXISTS replies (
    batch TEXT, line INTEGER, is_ok INTEGER, text TEXT, PRIMARY KEY (batch, line)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file.

    Attributes:
        expires_at: Unix time at which it is deleted; None: never.
    """

    id: str
    filename: str
    bytes: int
    purpose: str
    created_at: int
    expires_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBatch:
    """A batch.

    Attributes:
        digest: SHA-256 of the API key that owns it; empty without keys.
        document: The batch as JSON.
    """

    id: str
    digest: str
    document: str


_FILE = "id, filename, bytes, purpose, created_at, expires_at"


class BatchStore:
    """Store of files, batches and replies. Thread-safe.

    Raises:
        ConfigError: The folder cannot be used, or another server uses it.
    """

    def __init__(self, folder: Path) -> None:
        self._files, self._mutex = folder / "files", Lock()
        try:
            self._files.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ConfigError(f"cannot use the folder batches.folder: {error}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._database = sqlite3.connect(folder / "batches.db", check_same_thread=False, isolation_level=None)
            self._database.executescript(f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; {_TABLES}")
            if "expires_at" not in {column for _, column, *_ in self._database.execute("PRAGMA table_info(files)")}:
                self._database.execute("ALTER TABLE files ADD COLUMN expires_at INTEGER")
            known = {name for (name,) in self._database.execute("SELECT id FROM files")}
            for path in self._files.iterdir():
                if path.name not in known:  # of an upload or a batch that did not come to its end
                    path.unlink()
        except BlockingIOError:
            os.close(self._lock)
            raise ConfigError(f"another server uses the folder batches.folder, {folder}") from None
        except (OSError, sqlite3.Error) as error:
            os.close(self._lock)
            raise ConfigError(f"cannot use the folder batches.folder, {folder}: {error}") from error

    def close(self) -> None:
        """Close the database and free the folder."""
        with self._mutex:
            self._database.close()
            os.close(self._lock)

    def path(self, file_id: str) -> Path:
        """Return the path of a file's contents."""
        return self._files / file_id

    def stored_bytes(self, tenant: str) -> int:
        """Return the bytes of all files."""
        (row,) = self._rows("SELECT COALESCE(SUM(bytes), 0) FROM files WHERE tenant = ?", tenant)
        return int(row[0])

    def expire(self) -> None:
        """Delete the files whose time is over; one that an unfinished batch reads is deleted after it."""
        query = "SELECT id FROM files WHERE expires_at <= ? AND id NOT IN"
        with self._transaction() as database:
            reading = "(SELECT input_file FROM batches WHERE NOT is_over)"
            over = database.execute(f"{query} {reading}", (int(time.time()),)).fetchall()
            database.executemany("DELETE FROM files WHERE id = ?", over)
        for (file_id,) in over:
            self.path(file_id).unlink(missing_ok=True)

    def add_file(self, tenant: str, filename: str, source: IO[bytes], expires_s: int | None = None) -> StoredFile:
        """Store an uploaded file for a number of seconds, or until it is deleted."""
        file_id = f"file-{secrets.token_hex(12)}"
        with self._writing(file_id) as target:
            shutil.copyfileobj(source, target)
        with self._transaction() as database:
            return self._insert(database, file_id, tenant, filename, "batch", expires_s)

    def file(self, tenant: str, file_id: str) -> StoredFile | None:
        """Return a file; None for an unknown id."""
        rows = self._rows(f"SELECT {_FILE} FROM files WHERE tenant = ? AND id = ?", tenant, file_id)  # noqa: S608
        return _file(rows[0]) if rows else None

    def files(
        self, tenant: str, purpose: str | None, after: str | None, limit: int, *, oldest: bool
    ) -> list[StoredFile]:
        """Return files after one of them, newest first or `oldest` first."""
        query, arguments = f"SELECT {_FILE} FROM files WHERE tenant = ?", [tenant]  # noqa: S608
        if purpose is not None:
            query, arguments = f"{query} AND purpose = ?", [*arguments, purpose]
        rows = self._page("files", query, arguments, after, limit, oldest=oldest)
        return [_file(row) for row in rows]

    def delete_file(self, tenant: str, file_id: str) -> str | None:
        """Delete a file; if an unfinished batch reads it, return that batch's id instead."""
        with self._transaction() as database:
            query = "SELECT id FROM batches WHERE input_file = ? AND NOT is_over"
            if found := database.execute(query, (file_id,)).fetchone():
                return str(found[0])
            database.execute("DELETE FROM files WHERE tenant = ? AND id = ?", (tenant, file_id))
        self.path(file_id).unlink(missing_ok=True)
        return None

    def add_batch(self, tenant: str, batch: StoredBatch, input_file: str, max_unfinished: int) -> bool:
        """Store a batch; False if its tenant has as many unfinished ones as it may."""
        with self._transaction() as database:
            query = "SELECT COUNT(*) FROM batches WHERE tenant = ? AND NOT is_over"
            if database.execute(query, (tenant,)).fetchone()[0] >= max_unfinished:
                return False
            values = (batch.id, tenant, batch.digest, input_file, 0, batch.document)
            database.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?)", values)
        return True

    def update_batch(self, batch_id: str, document: str, *, is_over: bool = False) -> None:
        """Replace a batch's document."""
        with self._transaction() as database:
            database.execute("UPDATE batches SET document = ?, is_over = ? WHERE id = ?", (document, is_over, batch_id))

    def batch(self, tenant: str, batch_id: str) -> StoredBatch | None:
        """Return a batch; None for an unknown id."""
        rows = self._rows("SELECT id, digest, document FROM batches WHERE tenant = ? AND id = ?", tenant, batch_id)
        return _batch(rows[0]) if rows else None

    def batches(self, tenant: str, after: str | None, limit: int) -> list[StoredBatch]:
        """Return batches after one of them, newest first."""
        query = "SELECT id, digest, document FROM batches WHERE tenant = ?"
        return [_batch(row) for row in self._page("batches", query, [tenant], after, limit, oldest=False)]

    def unfinished(self) -> list[StoredBatch]:
        """Return the unfinished batches of all tenants, oldest first."""
        return [
            _batch(row)
            for row in self._rows("SELECT id, digest, document FROM batches WHERE NOT is_over ORDER BY rowid")
        ]

    def add_reply(self, batch_id: str, line: int, text: str, *, is_ok: bool) -> None:
        """Store the reply to a line, unless it has one or the batch is over."""
        with self._transaction() as database:
            unless_over = "SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM batches WHERE id = ? AND NOT is_over)"
            database.execute(f"INSERT OR IGNORE INTO replies {unless_over}", (batch_id, line, is_ok, text, batch_id))

    def answered_lines(self, batch_id: str) -> dict[int, bool]:
        """Return the lines that have a reply; True for those that succeeded."""
        return {
            line: bool(is_ok) for line, is_ok in self._rows("SELECT line, is_ok FROM replies WHERE batch = ?", batch_id)
        }

    def reply(self, batch_id: str, line: int) -> str:
        """Return the reply to a line that has one."""
        return str(self._rows("SELECT text FROM replies WHERE batch = ? AND line = ?", batch_id, line)[0][0])

    def reread(self, batch: StoredBatch) -> StoredBatch:
        """Return a batch as it is now."""
        return _batch(self._rows("SELECT id, digest, document FROM batches WHERE id = ?", batch.id)[0])

    def finish(
        self, batch_id: str, document: str, outputs: Sequence[tuple[str, str]], expires_s: int | None = None
    ) -> None:
        """End a batch: register its output files, (id, name), that were written, and drop its replies."""
        with self._transaction() as database:
            (tenant,) = database.execute("SELECT tenant FROM batches WHERE id = ?", (batch_id,)).fetchone()
            for file_id, name in outputs:
                self._insert(database, file_id, tenant, name, "batch_output", expires_s)
            database.execute("UPDATE batches SET document = ?, is_over = 1 WHERE id = ?", (document, batch_id))
            database.execute("DELETE FROM replies WHERE batch = ?", (batch_id,))

    def write_file(self, file_id: str, lines: Iterable[str]) -> int:
        """Write the contents of an output file and return its number of lines; without lines there is no file."""
        count = 0
        with self._writing(file_id) as target:
            for count, line in enumerate(lines, start=1):  # noqa: B007
                target.write(line.encode())
        if not count:
            self.path(file_id).unlink()
        return count

    def _insert(
        self, database: sqlite3.Connection, file_id: str, tenant: str, name: str, purpose: str, expires_s: int | None
    ) -> StoredFile:
        size, now = self.path(file_id).stat().st_size, int(time.time())
        values = (file_id, name, size, purpose, now, None if expires_s is None else now + expires_s)
        query = f"INSERT INTO files (tenant, {_FILE}) VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
        database.execute(query, (tenant, *values))
        return _file(values)

    def _page(
        self, table: str, query: str, arguments: list[str], after: str | None, limit: int, *, oldest: bool
    ) -> list[Any]:
        if after is not None:
            mark = ">" if oldest else "<"
            query += f" AND rowid {mark} (SELECT rowid FROM {table} WHERE id = ? AND tenant = ?)"  # noqa: S608
            arguments = [*arguments, after, arguments[0]]
        order = "ASC" if oldest else "DESC"
        return self._rows(f"{query} ORDER BY rowid {order} LIMIT ?", *arguments, limit)

    def _rows(self, query: str, *arguments: Any) -> list[Any]:
        with self._mutex:
            return self._database.execute(query, arguments).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    @contextmanager
    def _writing(self, file_id: str) -> Iterator[BinaryIO]:
        """Yield a file whose contents are those of `file_id` once the context ends without an error."""
        draft = self._files / f"{file_id}.part"
        try:
            with draft.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path(file_id))
        finally:
            draft.unlink(missing_ok=True)


def _file(row: Sequence[Any]) -> StoredFile:
    return StoredFile(**dict(zip(_FILE.split(", "), row, strict=True)))


def _batch(row: Sequence[Any]) -> StoredBatch:
    return StoredBatch(**dict(zip(("id", "digest", "document"), row, strict=True)))
