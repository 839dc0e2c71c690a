"""Ids of calls: Anthropic's form on the wire, the model's own form everywhere else."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"call_([A-Za-z0-9]+)")
_PREFIX = "toolu_"
_ENCODED = "toolu_id-"


def to_wire(id: str) -> str:
    """The id in Anthropic's form; `from_wire` gives it back. Clients hold such ids to letters, digits, `_` and `-`."""
    plain = _PLAIN.fullmatch(id)
    return _PREFIX + plain[1] if plain else _ENCODED + id.encode().hex()


def from_wire(id: str) -> str:
    """The id that stood behind one of ours; another's as it is. Chat templates may know only the model's own form."""
    if id.startswith(_ENCODED):
        try:
            return bytes.fromhex(id.removeprefix(_ENCODED)).decode()
        except ValueError:
            return id
    rest = id.removeprefix(_PREFIX)
    return f"call_{rest}" if rest != id and rest.isascii() and rest.isalnum() else id
