"""Rules that are made once in each network: plain values of each type, every JSON text, members not declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from typing import Any

from grammars.errors import UnsupportedError
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.evaluate import says_nothing, terms_of_matches
from grammars.frontends.json.algebra.names import Names, Signs, few_names, matched_together, other_names
from grammars.frontends.json.emit.layout import Layout
from grammars.frontends.json.emit.objects import OtherMembers, declared_members, emit_array, emit_object
from grammars.frontends.json.meaning import type_bounds as said
from grammars.frontends.json.meaning.digits import emit_plain_integer, emit_plain_number
from grammars.frontends.json.meaning.strings import emit_strings, pattern_language
from grammars.frontends.json.meaning.type_bounds import Conjunction, TypeBounds
from grammars.frontends.regex import language_of
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment
from grammars.vocabulary.units import Spelling, UnitClass

_QUOTE = 0x22
_BRACKETS = b"]}"
_ANY_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_HEX: tuple[tuple[int, int], ...] = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))


class Library:
    """Shared rules of one network, made on first use.

    Args:
        builder: of the network.
        layout: where whitespace may be.
        others: members that are not declared, if they are not written as in JSON.

    Attributes:
        end: where every rule ends.
    """

    def __init__(self, builder: NetworkBuilder, layout: Layout, others: OtherMembers | None = None) -> None:
        self._builder = builder
        self.layout = layout
        self._rules: dict[int, int] = {}
        shared, name = builder.shared, layout.name
        end = shared.get(("json end", name))
        spans = {}
        if end is not None:
            # What `_fragment` has made ready.
            spans = {shared["json", name, said.ANY_TYPE]: shared["json others", name]}
            for bracket in _BRACKETS:
                layout.closings[bracket, end] = shared["json closing", name, bracket]
        self.end = builder.end() if end is None else end
        self.others = others or OtherMembers(builder, layout, spans)

    def emit_strings(self, bounds: TypeBounds, start: int, end: int) -> None:
        """Emit the alternative's strings, some of which are left out, from `start` to `end`."""
        emit_strings(self._builder, bounds, start, end)

    @staticmethod
    def install(builder: NetworkBuilder, name: str, kind: Callable[[NetworkBuilder, str], Layout] = Layout) -> None:
        """Put the rules of all plain values, in the layout of this name, into the builder, unless they are there."""
        if ("json", name, said.ANY_TYPE) not in builder.shared:
            builder.graft(_fragment(name, kind))

    def values(self, types: int) -> int:
        """Return the rule of every value of these types."""
        if types not in self._rules:
            key = ("json", self.layout.name, types)
            self._rules[types] = self._builder.shared_rule(key, lambda start: self._build(types, start))
        return self._rules[types]

    def _build(self, types: int, start: int) -> None:
        builder, chosen = self._builder, said.KINDS[types]
        end = self.end
        for kind in chosen:
            if len(chosen) > 1 and kind not in (said.NULL, said.BOOLEAN):
                builder.call(start, self.values(kind), end)
            else:
                self._build_kind(kind, start, end)

    def _build_kind(self, kind: int, start: int, end: int) -> None:
        builder = self._builder
        if kind == said.NULL:
            builder.words(start, self.layout.literals[0], end)
        elif kind == said.BOOLEAN:
            builder.words(start, chain.from_iterable(self.layout.literals[1:]), end)
        elif kind == said.STRING:
            close = builder.state()
            builder.byte(close, _QUOTE, _QUOTE, end)
            builder.byte(start, _QUOTE, _QUOTE, builder.span(UnitClass.JSON_STRING, 0, None, close))
        elif kind & said.NUMBER:
            emit = emit_plain_integer if kind == said.INTEGER else emit_plain_number
            emit(builder, start, end)
        elif kind == said.ARRAY:
            emit_array(builder, self.layout, [], self.values(said.ANY_TYPE), 0, None, start, end)
        elif kind == said.OBJECT:
            member = self.others.rule(None, (), self.values(said.ANY_TYPE))
            emit_object(builder, self.layout, [], member, 0, None, start, end)


@cache
def _fragment(name: str, kind: Callable[[NetworkBuilder, str], Layout]) -> Fragment:
    """Return the rules of every value and of the values of each type, ready to be copied into a network."""
    builder = NetworkBuilder()
    layout = kind(builder, name)
    library = Library(builder, layout)
    for types in (said.ANY_TYPE, said.INTEGER):
        library.values(types)
    shared = builder.shared
    shared["json end", name] = library.end
    shared["json others", name] = library.others.span(library.values(said.ANY_TYPE))
    for bracket in _BRACKETS:
        shared["json closing", name, bracket] = layout.closing(bracket, library.end)
    return builder.fragment(has_one_entry=False)


# Return the rule of a conjunction, None if it is plainly unsatisfiable. Passed each time: storing it would be a cycle.
RuleOf = Callable[[Conjunction], int | None]


