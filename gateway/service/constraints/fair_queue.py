"""Queue for a few slots that tenants share fairly."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque

from gateway.errors import OverloadedError

MAX_RETRY_AFTER_S = 60
"""Longest wait that a refusal suggests: clients do not wait longer than this before they try again."""
_MEASURED = 64


class FairQueue:
    """Queue for slots. The tenant with the fewest slots gets the next one; of equals, the one served longest ago.

    A tenant with a name gets at most all slots but one, and half of the queue: its jobs may take long, and cannot be
    interrupted. Used by one event loop.
    """

    def __init__(self, num_places: int, max_waiting: int, what: str, max_wait_s: float | None = None) -> None:
        """Args:
        what: Plural name of the queued things, for messages.
        max_wait_s: Longest wait; None sets no bound.
        """
        self._num_places = num_places
        self._max_waiting = max_waiting
        self._what = what
        self._max_wait_s = max_wait_s
        # When each of a tenant's slots was taken, and how long the most recent ones were in use.
        self._taken: dict[str, list[float]] = {}
        self._seconds: deque[float] = deque(maxlen=_MEASURED)
        # The tenant served longest ago first.
        self._lanes: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def num_waiting(self) -> int:
        """Number of waiters without a slot."""
        return sum(map(len, self._lanes.values()))

    async def take(self, tenant: str, *, is_admitted: bool = False) -> None:
        """Return with a slot, which `give_back` frees.

        Args:
            is_admitted: The job belongs to a request in progress, and waits whatever the length of the queue.

        Raises:
            OverloadedError: The queue is full, or the wait took too long.
        """
        if tenant not in self._lanes and self._may_have(tenant):
            self._occupy(tenant)
            return
        if not is_admitted:
            self._check_room(tenant)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lanes.setdefault(tenant, deque()).append(turn)
        try:
            async with asyncio.timeout(None if is_admitted else self._max_wait_s):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self.give_back(tenant)  # the slot was assigned after the wait had ended
            else:
                self._leave(tenant, turn)
            if isinstance(error, TimeoutError):
                raise self._refusal(f"{self.num_waiting} {self._what} were ahead for {self._max_wait_s:g} s") from None
            raise

    def give_back(self, tenant: str) -> None:
        """Free a slot and assign it to the next waiter."""
        self._seconds.append(time.monotonic() - self._taken[tenant].pop(0))
        if not self._taken[tenant]:
            del self._taken[tenant]
        served = True
        while served:
            served = self._serve_next()

    def _serve_next(self) -> bool:
        candidates = [tenant for tenant in self._lanes if self._may_have(tenant)]
        if not candidates:
            return False
        tenant = min(candidates, key=self._num_taken)  # the first of equals
        turn = self._lanes[tenant][0]
        self._leave(tenant, turn)
        if not turn.cancelled():  # cancelled, but its waiter has not run yet
            if tenant in self._lanes:
                self._lanes.move_to_end(tenant)
            self._occupy(tenant)
            turn.set_result(None)
        return True

    def _occupy(self, tenant: str) -> None:
        self._taken.setdefault(tenant, []).append(time.monotonic())

    def _num_taken(self, tenant: str) -> int:
        return len(self._taken.get(tenant, ()))

    def _may_have(self, tenant: str) -> bool:
        own = max(self._num_places - 1, 1) if tenant else self._num_places
        return sum(map(len, self._taken.values())) < self._num_places and self._num_taken(tenant) < own

    def _check_room(self, tenant: str) -> None:
        own = len(self._lanes.get(tenant, ()))
        if tenant and own >= max(self._max_waiting // 2, 1):
            raise self._refusal(f"{own} of your {self._what} are waiting already", own)
        if self.num_waiting >= self._max_waiting:
            raise self._refusal(f"{self.num_waiting} {self._what} are waiting already")

    def _refusal(self, message: str, num_ahead: int | None = None) -> OverloadedError:
        """Return a refusal that suggests to retry when the jobs ahead will have ended, by recent durations."""
        now = time.monotonic()
        # The jobs that run now may be slower than those that ended.
        ages = [now - since for begun in self._taken.values() for since in begun]
        each = max(sum(seconds) / max(len(seconds), 1) for seconds in (self._seconds, ages))
        ahead = self.num_waiting if num_ahead is None else num_ahead
        wait_s = math.ceil(each * (ahead + 1) / self._num_places)
        return OverloadedError(message, retry_after_s=min(max(wait_s, 1), MAX_RETRY_AFTER_S))

    def _leave(self, tenant: str, turn: asyncio.Future[None]) -> None:
        lane = self._lanes.get(tenant)
        if lane is not None and turn in lane:
            lane.remove(turn)
            if not lane:
                del self._lanes[tenant]
