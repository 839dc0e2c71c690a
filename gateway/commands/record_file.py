"""Output file of a command that can be killed at any time and started again."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gateway.errors import ConfigError


class RecordFile:
    """File of records, each of which is appended by one write. A context; the file is locked meanwhile.

    A record ends with a line end; in CSV, with one outside of quotes. What a killed process left of an unfinished
    record is cut off when the file is opened.

    Args:
        is_new: Drop the records of an earlier run.

    Raises:
        ConfigError: The file cannot be written, or another process writes it.
    """

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        self.path = path
        self.is_csv = path.suffix == ".csv"
        try:
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise ConfigError(f"cannot write {path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise ConfigError(f"another process writes {path}") from None
        self._file.truncate(0 if is_new else sum(map(len, self.records())))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def records(self) -> Iterator[bytes]:
        """Yield the whole records, with their line ends."""
        record, is_quoted = b"", False
        with self.path.open("rb") as file:
            for line in file:
                record += line
                is_quoted ^= self.is_csv and line.count(b'"') % 2 == 1
                if not is_quoted and line.endswith(b"\n"):
                    yield record
                    record = b""

    def append(self, record: str) -> None:
        """Append a record, which ends with a line end."""
        data = memoryview(record.encode())
        while data:
            data = data[self._file.write(data) :]

    def sort(self, key: Callable[[bytes], Any], num_heads: int = 0) -> None:
        """Order the records but the first `num_heads`; a kill meanwhile leaves the file as it was."""
        records = list(self.records())
        ordered = [*records[:num_heads], *sorted(records[num_heads:], key=key)]
        if ordered != records:
            draft = self.path.with_name(f".{self.path.name}.sorted")
            draft.write_bytes(b"".join(ordered))
            draft.replace(self.path)
