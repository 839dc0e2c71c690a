"""Storage of a chain: a table in SQLite files, or in any database of SQLAlchemy's."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.schema import CreateTable

from gateway.audit.chain import BrokenChainError, Link
from gateway.errors import ConfigError

BUSY_S = 5
"""Seconds to wait for another writer of an SQLite file."""

STORE_ERRORS = (SQLAlchemyError, OSError)
"""Errors that keep records from being written."""

_TABLE = Table(
    "portcullis_audit",
    MetaData(),
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("record", Text, nullable=False),
    Column("hash", String(64), nullable=False),
)


class ContinuedError(Exception):
    """Another process wrote records; read the tail and try again."""


class Store:
    """Links of a chain. One thread writes; each reader has a store of its own.

    Args:
        url: SQLAlchemy's URL, or the path of an SQLite file.
        is_durable: What was appended is on the disk. Else it is in the hands of the system: a process that is killed
            loses nothing, a machine whose power fails may.
        may_create: Create missing files and tables.

    Raises:
        ConfigError: The database cannot be opened.
    """

    def __init__(self, url: str, *, is_durable: bool = True, may_create: bool = True) -> None:
        self._url = _read(url)
        self._is_durable = is_durable
        self._may_create = may_create
        self.base = Path(self._url.database or "") if self._url.get_backend_name() == "sqlite" else None
        if self.base is not None and self._url.database in (None, "", ":memory:"):
            raise ConfigError("an audit log in memory keeps nothing; name a file")
        try:
            files = self.files
            if self.base is not None and not may_create and not files:
                raise ConfigError(f"there is no audit log at {self.base}")
            self._engine = self._opened(files[-1] if files else self.base)
            self._place = self._found_place()
        except (*STORE_ERRORS, ImportError) as error:  # a driver that is not installed
            raise ConfigError(f"cannot open the audit log {self._url!r}: {reason(error)}") from error

    @property
    def files(self) -> list[Path]:
        """SQLite files of the chain, in its order."""
        if self.base is None:
            return []
        pattern = re.compile(re.escape(self.base.stem) + r"\.[0-9]{12}" + re.escape(self.base.suffix))
        later = [path for path in self.base.parent.iterdir() if pattern.fullmatch(path.name)]
        return ([self.base] if self.base.exists() else []) + sorted(later)

    @property
    def file(self) -> Path | None:
        """Return the current file."""
        return None if self.base is None else Path(self._engine.url.database or "")

    def tail(self) -> Link | None:
        """Return the last link of all files, after switching to a file that another process began."""
        files = self.files
        if files and files[-1] != self.file:
            self.begin_file(files[-1])
        last = self._one(self._engine, _TABLE.c.seq.desc())
        for path in reversed(files[:-1]):
            if last is not None:
                break
            engine = self._opened(path)
            last = self._one(engine, _TABLE.c.seq.desc())
            engine.dispose()
        return last

    def first(self) -> Link | None:
        """Return the first link of the current file."""
        return self._one(self._engine, _TABLE.c.seq)

    def check_place(self) -> None:
        """Raise unless the SQLite file is where it was opened: SQLite keeps writing to a file that was removed, moved,
        replaced or truncated.

        Raises:
            OSError: The file has changed; says how.
        """
        for path, was in list(self._place.items()):
            try:
                found = path.stat()
            except FileNotFoundError:
                raise OSError(
                    f"{path} was removed while it was written; put it back, or start the server anew"
                ) from None
            if (found.st_dev, found.st_ino) != (was.st_dev, was.st_ino):
                raise OSError(f"{path} was replaced while it was written; put it back, or start the server anew")
            if found.st_size < was.st_size and path == self.file:
                raise OSError(f"{path} was cut while it was written; start the server anew with a file of its own")
            self._place[path] = found

    def begin_later_file(self) -> bool:
        """Switch to the last file that another process began after this one; False if there is none."""
        number = "" if self.file is None or self.file == self.base else self.file.name
        later = [path for path in self.files if path != self.base and path.name > number]
        if later:
            self.begin_file(later[-1])
        return bool(later)

    def append(self, links: Sequence[Link]) -> None:
        """Keep the links, all or none.

        Raises:
            ContinuedError: Another process wrote some of these numbers.
            SQLAlchemyError, OSError: They cannot be written.
        """
        rows = [{"seq": link.seq, "record": link.record, "hash": link.hash} for link in links]
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(_TABLE), rows)
        except IntegrityError as error:
            raise ContinuedError from error

    def links(self, first: int = 1) -> Generator[Link, None, None]:
        """Yield the links from a number on, of all files. Close it unless it is exhausted."""
        paths: list[Path | None] = [*self.files] or [None]
        for path in paths:
            engine = self._engine if path == self.file else self._opened(path)
            wanted = select(_TABLE).where(_TABLE.c.seq >= first).order_by(_TABLE.c.seq)
            options = {"yield_per": 1000}
            # Who was killed when it began a file may have left it without the table.
            if inspect(engine).has_table(_TABLE.name):
                with engine.connect() as connection, connection.execute(wanted, execution_options=options) as rows:
                    yield from map(_link, rows)
            if engine is not self._engine:
                engine.dispose()

    def num_bytes(self) -> int:
        """Size of the SQLite file that is written."""
        with self._engine.connect() as connection:
            pages, size = (
                connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size")
            )
        return int(pages) * int(size)

    def next_file(self, seq: int) -> Path:
        """Return the path of the next file, whose first record has this number."""
        assert self.base is not None
        return self.base.with_name(f"{self.base.stem}.{seq:012}{self.base.suffix}")

    def begin_file(self, path: Path) -> None:
        """Write this file from now on."""
        opened = self._opened(path)
        self._engine.dispose()
        self._engine = opened
        self._place = self._found_place()

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    def _found_place(self) -> dict[Path, os.stat_result]:
        """Return the state of the current files; the pool's connection keeps them open."""
        if self.file is None:
            return {}
        log = self.file.with_name(f"{self.file.name}-wal")
        return {path: path.stat() for path in (self.file, log) if path == self.file or path.exists()}

    def _one(self, engine: Engine, order: Any) -> Link | None:
        with engine.connect() as connection:
            row = connection.execute(select(_TABLE).order_by(order).limit(1)).first()
        return None if row is None else _link(row)

    def _opened(self, path: Path | None) -> Engine:
        if path is None:
            engine = create_engine(self._url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        else:
            if self._may_create:
                # Readable by the server's user alone, whatever the umask.
                os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
            engine = create_engine(self._url.set(database=str(path)), connect_args={"timeout": BUSY_S})
            event.listen(engine, "connect", self._set_up)
        if self._may_create:
            try:
                with engine.begin() as connection:
                    connection.execute(CreateTable(_TABLE, if_not_exists=True))
            except BaseException:
                engine.dispose()
                raise
        return engine

    def _set_up(self, connection: Any, _: Any) -> None:
        if self._may_create:
            connection.execute("PRAGMA journal_mode=WAL").close()
        connection.execute(f"PRAGMA synchronous={'FULL' if self._is_durable else 'NORMAL'}").close()
        # Bytes that are no UTF-8 make a text whose hash is another one, and not an error of the library's.
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")


def reason(error: BaseException) -> str:
    """Return the error's text without the statement and its records."""
    return str(getattr(error, "orig", None) or error)


def _link(row: Any) -> Link:
    """Return the link in a row. SQLite columns may hold values of any type.

    Raises:
        BrokenChainError: A value is of another type than was written.
    """
    for value, kind in zip(row, (int, str, str), strict=True):
        if type(value) is not kind:
            seq = row.seq if type(row.seq) is int else 0
            what = f"record {row.seq!r} was changed: it has {type(value).__name__} where {kind.__name__} was written"
            raise BrokenChainError(seq, what)
    return Link(*row)


def _read(url: str) -> URL:
    if "://" not in url:
        return URL.create("sqlite", database=url)
    try:
        return make_url(url)
    except ArgumentError as error:
        raise ConfigError(f"audit.url is no URL of SQLAlchemy's: {error}") from error
