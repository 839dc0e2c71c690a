"""`terms`: words and phrases, as they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import Guard, OptionError
from gateway.guards.rule import Rule
from gateway.guards.shapes import PatternError, shape_of, word_characters


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """One rule for all terms; upper and lower case are the same unless `ignore_case` is false."""
    terms = options["terms"]
    if not terms or not all(terms):
        raise OptionError("terms", "must be a list of texts, none of them empty")
    pattern = "|".join(map(re.escape, terms))
    if options.get("ignore_case", True):
        pattern = f"(?i:{pattern})"
    edge = word_characters() if options.get("whole_words", False) else ()
    try:
        shape = shape_of(pattern, before=edge, after=edge)
    except PatternError as error:
        raise OptionError("terms", f"cannot be looked for together: {error}") from error
    return [Rule(guard="terms", kind=options.get("name", "terms"), what=shape)]


GUARD = Guard(
    name="terms",
    options={"terms": list, "ignore_case": bool, "whole_words": bool, "name": str},
    required=("terms",),
    rules=rules,
)
