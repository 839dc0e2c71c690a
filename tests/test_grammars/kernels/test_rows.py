"""Arrays that masks are written into: what is no such array is refused, and nothing is written."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from grammars import Choice, Compiler, Matcher, Regex, Vocabulary, fill_masks

NUM_TOKENS = 257
NUM_WORDS = 9
VOCABULARY = Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256])


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(VOCABULARY)


@pytest.fixture
def matcher(compiler: Compiler) -> Matcher:
    return compiler.compile(Regex("[ab]*")).matcher()


def _read_only() -> np.ndarray:
    row = np.zeros(NUM_WORDS, dtype=np.uint32)
    row.flags.writeable = False
    return row


ODD_ROWS: dict[str, tuple[type[Exception], Any]] = {
    "two dimensions": (ValueError, np.zeros((NUM_WORDS, 1), dtype=np.uint32)),
    "a row in two dimensions": (ValueError, np.zeros((1, NUM_WORDS), dtype=np.uint32)),
    "no dimension": (ValueError, np.zeros((), dtype=np.uint32)),
    "a column": (ValueError, np.zeros((NUM_WORDS, 4), dtype=np.uint32)[:, 0]),
    "backwards": (ValueError, np.zeros(NUM_WORDS, dtype=np.uint32)[::-1]),
    "too short": (ValueError, np.zeros(NUM_WORDS - 1, dtype=np.uint32)),
    "too long": (ValueError, np.zeros(NUM_WORDS + 1, dtype=np.uint32)),
    "read-only": (ValueError, _read_only()),
    "not aligned": (ValueError, np.zeros(4 * NUM_WORDS + 1, dtype=np.uint8)[1:].view(np.uint32)),
    "signed": (TypeError, np.zeros(NUM_WORDS, dtype=np.int32)),
    "wider": (TypeError, np.zeros(NUM_WORDS, dtype=np.uint64)),
    "other byte order": (TypeError, np.zeros(NUM_WORDS, dtype=">u4")),
    "booleans": (TypeError, np.zeros(NUM_TOKENS, dtype=bool)),
    "a list": (TypeError, [0] * NUM_WORDS),
    "bytes": (TypeError, bytes(4 * NUM_WORDS)),
}


@pytest.mark.parametrize("name", ODD_ROWS)
def test_fill_mask_refuses_what_is_no_row(matcher: Matcher, name: str) -> None:
    error, row = ODD_ROWS[name]
    with pytest.raises(error, match="mask"):
        matcher.fill_mask(row)
    assert not np.any(np.asarray(row) if not isinstance(row, bytes) else np.frombuffer(row, np.uint8))


ODD_BATCHES: dict[str, tuple[type[Exception], Any]] = {
    "too few rows": (ValueError, np.zeros((1, NUM_WORDS), dtype=np.uint32)),
    "one dimension": (ValueError, np.zeros(2 * NUM_WORDS, dtype=np.uint32)),
    "Fortran's order": (ValueError, np.zeros((2, NUM_WORDS), dtype=np.uint32, order="F")),
    "every other row": (ValueError, np.zeros((4, NUM_WORDS), dtype=np.uint32)[::2]),
    "too narrow": (ValueError, np.zeros((2, NUM_WORDS - 1), dtype=np.uint32)),
    "signed": (TypeError, np.zeros((2, NUM_WORDS), dtype=np.int32)),
    "lists": (TypeError, [[0] * NUM_WORDS] * 2),
}


@pytest.mark.parametrize("is_one_constraint", [True, False])
@pytest.mark.parametrize("name", ODD_BATCHES)
def test_fill_masks_refuses_what_are_no_rows(compiler: Compiler, name: str, is_one_constraint: bool) -> None:
    error, rows = ODD_BATCHES[name]
    specs = [Regex("[ab]*"), Regex("[ab]*") if is_one_constraint else Choice(["c"])]
    with pytest.raises(error, match="mask"):
        fill_masks([compiler.compile(spec).matcher() for spec in specs], rows)
    assert not np.any(rows)


def test_fill_masks_refuses_another_number_of_budgets(matcher: Matcher) -> None:
    with pytest.raises(ValueError, match="2 matchers need as many budgets, not 1"):
        fill_masks([matcher, matcher.fork()], np.zeros((2, NUM_WORDS), dtype=np.uint32), [None])


@pytest.mark.parametrize("tokens_left", [2**31, 2**63, 2**64, 10**400])
def test_any_large_budget_is_none(matcher: Matcher, tokens_left: int) -> None:
    rows = np.zeros((4, NUM_WORDS), dtype=np.uint32)
    matcher.fill_mask(rows[0])
    matcher.fill_mask(rows[1], tokens_left)
    fill_masks([matcher, matcher.fork()], rows[2:], [tokens_left, tokens_left])
    assert rows[0].any()
    assert (rows == rows[0]).all()


def test_more_rows_than_matchers_are_left_alone(matcher: Matcher) -> None:
    rows = np.zeros((3, NUM_WORDS), dtype=np.uint32)
    fill_masks([matcher, matcher.fork()], rows)
    assert rows[0].any()
    assert (rows[0] == rows[1]).all()
    assert not rows[2].any()


def test_fill_masks_lets_other_threads_run_whatever_the_constraints(compiler: Compiler) -> None:
    """A matcher that is alone with its constraint is asked without the GIL, too: its arena is closed meanwhile."""
    matchers = [compiler.compile(spec).matcher() for spec in (Regex("[ab]*"), Choice(["c", "d"]))]
    rows, closed = np.zeros((2, NUM_WORDS), dtype=np.uint32), []
    for matcher in matchers:
        alone = matcher.compiled.arena.alone
        matcher.compiled.arena.alone = lambda alone=alone: closed.append(threading.get_ident()) or alone()  # type: ignore[method-assign]
    fill_masks(matchers, rows)
    assert closed == [threading.get_ident()] * 2
    assert rows.any(axis=1).all()
