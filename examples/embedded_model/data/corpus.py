"""Reader of the corpus: text files of blocks, which empty rows separate; rows that begin with `# ` are comments."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[1] / "corpus"


def read_blocks(name: str) -> list[list[str]]:
    """Return the blocks of `corpus/<name>.txt`, each as its rows."""
    text = (CORPUS / f"{name}.txt").read_text(encoding="utf-8")
    blocks = (block.split("\n") for block in text.removesuffix("\n").split("\n\n"))
    rows = ([row for row in block if not row.startswith("# ")] for block in blocks)
    return [block for block in rows if block]


def read_fields(rows: Iterable[str]) -> dict[str, Any]:
    """Return the values of rows `name: JSON`; arrays become tuples."""
    pairs = (row.strip().split(": ", 1) for row in rows)
    values = ((name, json.loads(text)) for name, text in pairs)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values}


def read_lists(rows: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the names and texts of rows `name: text, text`."""
    pairs = (row.split(": ", 1) for row in rows)
    return [(name, tuple(texts.split(", "))) for name, texts in pairs]


def split_rows(rows: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the rows that have no mark, and those that begin with `- `, without the mark."""
    stripped = [row.strip() for row in rows]
    marked = [row.removeprefix("- ") for row in stripped if row.startswith("- ")]
    return [row for row in stripped if not row.startswith("- ")], marked
