"""Which schema the member of an object meets, by its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grammars.frontends.json.bundle import Bundle, Goal, ObjectPart
from grammars.frontends.json.document import Literal, Site
from grammars.frontends.json.keywords import SAID
from grammars.frontends.json.strings import pattern_language
from grammars.limits import Limits


def declared_names(bundle: Bundle) -> list[str]:
    """Names in `properties`, in their order, then required ones."""
    names: dict[str, Any] = {}
    for part in bundle.objects:
        names.update(part.properties)
    names.update(dict.fromkeys(bundle.required))
    return list(names)


def member_goals(bundle: Bundle, names: Iterable[str], limits: Limits) -> list[Goal]:
    """What the value of each member must be; the empty goal is anything."""
    parts = bundle.objects
    if len(parts) == 1 and not parts[0].patterns:
        find, additional = parts[0].properties.get, parts[0].additional
        found = [find(name, additional) for name in names]
        return [() if literal is None else (literal,) for literal in found]
    goals = []
    for name in names:
        literals: dict[Literal, None] = {}
        for part in parts:
            if part.patterns:
                known = part.known.get(name)
                literals.update(dict.fromkeys(_literals(part, name, limits) if known is None else known))
            elif (literal := part.properties.get(name, part.additional)) is not None:
                literals[literal] = None
        goals.append(tuple(literals))
    return goals


def member_goal(bundle: Bundle, name: str, limits: Limits) -> Goal:
    """As `member_goals`, of one member."""
    return member_goals(bundle, (name,), limits)[0]


def _literals(part: ObjectPart, name: str, limits: Limits) -> list[Literal]:
    found = [part.properties[name]] if name in part.properties else []
    if part.languages is None:
        part.languages = [pattern_language(pattern, where, limits) for pattern, _, where in part.patterns]
    for language, (_, literal, _) in zip(part.languages, part.patterns, strict=True):
        if (not found or not says_nothing(literal)) and language.accepts(name, limits.max_pattern_states):
            # Often the same is said of a member by its name and by a pattern, which would be a choice times itself.
            same = next((other for other in found if _is_same(literal, other)), None)
            if same is None:
                found.append(literal)
            else:
                part.same[same, literal] = None
    if not found and part.additional is not None:
        found.append(part.additional)
    part.known[name] = found
    return found


def says_nothing(literal: Literal | None) -> bool:
    """Whether it plainly allows everything."""
    if type(literal) is Site:
        return literal.schema is True or (type(literal.schema) is dict and SAID.isdisjoint(literal.schema))
    return literal is None


def _is_same(literal: Literal, other: Literal) -> bool:
    return type(literal) is type(other) is Site and literal.says_the_same_as(other)


def goal_of_matches(bundle: Bundle, matched: frozenset[str]) -> Goal:
    """What the value of an undeclared member must be whose name matches exactly these patterns."""
    literals: dict[Literal, None] = {}
    for part in bundle.objects:
        found = [literal for pattern, literal, _ in part.patterns if pattern in matched]
        if not found and part.additional is not None:
            found = [part.additional]
        literals.update(dict.fromkeys(found))
    return tuple(literals)
