"""What holds of every process that has a guard's model."""

import subprocess
import sys
import time
from pathlib import Path

from gateway.guards.processes import ModelProcess

_ASKS = """
import os, sys
from importlib import import_module
process = getattr(import_module(sys.argv[1]), sys.argv[2]).of(sys.argv[3])
process.open()
print(process._process.pid, "torch" in sys.modules, flush=True)
os._exit(0)
"""


def assert_it_ends_with_whoever_asks(kind: type[ModelProcess], folder: str) -> None:
    """It does, however that ended; and torch is in the model's process alone."""
    command = [sys.executable, "-c", _ASKS, kind.__module__, kind.__name__, folder]
    pid, has_torch = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert has_torch == "False"
    end = time.monotonic() + 20
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text().split()[2] != "Z":
        assert time.monotonic() < end, "it lives on"
        time.sleep(0.05)
