"""Counts of random tests: few by default, all of them with `-m slow`."""

from __future__ import annotations

from typing import Any

import pytest

ALL = {"examples": False}
"""Set by `conftest.py` before test modules are imported."""


def few_or_all(few: Any, all_of_them: Any) -> list[Any]:
    """Return the values of a parameter: `few` in the default run, `all_of_them` with the slow tests."""
    return [pytest.param(few, id="few"), pytest.param(all_of_them, id="all", marks=pytest.mark.slow)]


def examples(num: int) -> int:
    """Return Hypothesis' `max_examples`: a quarter of `num` in the default run, `num` with the slow tests."""
    return num if ALL["examples"] else num // 4
