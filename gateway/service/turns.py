"""A few places, and tenants who take turns for them."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque

from gateway.errors import OverloadedError


class Turns:
    """So many things at a time. Who has the fewest places gets the next one; of equals, who was served longest ago.

    One tenant gets all places but one, and half of the room to wait, where tenants have names: what it does may take
    long, and cannot be interrupted. Used by one event loop.
    """

    def __init__(self, num_places: int, max_waiting: int, what: str) -> None:
        """Args: what: Names, in messages, what waits."""
        self._num_places = num_places
        self._max_waiting = max_waiting
        self._what = what
        self._taken: Counter[str] = Counter()
        # Who was served longest ago comes first.
        self._lanes: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def num_waiting(self) -> int:
        """Those without a place."""
        return sum(map(len, self._lanes.values()))

    async def take(self, tenant: str) -> None:
        """Return with a place, which `give_back` frees.

        Raises:
            OverloadedError: Too many wait already.
        """
        if tenant not in self._lanes and self._may_have(tenant):
            self._taken[tenant] += 1
            return
        self._check_room(tenant)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lanes.setdefault(tenant, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(tenant)  # it came just now, too late
            else:
                self._leave(tenant, turn)
            raise

    def give_back(self, tenant: str) -> None:
        """Free a place; whoever is next gets it."""
        self._taken[tenant] -= 1
        if not self._taken[tenant]:
            del self._taken[tenant]
        served = True
        while served:
            served = self._serve_next()

    def _serve_next(self) -> bool:
        candidates = [tenant for tenant in self._lanes if self._may_have(tenant)]
        if not candidates:
            return False
        tenant = min(candidates, key=lambda name: self._taken[name])  # the first of equals
        turn = self._lanes[tenant].popleft()
        self._lanes.move_to_end(tenant)
        if not self._lanes[tenant]:
            del self._lanes[tenant]
        self._taken[tenant] += 1
        turn.set_result(None)
        return True

    def _may_have(self, tenant: str) -> bool:
        own = max(self._num_places - 1, 1) if tenant else self._num_places
        return self._taken.total() < self._num_places and self._taken[tenant] < own

    def _check_room(self, tenant: str) -> None:
        own = len(self._lanes.get(tenant, ()))
        if tenant and own >= max(self._max_waiting // 2, 1):
            raise OverloadedError(f"{own} of your {self._what} are waiting already")
        if self.num_waiting >= self._max_waiting:
            raise OverloadedError(f"{self.num_waiting} {self._what} are waiting already")

    def _leave(self, tenant: str, turn: asyncio.Future[None]) -> None:
        lane = self._lanes[tenant]
        lane.remove(turn)
        if not lane:
            del self._lanes[tenant]
