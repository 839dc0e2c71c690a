"""The names that the members of an object can have at all, where `additionalProperties` is false."""

from __future__ import annotations

from collections.abc import Iterable

from grammars.errors import GrammarError, UnsupportedError
from grammars.frontends.json.bundle import Bundle, ObjectPart
from grammars.frontends.json.document import Site
from grammars.frontends.json.members import member_goal
from grammars.frontends.json.strings import pattern_language
from grammars.frontends.regex import Language
from grammars.limits import Limits
from grammars.weighted import remembered

# A conjunction of patterns that hold or (False) do not.
Signs = tuple[tuple[str, bool], ...]

_MAX_REGIONS = 64


def finite_names(bundle: Bundle, limits: Limits, most: int) -> list[str] | None:
    """Every name that a member can have, and perhaps others, where they are at most so many; else None."""
    for part in bundle.objects:
        if _is_closed(part):
            names = dict.fromkeys(part.properties)
            for pattern, _, where in part.patterns:
                words = _words(pattern_language(pattern, where, limits), limits.max_pattern_states, most)
                if words is None:
                    break
                names.update(dict.fromkeys(words))
            else:
                if len(names) <= most:
                    return list(names)
    return None


def have_common_names(a: Bundle, b: Bundle, limits: Limits) -> bool:
    """Whether some name can be a member's in both; yes where it is hard to see."""
    ours = next((part for part in a.objects if _is_closed(part)), None)
    theirs = next((part for part in b.objects if _is_closed(part)), None)
    if ours is None or theirs is None:
        return True
    for name in (*ours.properties, *theirs.properties):
        if not any(_is_nothing(literal) for bundle in (a, b) for literal in member_goal(bundle, name, limits)):
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


def _is_closed(part: ObjectPart) -> bool:
    return _is_nothing(part.additional)


def _is_nothing(literal: object) -> bool:
    return isinstance(literal, Site) and literal.schema is False


@remembered()
def _words(language: Language, max_states: int, most: int) -> tuple[str, ...] | None:
    """The texts of the language where they are at most so many."""
    if language.tree is not None and language.length_range()[1] is None:
        return None
    dfa = language.dfa(max_states).trimmed()
    words: list[str] = []
    pending = [("", 0)]
    while pending:
        text, state = pending.pop()
        if dfa.accepting[state]:
            words.append(text)
        if len(words) > most or len(text) > len(dfa.table):
            return None
        for ranges, target in zip(dfa.atoms, dfa.table[state], strict=True):
            if target < 0:
                continue
            if sum(high - low + 1 for low, high in ranges) > most or len(pending) > most:
                return None
            pending.extend((text + chr(code), target) for low, high in ranges for code in range(low, high + 1))
    return tuple(sorted(words))
