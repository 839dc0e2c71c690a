"""Machine code on disk must never outlive the sources it was made of; and what becomes part of other code."""

from __future__ import annotations

import numba
import pytest
from numba.core.codegen import JITCodeLibrary

from grammars.jit import options
from grammars.jit.options import entry, kernel


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_are_compiled_anew_when_a_source_changes_that_they_know(tmp_path, monkeypatch):
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
    # A file that no import leads to, and one that this file imports.
    for changed, is_kept in (("grammars.frontends.choice", True), ("grammars.jit.options", False)):
        source = options._source
        monkeypatch.setattr(options, "_source", lambda name, at=changed, of=source: of(name) + "#" * (name == at))
        assert hits(define()) == is_kept


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


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_are_optimized_where_python_calls_them_alone(monkeypatch):
    """The hooks of Numba that a part overrides are still those that Numba calls."""
    optimized, optimize = [], JITCodeLibrary._optimize_final_module

    def noted(library: JITCodeLibrary) -> None:
        optimized.append(library.name)
        optimize(library)

    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", noted)

    @kernel
    def inner(number: int) -> int:
        return number + 1

    @kernel
    def middle(number: int) -> int:
        return inner(number) * inner(number + 1)

    @numba.njit
    def outer(number: int) -> int:
        return middle(number) + inner(number)

    assert outer(2) == 15
    assert any("outer" in name for name in optimized)
    assert not any("inner" in name or "middle" in name for name in optimized)
