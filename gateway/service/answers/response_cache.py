"""Cache of whole responses: the same request of the same API key gets the answer that was generated for it before."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import cast

from gateway.config import CacheConfig
from gateway.core import answer, request, verdict
from gateway.core.answer import Delta
from gateway.core.arithmetic import Arithmetic, Term
from gateway.core.documents import Citation
from gateway.core.images import ImageInput
from gateway.errors import ConfigError
from gateway.service.constraints.codec import Codec
from tools.choice import ToolChoice
from tools.toolset import Tool, ToolSet

Batches = Sequence[Sequence[Delta]]
"""The deltas of a response, as they were sent."""

_CODEC = Codec(
    *(answer.TopLogprob, answer.TokenDetails, answer.TokenLogprob, answer.PromptDelta, answer.CompleteField),
    *(answer.TextDelta, answer.ReasoningDelta, answer.CallDelta, answer.ArgumentsDelta, answer.Finding),
    *(answer.CitationDelta, Citation),
    *(answer.Alternative, answer.FieldConfidence, answer.Finish, answer.Usage, verdict.Checked, verdict.AnswerVerdict),
    *(request.ChatRequest, request.CompletionRequest, request.Options, request.Sampling, request.ReasoningOptions),
    *(request.Repetition, request.BeamOptions, request.Adaptation, Arithmetic, Term, request.Caller),
    *(request.RetrievalQuery, ImageInput, Tool, ToolSet, ToolChoice),
)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (key BLOB PRIMARY KEY, data BLOB NOT NULL, made REAL NOT NULL, used REAL NOT NULL)
WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON responses (used);
"""


def cache_key(asked: request.ChatRequest | request.CompletionRequest, caller: request.Caller, *stamps: str) -> bytes:
    """Return the key of a request: equal for equal requests of one caller where all stamps are equal.

    Args:
        stamps: What else decides the answer: version, model and settings of the server, and the policies.

    Raises:
        TypeError: The request has a part that has no packed form.
    """
    packed = _CODEC.pack((asked, caller, *stamps))
    return sha256(packed).digest()


class ResponseCache:
    """Responses by key, in an SQLite database in memory or in a file. The least recently used ones are dropped.

    Methods may be called from any thread.
    """

    def __init__(self, config: CacheConfig) -> None:
        """Raises: ConfigError: The file cannot be opened, or is no cache."""
        self._config = config
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(config.path or ":memory:", check_same_thread=False, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            # An entry may be lost in a power cut, a database may not.
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
            self._num_bytes = self._stored_bytes()
        except sqlite3.Error as error:
            raise ConfigError(f"cannot use the database of cache.path, {config.path}: {error}") from error

    def get(self, key: bytes) -> Batches | None:
        """Return a response that is not too old; None if there is none."""
        now = time.time()
        with self._locked() as database:
            row = database.execute("SELECT data, made FROM responses WHERE key = ?", [key]).fetchone()
            if row is None or (self._config.ttl_s is not None and now - row[1] > self._config.ttl_s):
                return None
            database.execute("UPDATE responses SET used = ? WHERE key = ?", [now, key])
        return cast(Batches, _CODEC.unpack(row[0]))

    def put(self, key: bytes, batches: Batches) -> None:
        """Store a response, in place of those used least recently. One larger than the whole cache is not stored."""
        data, now = _CODEC.pack(tuple(map(tuple, batches))), time.time()
        if len(data) > self._config.max_bytes:
            return
        with self._locked() as database:
            self._drop(database, key)
            while self._num_bytes + len(data) > self._config.max_bytes:
                (oldest,) = database.execute("SELECT key FROM responses ORDER BY used LIMIT 1").fetchone()
                self._drop(database, oldest)
            database.execute("INSERT INTO responses VALUES (?, ?, ?, ?)", [key, data, now, now])
            self._num_bytes += len(data)

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._database.close()

    def _drop(self, database: sqlite3.Connection, key: bytes) -> None:
        found = database.execute("DELETE FROM responses WHERE key = ? RETURNING length(data)", [key]).fetchall()
        self._num_bytes -= sum(size for (size,) in found)

    def _stored_bytes(self) -> int:
        (total,) = self._database.execute("SELECT coalesce(sum(length(data)), 0) FROM responses").fetchone()
        return int(total)

    @contextmanager
    def _locked(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._database:
            yield self._database


async def replayed(batches: Batches) -> AsyncGenerator[list[Delta], None]:
    """Yield the deltas of a stored response, without its usage."""
    for batch in batches[:-1]:
        yield list(batch)


def usage_in(batches: Batches) -> answer.Usage:
    """Return the usage of a stored response, its last delta."""
    return cast(answer.Usage, batches[-1][0])


def findings_in(finish: answer.Finish) -> Sequence[answer.Finding]:
    """Return the findings of a policy in a stored answer."""
    return finish.findings
