"""Machine code on disk: what is damaged, or could have been put there by others, is compiled anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from grammars.jit import machine_code
from grammars.jit.options import entry

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def define() -> Any:
    def double(x: int) -> int:
        return 2 * x

    return entry(double)


def num_loaded(function: Any) -> int:
    assert function(21) == 42
    return sum(function.stats.cache_hits.values())


def the_file(folder: Path) -> Path:
    (file,) = folder.rglob("*.nbc")
    return file


def emptied(data: bytes) -> bytes:
    return b""


def halved(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-100] + bytes([data[-100] ^ 1]) + data[-99:]


@pytest.mark.parametrize("damage", [emptied, halved, flipped])
def test_a_damaged_file_is_made_anew(folder: Path, damage: Callable[[bytes], bytes], caplog: Any) -> None:
    assert num_loaded(define()) == 0
    file = the_file(folder)
    file.write_bytes(damage(file.read_bytes()))
    assert num_loaded(define()) == 0
    assert "damaged" in caplog.text
    assert num_loaded(define()) == 1


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_others_may_write_is_not_read(folder: Path, what: str, caplog: Any) -> None:
    assert num_loaded(define()) == 0
    file = the_file(folder)
    path = file if what == "file" else file.parent
    path.chmod(path.stat().st_mode | 0o002)
    assert num_loaded(define()) == 0
    assert "others may write" in caplog.text
    path.chmod(path.stat().st_mode & ~0o002)
    assert num_loaded(define()) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_others_own_is_not_read(folder: Path) -> None:
    assert num_loaded(define()) == 0
    os.chown(the_file(folder), 12345, 12345)
    assert num_loaded(define()) == 0


def test_code_of_a_baseline_beside_the_sources_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ahead = machine_code.Baseline("any", "+thing", frozenset())
    assert num_loaded(define()) == 0
    function = define()
    monkeypatch.setattr(machine_code.KernelCache, "cache_path", str(folder / "shipped"))
    signature = (numba.types.int64,)
    triple = function.targetctx.codegen().magic_tuple()[0]
    (folder / "shipped").mkdir(mode=0o755)
    the_file(folder).rename(folder / "shipped" / function._cache._file(signature, (triple, *ahead[:2])))
    monkeypatch.setattr(machine_code, "baseline", lambda: ahead)
    assert num_loaded(define()) == 1
    monkeypatch.setattr(machine_code, "baseline", lambda: None)
    assert num_loaded(define()) == 0


def test_a_kernel_that_was_loaded_becomes_part_of_others(folder: Path) -> None:
    assert num_loaded(define()) == 0
    double = define()
    assert num_loaded(double) == 1
    library = double.overloads[(numba.types.int64,)].library
    # Numba's own libraries would have read the intermediate code by now: these are hooks of it that may change.
    assert isinstance(library, machine_code.LoadedLibrary)
    assert library._shared_module is None

    @entry
    def fourfold(x: int) -> int:
        return double(double(x))  # type: ignore[no-any-return]

    assert fourfold(3) == 12
    assert library._shared_module is not None


def test_the_baseline_is_of_this_machine() -> None:
    found = machine_code.baseline()
    assert found is None or found in machine_code.BASELINES.values()
    assert set(machine_code.BASELINES) == {"x86_64", "aarch64"}
