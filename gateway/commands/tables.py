"""Tables of a command: records read from CSV or JSONL, rows written as either."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gateway.errors import ConfigError

MAX_CELL_BYTES = 4 * 1024 * 1024
_KINDS = (".csv", ".jsonl")
_FORMULA = re.compile(r"(?![+-]?[0-9]+([.][0-9]+)?\Z)[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""Beginning of a text that spreadsheets take for a formula, as OWASP lists them; signed numbers are none."""


def check_kind(path: Path) -> None:
    """Raise `ConfigError` unless the file's name ends with a kind of table that is known."""
    if path.suffix not in _KINDS:
        raise ConfigError(f"{path}: the name must end with {' or '.join(_KINDS)}")


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number, from 1, and columns of each record of a table.

    Raises:
        ConfigError: The file cannot be read, or is malformed; says where.
    """
    try:
        # With the mark that spreadsheets put before UTF-8.
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from enumerate(_csv_records(path, file) if path.suffix == ".csv" else _json_records(path, file), 1)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error


def _csv_records(path: Path, file: io.TextIOBase) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(MAX_CELL_BYTES)
    reader = csv.DictReader(file, strict=True)
    try:
        for record in reader:
            if None in record:
                raise ConfigError(f"{path}, line {reader.line_num}: more cells than the first line has columns")
            yield record
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.line_num}: {error}") from None


def _json_records(path: Path, file: io.TextIOBase) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}, line {number}: not JSON: {error}") from None
        if not isinstance(record, dict):
            raise ConfigError(f"{path}, line {number}: a record must be a JSON object")
        yield record


class RowWriter:
    """Rows as text. In CSV, objects, arrays and numbers are JSON, and null is an empty cell.

    Args:
        columns: Names of the columns; in JSONL, a row without one of them leaves it out.
        is_raw: Cells of CSV that a spreadsheet would take for a formula are written as they are, without the single
            quote in front that makes them texts.
    """

    def __init__(self, columns: Sequence[str], *, is_csv: bool, is_raw: bool = False) -> None:
        self._columns, self._is_csv, self._is_raw = columns, is_csv, is_raw

    @property
    def head(self) -> str:
        """Return the first line of a CSV file."""
        return self._cells(self._columns)

    def text(self, row: Mapping[str, Any]) -> str:
        """Return a row, with its line end."""
        if not self._is_csv:
            return json.dumps(row, ensure_ascii=False) + "\n"
        cells = [_cell(row.get(column)) for column in self._columns]
        return self._cells(cells if self._is_raw else [f"'{cell}" if _FORMULA.match(cell) else cell for cell in cells])

    def row_number(self, record: bytes) -> int:
        """Return the first column of a written row.

        Raises:
            ValueError: It is no number.
        """
        if self._is_csv:
            return int(record.split(b",", 1)[0])
        return int(json.loads(record)[self._columns[0]])

    def _cells(self, cells: Sequence[str]) -> str:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow(cells)
        return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
