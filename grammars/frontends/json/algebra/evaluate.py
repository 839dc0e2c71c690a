"""Whether a given value meets a goal, which schema a member meets by its name; short values that meet a goal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from grammars.errors import GrammarError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.document.decoding import canonical, is_multiple
from grammars.frontends.json.document.document import Literal, Site
from grammars.frontends.json.meaning import strings
from grammars.frontends.json.meaning.keywords import SAID
from grammars.frontends.json.meaning.strings import pattern_language
from grammars.frontends.json.meaning.type_bounds import (
    ARRAY,
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    ArrayPart,
    Bundle,
    Goal,
    ObjectPart,
    is_plain,
    type_of,
)
from grammars.limits import Limits


def declared_names(bundle: Bundle) -> list[str]:
    """Names in `properties`, in their order, then required ones."""
    names: dict[str, Any] = {}
    for part in bundle.objects:
        names.update(part.properties)
    names.update(dict.fromkeys(bundle.required))
    return list(names)


def member_goals(bundle: Bundle, names: Collection[str], limits: Limits) -> list[Goal]:
    """What the value of each member must be; the empty goal is anything."""
    parts = bundle.objects
    if len(parts) == 1 and not parts[0].patterns:
        find, additional = parts[0].properties.get, parts[0].additional
        found = [find(name, additional) for name in names]
        return [() if literal is None else (literal,) for literal in found]
    if not any(part.patterns or part.additional is not None for part in parts):
        said: dict[str, dict[Literal, None]] = {name: {} for name in names}
        for part in parts:
            for name in said.keys() & part.properties.keys():
                said[name][part.properties[name]] = None
        return [tuple(said[name]) for name in names]
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


if TYPE_CHECKING:
    from grammars.frontends.regex import Language

# How deep arrays and objects are made, and from how many texts of a pattern.
_MAX_DEPTH, _MAX_WORDS = 6, 64


def goal_allows(algebra: AlgebraBase, goal: Goal, value: Any) -> bool:
    """Whether the value meets every schema of the goal."""
    bundles = algebra.bundles(goal)
    if goal in algebra.widened:
        return algebra.meets(goal, value)
    return any(bundle_allows(algebra, bundle, value) for bundle in bundles)


def bundle_allows(algebra: AlgebraBase, bundle: Bundle, value: Any) -> bool:
    """Whether the value meets the bundle."""
    algebra.look_at_value()
    kind = type_of(value)
    if not bundle.types & kind:
        return False
    if bundle.enum is not None and canonical(value) not in bundle.listed():
        return False
    if bundle.excluded and canonical(value) in bundle.unlisted():
        return False
    if kind & NUMBER:
        return number_allowed(bundle, Decimal(value))
    if kind == STRING:
        return is_plain(bundle, STRING) or strings.language(bundle, algebra.limits).accepts(
            value, algebra.limits.max_pattern_states
        )
    if kind == ARRAY:
        return _array_allowed(algebra, bundle, value)
    return kind != OBJECT or _object_allowed(algebra, bundle, value)


def allowed_of(algebra: AlgebraBase, bundle: Bundle, values: Iterable[Any]) -> Iterator[Any]:
    """Those of the values that meet the bundle."""
    # Most are strings, of which what is asked for is found out once.
    is_language = bundle.types & STRING and bundle.enum is None and not bundle.excluded and not is_plain(bundle, STRING)
    allowed: Language | None = None
    for value in values:
        if type(value) is str and is_language:
            algebra.look_at_value()
            allowed = allowed or strings.language(bundle, algebra.limits)
            if allowed.accepts(value, algebra.limits.max_pattern_states):
                yield value
        elif bundle_allows(algebra, bundle, value):
            yield value


def number_allowed(bundle: Bundle, value: Decimal) -> bool:
    """Whether the number is within the bounds and a multiple."""
    if bundle.low is not None and (value < bundle.low or (bundle.low_open and value == bundle.low)):
        return False
    if bundle.high is not None and (value > bundle.high or (bundle.high_open and value == bundle.high)):
        return False
    return all(is_multiple(value, m) for m in bundle.multiples) and not any(
        is_multiple(value, m) for m in bundle.not_multiples
    )


def item_goal(parts: tuple[ArrayPart, ...], index: int) -> Goal:
    """What the item at the index must be."""
    literals = [part.prefix[index] if index < len(part.prefix) else part.rest for part in parts]
    return tuple(dict.fromkeys([literal for literal in literals if literal is not None]))


def _array_allowed(algebra: AlgebraBase, bundle: Bundle, value: list[Any]) -> bool:
    if len(value) < bundle.min_items or (bundle.max_items is not None and len(value) > bundle.max_items):
        return False
    if bundle.unique or bundle.repeats:
        is_repeating = len(set(map(canonical, value))) < len(value)
        if bundle.unique if is_repeating else bundle.repeats:
            return False
    for literal, least, most, first in bundle.contains:
        hits = sum(goal_allows(algebra, (literal,), item) for item in value[first:])
        if hits < least or (most is not None and hits > most):
            return False
    return all(goal_allows(algebra, item_goal(bundle.arrays, i), item) for i, item in enumerate(value))


def _object_allowed(algebra: AlgebraBase, bundle: Bundle, value: dict[str, Any]) -> bool:
    if len(value) < bundle.min_properties or (bundle.max_properties is not None and len(value) > bundle.max_properties):
        return False
    if not all(name in value for name in bundle.required):
        return False
    if not all(goal_allows(algebra, (literal,), name) for literal in bundle.names for name in value):
        return False
    for wanted, member in bundle.exists:
        if not any(goal_allows(algebra, (wanted,), n) and goal_allows(algebra, (member,), v) for n, v in value.items()):
            return False
    return all(goal_allows(algebra, member_goal(bundle, n, algebra.limits), v) for n, v in value.items())


def example(algebra: AlgebraBase, goal: Goal, depth: int = 0) -> list[Any]:
    """A value that meets the goal, if one is found quickly; else none."""
    bundles = algebra.bundles(goal) if depth < _MAX_DEPTH else []
    if goal in algebra.widened:
        return []
    for bundle in bundles:
        for value in _candidates(algebra, bundle, depth):
            if bundle_allows(algebra, bundle, value):
                return [value]
    return []


def _candidates(algebra: AlgebraBase, bundle: Bundle, depth: int) -> Iterator[Any]:
    types = bundle.types
    if bundle.enum is not None:
        yield from bundle.enum
        return
    yield from (value for kind, value in ((NULL, None), (BOOLEAN, True), (BOOLEAN, False)) if types & kind)
    if types & NUMBER:
        for bound in (0, bundle.low, bundle.high, *bundle.multiples):
            if bound is not None:
                near = int(bound) if types & INTEGER else bound
                yield from (near, near + 1, near - 1, bound)
    if types & STRING:
        yield from ("", "a"[: bundle.min_length] * bundle.min_length)
        yield from _texts(algebra, bundle)
    if types & ARRAY:
        items = [example(algebra, item_goal(bundle.arrays, index), depth + 1) for index in range(bundle.min_items)]
        if all(items):
            yield [item for (item,) in items]
    if types & OBJECT:
        members = {
            name: example(algebra, member_goal(bundle, name, algebra.limits), depth + 1) for name in bundle.required
        }
        if all(members.values()):
            yield {name: value for name, (value,) in members.items()}


def _texts(algebra: AlgebraBase, bundle: Bundle) -> list[str]:
    with suppress(GrammarError):
        found = strings.language(bundle, algebra.limits)
        return [found.example] if found.example is not None else found.words(_MAX_WORDS) or []
    return []
