"""Strings without quotes as languages, and their rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grammars.byte_bounded_cache import remembered
from grammars.errors import TooComplexError, UnsupportedError
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.algebra.evaluate import bounds_allow
from grammars.frontends.json.meaning.strings import Content, combined_at, content_key, content_language, fragment_of
from grammars.frontends.json.meaning.type_bounds import STRING, Conjunction, TypeBounds, pointer_of
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.charset import Ranges, intersect, negate, of
from grammars.frontends.regex.spec import texts_without
from grammars.frontends.regex.syntax import EPSILON, NOTHING, Alt, Chars, Node, Repeat, Seq, alternatives, sequence
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.network.fragment import Fragment

# Text that is JSON, or begins as if it were.
_LIKE_JSON = (
    r'[ \t\n\r]*(?:["\[{][\s\S]*'
    r"|(?:null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)[ \t\n\r]*)"
)
_BEGIN_JSON = ' \t\n\r"[{-0123456789ntf'
_SINGLE_QUOTED = r"[^'\\\u0000-\u001f\u007f]*"
# Pairs of a place in a marker and a number of characters, each of which is a state.
_MAX_COUNTED = 2_000


class Among(NamedTuple):
    """The texts that may be written without quotes.

    Attributes:
        markers: they contain none of these.
        like_no_json: they are no JSON, and do not begin like a string, an array or an object.
        single_quoted: they are between single quotes, unescaped.
    """

    markers: tuple[str, ...] = ()
    like_no_json: bool = False
    single_quoted: bool = False


@remembered()
def among_language(among: Among, limits: Limits) -> Language:
    """The texts as a language."""
    if among.single_quoted:
        return language_of(_SINGLE_QUOTED, "ecma", False, limits)
    limit = limits.max_pattern_states
    found = language_of(r"[\s\S]*", "ecma", False, limits)
    if among.markers:
        found = texts_without(among.markers, limits)
    if among.like_no_json:
        found = found.intersect(language_of(_LIKE_JSON, "ecma", False, limits).complement(limit), limit)
    return found


@remembered()
def _content(key: Content, excluded: tuple[str, ...], among: Among, is_narrow: bool, limits: Limits) -> Language:
    """The strings of the content in `among`; lengths come last, for they are counted where nothing else is.

    Args:
        is_narrow: strings lack the first characters of the markers, which multiplies nothing; and those that are to be
            like no JSON do not begin like any.
    """
    low, high, patterns, names = key
    limit = limits.max_pattern_states
    found = content_language((0, None, patterns, names), limits)
    if not is_narrow:
        found = found.intersect(among_language(among, limits), limit)
    elif among.like_no_json:
        plain, first = (Chars(negate(of(_first_characters(among) + more))) for more in ("", _BEGIN_JSON))
        others = alternatives(EPSILON, sequence(first, Repeat(plain, 0, None)))
        found = found.intersect(Language(others), limit)
    elif found.tree is not None:
        found = Language(_within(found.tree, negate(of(_first_characters(among)))))
    else:
        found = found.intersect(Language(Repeat(Chars(negate(of(_first_characters(among)))), 0, None)), limit)
    return found.with_lengths(low, high).without(excluded, limit)


def _first_characters(among: Among) -> str:
    return "".join(sorted({marker[0] for marker in among.markers}))


def _within(tree: Node, allowed: Ranges) -> Node:
    """Return the texts of a tree without anchors that are made of these characters."""
    match tree:
        case Chars(ranges):
            common = intersect(ranges, allowed)
            return Chars(common) if common else NOTHING
        case Seq(items):
            return sequence(*(_within(item, allowed) for item in items))
        case Alt(options):
            return alternatives(*(_within(option, allowed) for option in options))
        case Repeat(body, low, high):
            rest = _within(body, allowed)
            return (EPSILON if low == 0 else NOTHING) if rest == NOTHING else Repeat(rest, low, high)
    raise AssertionError("anchors are removed before")


@remembered()
def _fragment(key: Content, excluded: tuple[str, ...], among: Among, limits: Limits) -> Fragment:
    """The rule, at state 0, of the strings of the content in `among`.

    Where a bound or a pattern and the markers multiply to too many states, it is that of fewer strings, see `_content`.
    """
    try:
        if not _approximate(key, among):
            return fragment_of(_content(key, excluded, among, False, limits), limits, escaped=False)
    except TooComplexError as error:
        if error.limit != "max_pattern_states" or not among.markers:
            raise
    return fragment_of(_content(key, excluded, among, True, limits), limits, escaped=False)


def _approximate(key: Content, among: Among) -> bool:
    low, high, patterns, names = key
    num_places = sum(map(len, among.markers))
    return not patterns and not names and max(low, high or 0) * num_places > _MAX_COUNTED


class RawStrings:
    """Emits the strings of conjunctions without quotes."""

    def __init__(self, builder: NetworkBuilder, algebra: Algebra) -> None:
        self._builder = builder
        self._algebra = algebra
        self._limits = builder.limits
        self._rules: dict[tuple[Conjunction, Among], int | None] = {}

    def rule(self, terms: Conjunction, among: Among) -> int | None:
        """Return the rule of the conjunction's strings that are in `among`; None where there is none.

        Raises:
            UnsupportedError: no automaton expresses their constraints.
        """
        key = terms, among
        if key not in self._rules:
            self._rules[key] = self._made(terms, among)
        return self._rules[key]

    def of_bounds(self, bounds: TypeBounds, among: Among, where: str) -> int | None:
        """Return the strings of an alternative without given values."""
        content = content_key(bounds)
        excluded = tuple(value for value in bounds.excluded if isinstance(value, str))
        with combined_at(where):
            fragment = _fragment(content, excluded, among, self._limits)
        if fragment.count == 1:
            return None  # its start leads nowhere
        return self._builder.grafted(("raw content", content, excluded, among), fragment)

    def _made(self, terms: Conjunction, among: Among) -> int | None:
        builder, where = self._builder, pointer_of(terms)
        alternatives = self._algebra.alternatives(terms)
        if terms in self._algebra.checked_conjunctions:
            raise UnsupportedError("so many choices for a string without quotes", where)
        start, is_empty = builder.rule(), True
        for bounds in alternatives:
            if not bounds.types & STRING:
                continue
            if bounds.enum is None:
                rule = self.of_bounds(bounds, among, where)
                if rule is not None:
                    is_empty = False
                    builder.call(start, rule, builder.end())
            elif words := self._words(bounds, among):
                is_empty = False
                self._emit_words(words, start)
        return None if is_empty else start

    def _words(self, bounds: TypeBounds, among: Among) -> list[str]:
        found, limit = among_language(among, self._limits), self._limits.max_pattern_states
        words = [word for word in bounds.enum or () if isinstance(word, str) and found.accepts(word, limit)]
        return [word for word in words if bounds_allow(self._algebra, bounds, word)]

    def _emit_words(self, words: Iterable[str], start: int) -> None:
        spelled = [word.encode() for word in words]
        self._builder.words(start, filter(None, spelled), self._builder.end())
        if b"" in spelled:
            self._builder.epsilon(start, self._builder.end())
