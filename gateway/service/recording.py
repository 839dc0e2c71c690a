"""What is noted of requests while they are answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gateway.audit.notes import noted
from gateway.core.answer import Delta, Finish, Usage
from gateway.service.plan import Prepared
from gateway.service.screening import AnswerScreen
from gateway.service.writer import AnswerWriter


class Recording:
    """Notes how the answers of a request end. Before the last of them does, its records are kept."""

    def __init__(self, prepared: Prepared, writers: Sequence[AnswerWriter], screens: Sequence[AnswerScreen]) -> None:
        self._notes = noted()
        self._notes.usage = partial(usage_of, prepared, writers)
        self._screens = screens
        self._num_left = len(writers)

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
                if self._screens:
                    notes.decide(self._screens[delta.choice].found)
                self._num_left -= 1
        if not self._num_left:
            await notes.seal(200)


def usage_of(prepared: Prepared, writers: Sequence[AnswerWriter]) -> Usage:
    """Tokens of all answers so far."""
    return Usage(
        prompt_tokens=sum(len(prompt.ids) for prompt in prepared.prompts),
        completion_tokens=sum(writer.num_tokens for writer in writers),
        reasoning_tokens=sum(writer.num_reasoning_tokens for writer in writers),
        # The first answer reads the prompt; the others take over what it has read.
        cached_tokens=sum(writer.num_cached_tokens for writer in writers[:: prepared.candidates]),
    )
