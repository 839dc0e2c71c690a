"""`pattern`: matches of a regular expression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import SPELLINGS, Guard, OptionError, spelling_of
from gateway.guards.patterns import PatternError, compile_pattern, word_characters
from gateway.guards.rule import Rule


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return the rule of the pattern."""
    edge = word_characters() if options.get("whole_words", False) else ()
    try:
        shape = compile_pattern(options["pattern"], before=edge, after=edge, widened=spelling_of(options).widened)
    except PatternError as error:
        raise OptionError("pattern", f"cannot be looked for: {error}") from error
    return [Rule(guard="pattern", kind=options.get("name", "pattern"), what=shape)]


GUARD = Guard(
    name="pattern",
    options={"pattern": str, "whole_words": bool, "name": str, **SPELLINGS},
    required=("pattern",),
    rules=rules,
)
