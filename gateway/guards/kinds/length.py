"""`length`: a bound on the characters of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import Guard, OptionError
from gateway.guards.rule import Bound, Rule


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return the rule for text beyond the bound."""
    most = options["max_characters"]
    if most < 1:
        raise OptionError("max_characters", f"must be at least 1, not {most}")
    return [Rule(guard="length", kind="length", what=Bound(most))]


_UNMASKED = "a mask knows tokens, not characters; `max_tokens` bounds those"
GUARD = Guard(
    name="length", options={"max_characters": int}, required=("max_characters",), unmasked=_UNMASKED, rules=rules
)
