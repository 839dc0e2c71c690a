"""The run on a GPU, `tests/gpu.py`, a little of it on a CPU: it says what it should, and no part of it fails."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest


def test_every_part_of_the_run_on_a_gpu_runs_on_a_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    run = importlib.import_module("gpu")
    rows = run.main(["--out", str(tmp_path), "--device", "cpu", "--small"])
    assert json.loads((tmp_path / "gpu.json").read_text()) == rows
    assert [row for row in rows if "failed" in row] == []
    assert [row["part"] for row in rows if "took_s" in row] == [part.__name__ for part in run.PARTS]
    assert all(row["equal"] == row["of"] for row in rows if row["part"] == "equality" and "of" in row)
    for row in (row for row in rows if row["part"] == "kernels"):
        assert not row.get("wrong")
        assert "choice" not in row or row["choice"]["equal"] == row["choice"]["rows"]
    assert [row["asked"] for row in rows if "asked" in row] == ["free", "masked", "drawn"] * 3
