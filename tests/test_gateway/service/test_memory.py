"""Memory that was left free goes back to the system."""

import ctypes
import subprocess
import sys

import pytest

# In a process of its own: what is free in this one's heap would be taken first.
HOLES = """
from gateway.service.model.memory import HeapTrimmer, resident_bytes

trimming = HeapTrimmer()
before = resident_bytes()
# Pieces too small to be mapped by themselves; what lies last keeps the heap from shrinking by itself.
pieces = [b"x" * (100_000 + number) for number in range(2_000)]
last = b"x" * 100_000
del pieces
assert resident_bytes() > before + (150 << 20), "nothing was left free"
trimming()
assert resident_bytes() < before + (50 << 20), "it was not given back"
"""

# Looked at while it was all in use, when there was nothing to give back.
LATER = HOLES.replace("del pieces", "trimming(); del pieces")


@pytest.mark.skipif(sys.platform != "linux", reason="no other system says so how large a process is")
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library cannot hand memory back")
@pytest.mark.parametrize("code", [HOLES, LATER], ids=["at once", "left later"])
def test_holes_in_the_heap_are_given_back(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
