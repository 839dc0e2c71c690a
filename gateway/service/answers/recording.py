"""Audit records of requests while they are answered."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from gateway.audit.request_record import current_record
from gateway.core.answer import CallDelta, Delta, Finish
from gateway.service.answers.generation import Generation


class Recording:
    """Recorder of how a request's answers end. Its audit records are committed before the last answer's end is sent."""

    def __init__(self, generation: Generation) -> None:
        self._record = current_record()
        self._record.usage = generation.usage
        self._keeps_contents = self._record.keeps_contents
        self._generation = generation
        self._num_left = len(generation.verdicts)

    async def take(self, deltas: Sequence[Delta]) -> None:
        """Return once the deltas may be sent.

        Raises:
            AuditError: The records cannot be committed, so nothing may be sent.
        """
        record = self._record
        if deltas and record.first_output_at is None:
            record.first_output_at = perf_counter()
        if self._keeps_contents:
            record.deltas += deltas
        for delta in deltas:
            if isinstance(delta, CallDelta):
                record.calling.add(delta.choice)
            elif isinstance(delta, Finish):
                record.finish.append(delta.reason)
                record.decide(self._generation.found(delta.choice))
                self._num_left -= 1
        if not self._num_left:
            await record.seal(200)
