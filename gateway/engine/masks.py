"""Token masks of a step, filled beside the forward pass.

What a constraint allows next depends on the tokens so far, which are known before the step; so a second thread can fill
the masks while the model computes. Handing work to a thread costs more than a few cheap masks do (0.6 ms a step were
measured, against 0.1 ms for one mask), so the thread is used only while masks have been slow. On an accelerator the
forward pass returns before it is done, and masks filled after it overlap with it anyway.
"""

from __future__ import annotations

import time
from collections.abc import Sequence as Seq
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from gateway.engine.errors import ConstraintFailedError, EngineFault
from gateway.engine.protocols import FillMasks, MaskRows
from gateway.engine.sequence import Sequence

ALL = np.uint32(0xFFFFFFFF)
MANY = 64
"""Tokens of a mask, from which on they do not all begin the same text: forced text has one token for each length."""
WORTH_A_THREAD = 1e-3
"""Seconds that filling the masks of a step takes, from which on a thread pays."""


class MaskFiller:
    """Fills one mask row for each constrained sequence of a step.

    Use: `look` at those that a draft may be guessed from; `begin`, compute, `finish`; `fill` for each later position.

    Attributes:
        rows: After `finish` or `fill`: the masks, a row per constrained sequence in the order given; warpers that
            forbid tokens then narrow them in place, and leave each row at least one. Shapes: [n, ceil(V / 32)].
    """

    def __init__(self, vocab_size: int, max_rows: int, hook: FillMasks | None, overlap: bool) -> None:
        self._buffer: MaskRows = np.zeros((max_rows, -(-vocab_size // 32)), dtype=np.uint32)
        self._seen: MaskRows = np.zeros_like(self._buffer)
        self._places: dict[Sequence, int] = {}
        self.rows: MaskRows = self._buffer[:0]
        self._hook = hook
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="portcullis-masks") if overlap else None
        self._seconds = 0.0
        self._future: Future[dict[Sequence, EngineFault]] | None = None
        self._sequences: list[Sequence] = []

    @property
    def is_slow(self) -> bool:
        """Whether masks have taken so long that they should be filled while the model computes."""
        return self._pool is not None and self._seconds > WORTH_A_THREAD

    def look(self, sequences: Seq[Sequence]) -> list[MaskRows]:
        """The masks of constrained sequences, before the step; those that still hold then are not filled again.

        A constraint that raises is left to `begin` and `finish`, which tell of it; its row here allows everything.
        """
        rows = self._seen[: len(sequences)]
        failures = self._fill_timed(sequences, rows) if sequences else {}
        self._places = {each: place for place, each in enumerate(sequences) if each not in failures}
        return list(rows)

    def is_open(self, sequence: Sequence) -> bool:
        """Whether the mask, as far as it was looked at, leaves so many tokens that the text cannot be forced."""
        place = self._places.get(sequence)
        return place is not None and int.from_bytes(self._seen[place].tobytes(), "little").bit_count() > MANY

    def look_again(self, sequence: Sequence) -> None:
        """The same for one whose text has grown since."""
        place = self._places.pop(sequence)
        if not self._fill([sequence], self._seen[place : place + 1]):
            self._places[sequence] = place

    def begin(self, sampled: Seq[Sequence]) -> None:
        """Start on the masks of the sequences that will be sampled."""
        self._take(sampled)
        is_known = all(sequence in self._places for sequence in self._sequences)
        self._future = self._pool.submit(self._fill_rest) if self._pool and self.is_slow and not is_known else None

    def finish(self) -> dict[Sequence, EngineFault]:
        """Wait for the masks; returns the sequences whose constraint failed. Their rows allow everything."""
        return self._fill_rest() if self._future is None else self._future.result()

    def fill(self, sampled: Seq[Sequence]) -> dict[Sequence, EngineFault]:
        """The masks of sequences, at once; returns the same as `finish`."""
        self._take(sampled)
        return self._fill(self._sequences, self.rows)

    def fill_freely(self, sequences: Seq[Sequence]) -> MaskRows:
        """The masks of constrained sequences as they were without a budget. Shapes: [len(sequences), ceil(V / 32)]."""
        rows = np.zeros((len(sequences), self._buffer.shape[1]), dtype=np.uint32)
        self._fill(sequences, rows, [None] * len(sequences))
        return rows

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def allows_nothing(self, sequence: Sequence) -> bool:
        """Whether the mask of this step forbids every token; asked only of a row whose best score is no number."""
        return sequence in self._sequences and not self.rows[self._sequences.index(sequence)].any()

    def _take(self, sampled: Seq[Sequence]) -> None:
        self._sequences = [sequence for sequence in sampled if sequence.constraint is not None]
        self.rows = self._buffer[: len(self._sequences)]

    def _fill_rest(self) -> dict[Sequence, EngineFault]:
        """All rows, but those that were looked at already."""
        places, self._places = self._places, {}
        if places.keys().isdisjoint(self._sequences):
            return self._fill_timed(self._sequences, self.rows)
        rest = [row for row, sequence in enumerate(self._sequences) if sequence not in places]
        known = [row for row, sequence in enumerate(self._sequences) if sequence in places]
        self.rows[known] = self._seen[[places[self._sequences[row]] for row in known]]
        if not rest:
            return {}
        filled = np.empty((len(rest), self.rows.shape[1]), dtype=np.uint32)
        failures = self._fill([self._sequences[row] for row in rest], filled)
        self.rows[rest] = filled
        return failures

    def _fill_timed(self, sequences: Seq[Sequence], rows: MaskRows) -> dict[Sequence, EngineFault]:
        start = time.thread_time()  # not wall time: on a busy machine that says nothing about the masks
        failures = self._fill(sequences, rows)
        # A moving average over about four steps: one cold mask does not decide.
        self._seconds += (time.thread_time() - start - self._seconds) / 4
        return failures

    def _fill(
        self, sequences: Seq[Sequence], rows: MaskRows, budgets: list[int | None] | None = None
    ) -> dict[Sequence, EngineFault]:
        """All rows in one call of the hook; if that raises, one by one, to find whose fault it is."""
        rows.fill(0)
        left: list[int | None] = budgets or [sequence.tokens_left for sequence in sequences]
        if self._hook is not None and sequences:
            constraints = [sequence.constraint for sequence in sequences]
            try:
                self._hook(constraints, rows, left)
            except Exception:
                rows.fill(0)
            else:
                return {}
        failures: dict[Sequence, EngineFault] = {}
        for row, sequence, tokens in zip(rows, sequences, left, strict=True):
            assert sequence.constraint is not None
            try:
                sequence.constraint.fill_mask(row, tokens)
            except Exception as error:
                fault = ConstraintFailedError(f"the constraint could not say what comes next: {error!r}")
                fault.__cause__ = error
                failures[sequence] = fault
                row[:] = ALL
        return failures


def only_token(mask: MaskRows) -> int | None:
    """The token that a mask allows alone; None if it allows another number of them. Shapes: mask [ceil(V / 32)]."""
    bits = int.from_bytes(mask.tobytes(), "little")
    return bits.bit_length() - 1 if bits.bit_count() == 1 else None
