"""Ids of calls in the shapes that families dictate."""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tools.calls import IdFactory, call_ids

KnownId = Callable[[str, int, str], str]
"""See `Format.known_id`."""

_NINE = re.compile(r"[0-9A-Za-z]{9}")
_KIMI = re.compile(r"functions\.(.+):([0-9]+)")
_CHARACTERS = string.digits + string.ascii_letters


def is_nine_characters(id: str) -> bool:
    """Return whether an id is of the only shape that Mistral's tokenizers accept."""
    return _NINE.fullmatch(id) is not None


def nine_of(id: str) -> str:
    """Return the id if it is nine letters and digits, else nine that depend on it alone."""
    if is_nine_characters(id):
        return id
    number = int.from_bytes(hashlib.blake2b(id.encode("utf-8", "surrogatepass")).digest()[:16])
    characters = []
    for _ in range(9):
        number, digit = divmod(number, len(_CHARACTERS))
        characters.append(_CHARACTERS[digit])
    return "".join(characters)


def known_nine(name: str, index: int, id: str) -> str:
    """See `Format.known_id`."""
    return nine_of(id)


def nine_characters(seed: int | None) -> IdFactory:
    """Return a factory of ids of nine letters and digits; see `IdScheme`."""
    source = call_ids(seed)
    return lambda name, index: nine_of(source(name, index))


def kimi_id(name: str, index: int, id: str = "") -> str:
    """Return the id if it is `functions.name:number`, else one of that shape with the call's index as its number."""
    match = _KIMI.fullmatch(id)
    return id if match and match[1] == name else f"functions.{name}:{index}"


def kimi_ids(seed: int | None) -> IdFactory:
    """Return a factory of ids of Kimi's shape, which leaves nothing to chance; see `IdScheme`."""
    return kimi_id


def with_known_ids(messages: Sequence[Mapping[str, Any]], known_id: KnownId | None) -> Sequence[Mapping[str, Any]]:
    """Return the messages with the ids of calls and results in the family's form.

    A conversation may have begun with another model, and some templates refuse ids that are not of their own form.
    """
    if known_id is None:
        return messages
    known: dict[str, str] = {}
    changed: list[Mapping[str, Any]] = []
    num_calls = 0
    for message in messages:
        if calls := message.get("tool_calls"):
            renamed = []
            for call in calls:
                id = call.get("id") or f"call {num_calls}"
                known[id] = known_id(call["function"]["name"], num_calls, id)
                renamed.append({**call, "id": known[id]})
                num_calls += 1
            message = {**message, "tool_calls": renamed}
        if (id := message.get("tool_call_id")) is not None:
            message = {**message, "tool_call_id": known.get(id, id)}
        changed.append(message)
    return changed
