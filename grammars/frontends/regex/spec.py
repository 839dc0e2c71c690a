"""The `Regex` constraint: the whole text matches a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grammars.byte_bounded_cache import remembered
from grammars.errors import InvalidGrammarError, TooComplexError, UnsatisfiableError
from grammars.frontends.base import TextConstraint
from grammars.frontends.regex.language import Language, language_of
from grammars.frontends.regex.parser import DIALECTS
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder


@dataclass(frozen=True, slots=True)
class Regex(TextConstraint):
    """Text that matches `pattern` from its first character to its last.

    Args:
        pattern: the regular expression.
        dialect: "python" (the `re` module's) or "ecma" (ECMA-262 with Unicode).
        without: the text contains none of these.
    """

    pattern: str
    dialect: str = "python"
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.pattern, str):
            raise InvalidGrammarError("a pattern is text")
        if self.dialect not in DIALECTS:
            raise InvalidGrammarError(f"dialect is one of {', '.join(DIALECTS)}")

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        without = f"-without:{self.without!r}" if self.without else ""
        return f"regex{without}:{self.dialect}:{self.pattern}"

    def _emit(self, builder: NetworkBuilder, *, escaped: bool) -> int:
        limits = builder.limits
        if len(self.pattern) > limits.max_pattern_length:
            raise TooComplexError("max_pattern_length", len(self.pattern), limits.max_pattern_length)
        language = language_of(self.pattern, self.dialect, False, limits)
        if self.without:
            language = language.intersect(texts_without(self.without, limits), limits.max_pattern_states)
        if language.is_empty(limits.max_pattern_states):
            raise UnsatisfiableError("the pattern matches nothing")
        end = builder.state()
        builder.accept(end)
        builder.note("", "pattern")
        return language.emit(builder, end, escaped=escaped)


@remembered()
def texts_without(markers: tuple[str, ...], limits: Limits) -> Language:
    """Return the texts that contain no marker; there must be at least one marker."""
    pattern = "|".join(map(re.escape, sorted(set(markers))))
    found = language_of(pattern, "ecma", True, limits)
    return found.complement(limits.max_pattern_states)
