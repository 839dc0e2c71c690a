"""Tool results sorted by the order of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any


def in_call_order(messages: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the conversation with the results of each turn in the order of the calls.

    Many chat templates show no ids: there the model takes the first result for that of the first call. A result that
    names no call stays in its place, which is all that says which call it belongs to.
    """
    ordered = list(messages)
    numbers = count()
    order: dict[str, int] = {}
    places: list[int] = []
    for place, message in enumerate(messages):
        if calls := message.get("tool_calls"):
            _sort(ordered, places, order)
            places = []
            order.update((call["id"], next(numbers)) for call in calls if call.get("id") is not None)
        elif message.get("role") == "tool" and message.get("tool_call_id") in order:
            places.append(place)
    _sort(ordered, places, order)
    return tuple(ordered)


def _sort(messages: list[Mapping[str, Any]], places: Sequence[int], order: Mapping[str, int]) -> None:
    """Sort the messages at these places by the order of their calls."""
    results = sorted((messages[place] for place in places), key=lambda result: order[result["tool_call_id"]])
    for place, result in zip(places, results, strict=True):
        messages[place] = result