class Undeclared:
    """Emitter of undeclared members, shared by all objects with the same constraints.

    Args:
        library: the rules that every schema shares.
    """

    def __init__(self, builder: NetworkBuilder, algebra: Algebra, library: Library) -> None:
        self._builder = builder
        self._algebra = algebra
        self._layout, self._others, self._end = library.layout, library.others, library.end
        self._known: dict[tuple[Any, ...], tuple[dict[str, int], int | None]] = {}

    def members(
        self, bounds: TypeBounds, names: list[str], rule_of: RuleOf, values: Conjunction | None = None
    ) -> tuple[dict[str, int], int | None]:
        """Return rules of those whose names can be listed, and the rule of all others; None if there can be none.

        Which of the listed ones were there is known at every place, so a name is never begun that cannot be ended.

        Args:
            values: what their values must be besides, where they are ones that must exist: then none is listed.
        """
        key = (bounds.objects, bounds.names, *names, values)
        if key not in self._known:
            listed: dict[str, int] = {}
            rules = self._rules(bounds, names, values or (), rule_of, listed if values is None else None)
            self._known[key] = listed, _any_of(self._builder, rules)
        return self._known[key]

    def _rules(
        self, bounds: TypeBounds, names: list[str], values: Conjunction, rule_of: RuleOf, listed: dict[str, int] | None
    ) -> list[int | None]:
        """Return the rules, one for each set of patterns that a name may match.

        Args:
            listed: gets the rules of members by name where the names are few; None: there is a rule for those too.
        """
        parts, is_open = bounds.objects, self._algebra.options.additional_properties_default
        nothing = self._algebra.document.nothing
        if len(parts) == 1 and not parts[0].patterns and not bounds.names:
            # What most are; the same as below in fewer steps.
            additional = parts[0].additional
            if additional is nothing or (additional is None and not is_open):
                return []
            value = rule_of(values if additional is None else (additional, *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        if not is_open and all(part.additional is None and not part.patterns for part in parts):
            return []
        patterns = {pattern: where for part in parts for pattern, _, where in part.patterns}
        if not patterns and nothing in [part.additional for part in parts]:
            return []
        for pattern, where in patterns.items():
            pattern_language(pattern, where, self._algebra.limits)
        found_terms = [term for part in parts for _, term, _ in part.patterns] + [part.additional for part in parts]
        if not bounds.names and (not patterns or all(map(says_nothing, found_terms))):
            value = rule_of((*terms_of_matches(bounds, frozenset()), *values))
            return [] if value is None else [self._others.rule(None, names, value)]
        rules: list[int | None] = []
        for matched, signs in matched_together(patterns, self._algebra.limits):
            # What names are asked for seldom leaves one here, and what their values must be may be much work.
            choices = self._names_ahead(bounds, signs, names) if bounds.names else None
            if choices == []:
                continue
            value = rule_of((*terms_of_matches(bounds, matched), *values))
            if value is None:
                continue
            choices = choices or other_names(self._algebra, bounds, signs, names)
            few = None if listed is None else few_names(choices, self._algebra.limits)
            if listed is not None and few is not None:
                listed |= declared_members(self._builder, self._layout, dict.fromkeys(few, value), self._end)
                continue
            rules += [self._others.rule(allowed, excluded, value) for allowed, excluded in choices]
        return rules

    def _names_ahead(self, bounds: TypeBounds, signs: Signs, names: list[str]) -> list[Names] | None:
        """Return `other_names`; None if they cannot be combined, which matters only if they have a value."""
        try:
            return other_names(self._algebra, bounds, signs, names)
        except UnsupportedError:
            return None


def _any_of(builder: NetworkBuilder, every: Iterable[int | None]) -> int | None:
    """Return the rule of the texts of any of the rules; None where there is none."""
    rules = [rule for rule in every if rule is not None]
    if len(rules) < 2:
        return rules[0] if rules else None
    start, end = builder.rule(), builder.end()
    for rule in rules:
        builder.call(start, rule, end)
    return start


def _string_units() -> UnitClass:
    """Return the characters of a JSON string, as they are or escaped in any way that JSON allows."""
    plain = [(0x20, 0x21), (0x23, 0x5B), (0x5D, 0x10FFFF)]
    spellings: list[Spelling] = list(UnitClass.spellings_of(plain))
    spellings += [((0x5C, 0x5C), (byte, byte)) for byte in b'"\\/bfnrt']
    digits: list[Spelling] = [()]
    for _ in range(4):
        digits = [(*head, last) for head in digits for last in _HEX]
    return UnitClass.from_spellings([*spellings, *(((0x5C, 0x5C), (0x75, 0x75), *rest) for rest in digits)])


_ANY_STRING = _string_units()


def any_value(builder: NetworkBuilder, layout: Layout) -> int:
    """Return the rule of every JSON value; whitespace is inside it, as the layout says, not around it."""
    return builder.shared_rule("json anything", lambda start: _build_any(builder, layout, start))


def _build_any(builder: NetworkBuilder, layout: Layout, start: int) -> None:
    end = builder.end()
    for word in (b"null", b"true", b"false"):
        builder.literal(start, word, end)
    _emit_any_string(builder, start, end)
    builder.epsilon(start, language_of(_ANY_NUMBER, "ecma", False).emit(builder, end, escaped=False))
    emit_array(builder, layout, [], start, 0, None, start, end)
    emit_object(builder, layout, [], _any_member(builder, layout, start), 0, None, start, end)


def _emit_any_string(builder: NetworkBuilder, start: int, end: int) -> None:
    close = builder.state()
    builder.byte(close, _QUOTE, _QUOTE, end)
    builder.byte(start, _QUOTE, _QUOTE, builder.span(_ANY_STRING, 0, None, close))


def _any_member(builder: NetworkBuilder, layout: Layout, value_rule: int) -> int:
    """Return the rule of a member, from after the quote that opens its name."""
    start, close, colon, value, end = (builder.state() for _ in range(5))
    builder.epsilon(start, builder.span(_ANY_STRING, 0, None, close))
    builder.byte(close, _QUOTE, _QUOTE, colon)
    layout.colon(colon, value)
    builder.call(value, value_rule, end)
    builder.accept(end)
    return start
