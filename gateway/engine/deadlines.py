"""Whose time is over."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

from gateway.engine.errors import DeadlineExceededError
from gateway.engine.request import GenerationRequest
from gateway.engine.sequence import Sequence, Status


class Deadlines:
    """Looks at requests only when the earliest deadline that it was told of has passed.

    That may be of a request which is over; then a look finds nothing, and the next deadline.
    """

    def __init__(self) -> None:
        self.clock = time.monotonic
        self.next = math.inf

    def note(self, request: GenerationRequest) -> None:
        """There is a request with this deadline, if it has one.

        Raises:
            DeadlineExceededError: It comes too late.
        """
        if request.deadline is not None:
            if request.deadline <= self.clock():
                raise DeadlineExceededError(0, was_waiting=True)
            self.next = min(self.next, request.deadline)

    def passed(self, sequences: Iterable[Sequence]) -> list[tuple[Sequence, DeadlineExceededError]]:
        """Those of these, all that there are, whose time is over, and what they are to be told."""
        now = self.clock()
        if now < self.next:
            return []
        pending = [(each.request.deadline, each) for each in sequences if each.request.deadline is not None]
        self.next = min((deadline for deadline, _ in pending if deadline > now), default=math.inf)
        return [(sequence, _fault(sequence)) for deadline, sequence in pending if deadline <= now]


def _fault(sequence: Sequence) -> DeadlineExceededError:
    was_waiting = sequence.status is Status.WAITING and sequence.num_output == 0
    return DeadlineExceededError(sequence.num_output, was_waiting=was_waiting)
