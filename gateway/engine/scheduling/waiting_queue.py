"""Waiting queue: fair order between tenants, groups that share a prompt, and the expected wait."""

from __future__ import annotations

import math
import time
from bisect import insort
from collections import Counter, deque
from collections.abc import Collection, Iterator

from gateway.engine.config import EngineConfig, tenant_share
from gateway.engine.errors import InvalidSamplingError, QueueFullError
from gateway.engine.sequence import Sequence, Status

PROMPT_WEIGHT = 1
OUTPUT_WEIGHT = 2
"""What a computed token costs its tenant, in the paper's weights: one of an answer takes a whole step."""
MAX_IDLE_LANES = 256
"""Idle lanes whose lead is remembered; beyond that the one that has been idle longest is forgiven."""
MAX_RETRY_AFTER_S = 60
"""Clients wait no longer than this before they retry (OpenAI's ignores a larger header)."""
FINISHES_MEASURED = 64

Lane = tuple[int, str]
"""(priority, tenant): lanes of equal priority take turns."""
Rank = tuple[int, int, tuple[float, int]]


class TokenCounters:
    """Weighted tokens that were computed for each lane; the lane with the fewest goes first.

    Within a priority this is the virtual token counter: free room goes to the lane with the smallest counter, so of two
    lanes with waiting requests neither gets ahead by more than about twice the running tokens, for any number of
    requests. Each priority has its own counters.

        enter     a lane that becomes active is lifted to the smallest active counter: idle time gives no credit
        charge    tokens as they are computed: prompts chunk by chunk, answers as they grow; cached tokens, and tokens
                  recomputed after a preemption, are free
        leave     the last request of a lane ended; its counter is kept while it is ahead of the others, so that a pause
                  does not clear it

    See: Sheng et al., "Fairness in Serving Large Language Models" (OSDI 2024), section 4; an idle system forgets all
        counters, as in Goyal et al., "Start-time Fair Queueing" (SIGCOMM 1996).
    Cost: O(active lanes) when a lane enters or leaves, O(1) to charge. Memory: active lanes and `MAX_IDLE_LANES`.
    """

    def __init__(self) -> None:
        self._counters: dict[Lane, int] = {}
        self._requests: Counter[Lane] = Counter()
        self._idle: dict[Lane, None] = {}

    def __getitem__(self, lane: Lane) -> int:
        """Weighted tokens of a lane that has requests in the engine."""
        return self._counters[lane]

    def __len__(self) -> int:
        """Lanes that are remembered."""
        return len(self._counters)

    @property
    def num_active(self) -> int:
        """Lanes that have requests in the engine."""
        return len(self._requests)

    def enter(self, lane: Lane) -> None:
        """Count a request of this lane."""
        if lane not in self._requests:
            self._idle.pop(lane, None)
            self._counters[lane] = max(self._counters.get(lane, 0), self._floor(lane[0]))
        self._requests[lane] += 1

    def charge(self, lane: Lane, cost: int) -> None:
        """Add weighted tokens that were computed for the lane."""
        self._counters[lane] += cost

    def leave(self, lane: Lane) -> None:
        """Count the end of a request of this lane."""
        self._requests[lane] -= 1
        if self._requests[lane] > 0:
            return
        del self._requests[lane]
        self._idle[lane] = None
        if len(self._idle) > MAX_IDLE_LANES:
            self._forget(next(iter(self._idle)))
        floors = {priority: self._floor(priority) for priority in {priority for priority, _ in self._idle}}
        active = {priority for priority, _ in self._requests}
        for idle in list(self._idle):
            # Below the floor it would be lifted anyway; without other lanes there is no lead to remember.
            if idle[0] not in active or self._counters[idle] <= floors[idle[0]]:
                self._forget(idle)

    def check_integrity(self, lanes: list[Lane]) -> None:
        """Assert that exactly the requests of these lanes are counted."""
        assert self._requests == Counter(lanes), "requests are counted wrongly"
        assert self._counters.keys() == self._requests.keys() | self._idle.keys()
        assert not self._requests.keys() & self._idle.keys()
        assert len(self._idle) <= MAX_IDLE_LANES

    def _floor(self, priority: int) -> int:
        return min((self._counters[lane] for lane in self._requests if lane[0] == priority), default=0)

    def _forget(self, lane: Lane) -> None:
        del self._idle[lane]
        del self._counters[lane]


