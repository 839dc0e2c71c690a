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
WORTH_A_THREAD = 1e-3
"""Seconds that filling the masks of a step takes, from which on a thread pays."""


class MaskFiller:
    """Fills one mask row for each constrained sequence of a step; use: `begin`, compute, `finish`.

    Attributes:
        rows: After `finish`: the masks, a row per constrained sequence in step order; warpers that forbid tokens then
            narrow them in place, and leave each row at least one. Shapes: [n, ceil(V / 32)].
    """

    def __init__(self, vocab_size: int, max_rows: int, hook: FillMasks | None, overlap: bool) -> None:
        self._buffer: MaskRows = np.zeros((max_rows, -(-vocab_size // 32)), dtype=np.uint32)
        self.rows: MaskRows = self._buffer[:0]
        self._hook = hook
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="portcullis-masks") if overlap else None
        self._seconds = 0.0
        self._future: Future[dict[Sequence, EngineFault]] | None = None
        self._sequences: list[Sequence] = []

    def begin(self, sampled: Seq[Sequence]) -> None:
        """Start on the masks of the sequences that will be sampled."""
        self._sequences = [sequence for sequence in sampled if sequence.constraint is not None]
        self.rows = self._buffer[: len(self._sequences)]
        is_slow = self._seconds > WORTH_A_THREAD
        self._future = self._pool.submit(self._fill) if self._pool and self._sequences and is_slow else None

    def finish(self) -> dict[Sequence, EngineFault]:
        """Wait for the masks; returns the sequences whose constraint failed. Their rows allow everything."""
        if self._future is not None:
            return self._future.result()
        return self._fill() if self._sequences else {}

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _fill(self) -> dict[Sequence, EngineFault]:
        if self._pool is None:
            return self._fill_all()
        start = time.thread_time()  # not wall time: on a busy machine that says nothing about the masks
        failures = self._fill_all()
        # A moving average over about four steps: one cold mask does not decide.
        self._seconds += (time.thread_time() - start - self._seconds) / 4
        return failures

    def _fill_all(self) -> dict[Sequence, EngineFault]:
        rows = self.rows
        rows.fill(0)
        return self._fill_rows(rows)

    def allows_nothing(self, sequence: Sequence) -> bool:
        """Whether the mask of this step forbids every token; asked only of a row whose best score is no number."""
        return sequence in self._sequences and not self.rows[self._sequences.index(sequence)].any()

    def _fill_rows(self, rows: MaskRows) -> dict[Sequence, EngineFault]:
        """All rows in one call of the hook; if that raises, one by one, to find whose fault it is."""
        if self._hook is not None:
            constraints = [sequence.constraint for sequence in self._sequences]
            try:
                self._hook(constraints, rows, [sequence.tokens_left for sequence in self._sequences])
            except Exception:
                rows.fill(0)
            else:
                return {}
        failures: dict[Sequence, EngineFault] = {}
        for row, sequence in zip(rows, self._sequences, strict=True):
            assert sequence.constraint is not None
            try:
                sequence.constraint.fill_mask(row, sequence.tokens_left)
            except Exception as error:
                fault = ConstraintFailedError(f"the constraint could not say what comes next: {error!r}")
                fault.__cause__ = error
                failures[sequence] = fault
                row[:] = ALL
        return failures
