"""A constraint that is used for long: what it keeps stays within its bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammars import Compiler, JsonSchema, Limits, Vocabulary
from tests.bench.long_texts import LISTS, most_bytes

ROOT = Path(__file__).resolve().parents[3]
LLAMA = ROOT.parent / "shared" / "tokenizers" / "llama3"


@pytest.mark.slow
def test_memory_stays_within_its_bounds_over_100000_tokens():
    folder = LLAMA if LLAMA.exists() else ROOT / "gateway" / "embedded" / "weights" / "target"
    limits = Limits()
    compiled = Compiler(Vocabulary.from_pretrained(folder), limits).compile(JsonSchema(LISTS))
    half, most = most_bytes(compiled, 100_000)
    assert 0 < half <= most < limits.max_compiled_bytes
    # What there is to keep was met early.
    assert most <= 1.5 * half