class WaitingQueue:
    """Waiting sequences, by lane.

        priority 0   key a   | oldest ... newest |      the next one is the oldest of the lane that
                     key b   | oldest ... newest |      has the smallest counter, in the first priority
        priority 5   key a   | oldest ... newest |      that anybody waits in

    Attributes:
        num_waiting: Number of sequences; may be read from any thread.

    Cost: O(lanes) to find the next one, O(requests of the lane) to add or remove one.
    """

    def __init__(self, counters: TokenCounters) -> None:
        self._counters = counters
        self._lanes: dict[Lane, list[Sequence]] = {}
        self.num_waiting = 0

    def __iter__(self) -> Iterator[Sequence]:
        for queued in self._lanes.values():
            yield from queued

    def rank(self, sequence: Sequence) -> Rank:
        """Return the order among all sequences, waiting or running: priority, then tokens of the lane, then arrival."""
        return (sequence.lane[0], self._counters[sequence.lane], sequence.place)

    def add(self, sequence: Sequence) -> None:
        """Put it where its arrival says; one that was preempted has not lost its place."""
        insort(self._lanes.setdefault(sequence.lane, []), sequence, key=_place)
        self.num_waiting += 1

    def remove(self, sequence: Sequence) -> None:
        """Take it out."""
        queued = self._lanes[sequence.lane]
        queued.remove(sequence)
        self.num_waiting -= 1
        if not queued:
            del self._lanes[sequence.lane]

    def check_room(
        self, tenant: str, config: EngineConfig, num_running: int, num_rows: int, rate: ThroughputEstimate
    ) -> None:
        """Raise unless one more sequence of the tenant may wait.

        Args:
            num_running: Sequences that run, for the time after which the client may try again.
            num_rows: Free rows of a step, which count as room.

        Raises:
            QueueFullError: The queue, or the tenant's share of it, is full.
        """
        if tenant:
            share = tenant_share(config.max_waiting, config.max_waiting_per_tenant)
            own = sum(other.request.tenant == tenant for other in self)
            if own >= share + num_rows:
                raise QueueFullError(share, rate.retry_after_s(own, num_running), is_own=True)
        if self.num_waiting >= config.max_waiting + num_rows:
            raise QueueFullError(config.max_waiting, rate.retry_after_s(self.num_waiting, num_running))

    def has(self, lane: Lane) -> bool:
        """True if a sequence of this lane waits."""
        return lane in self._lanes

    def first(self, reading: Collection[str] = ()) -> Sequence | None:
        """Return the sequence to run next; None if none may. Args: reading: Groups whose members are passed over."""
        able = (
            (each for each in queued if each.request.group not in reading and each.is_ready)
            for queued in self._lanes.values()
        )
        firsts = (next(queued, None) for queued in able)
        return min((each for each in firsts if each is not None), key=self.rank, default=None)

    def check_integrity(self) -> None:
        """Assert that lanes hold what they say, in order."""
        for lane, queued in self._lanes.items():
            assert queued, "an empty lane is kept"
            places = [sequence.place for sequence in queued]
            assert places == sorted(set(places)), "a lane is out of order"
            assert all(sequence.lane == lane for sequence in queued), "a sequence is in the wrong lane"


class ForkGroups:
    """Sequences that answer the same prompt: one of them reads it, the others go on from what it has read.

        reader     |<------ prompt ------>|<- its answer ->|
        sibling    |<--- shared -->|copied|                      passed over until the prompt is read
        sibling    |<--- shared -->|copied|
                                        ^ the last token is computed again: a sibling needs the scores after it

    A group is no unit of scheduling: its members are queued, preempted, cancelled and fail one by one. One that starts
    while another one runs takes that one's blocks (all say the same of the prompt); else what the prefix cache has.
    """

    def __init__(self) -> None:
        self._members: dict[str, list[Sequence]] = {}

    def join(self, sequence: Sequence) -> None:
        """Add a sequence to its group, if it has one.

        Raises:
            InvalidSamplingError: The group has another prompt.
        """
        name = sequence.request.group
        if name is not None:
            members = self._members.get(name, [])
            if members and members[0].request.prompt_ids != sequence.request.prompt_ids:
                raise InvalidSamplingError("group", "must be one of requests with the same prompt")
            self._members[name] = [*members, sequence]

    def leave(self, sequence: Sequence) -> None:
        """Take out a sequence that is over."""
        name = sequence.request.group
        if name is not None:
            self._members[name].remove(sequence)
            if not self._members[name]:
                del self._members[name]

    def reading(self) -> set[str]:
        """The groups whose prompt is being read: no other member need begin before that is done."""
        running = {
            name: [each for each in members if each.status is Status.RUNNING] for name, members in self._members.items()
        }
        return {name for name, members in running.items() if members and not any(map(_has_read, members))}

    def source(self, sequence: Sequence) -> Sequence | None:
        """A running sibling whose blocks hold the whole prompt."""
        name = sequence.request.group
        if name is None or sequence.is_scoring:
            return None
        return next((other for other in self._members[name] if other is not sequence and _has_read(other)), None)

    def check_integrity(self, known: list[Sequence]) -> None:
        """Assert that groups hold the known sequences that name one, each once."""
        members = [sequence for group in self._members.values() for sequence in group]
        assert all(self._members.values()), "an empty group is kept"
        assert len(members) == len(set(members))
        assert set(members) == {sequence for sequence in known if sequence.request.group is not None}


def _has_read(sequence: Sequence) -> bool:
    return sequence.status is Status.RUNNING and sequence.num_computed >= sequence.num_prompt_tokens


class ThroughputEstimate:
    """Rate at which requests finish, measured over the last ones while there is work."""

    def __init__(self) -> None:
        self.clock = time.monotonic
        self._times: deque[float] = deque(maxlen=FINISHES_MEASURED + 1)

    def begin(self) -> None:
        """Start measuring: time without work does not count."""
        self._times.clear()
        self._times.append(self.clock())

    def note(self) -> None:
        """Count a finished request."""
        self._times.append(self.clock())

    def retry_after_s(self, num_waiting: int, num_running: int = 1) -> int:
        """Return the whole seconds until this many requests have run, in [1, `MAX_RETRY_AFTER_S`].

        While fewer have finished than run, the time since the beginning is taken as that of all running ones.
        """
        if not self._times:
            return 1
        per_request = (self.clock() - self._times[0]) / max(len(self._times) - 1, num_running, 1)
        return min(max(math.ceil(num_waiting * per_request), 1), MAX_RETRY_AFTER_S)


def _place(sequence: Sequence) -> tuple[float, int]:
    return sequence.place
