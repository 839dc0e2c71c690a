"""Settings of the whole suite."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.counts import ALL, examples

# Read when torch is first imported, and inherited by the servers that tests start: one thread computes the same on
# every machine and leaves the other cores alone.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Read when Triton is first imported: where there is no GPU its kernels are interpreted.
if not Path("/dev/nvidia0").exists():
    os.environ.setdefault("TRITON_INTERPRET", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Let random tests have all their examples where slow tests run."""
    expression = config.option.markexpr
    ALL["examples"] = "slow" in expression and "not slow" not in expression
    # The first call of a kernel compiles it, which no deadline should see.
    settings.register_profile("portcullis", deadline=None, max_examples=examples(100))
    settings.load_profile("portcullis")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count random tests that have all their examples among the slow ones."""
    for item in items:
        if ALL["examples"] and "hypothesis" in item.keywords:
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Keep the tests themselves out of every collection of garbage to come."""
    gc.freeze()
