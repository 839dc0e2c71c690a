"""Audit records of requests while they are answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from gateway.audit.request_record import current_record
from gateway.core.answer import CallDelta, Delta, Finding, Finish, Usage


class Recording:
    """Recorder of how a request's answers end. Its audit records are committed before the last answer's end is sent."""

    def __init__(
        self, usage: Callable[[], Usage], num_answers: int, found: Callable[[Finish], Sequence[Finding]]
    ) -> None:
        """Args:
        usage: Returns the tokens used so far.
        found: Returns the findings of a policy in a finished answer.
        """
        self._record = current_record()
        self._record.usage = usage
        self._keeps_contents = self._record.keeps_contents
        self._found = found
        self._num_left = num_answers

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
                record.decide(self._found(delta))
                self._num_left -= 1
        if not self._num_left:
            await record.seal(200)
