"""A conversation fitted into the model's context, where the client lets its beginning be dropped."""

from __future__ import annotations

from dataclasses import replace

from gateway.core.request import Caller, ChatRequest
from gateway.errors import ContextLengthError
from gateway.service import Service
from gateway.service.request.plan import Prepared


async def fitted(service: Service, chat: ChatRequest, caller: Caller, *, may_drop: bool) -> Prepared:
    """The plan of the conversation; if it is too long and may be, of its latest turns that fit.

    System messages at the beginning stay. What remains begins with a message of the user, so that no result of a call
    stands without it.

    Cost: as many renderings as it takes to search the turns by halves.

    Raises:
        ContextLengthError: Not even the last turn fits, or nothing may be dropped.
    """
    try:
        return await service.prepare_chat(chat, caller)
    except ContextLengthError:
        if not may_drop:
            raise
        roles = [message["role"] for message in chat.messages]
        num_head = next((index for index, role in enumerate(roles) if role != "system"), len(roles))
        cuts = [index for index, role in enumerate(roles) if role == "user" and index > num_head]
        if not cuts:
            raise
    low, high = 0, len(cuts) - 1
    best = await service.prepare_chat(_without(chat, num_head, cuts[high]), caller)
    while low < high:
        middle = (low + high) // 2
        try:
            best, high = await service.prepare_chat(_without(chat, num_head, cuts[middle]), caller), middle
        except ContextLengthError:
            low = middle + 1
    return best


def _without(chat: ChatRequest, begin: int, end: int) -> ChatRequest:
    return replace(chat, messages=chat.messages[:begin] + chat.messages[end:])
