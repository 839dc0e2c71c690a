"""Ids of earlier calls, in the form that the model's template expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.formats.base import Format


def with_known_ids(messages: Sequence[Mapping[str, Any]], spec: Format) -> Sequence[Mapping[str, Any]]:
    """Return the messages with the ids of calls and results in the family's form.

    A conversation may have begun with another model, and some templates refuse ids that are not of their own form.
    """
    if spec.known_id is None:
        return messages
    known: dict[str, str] = {}
    changed: list[Mapping[str, Any]] = []
    num_calls = 0
    for message in messages:
        if calls := message.get("tool_calls"):
            renamed = []
            for call in calls:
                id = call.get("id") or f"call {num_calls}"
                known[id] = spec.known_id(call["function"]["name"], num_calls, id)
                renamed.append({**call, "id": known[id]})
                num_calls += 1
            message = {**message, "tool_calls": renamed}
        if (id := message.get("tool_call_id")) is not None:
            message = {**message, "tool_call_id": known.get(id, id)}
        changed.append(message)
    return changed
