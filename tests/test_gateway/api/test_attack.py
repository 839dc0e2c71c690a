"""A server under attack, as tests/bench/bench_attack.py has it: a little of some phases, or all of them all night."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "bench_attack.py"
SHORT = ("--phases", "bodies,wire,distinct", "--bodies", "30", "--distinct", "6")
NIGHTLY = ("--count", "1000", "--bodies", "20000", "--prompts", "500", "--distinct", "2000", "--kills", "20")


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [(SHORT, 900), pytest.param(NIGHTLY, 4 * 3600, marks=pytest.mark.slow)],
    ids=["short", "nightly"],
)
def test_a_server_under_attack_serves_others_and_gives_memory_back(arguments, seconds):
    # How long others wait is a matter of the machine, and what else it does.
    command = [sys.executable, str(BENCH), *arguments, "--patience", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-5_000:]
    assert done.stdout.endswith("all held\n")
