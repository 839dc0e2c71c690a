"""Documents in an SQLite file: found by their words (FTS5) and, where it has vectors, by their meaning.

The two orders are joined by the sum of 1 / (60 + rank) (Cormack et al. 2009, "Reciprocal Rank Fusion").
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gateway.retrieval.base import Embed, Found

VERSION = 1
MAX_WORDS = 64
"""Words of a query that are looked for."""
MAX_SECONDS = 5
"""Time of a search in the file; one that takes longer fails."""
CANDIDATES = 50
"""Documents of each order that are joined."""
_SCHEMA = f"""
PRAGMA application_id = 0x706f7274;
PRAGMA user_version = {VERSION};
CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE model (name TEXT NOT NULL, query_prompt TEXT);
CREATE VIRTUAL TABLE words USING fts5(title, text, content=documents, content_rowid=number);
"""


class SqliteRetriever:
    """Retriever over a file that `IndexWriter` wrote. Vectors are read at once, texts when they are found."""

    def __init__(self, place: str, embed: Embed) -> None:
        """Raises: ValueError: The file cannot be read, or is no index."""
        self._place = Path(place).expanduser().resolve()
        self._embed = embed
        try:
            with closing(self._open()) as file:
                if file.execute("PRAGMA user_version").fetchone() != (VERSION,):
                    raise ValueError(f"{self._place} is no index that `portcullis index` of this version wrote")
                self._model: tuple[str, str | None] | None = file.execute(
                    "SELECT name, query_prompt FROM model"
                ).fetchone()
                found = file.execute("SELECT number, vector FROM vectors ORDER BY number").fetchall()
        except sqlite3.Error as error:
            raise ValueError(f"{self._place} cannot be read: {error}") from error
        self._numbers = [number for number, _ in found]
        joined = b"".join(vector for _, vector in found)
        self._vectors = np.frombuffer(joined, dtype="<f4").reshape(len(found), -1) if found else None

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._place.as_uri()}?mode=ro", uri=True)

    async def find(self, query: str, limit: int, tenant: str) -> Sequence[Found]:
        """See `Retriever.find`."""
        vector = None if self._model is None else await self._embed(query, *self._model)
        return await asyncio.to_thread(self._find, query, vector, limit)

    def _find(self, query: str, vector: NDArray[np.float32] | None, limit: int) -> Sequence[Found]:
        end = time.monotonic() + MAX_SECONDS
        with closing(self._open()) as file:
            file.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            scores: dict[int, float] = defaultdict(float)
            for order in (self._by_words(file, query), self._by_meaning(vector)):
                for rank, number in enumerate(order, 1):
                    scores[number] += 1 / (60 + rank)
            best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
            select = "SELECT id, title, text FROM documents WHERE number = ?"
            rows = [file.execute(select, (number,)).fetchone() for number in best]
        return [Found(id=id, title=title, text=text) for id, title, text in rows]

    def _by_words(self, file: sqlite3.Connection, query: str) -> list[int]:
        words = list(dict.fromkeys(re.findall(r"\w+", query.lower())))[:MAX_WORDS]
        if not words:
            return []
        wanted = " OR ".join(f'"{word}"' for word in words)
        select = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [number for (number,) in file.execute(select, (wanted, CANDIDATES))]

    def _by_meaning(self, vector: NDArray[np.float32] | None) -> list[int]:
        if vector is None or self._vectors is None:
            return []
        similar = self._vectors @ vector
        return [self._numbers[place] for place in np.argsort(-similar, kind="stable")[:CANDIDATES]]


class IndexWriter:
    """Writer of a new index. A context; the file is whole once that has ended without an error."""

    def __init__(self, path: Path, model: str | None, query_prompt: str | None) -> None:
        """Args: model: Name of the model that makes the vectors, as servers know it; None for no vectors."""
        self._path, self._draft = path, path.with_name(f".{path.name}.draft")
        self._draft.unlink(missing_ok=True)
        self._file = sqlite3.connect(self._draft)
        self._file.executescript(_SCHEMA)
        if model is not None:
            self._file.execute("INSERT INTO model VALUES (?, ?)", (model, query_prompt))

    def __enter__(self) -> IndexWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._file.execute("INSERT INTO words (words) VALUES ('rebuild')")
            self._file.commit()
        self._file.close()
        if kind is None:
            self._draft.replace(self._path)
        else:
            self._draft.unlink()

    def add(self, documents: Iterable[Found]) -> int:
        """Add documents; return their number.

        Raises:
            ValueError: Two have one id.
        """
        rows = ((each.id, each.title, each.text) for each in documents)
        try:
            return self._file.executemany("INSERT INTO documents (id, title, text) VALUES (?, ?, ?)", rows).rowcount
        except sqlite3.IntegrityError as error:
            raise ValueError("two documents have one id") from error

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each document, and its title and text."""
        for number, title, text in self._file.execute("SELECT number, title, text FROM documents ORDER BY number"):
            yield number, f"{title}\n{text}" if title else text

    def add_vectors(self, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Add the vectors of documents, of length 1. Shapes: vectors [documents, size]."""
        rows = [(number, vector.astype("<f4").tobytes()) for number, vector in zip(numbers, vectors, strict=True)]
        self._file.executemany("INSERT INTO vectors VALUES (?, ?)", rows)
