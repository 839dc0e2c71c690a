"""Machine code on disk must never outlive the sources it was made of."""

from __future__ import annotations

import numba
import pytest

from grammars.kernels import options
from grammars.kernels.options import kernel


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_are_compiled_anew_when_any_source_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def define():
        def double(x: int) -> int:
            return 2 * x

        return kernel(double)

    def hits(function) -> int:
        assert function(3) == 6
        return sum(function.stats.cache_hits.values())

    assert hits(define()) == 0
    assert hits(define()) == 1
    monkeypatch.setattr(options, "_DIGEST", "of other sources")
    assert hits(define()) == 0
