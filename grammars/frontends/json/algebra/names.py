"""Names that members can have: all of them, those of two objects, those that are not declared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from grammars.errors import GrammarError, TooComplexError, UnsupportedError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.algebra.evaluate import bounds_allow, member_terms
from grammars.frontends.json.document.document import Subschema
from grammars.frontends.json.meaning.strings import conjunction, language, pattern_language
from grammars.frontends.json.meaning.type_bounds import STRING, TypeBounds, is_plain, pointer_of
from grammars.frontends.regex import Language
from grammars.frontends.regex.dfa import Dfa
from grammars.limits import Limits

MAX_LISTED_NAMES = 64

_MAX_REGIONS = 64

# A conjunction of patterns that hold or (False) do not.
Signs = tuple[tuple[str, bool], ...]
# A language, or None for any name, without a finite set of names that it must not contain.
Names = tuple[Language | None, tuple[str, ...]]


def finite_names(algebra: AlgebraBase, bounds: TypeBounds, most: int) -> list[str] | None:
    """Return every name that a member can have, and perhaps others; None if they are more than `most`."""
    limits, few = algebra.limits, None
    if bounds.names and algebra.try_alternatives(bounds.names) is not None:
        with suppress(UnsupportedError):
            few = few_names(_choices(algebra, bounds), limits)
    for part in bounds.objects if few is None else ():
        if _is_nothing(part.additional):
            languages = [(pattern_language(pattern, where, limits), ()) for pattern, _, where in part.patterns]
            named = few_names(languages, limits)
            if named is not None:
                few = list(dict.fromkeys((*part.properties, *named)))
                break
    return few if few is not None and len(few) <= most else None


def have_common_names(a: TypeBounds, b: TypeBounds, limits: Limits) -> bool:
    """True if some name can be a member's in both; yes where it is hard to see."""
    ours = next((part for part in a.objects if _is_nothing(part.additional)), None)
    theirs = next((part for part in b.objects if _is_nothing(part.additional)), None)
    if ours is None or theirs is None:
        return True
    for name in (*ours.properties, *theirs.properties):
        if not any(_is_nothing(term) for bounds in (a, b) for term in member_terms(bounds, name, limits)):
            return True
    return any(_meet(p, q, limits) for p, _, _ in ours.patterns for q, _, _ in theirs.patterns)


def matched_together(patterns: Iterable[str], limits: Limits) -> list[tuple[frozenset[str], Signs]]:
    """Sets of patterns that cover every name: what it matches and, as signs, that it matches no other.

    Raises:
        UnsupportedError: there are too many such sets.
    """
    patterns = list(patterns)
    regions: list[list[str]] = [[]]
    meets = {frozenset((p, q)): _meet(p, q, limits) for i, p in enumerate(patterns) for q in patterns[:i]}
    for pattern in patterns:
        regions += [[*old, pattern] for old in regions if all(meets[frozenset((pattern, other))] for other in old)]
        if len(regions) > _MAX_REGIONS:
            raise UnsupportedError(f"patternProperties that overlap in more than {_MAX_REGIONS} ways", "")
    found = []
    everywhere = [pattern for pattern in patterns if pattern_language(pattern, "", limits).is_everything]
    for region in regions:
        if not all(pattern in region for pattern in everywhere):
            continue
        near = [p for p in patterns if p not in region and all(meets[frozenset((p, other))] for other in region)]
        signs = [(pattern, True) for pattern in region]
        joined = "|".join(f"(?:{pattern})" for pattern in near)
        if len(near) > 1 and len(joined) <= limits.max_pattern_length:
            signs.append((joined, False))
        else:
            signs += [(pattern, False) for pattern in near]
        found.append((frozenset(region), tuple(signs)))
    return found


def _meet(first: str, second: str, limits: Limits) -> bool:
    try:
        ours, theirs = (pattern_language(pattern, "", limits) for pattern in (first, second))
        return not ours.is_disjoint(theirs, limits.max_pattern_states)
    except GrammarError:
        return True


def _is_nothing(term: object) -> bool:
    return isinstance(term, Subschema) and term.schema is False


def other_names(algebra: AlgebraBase, bounds: TypeBounds, signs: Signs, declared: Iterable[str]) -> list[Names]:
    """Return the names of undeclared members, as a choice.

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
        for choice, excluded in _choices(algebra, bounds):
            both = found if choice is None else choice if found is None else found.intersect(choice, limit)
            unwanted = tuple(dict.fromkeys((*declared, *excluded)))
            if both is None:
                results.append((None, unwanted))
            elif not (rest := both.without(unwanted, limit)).is_empty(limit):
                results.append((rest, ()))
    except TooComplexError as error:
        raise UnsupportedError("this combination of patterns for names") from error
    return results


def _refused_words(signs: Signs, limits: Limits) -> list[str] | None:
    """The names that are refused where it is plain that they are few, and that all others are allowed; else None."""
    found: list[str] = []
    for pattern, holds in signs:
        language_ = pattern_language(pattern, "", limits)
        words = None if holds else language_.words(MAX_LISTED_NAMES)
        if words is None:
            return None
        found += words
    return found


def few_names(choices: Sequence[Names], limits: Limits) -> list[str] | None:
    """Return the names of all choices, if they are few and can be listed."""
    found: dict[str, None] = {}
    for names, _ in choices:
        words = None if names is None else names.words(MAX_LISTED_NAMES)
        if words is None:
            return None
        found |= dict.fromkeys(words)
    return list(found) if len(found) <= MAX_LISTED_NAMES else None


def _choices(algebra: AlgebraBase, bounds: TypeBounds) -> list[Names]:
    """Return the names that `propertyNames` allows."""
    if not bounds.names:
        return [(None, ())]
    choices: list[Names] = []
    alternatives = algebra.alternatives(bounds.names)
    if bounds.names in algebra.checked_conjunctions:
        raise UnsupportedError("so many choices in propertyNames", pointer_of(bounds.names))
    for choice in alternatives:
        if not choice.types & STRING:
            continue
        if choice.enum is not None:
            words = [v for v in choice.enum if isinstance(v, str) and bounds_allow(algebra, choice, v)]
            choices.append((Language(None, Dfa.of_words(words)), ()))
            continue
        excluded = tuple(value for value in choice.excluded if isinstance(value, str))
        choices.append((None if is_plain(choice, STRING) else language(choice, algebra.limits), excluded))
    return choices
