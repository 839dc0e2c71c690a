"""Names that undeclared members may have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.bundle import STRING, Bundle, goal_pointer, is_plain
from grammars.frontends.json.evaluate import bundle_allows
from grammars.frontends.json.strings import conjunction, language, pattern_language
from grammars.frontends.regex import Language
from grammars.frontends.regex.dfa import Dfa
from grammars.limits import Limits

if TYPE_CHECKING:
    from grammars.frontends.json.algebra import Algebra

MAX_LISTED_NAMES = 64

# A language, or None for any name, without a finite set of names that it must not contain.
Names = tuple[Language | None, tuple[str, ...]]


def other_names(
    algebra: Algebra, bundle: Bundle, signs: tuple[tuple[str, bool], ...], declared: Iterable[str]
) -> list[Names]:
    """The names of undeclared members, as a choice.

    Args:
        signs: the patterns of `patternProperties`, each with whether the names match it.
        declared: names that are left out.

    Raises:
        UnsupportedError: patterns that are too large to combine.
    """
    limit = algebra.limits.max_pattern_states
    try:
        words = _refused_words(signs, algebra.limits)
        found = conjunction(signs, algebra.limits) if words is None else None
        if found is not None and found.is_everything:
            found = None
        declared = (*declared, *(words or ()))
        results: list[Names] = []
        for choice, excluded in _choices(algebra, bundle):
            both = found if choice is None else choice if found is None else found.intersect(choice, limit)
            unwanted = tuple(dict.fromkeys((*declared, *excluded)))
            if both is None:
                results.append((None, unwanted))
            elif not (rest := both.without(unwanted, limit)).is_empty(limit):
                results.append((rest, ()))
    except TooComplexError as error:
        raise UnsupportedError("this combination of patterns for names") from error
    return results


def _refused_words(signs: tuple[tuple[str, bool], ...], limits: Limits) -> list[str] | None:
    """The names that are refused where it is plain that they are few, and that all others are allowed; else None."""
    found: list[str] = []
    for pattern, holds in signs:
        language_ = pattern_language(pattern, "", limits)
        words = None if holds or language_.tree is None else language_.words(MAX_LISTED_NAMES, 0)
        if words is None:
            return None
        found += words
    return found


def few_names(choices: list[Names], limits: Limits) -> list[str] | None:
    """The names of all choices, if they are few and can be listed."""
    found: dict[str, None] = {}
    for names, _ in choices:
        words = None if names is None else names.words(MAX_LISTED_NAMES, limits.max_pattern_states)
        if words is None:
            return None
        found |= dict.fromkeys(words)
    return list(found) if len(found) <= MAX_LISTED_NAMES else None


def _choices(algebra: Algebra, bundle: Bundle) -> list[Names]:
    """What `propertyNames` allows."""
    if not bundle.names:
        return [(None, ())]
    choices: list[Names] = []
    bundles = algebra.bundles(bundle.names)
    if bundle.names in algebra.widened:
        raise UnsupportedError("so many choices in propertyNames", goal_pointer(bundle.names))
    for choice in bundles:
        if not choice.types & STRING:
            continue
        if choice.enum is not None:
            words = [v for v in choice.enum if isinstance(v, str) and bundle_allows(algebra, choice, v)]
            choices.append((Language(None, Dfa.of_words(words)), ()))
            continue
        excluded = tuple(value for value in choice.excluded if isinstance(value, str))
        choices.append((None if is_plain(choice, STRING) else language(choice, algebra.limits), excluded))
    return choices
