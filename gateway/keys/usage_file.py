"""Use of API keys on the present day, kept in an SQLite file over restarts."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

from gateway.errors import ConfigError
from gateway.keys.use import DayUse, Use, present_day

logger = logging.getLogger(__name__)

WRITE_S = 1.0
"""Seconds between two writes: what a crash loses at most, beside the answers that were under way."""

_SCHEMA = """
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS usage (
    sha256 TEXT PRIMARY KEY, day INTEGER, requests INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER
) WITHOUT ROWID;
"""

DayUses = Callable[[], Iterable[tuple[str, DayUse]]]
"""Returns the digests of keys, and the use of each; called in a thread."""


class UsageFile:
    """Use of keys, written by a thread once in `WRITE_S` seconds where it has changed, and at the end.

    The file is held by one server at a time.

    Raises:
        ConfigError: The file cannot be used, or another server uses it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._written = dict[str, DayUse]()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise ConfigError(f"cannot use the file server.usage_file: {error}") from error
        self._database = sqlite3.connect(path, timeout=0.5, check_same_thread=False, isolation_level=None)
        try:
            self._database.executescript(_SCHEMA)
            # Takes the lock.
            self._database.execute("DELETE FROM usage WHERE day < ?", [present_day()])
            for digest, day, *counts in self._database.execute("SELECT * FROM usage"):
                self._written[digest] = DayUse(day, Use(*counts))
        except sqlite3.Error as error:
            self._database.close()
            is_held = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
            reason = "another server uses it" if is_held else str(error)
            raise ConfigError(f"cannot use the file server.usage_file, {path}: {reason}") from error

    def stored(self) -> dict[str, DayUse]:
        """Return a copy of what the file has, by digest of the key."""
        return {digest: DayUse(day, replace(use)) for digest, (day, use) in self._written.items()}

    def begin(self, uses: DayUses) -> None:
        """Write the use of keys from now on."""
        self._thread = threading.Thread(target=self._run, args=(uses,), name="portcullis-usage", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write for the last time and close the file."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self._database.close()

    def _run(self, uses: DayUses) -> None:
        is_failing = False
        while True:
            is_over = self._ended.wait(WRITE_S)
            try:
                self._write(uses())
                is_failing = False
            except sqlite3.Error as error:
                if not is_failing:
                    logger.error("the use of API keys cannot be written to %s: %s", self._path, error)
                is_failing = True
            if is_over:
                return

    def _write(self, uses: Iterable[tuple[str, DayUse]]) -> None:
        changed = {digest: use for digest, use in uses if use != self._written.get(digest)}
        if not changed:
            return
        rows = [
            (digest, day, use.requests, use.prompt_tokens, use.completion_tokens)
            for digest, (day, use) in changed.items()
        ]
        with self._database:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?)", rows)
        self._written |= changed
