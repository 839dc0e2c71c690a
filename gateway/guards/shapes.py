"""Patterns to shapes."""

from __future__ import annotations

from collections.abc import Callable

from gateway.guards.rule import Shape
from grammars.errors import GrammarError
from grammars.frontends.regex.charset import Ranges, python_class
from grammars.frontends.regex.language import language_of
from grammars.frontends.regex.parser import parse
from grammars.limits import Limits

_LIMITS = Limits()


class PatternError(ValueError):
    """A pattern that no guard can look for; the message says why."""


def word_characters() -> Ranges:
    """Letters, digits and the underscore, of all scripts."""
    return python_class("w")


def chars(members: str) -> Ranges:
    """The characters of a class, as they stand between the brackets of a pattern."""
    dfa = language_of(f"[{members}]", "python", False, _LIMITS).dfa(_LIMITS.max_pattern_states)
    return next(ranges for atom, ranges in enumerate(dfa.atoms) if dfa.table[0, atom] >= 0)


def shape_of(
    pattern: str, *, before: Ranges = (), after: Ranges = (), check: Callable[[str], bool] | None = None
) -> Shape:
    r"""The texts that match a pattern of Python's.

    Raises:
        PatternError: It is malformed, too large, matches the empty text, or looks at what stands around it (`^`, `\b`,
            `(?=`): what may stand there is said by `before` and `after`.
    """
    try:
        if len(pattern) > _LIMITS.max_pattern_length:
            raise PatternError(f"it is longer than {_LIMITS.max_pattern_length} characters")
        tree = parse(pattern, "python")
        if tree.facts.has_anchor:
            raise PatternError(
                r"^, $, \b and looking around are not served; whole_words = true asks for the edges of words"
            )
        if tree.facts.is_nullable:
            raise PatternError("it matches the empty text, which stands everywhere")
        dfa = language_of(pattern, "python", False, _LIMITS).dfa(_LIMITS.max_pattern_states).trimmed()
    except GrammarError as error:
        raise PatternError(str(error)) from error
    if dfa.is_empty:
        raise PatternError("it matches nothing")
    return Shape(dfa=dfa, before=before, after=after, check=check)
