"""Evaluation of values: which conjunctions they meet, which schemas a member meets by its name, and short examples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from grammars.errors import GrammarError
from grammars.frontends.json.algebra.base import AlgebraBase
from grammars.frontends.json.document.decoding import canonical, is_multiple
from grammars.frontends.json.document.document import SchemaTerm, Subschema
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
    Conjunction,
    ObjectPart,
    TypeBounds,
    is_plain,
    type_of,
)
from grammars.limits import Limits


def declared_names(bounds: TypeBounds) -> list[str]:
    """Names in `properties`, in their order, then required ones."""
    names: dict[str, Any] = {}
    for part in bounds.objects:
        names.update(part.properties)
    names.update(dict.fromkeys(bounds.required))
    return list(names)


def member_conjunctions(bounds: TypeBounds, names: Collection[str], limits: Limits) -> list[Conjunction]:
    """Return each member's conjunction; the empty one allows anything."""
    parts = bounds.objects
    if len(parts) == 1 and not parts[0].patterns:
        find, additional = parts[0].properties.get, parts[0].additional
        found = [find(name, additional) for name in names]
        return [() if term is None else (term,) for term in found]
    if not any(part.patterns or part.additional is not None for part in parts):
        said: dict[str, dict[SchemaTerm, None]] = {name: {} for name in names}
        for part in parts:
            for name in said.keys() & part.properties.keys():
                said[name][part.properties[name]] = None
        return [tuple(said[name]) for name in names]
    conjunctions = []
    for name in names:
        met: dict[SchemaTerm, None] = {}
        for part in parts:
            if part.patterns:
                known = part.known.get(name)
                met.update(dict.fromkeys(_terms(part, name, limits) if known is None else known))
            elif (term := part.properties.get(name, part.additional)) is not None:
                met[term] = None
        conjunctions.append(tuple(met))
    return conjunctions


def member_terms(bounds: TypeBounds, name: str, limits: Limits) -> Conjunction:
    """Return `member_conjunctions` of one member."""
    return member_conjunctions(bounds, (name,), limits)[0]


def _terms(part: ObjectPart, name: str, limits: Limits) -> list[SchemaTerm]:
    found = [part.properties[name]] if name in part.properties else []
    if part.languages is None:
        part.languages = [pattern_language(pattern, where, limits) for pattern, _, where in part.patterns]
    for language, (_, term, _) in zip(part.languages, part.patterns, strict=True):
        if (not found or not says_nothing(term)) and language.accepts(name, limits.max_pattern_states):
            # Often the same is said of a member by its name and by a pattern, which would be a choice times itself.
            same = next((other for other in found if _is_same(term, other)), None)
            if same is None:
                found.append(term)
            else:
                part.same[same, term] = None
    if not found and part.additional is not None:
        found.append(part.additional)
    part.known[name] = found
    return found


def says_nothing(term: SchemaTerm | None) -> bool:
    """True if it plainly allows everything."""
    if type(term) is Subschema:
        return term.schema is True or (type(term.schema) is dict and SAID.isdisjoint(term.schema))
    return term is None


def _is_same(term: SchemaTerm, other: SchemaTerm) -> bool:
    return type(term) is type(other) is Subschema and term.says_the_same_as(other)


def terms_of_matches(bounds: TypeBounds, matched: frozenset[str]) -> Conjunction:
    """Return the conjunction for an undeclared member whose name matches exactly these patterns."""
    met: dict[SchemaTerm, None] = {}
    for part in bounds.objects:
        found = [term for pattern, term, _ in part.patterns if pattern in matched]
        if not found and part.additional is not None:
            found = [part.additional]
        met.update(dict.fromkeys(found))
    return tuple(met)


if TYPE_CHECKING:
    from grammars.frontends.regex import Language

# How deep arrays and objects are made, and from how many texts of a pattern.
_MAX_DEPTH, _MAX_WORDS = 6, 64


def terms_allow(algebra: AlgebraBase, terms: Conjunction, value: Any) -> bool:
    """True if the value meets every schema of the conjunction."""
    alternatives = algebra.alternatives(terms)
    if terms in algebra.checked_conjunctions:
        return algebra.meets(terms, value)
    return any(bounds_allow(algebra, bounds, value) for bounds in alternatives)


def bounds_allow(algebra: AlgebraBase, bounds: TypeBounds, value: Any) -> bool:
    """True if the value meets the alternative."""
    algebra.look_at_value()
    kind = type_of(value)
    if not bounds.types & kind:
        return False
    if bounds.enum is not None and canonical(value) not in bounds.listed():
        return False
    if bounds.excluded and canonical(value) in bounds.unlisted():
        return False
    if kind & NUMBER:
        return number_allowed(bounds, Decimal(value))
    if kind == STRING:
        return is_plain(bounds, STRING) or strings.language(bounds, algebra.limits).accepts(
            value, algebra.limits.max_pattern_states
        )
    if kind == ARRAY:
        return _array_allowed(algebra, bounds, value)
    return kind != OBJECT or _object_allowed(algebra, bounds, value)


