"""Reader of the corpus: text files of blocks, which empty rows separate; rows that begin with `# ` are comments."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).parents[1] / "corpus"


def read_blocks(name: str) -> list[list[str]]:
    """Return the blocks of `corpus/<name>.txt`, each as its rows."""
    text = (CORPUS / f"{name}.txt").read_text(encoding="utf-8")
    blocks = (block.split("\n") for block in text.removesuffix("\n").split("\n\n"))
    rows = ([row for row in block if not row.startswith("# ")] for block in blocks)
    return [block for block in rows if block]
