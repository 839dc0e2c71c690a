"""Several answers to one prompt: one sequence reads it, the others go on from what it has read.

        reader     |<------ prompt ------>|<- its answer ->|
        sibling    |<--- shared -->|copied|                      held until the prompt is read, then queued
        sibling    |<--- shared -->|copied|
                                        ^ its last token is computed once more: a sibling needs the scores after it

A group is no unit of scheduling: its members are queued, preempted, cancelled and fail one by one. Whoever starts while
another one runs takes that one's blocks (any member's will do, they say the same of the prompt); else it takes what the
prefix cache has, like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gateway.engine.errors import InvalidSamplingError
from gateway.engine.sequence import Sequence, Status


@dataclass(slots=True)
class _Group:
    """The members that are in the engine, in order of arrival.

    Attributes:
        active: Queued or running. Never empty.
        held: Wait until one of the active ones has read the prompt.
    """

    active: list[Sequence] = field(default_factory=list)
    held: list[Sequence] = field(default_factory=list)


class ForkGroups:
    """Which sequences answer the same prompt, and which of them wait for it to be read."""

    def __init__(self) -> None:
        self._groups: dict[str, _Group] = {}
        self.num_held = 0

    @property
    def held(self) -> Iterator[Sequence]:
        """All that wait for a sibling."""
        for group in self._groups.values():
            yield from group.held

    def join(self, sequence: Sequence) -> bool:
        """Add a sequence to its group; whether it is to be queued, because it has nobody to wait for.

        Raises:
            InvalidSamplingError: The group has another prompt.
        """
        name = sequence.request.group
        if name is None:
            return True
        group = self._groups.setdefault(name, _Group())
        if not group.active:
            group.active.append(sequence)
            return True
        first = group.active[0]
        if first.request.prompt_ids != sequence.request.prompt_ids:
            raise InvalidSamplingError("group", "must be one of requests with the same prompt")
        is_read = any(map(_has_read, group.active))
        (group.active if is_read else group.held).append(sequence)
        self.num_held += not is_read
        return is_read

    def leave(self, sequence: Sequence) -> tuple[bool, Sequence | None]:
        """Take out a sequence that is over: whether it was held, and the one that is to be queued in its place.

        If it was the one that read for the others, the next of them does.
        """
        name = sequence.request.group
        if name is None:
            return False, None
        group = self._groups[name]
        if sequence in group.held:
            group.held.remove(sequence)
            self.num_held -= 1
            return True, None
        group.active.remove(sequence)
        heir = None
        if not group.active and group.held:
            heir = group.held.pop(0)
            self.num_held -= 1
            group.active.append(heir)
        if not group.active:
            del self._groups[name]
        return False, heir

    def release(self) -> list[Sequence]:
        """Take those whose prompt has been read by now; they are to be queued."""
        released: list[Sequence] = []
        for group in self._groups.values() if self.num_held else ():
            if group.held and any(map(_has_read, group.active)):
                released += group.held
                group.active += group.held
                self.num_held -= len(group.held)
                group.held = []
        return released

    def source(self, sequence: Sequence) -> Sequence | None:
        """A running sibling whose blocks hold the whole prompt."""
        name = sequence.request.group
        if name is None or sequence.is_scoring:
            return None
        return next((other for other in self._groups[name].active if other is not sequence and _has_read(other)), None)

    def check_integrity(self, known: list[Sequence]) -> None:
        """Assert that groups hold the known sequences that name one, each once."""
        members = [sequence for group in self._groups.values() for sequence in group.active + group.held]
        assert all(group.active for group in self._groups.values()), "a group waits for nobody"
        assert len(members) == len(set(members))
        assert set(members) == {sequence for sequence in known if sequence.request.group is not None}
        assert all(sequence.status is Status.WAITING for sequence in self.held)


def _has_read(sequence: Sequence) -> bool:
    return sequence.status is Status.RUNNING and sequence.num_computed >= sequence.num_prompt_tokens
