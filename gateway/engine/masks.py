"""Token masks of a step, filled beside the forward pass.

What a constraint allows next depends on the tokens so far, which are known before the step; so a second thread can fill
the masks while the model computes. Handing work to a thread costs more than a few cheap masks do (0.6 ms a step were
measured, against 0.1 ms for one mask), so the thread is used only while masks have been slow. On an accelerator the
forward pass returns before it is done, and masks filled after it overlap with it anyway.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Sequence as Seq
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np

from gateway.engine.cpu_kernels.rows import count_allowed
from gateway.engine.errors import ConstraintFailedError, EngineFault
from gateway.engine.histograms import MASK_S, Histogram
from gateway.engine.protocols import FillMasks, MaskRows, TokenConstraint
from gateway.engine.rows import SamplingRows
from gateway.engine.sequence import Sequence

ALL = np.uint32(0xFFFFFFFF)
MANY = 64
"""Tokens of a mask, from which on they do not all begin the same text: forced text has one token for each length."""
WORTH_A_THREAD = 1e-3
"""Seconds that filling the masks of a step takes, from which on a thread pays."""


class MaskFiller:
    """Fills a mask for each constrained row of a step.

    Use: `look` at those that a draft may be guessed from; `begin`, compute, `finish`.

    Attributes:
        rows: After `finish`: the masks, at the places that `SamplingRows.mask_rows` names; warpers that forbid tokens
            then narrow them in place, and leave each row at least one. Shapes: [any, ceil(V / 32)].
        row_times: CPU time that filling each mask took; all of one call count the same.
        num_narrowed: Masks that a budget of tokens left tokens out of, of answers that none has decided yet.
    """

    def __init__(self, vocab_size: int, max_rows: int, hook: FillMasks | None, overlap: bool) -> None:
        self.rows: MaskRows = np.zeros((max_rows, -(-vocab_size // 32)), dtype=np.uint32)
        self.row_times = Histogram.empty(MASK_S)
        self.num_narrowed = 0
        self._num_taken = 0
        self._places: dict[Sequence, int] = {}
        self._num_allowed: list[int] = []
        self._hook = hook or fill_each
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="portcullis-masks") if overlap else None
        self._seconds = 0.0
        self._begun: Callable[[], dict[int, EngineFault]] = dict

    @property
    def is_slow(self) -> bool:
        """True if masks take long enough to be filled while the model computes."""
        return self._pool is not None and self._seconds > WORTH_A_THREAD

    def look(self, sequences: Seq[Sequence]) -> list[Sequence]:
        """Fill the masks of constrained sequences before the step; return those whose mask allows a single token.

        Masks that still hold in the step are not filled again.

        A constraint that raises is left to `begin` and `finish`, which report it.
        """
        self._num_taken, self._places, self._num_allowed = 0, {}, []
        if sequences:
            rows = self._take(len(sequences))
            failures = self._fill_timed(
                [each.constraint for each in sequences], rows, [each.tokens_left for each in sequences]
            )
            self._num_allowed = count_few(rows)
            self._places = dict(zip(sequences, range(len(sequences)), strict=True))
            for place in failures:
                del self._places[sequences[place]]
        if 1 not in self._num_allowed:
            return []
        return [each for each, count in zip(sequences, self._num_allowed, strict=True) if count == 1]

    def is_open(self, sequence: Sequence) -> bool:
        """True if the mask was filled and leaves more than `MANY` tokens, so the text cannot be forced."""
        place = self._places.get(sequence)
        return place is not None and self._num_allowed[place] > MANY

    def only_token(self, sequence: Sequence) -> int | None:
        """Return the only token that the mask allows; None where it allows others too, or was not filled."""
        place = self._places.get(sequence)
        return None if place is None or self._num_allowed[place] != 1 else first_token(self.rows[place])

    def look_again(self, sequence: Sequence) -> None:
        """Fill the mask of one whose text has grown since."""
        place = self._places.pop(sequence)
        rows = self.rows[place : place + 1]
        if not self._fill([sequence.constraint], rows, [sequence.tokens_left]):
            self._places[sequence] = place
            self._num_allowed[place] = count_few(rows)[0]

    def begin(self, rows: SamplingRows) -> None:
        """Start on the masks of these rows, and say which are whose."""
        places, self._places = self._places, {}
        if not places:
            self._num_taken = 0
        rows.mask_rows[rows.starts] = [places.get(sequence, -1) for sequence in rows.sequences]
        known = rows.mask_rows.tolist()
        numbers = [row for row, state in enumerate(rows.states) if state is not None and known[row] < 0]
        if not numbers:
            self._begun = dict
            return
        first = self._num_taken
        filled = self._take(len(numbers))
        rows.mask_rows[numbers] = np.arange(first, self._num_taken)
        states = [rows.states[row] for row in numbers]
        tokens_left = np.array([sequence.tokens_left for sequence in rows.sequences])[rows.owners] - rows.positions
        left: list[int | None] = tokens_left[numbers].tolist()

        def fill() -> dict[int, EngineFault]:
            failures = self._fill_timed(states, filled, left, is_all=not places)
            return {numbers[number]: fault for number, fault in failures.items()}

        self._begun = self._pool.submit(fill).result if self._pool and self.is_slow else fill

    def finish(self) -> dict[int, EngineFault]:
        """Wait for the masks; returns the rows whose constraint failed. Their masks allow everything."""
        begun, self._begun = self._begun, dict
        return begun()

    def allows_nothing(self, rows: SamplingRows, row: int) -> bool:
        """True if the mask of a row forbids every token; called only for a row whose best score is not finite."""
        place = rows.mask_rows[row]
        return bool(place >= 0 and not self.rows[place].any())

    def fill_freely(self, states: Seq[TokenConstraint | None]) -> MaskRows:
        """The masks as they were without a budget. Shapes: [len(states), ceil(V / 32)]."""
        rows = np.zeros((len(states), self.rows.shape[1]), dtype=np.uint32)
        self._fill(states, rows, [None] * len(states))
        return rows

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _take(self, count: int) -> MaskRows:
        """Return this many more rows. Filled masks keep their places."""
        first, self._num_taken = self._num_taken, self._num_taken + count
        if self._num_taken > len(self.rows):
            grown = np.zeros((2 * self._num_taken, self.rows.shape[1]), dtype=np.uint32)
            grown[:first] = self.rows[:first]
            self.rows = grown
        return self.rows[first : self._num_taken]

    def _fill_timed(
        self, states: Seq[TokenConstraint | None], rows: MaskRows, left: list[int | None], *, is_all: bool = True
    ) -> dict[int, EngineFault]:
        """Fill rows, all masks of a step or some of them."""
        start = time.thread_time()  # not wall time: on a busy machine that says nothing about the masks
        failures = self._fill(states, rows, left)
        seconds = time.thread_time() - start
        self.row_times.add(MASK_S, seconds / len(states), len(states))
        if is_all:
            # A moving average over about four steps: one cold mask does not decide.
            self._seconds += (seconds - self._seconds) / 4
        return failures

    def _fill(self, states: Seq[Any], rows: MaskRows, left: list[int | None]) -> dict[int, EngineFault]:
        """Fill all rows in one call; if that raises, one by one by the same function, to find the cause."""
        if not states:
            return {}
        rows.fill(0)
        with suppress(Exception):
            self._hook(list(states), rows, left)
            return {}
        failures: dict[int, EngineFault] = {}
        for number, state in enumerate(states):
            row = rows[number : number + 1]
            row.fill(0)
            try:
                self._hook([state], row, left[number : number + 1])
            except Exception as error:
                fault = ConstraintFailedError(f"the constraint could not fill its mask: {error!r}")
                fault.__cause__ = error
                failures[number] = fault
                row.fill(ALL)
        return failures


def fill_each(constraints: Seq[TokenConstraint], rows: MaskRows, tokens_left: Seq[int | None]) -> None:
    """Fill the masks of constraints that have no function for many of them. Shapes: rows [constraints, words]."""
    for constraint, row, left in zip(constraints, rows, tokens_left, strict=True):
        constraint.fill_mask(row, left)


def count_few(masks: MaskRows) -> list[int]:
    """Return the number of tokens that each mask allows, or any number above `MANY`.

    Shapes: masks [n, ceil(V / 32)].
    """
    counts = np.empty(len(masks), dtype=np.int64)
    count_allowed(masks, MANY, counts)
    found: list[int] = counts.tolist()
    return found


def first_token(mask: MaskRows) -> int:
    """The first token that a mask allows. Shapes: mask [ceil(V / 32)], not all zero."""
    word = int((mask != 0).argmax())
    bits = int(mask[word])
    return 32 * word + (bits & -bits).bit_length() - 1
