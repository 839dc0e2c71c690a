"""What is noted of requests while they are answered."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.audit.notes import noted
from gateway.core.answer import Delta, Finish
from gateway.service.answers.generation import Generation


class Recording:
    """Notes how the answers of a request end. Before the last of them does, its records are kept."""

    def __init__(self, answering: Generation) -> None:
        self._notes = noted()
        self._notes.usage = answering.usage
        self._answering = answering
        self._num_left = len(answering.verdicts)

    async def take(self, deltas: Sequence[Delta]) -> None:
        """These leave once it returns.

        Raises:
            AuditError: They must not.
        """
        notes = self._notes
        if notes.keeps_contents:
            notes.deltas += deltas
        for delta in deltas:
            if isinstance(delta, Finish):
                notes.finish.append(delta.reason)
                notes.decide(self._answering.found(delta.choice))
                self._num_left -= 1
        if not self._num_left:
            await notes.seal(200)
