"""Requests that wait, and how long one more would have to."""

from __future__ import annotations

import math
import time
from bisect import insort
from collections import deque
from collections.abc import Iterator

from gateway.engine.fairness import Flow, TokenCounters
from gateway.engine.sequence import Sequence

MAX_RETRY_AFTER_S = 60
"""Clients do not wait longer than this before they try again, whatever they are told (OpenAI's ignores the header)."""
FINISHES_MEASURED = 64

Rank = tuple[int, int, int]


class WaitingQueue:
    """Waiting sequences, a lane for each flow.

        priority 0   key a   | oldest ... newest |      the next one is the oldest of the lane whose flow
                     key b   | oldest ... newest |      has the smallest counter, in the first priority
        priority 5   key a   | oldest ... newest |      that anybody waits in

    Cost: O(lanes) to find the next one, O(lane) to add or remove one.
    """

    def __init__(self, counters: TokenCounters) -> None:
        self._counters = counters
        self._lanes: dict[Flow, list[Sequence]] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Sequence]:
        for lane in self._lanes.values():
            yield from lane

    def rank(self, sequence: Sequence) -> Rank:
        """Its place among all sequences, waiting or running: priority, then what its flow has got, then arrival."""
        return (sequence.flow[0], self._counters[sequence.flow], sequence.arrival)

    def add(self, sequence: Sequence) -> None:
        """Put it where its arrival says; one that was preempted has not lost its place."""
        insort(self._lanes.setdefault(sequence.flow, []), sequence, key=_arrival)
        self._size += 1

    def remove(self, sequence: Sequence) -> None:
        """Take it out."""
        lane = self._lanes[sequence.flow]
        lane.remove(sequence)
        self._size -= 1
        if not lane:
            del self._lanes[sequence.flow]

    def has(self, flow: Flow) -> bool:
        """Whether one of this flow waits."""
        return flow in self._lanes

    def first(self) -> Sequence | None:
        """The one that is to run next; None if none waits."""
        return min((lane[0] for lane in self._lanes.values()), key=self.rank, default=None)

    def check_integrity(self) -> None:
        """Assert that lanes hold what they say, in order."""
        for flow, lane in self._lanes.items():
            assert lane, "an empty lane is kept"
            arrivals = [sequence.arrival for sequence in lane]
            assert arrivals == sorted(set(arrivals)), "a lane is out of order"
            assert all(sequence.flow == flow for sequence in lane), "a sequence is in the wrong lane"


class FinishRate:
    """How fast requests get done, measured over the last ones, while there is something to do."""

    def __init__(self) -> None:
        self.clock = time.monotonic
        self._times: deque[float] = deque(maxlen=FINISHES_MEASURED + 1)

    def begin(self) -> None:
        """There was nothing to do until now; that time says nothing about speed."""
        self._times.clear()
        self._times.append(self.clock())

    def note(self) -> None:
        """One more is done."""
        self._times.append(self.clock())

    def retry_after_s(self, num_waiting: int, num_running: int = 1) -> int:
        """Whole seconds until so many requests have had their turn, in [1, `MAX_RETRY_AFTER_S`].

        While fewer have finished than run, the time since the beginning stands for the time that those together take.
        """
        if not self._times:
            return 1
        per_request = (self.clock() - self._times[0]) / max(len(self._times) - 1, num_running, 1)
        return min(max(math.ceil(num_waiting * per_request), 1), MAX_RETRY_AFTER_S)


def _arrival(sequence: Sequence) -> int:
    return sequence.arrival
