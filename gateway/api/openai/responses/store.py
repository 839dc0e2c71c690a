"""Responses stored in memory, within bounds, per API key."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field

import msgspec

from gateway.api.openai.responses.bodies import ResponseOut
from gateway.api.openai.responses.items import Item
from gateway.errors import InvalidRequestError, PreviousResponseError, ResponseNotFoundError


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored response.

    Attributes:
        response: The final response.
        context: The items that it answers, those of earlier responses included.
        output: Output items in the form of a continuation's input.
        num_bytes: Size of all of it as JSON.
    """

    response: ResponseOut
    context: tuple[Item, ...]
    output: tuple[Item, ...] = field(init=False)
    num_bytes: int = field(init=False)

    def __post_init__(self) -> None:
        body = msgspec.json.encode(self.response)
        items = (msgspec.to_builtins(item) for item in self.response.output)
        object.__setattr__(self, "output", tuple({"status": "completed", **item} for item in items))
        object.__setattr__(self, "num_bytes", len(body) + len(msgspec.json.encode(self.context)))


class ResponseStore:
    """Bounded store of responses; the least recently used are evicted.

    Args:
        max_responses: Most that one API key may have; 0 keeps none.
        max_bytes: Most bytes that those of one key may have together. A single response beyond it is not kept.
    """

    def __init__(self, max_responses: int, max_bytes: int) -> None:
        self._max_responses = max_responses
        self._max_bytes = max_bytes
        self._lanes: dict[str, OrderedDict[str, Kept]] = defaultdict(OrderedDict)
        self._num_bytes: dict[str, int] = defaultdict(int)

    @property
    def is_off(self) -> bool:
        """True if nothing is stored."""
        return not self._max_responses

    def keep(self, tenant: str, response: ResponseOut, context: tuple[Item, ...]) -> None:
        """Keep a response that is done."""
        kept = Kept(response, context)
        if kept.num_bytes > self._max_bytes or self.is_off:
            return
        lane = self._lanes[tenant]
        lane[response.id] = kept
        self._num_bytes[tenant] += kept.num_bytes
        while len(lane) > self._max_responses or self._num_bytes[tenant] > self._max_bytes:
            _, oldest = lane.popitem(last=False)
            self._num_bytes[tenant] -= oldest.num_bytes

    def get(self, tenant: str, response_id: str) -> Kept:
        """Return the response of this id.

        Raises:
            ResponseNotFoundError: This key has none.
        """
        lane = self._lanes.get(tenant)
        if lane is None or response_id not in lane:
            raise ResponseNotFoundError(f"no response with the id {response_id[:200]!r} is kept", param="response_id")
        lane.move_to_end(response_id)
        return lane[response_id]

    def drop(self, tenant: str, response_id: str) -> None:
        """Forget the response of this id.

        Raises:
            ResponseNotFoundError: This key has none.
        """
        kept = self.get(tenant, response_id)
        del self._lanes[tenant][response_id]
        self._num_bytes[tenant] -= kept.num_bytes

    def continued(self, tenant: str, response_id: str | None) -> tuple[Item, ...]:
        """Return the items of a response and of its context; none for None.

        Raises:
            PreviousResponseError: This key has no response of this id.
            InvalidRequestError: The response failed.
        """
        if response_id is None:
            return ()
        try:
            kept = self.get(tenant, response_id)
        except ResponseNotFoundError:
            raise PreviousResponseError(
                f"no previous response with the id {response_id[:200]!r} is kept", param="previous_response_id"
            ) from None
        if kept.response.status == "failed":
            raise InvalidRequestError("a response that failed has no continuation", param="previous_response_id")
        return kept.context + kept.output

    def item(self, tenant: str, item_id: str) -> Item | None:
        """Return the stored item of this id."""
        for kept in reversed(self._lanes.get(tenant, {}).values()):
            for item in (*kept.output, *kept.context):
                if item["id"] == item_id:
                    return item
        return None
