"""Machine code on disk must never outlive the sources it was made of; and what becomes part of other code."""

from __future__ import annotations

import numba
import pytest

from grammars.kernels import options
from grammars.kernels.options import entry, kernel


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_are_compiled_anew_when_any_source_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def define():
        def double(x: int) -> int:
            return 2 * x

        return entry(double)

    def hits(function) -> int:
        assert function(3) == 6
        return sum(function.stats.cache_hits.values())

    assert hits(define()) == 0
    assert hits(define()) == 1
    monkeypatch.setattr(options, "_DIGEST", "of other sources")
    assert hits(define()) == 0


@kernel
def _halved(number: int) -> int:
    if number < 0:
        raise ValueError("negative")
    return number // 2


@kernel
def _quartered(number: int) -> int:
    return _halved(_halved(number))


@entry
def _both(number: int) -> tuple[int, int]:
    return _halved(number), _quartered(number)


def test_kernels_become_part_of_those_that_call_them():
    assert _both(12) == (6, 3)
    with pytest.raises(ValueError, match="negative"):
        _both(-1)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_kernel_of_kernels_refuses_calls_from_python():
    with pytest.raises(TypeError, match="_halved is called by kernels alone"):
        _halved(12)
    _both(12)
    with pytest.raises(TypeError, match="_quartered is called by kernels alone"):
        _quartered(12)
