"""Who was served how much: a virtual token counter for each tenant."""

from __future__ import annotations

from collections import Counter

PROMPT_WEIGHT = 1
OUTPUT_WEIGHT = 2
"""What a computed token costs its tenant, in the paper's weights: one of an answer takes a whole step."""
MAX_IDLE_FLOWS = 256
"""Idle flows whose lead is remembered; beyond that the one that has been idle longest is forgiven."""

Flow = tuple[int, str]
"""(priority, tenant): what is served in turn with others of the same priority."""


class TokenCounters:
    """Weighted tokens that were computed for each flow; the one that has got the least goes first.

    Within a priority this is the virtual token counter: whenever there is room, it goes to the flow with the smallest
    counter, so that of two flows with requests waiting none gets ahead by more than about twice what runs at a time,
    however many requests it sends. Between priorities there is nothing to be fair about: each has counters of its own.

        enter     a flow that comes (back) is lifted to the smallest counter of those that are active: it owes nothing
                  for the time when it asked for nothing, and is owed nothing for it either
        charge    tokens as they are computed: prompts chunk by chunk, answers as they grow; what comes from the prefix
                  cache is free, and so is what is computed again after a preemption
        leave     the last request of a flow is over; its counter is kept only while it is ahead of the others, or a
                  flow could clear its debt by pausing for a moment

    See: Sheng et al., "Fairness in Serving Large Language Models" (OSDI 2024), section 4; that a system which falls
        idle forgets everything is from Goyal et al., "Start-time Fair Queueing" (SIGCOMM 1996).
    Cost: O(active flows) when a flow enters or leaves, O(1) to charge. Memory: active flows and `MAX_IDLE_FLOWS`.
    """

    def __init__(self) -> None:
        self._counters: dict[Flow, int] = {}
        self._requests: Counter[Flow] = Counter()
        self._idle: dict[Flow, None] = {}

    def __getitem__(self, flow: Flow) -> int:
        """Weighted tokens of a flow that has requests in the engine."""
        return self._counters[flow]

    def __len__(self) -> int:
        """Flows that are remembered."""
        return len(self._counters)

    @property
    def num_active(self) -> int:
        """Flows that have requests in the engine."""
        return len(self._requests)

    def enter(self, flow: Flow) -> None:
        """One more request of this flow is in the engine."""
        if flow not in self._requests:
            self._idle.pop(flow, None)
            self._counters[flow] = max(self._counters.get(flow, 0), self._floor(flow[0]))
        self._requests[flow] += 1

    def charge(self, flow: Flow, cost: int) -> None:
        """So many weighted tokens were computed for it."""
        self._counters[flow] += cost

    def leave(self, flow: Flow) -> None:
        """One request of this flow is over."""
        self._requests[flow] -= 1
        if self._requests[flow] > 0:
            return
        del self._requests[flow]
        self._idle[flow] = None
        if len(self._idle) > MAX_IDLE_FLOWS:
            self._forget(next(iter(self._idle)))
        floors = {priority: self._floor(priority) for priority in {priority for priority, _ in self._idle}}
        active = {priority for priority, _ in self._requests}
        for idle in list(self._idle):
            # Below the floor it would be lifted anyway; with nobody else there, there is nobody to be ahead of.
            if idle[0] not in active or self._counters[idle] <= floors[idle[0]]:
                self._forget(idle)

    def check_integrity(self, flows: list[Flow]) -> None:
        """Assert that exactly the requests of these flows are counted."""
        assert self._requests == Counter(flows), "requests are counted wrongly"
        assert self._counters.keys() == self._requests.keys() | self._idle.keys()
        assert not self._requests.keys() & self._idle.keys()
        assert len(self._idle) <= MAX_IDLE_FLOWS

    def _floor(self, priority: int) -> int:
        return min((self._counters[flow] for flow in self._requests if flow[0] == priority), default=0)

    def _forget(self, flow: Flow) -> None:
        del self._idle[flow]
        del self._counters[flow]
