"""Options and results of benchmarks."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any


def count_parser(doc: str | None, **counts: int) -> argparse.ArgumentParser:
    """Parser of whole numbers with these defaults, and of `--json`, the file of the results."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in counts.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--json", type=Path)
    return parser


def write_rows(path: Path | None, rows: list[dict[str, Any]]) -> None:
    """Write the rows, with the version of torch, if a path is given."""
    import torch

    if path:
        path.write_text(json.dumps({"torch": torch.__version__, "rows": rows}, indent=1) + "\n")
