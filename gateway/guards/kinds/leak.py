"""`leak`: canary strings, and quotes of the system prompt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import Guard, OptionError
from gateway.guards.patterns import PatternError, compile_pattern
from gateway.guards.rule import Quoted, Rule

MIN_CHARACTERS = 8


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule for the canaries, one for the system prompt."""
    found: list[Rule] = []
    canaries, characters = options.get("canaries", []), options.get("characters", 40)
    if characters < MIN_CHARACTERS:
        raise OptionError("characters", f"must be at least {MIN_CHARACTERS}, not {characters}")
    if not all(canaries):
        raise OptionError("canaries", "must be a list of texts, none of them empty")
    if canaries:
        try:
            shape = compile_pattern(f"(?i:{'|'.join(map(re.escape, canaries))})")
        except PatternError as error:
            raise OptionError("canaries", f"cannot be looked for together: {error}") from error
        found.append(Rule(guard="leak", kind="canary", what=shape))
    if options.get("system_prompt", False):
        if options.get("action") == "forbid":
            raise OptionError("action", "cannot be forbid with system_prompt: each request has one of its own")
        found.append(Rule(guard="leak", kind="system_prompt", what=Quoted(characters)))
    if not found:
        raise OptionError("canaries", "is missing, and so is system_prompt = true: there is nothing to look for")
    return found


GUARD = Guard(name="leak", options={"canaries": list, "system_prompt": bool, "characters": int}, rules=rules)
