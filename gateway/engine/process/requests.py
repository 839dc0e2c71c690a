"""The client's requests: those that wait for a worker, and those that one has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gateway.engine.errors import DuplicateRequestError, EngineFault
from gateway.engine.request import GenerationRequest, TokenEvent
from gateway.engine.running import Item, Sink, hand_over


@dataclass(frozen=True, slots=True)
class Held:
    """A request that no worker has yet.

    Attributes:
        deadline: When it is not held any longer, on the monotonic clock.
    """

    request: GenerationRequest
    sink: Sink
    deadline: float


class Requests:
    """Every request is held, then under way, and ends once. Not thread-safe: the supervisor's alone."""

    def __init__(self) -> None:
        self._held: dict[str, Held] = {}
        self._sinks: dict[str, Sink] = {}
        # Requests that the worker was told to cancel: their ends are still to come, and are nobody's. By then the same
        # id may be under way again; the old one's end comes first.
        self._withdrawn: Counter[str] = Counter()

    @property
    def next_deadline(self) -> float | None:
        """When the first of those held is to be given up."""
        return min((held.deadline for held in self._held.values()), default=None)

    @property
    def num_under_way(self) -> int:
        """Those that the worker has."""
        return len(self._sinks)

    def hold(self, held: Held) -> None:
        """Keep it until there is a worker."""
        name = held.request.request_id
        if name in self._held or name in self._sinks:
            hand_over([(held.sink, DuplicateRequestError(f"request {name!r} is in the engine already"))])
        else:
            self._held[name] = held

    def send_off(self) -> list[GenerationRequest]:
        """All that are held; from now on they are under way."""
        leaving, self._held = self._held, {}
        self._sinks.update((name, held.sink) for name, held in leaving.items())
        return [held.request for held in leaving.values()]

    def withdraw(self, name: str, sink: Sink) -> bool:
        """Forget a request; returns whether the worker has it and is to be told."""
        held = self._held.get(name)
        if held is not None and held.sink is sink:
            del self._held[name]
        if self._sinks.get(name) is not sink:
            return False
        del self._sinks[name]
        self._withdrawn[name] += 1
        return True

    def deliver(self, events: Iterable[TokenEvent]) -> list[str]:
        """Hand events to those who wait for them; returns the requests for which nobody waits any more."""
        outgoing: list[tuple[Sink, Item]] = []
        for event in events:
            sink = self._take(event.request_id, event.finish_reason is not None)
            if sink is not None:
                outgoing.append((sink, event))
        closed = hand_over(outgoing)
        if not closed:
            return []
        abandoned = [(name, sink) for name, sink in self._sinks.items() if sink.loop in closed]
        return [name for name, sink in abandoned if self.withdraw(name, sink)]

    def refuse(self, name: str, fault: EngineFault) -> None:
        """The worker did not accept it."""
        sink = self._take(name, is_end=True)
        if sink is not None:
            hand_over([(sink, fault)])

    def expire(self, now: float, fault: EngineFault) -> None:
        """Give up those that were held too long."""
        late = [name for name, held in self._held.items() if held.deadline <= now]
        hand_over([(self._held.pop(name).sink, fault) for name in late])

    def end_under_way(self, fault: EngineFault) -> None:
        """The worker is gone: everything that it had ends."""
        ended = [(sink, _ending(name, fault)) for name, sink in self._sinks.items()]
        self._sinks.clear()
        self._withdrawn.clear()
        hand_over(ended)

    def _take(self, name: str, is_end: bool) -> Sink | None:
        """Whose event this is."""
        if self._withdrawn.get(name):
            if is_end:
                self._withdrawn[name] -= 1
                self._withdrawn += Counter()  # drops what is zero
            return None
        return self._sinks.pop(name, None) if is_end else self._sinks.get(name)


def _ending(name: str, fault: EngineFault) -> TokenEvent:
    return TokenEvent(name, [], finish_reason="error", error=fault)