def allowed_of(algebra: AlgebraBase, bounds: TypeBounds, values: Iterable[Any]) -> Iterator[Any]:
    """Return the values that meet the alternative."""
    # Most are strings, of which what is asked for is found out once.
    is_language = bounds.types & STRING and bounds.enum is None and not bounds.excluded and not is_plain(bounds, STRING)
    allowed: Language | None = None
    for value in values:
        if type(value) is str and is_language:
            algebra.look_at_value()
            allowed = allowed or strings.language(bounds, algebra.limits)
            if allowed.accepts(value, algebra.limits.max_pattern_states):
                yield value
        elif bounds_allow(algebra, bounds, value):
            yield value


def number_allowed(bounds: TypeBounds, value: Decimal) -> bool:
    """True if the number is within the bounds and a multiple."""
    if bounds.low is not None and (value < bounds.low or (bounds.low_open and value == bounds.low)):
        return False
    if bounds.high is not None and (value > bounds.high or (bounds.high_open and value == bounds.high)):
        return False
    return all(is_multiple(value, m) for m in bounds.multiples) and not any(
        is_multiple(value, m) for m in bounds.not_multiples
    )


def item_terms(parts: tuple[ArrayPart, ...], index: int) -> Conjunction:
    """Return the conjunction for the item at the index."""
    met = [part.prefix[index] if index < len(part.prefix) else part.rest for part in parts]
    return tuple(dict.fromkeys([term for term in met if term is not None]))


def _array_allowed(algebra: AlgebraBase, bounds: TypeBounds, value: list[Any]) -> bool:
    if len(value) < bounds.min_items or (bounds.max_items is not None and len(value) > bounds.max_items):
        return False
    if bounds.unique or bounds.repeats:
        is_repeating = len(set(map(canonical, value))) < len(value)
        if bounds.unique if is_repeating else bounds.repeats:
            return False
    for term, least, most, first in bounds.contains:
        hits = sum(terms_allow(algebra, (term,), item) for item in value[first:])
        if hits < least or (most is not None and hits > most):
            return False
    return all(terms_allow(algebra, item_terms(bounds.arrays, i), item) for i, item in enumerate(value))


def _object_allowed(algebra: AlgebraBase, bounds: TypeBounds, value: dict[str, Any]) -> bool:
    if len(value) < bounds.min_properties or (bounds.max_properties is not None and len(value) > bounds.max_properties):
        return False
    if not all(name in value for name in bounds.required):
        return False
    if not all(terms_allow(algebra, (term,), name) for term in bounds.names for name in value):
        return False
    for wanted, member in bounds.exists:
        if not any(terms_allow(algebra, (wanted,), n) and terms_allow(algebra, (member,), v) for n, v in value.items()):
            return False
    return all(terms_allow(algebra, member_terms(bounds, n, algebra.limits), v) for n, v in value.items())


def example(algebra: AlgebraBase, terms: Conjunction, depth: int = 0) -> list[Any]:
    """A value that meets the conjunction, if one is found quickly; else none."""
    alternatives = algebra.alternatives(terms) if depth < _MAX_DEPTH else []
    if terms in algebra.checked_conjunctions:
        return []
    for bounds in alternatives:
        for value in _candidates(algebra, bounds, depth):
            if bounds_allow(algebra, bounds, value):
                return [value]
    return []


def _candidates(algebra: AlgebraBase, bounds: TypeBounds, depth: int) -> Iterator[Any]:
    types = bounds.types
    if bounds.enum is not None:
        yield from bounds.enum
        return
    yield from (value for kind, value in ((NULL, None), (BOOLEAN, True), (BOOLEAN, False)) if types & kind)
    if types & NUMBER:
        for bound in (0, bounds.low, bounds.high, *bounds.multiples):
            if bound is not None:
                near = int(bound) if types & INTEGER else bound
                yield from (near, near + 1, near - 1, bound)
    if types & STRING:
        yield from ("", "a"[: bounds.min_length] * bounds.min_length)
        yield from _texts(algebra, bounds)
    if types & ARRAY:
        items = [example(algebra, item_terms(bounds.arrays, index), depth + 1) for index in range(bounds.min_items)]
        if all(items):
            yield [item for (item,) in items]
    if types & OBJECT:
        members = {
            name: example(algebra, member_terms(bounds, name, algebra.limits), depth + 1) for name in bounds.required
        }
        if all(members.values()):
            yield {name: value for name, (value,) in members.items()}


def _texts(algebra: AlgebraBase, bounds: TypeBounds) -> list[str]:
    with suppress(GrammarError):
        found = strings.language(bounds, algebra.limits)
        return [found.example] if found.example is not None else found.words(_MAX_WORDS) or []
    return []
