"""`terms`: words and phrases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import SPELLINGS, Guard, OptionError, spelling_of
from gateway.guards.patterns import PatternError, compile_pattern, word_characters
from gateway.guards.rule import Rule


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule for all terms; case is ignored unless `ignore_case` is false."""
    terms = options["terms"]
    if not terms or not all(terms):
        raise OptionError("terms", "must be a list of texts, none of them empty")
    ignore_case, whole_words = options.get("ignore_case", True), options.get("whole_words", False)
    spelling = spelling_of(options)
    edge = word_characters() if whole_words else ()
    try:
        ways = (spelling.pattern(term, ignore_case=ignore_case, whole_words=whole_words) for term in terms)
        pattern = f"(?{'i' if ignore_case else ''}:{'|'.join(ways)})"
        shape = compile_pattern(pattern, before=edge, after=edge, widened=spelling.widened)
    except PatternError as error:
        raise OptionError("terms", f"cannot be looked for together: {error}") from error
    return [Rule(guard="terms", kind=options.get("name", "terms"), what=shape)]


GUARD = Guard(
    name="terms",
    options={"terms": list, "ignore_case": bool, "whole_words": bool, "name": str, **SPELLINGS},
    required=("terms",),
    rules=rules,
)
